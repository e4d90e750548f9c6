/* device_image.c: see device_image.h. */
#define _GNU_SOURCE
#include "sim/image/device_image.h"

#include "sim/image/device_variables.h"
#include "sim/image/program.h"

#include <link.h>
#include <stddef.h>

uintptr_t image_code;

static struct {
    const char *low, *high;           /* the whole image */
    const char *data_low, *data_high; /* its writable part */
    const char *constant_low, *constant_high;
    size_t module; /* of its thread-local variables */
} image;

/* Looks at one loaded object; takes its bounds when the address in `data` is its own. */
static int take_bounds(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    const char *base = (const char *)info->dlpi_addr, *low = NULL, *high = NULL;
    const char *data_low = NULL, *data_high = NULL;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type != PT_LOAD) continue;
        const char *begin = base + part->p_vaddr, *end = begin + part->p_memsz;
        if (low == NULL) low = begin;
        high = end;
        if (part->p_flags & PF_W) {
            if (data_low == NULL) data_low = begin;
            data_high = end;
        }
    }
    if ((const char *)data < low || (const char *)data >= high) return 0;
    image.low = low;
    image.high = high;
    image.data_low = data_low;
    image.data_high = data_high;
    image.module = info->dlpi_tls_modid;
    image_code = (uintptr_t)low;
    return 1;
}

bool image_find(const void *code)
{
    if (image.low != NULL) return true;
    size_t count;
    program_symbols(DEVICE_VARIABLES, &count); /* before several threads ask for them */
    program_constants(&image.constant_low, &image.constant_high);
    return dl_iterate_phdr(take_bounds, (void *)(uintptr_t)code) == 1;
}

size_t image_bytes(void)
{
    return (size_t)(image.high - image.low);
}

struct shared_search {
    const char *base;
    uint64_t bytes;
};

static int take_shared(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    struct shared_search *found = data;
    if (image.module == 0 || info->dlpi_tls_modid != image.module) return 0;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_TLS) {
            found->base = info->dlpi_tls_data;
            found->bytes = info->dlpi_phdr[i].p_memsz;
        }
    return 1;
}

void image_shared(const char **base, uint64_t *bytes)
{
    struct shared_search found = {0};
    dl_iterate_phdr(take_shared, &found);
    *base = found.base;
    *bytes = found.bytes;
}

enum image_part image_part_of(const char *address, size_t bytes)
{
    if (address < image.low || address >= image.high) return IMAGE_OUTSIDE;
    bool writable = address >= image.data_low && address < image.data_high;
    bool constant = address >= image.constant_low && address < image.constant_high;
    if (!writable) return IMAGE_CONSTANT;
    if (device_variables_find(address, bytes) == NULL) return IMAGE_OUTSIDE;
    return constant ? IMAGE_CONSTANT : IMAGE_VARIABLE;
}
