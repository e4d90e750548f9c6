/*
 * program.c: the symbol tables of the program's two images, read from their files. See program.h.
 */
#define _GNU_SOURCE
#include "sim/image/program.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* One image: its file, mapped whole, and where it runs. `sections` is NULL until it was read. */
struct image {
    int file;
    uintptr_t bias;
    struct program_part all, data;
    size_t module, shared_bytes; /* of its thread-local variables */
    const char *bytes;
    const Elf64_Shdr *sections;
    const char *section_names, *names;
    const Elf64_Sym *symbols;
    size_t section_count, symbol_count;
};

static struct image host = {.file = -1}, device = {.file = -1};

static const char *const variable_sections[] = {".warpup.device", ".warpup.constant"};

static void widen(struct program_part *part, uintptr_t begin, size_t bytes)
{
    if (part->high == 0) part->low = begin;
    part->high = begin + bytes; /* the parts of an image are in the order of their addresses */
}

/* Takes the bounds and opens the file of the executable, which comes first, and of device.so. */
static int take_object(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size;
    int *count = data;
    const char *slash = strrchr(info->dlpi_name, '/');
    bool first = (*count)++ == 0;
    if (!first && (slash == NULL || strcmp(slash, "/device.so") != 0)) return 0;

    struct image *image = first ? &host : &device;
    image->bias = info->dlpi_addr;
    image->module = info->dlpi_tls_modid;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type == PT_TLS) image->shared_bytes = part->p_memsz;
        if (part->p_type != PT_LOAD) continue;
        widen(&image->all, image->bias + part->p_vaddr, part->p_memsz);
        if (part->p_flags & PF_W) widen(&image->data, image->bias + part->p_vaddr, part->p_memsz);
    }
    image->file = open(first ? "/proc/self/exe" : info->dlpi_name, O_RDONLY | O_CLOEXEC);
    return 0;
}

void program_open(void)
{
    int count = 0;
    dl_iterate_phdr(take_object, &count);
}

static const Elf64_Shdr *section_named(const struct image *image, const char *name)
{
    for (size_t i = 0; i < image->section_count; i++)
        if (strcmp(image->section_names + image->sections[i].sh_name, name) == 0)
            return &image->sections[i];
    return NULL;
}

/* Maps the image's file and finds its symbols. The linker has just written the file, so its
 * contents are not checked. */
static bool read_image(struct image *image)
{
    struct stat status;
    if (image->sections != NULL) return image->symbols != NULL;
    if (image->file < 0 || fstat(image->file, &status) != 0) return false;
    const char *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, image->file, 0);
    if (bytes == MAP_FAILED) return false;

    const Elf64_Ehdr *header = (const Elf64_Ehdr *)bytes;
    image->bytes = bytes;
    image->sections = (const Elf64_Shdr *)(bytes + header->e_shoff);
    image->section_count = header->e_shnum;
    image->section_names = bytes + image->sections[header->e_shstrndx].sh_offset;
    const Elf64_Shdr *symbols = section_named(image, ".symtab");
    if (symbols == NULL) return false;
    image->symbols = (const Elf64_Sym *)(bytes + symbols->sh_offset);
    image->symbol_count = symbols->sh_size / sizeof(Elf64_Sym);
    image->names = bytes + image->sections[symbols->sh_link].sh_offset;
    return true;
}

/* The symbol of this type with this name or, if that is NULL, at this address in memory; NULL if
 * there is none. A symbol without a size is a mark of the linker, which may have the address of a
 * variable (__TMC_END__). */
static const Elf64_Sym *find_symbol(struct image *image, int type, const char *name,
                                    uintptr_t address)
{
    if (!read_image(image)) return NULL;
    for (size_t i = 0; i < image->symbol_count; i++) {
        const Elf64_Sym *symbol = &image->symbols[i];
        if (symbol->st_shndx == SHN_UNDEF || ELF64_ST_TYPE(symbol->st_info) != type) continue;
        if (name != NULL ? strcmp(image->names + symbol->st_name, name) == 0
                         : symbol->st_value == address - image->bias && symbol->st_size > 0)
            return symbol;
    }
    return NULL;
}

static bool is_in(const struct image *image, uintptr_t address)
{
    return program_is_in(&image->all, address);
}

void *program_device_function(const void *function)
{
    if (!is_in(&host, (uintptr_t)function)) return NULL;
    const Elf64_Sym *symbol = find_symbol(&host, STT_FUNC, NULL, (uintptr_t)function);
    if (symbol == NULL) return NULL;
    symbol = find_symbol(&device, STT_FUNC, host.names + symbol->st_name, 0);
    return symbol == NULL ? NULL : (void *)(device.bias + symbol->st_value);
}

static bool is_variable_section(const struct image *image, size_t index)
{
    if (index >= image->section_count) return false;
    const char *name = image->section_names + image->sections[index].sh_name;
    for (int i = 0; i < 2; i++)
        if (strncmp(name, variable_sections[i], strlen(variable_sections[i])) == 0) return true;
    return false;
}

bool program_device_variable(const void *symbol, char **address, size_t *bytes)
{
    if (!is_in(&host, (uintptr_t)symbol)) return false;
    const Elf64_Sym *found = find_symbol(&host, STT_OBJECT, NULL, (uintptr_t)symbol);
    if (found == NULL || !is_variable_section(&host, found->st_shndx)) return false;
    found = find_symbol(&device, STT_OBJECT, host.names + found->st_name, 0);
    if (found == NULL) return false;
    *address = (char *)(device.bias + found->st_value);
    *bytes = found->st_size;
    return true;
}

/* aarch64's assembler marks with symbols where code ($x) and data ($d) begin, also in the section
 * of shared variables. */
static bool is_mark(const Elf64_Sym *symbol)
{
    return device.names[symbol->st_name] == '$';
}

static bool is_of_kind(const Elf64_Sym *symbol, enum device_symbols kind)
{
    static const int types[] = {STT_FUNC, STT_OBJECT, STT_TLS};
    if (is_mark(symbol)) return false;
    if (ELF64_ST_TYPE(symbol->st_info) != types[kind] || symbol->st_shndx == SHN_UNDEF)
        return false;
    return kind != DEVICE_VARIABLES ||
           (symbol->st_size > 0 && is_variable_section(&device, symbol->st_shndx));
}

static int by_value(const void *a, const void *b)
{
    const struct device_symbol *x = a, *y = b;
    return (x->value > y->value) - (x->value < y->value);
}

const struct device_symbol *program_symbols(enum device_symbols kind, size_t *count)
{
    static struct {
        struct device_symbol *list;
        size_t count;
    } kinds[3];
    if (kinds[kind].list == NULL && read_image(&device)) {
        struct device_symbol *list = malloc((device.symbol_count + 1) * sizeof *list);
        if (list == NULL) abort();
        for (size_t i = 0; i < device.symbol_count; i++) {
            const Elf64_Sym *one = &device.symbols[i];
            if (!is_of_kind(one, kind)) continue;
            uintptr_t bias = kind == DEVICE_SHARED ? 0 : device.bias;
            list[kinds[kind].count++] = (struct device_symbol){device.names + one->st_name,
                                                               bias + one->st_value, one->st_size};
        }
        qsort(list, kinds[kind].count, sizeof *list, by_value);
        kinds[kind].list = list;
    }
    *count = kinds[kind].count;
    return kinds[kind].list;
}

bool program_next_variables(size_t *index, char **low, size_t *bytes)
{
    if (!read_image(&device)) return false;
    for (; *index < device.section_count; ++*index) {
        if (!is_variable_section(&device, *index)) continue;
        *low = (char *)(device.bias + device.sections[*index].sh_addr);
        *bytes = device.sections[*index].sh_size;
        ++*index;
        return true;
    }
    return false;
}

bool program_holds_variable(const void *address, size_t bytes)
{
    const char *at = address;
    char *low;
    size_t held;
    if (!is_in(&device, (uintptr_t)address)) return false;
    for (size_t index = 0; program_next_variables(&index, &low, &held);)
        if (at >= low && at + bytes <= low + held) return true;
    return false;
}

const void *program_section(const char *name, uintptr_t *at, size_t *bytes)
{
    const Elf64_Shdr *section = read_image(&device) ? section_named(&device, name) : NULL;
    if (section == NULL) return NULL;
    *at = device.bias + section->sh_addr;
    *bytes = section->sh_size;
    return device.bytes + section->sh_offset;
}

void program_device_parts(struct program_part *all, struct program_part *data,
                          struct program_part *constants)
{
    size_t bytes = 0;
    *all = device.all;
    *data = device.data;
    *constants = (struct program_part){0};
    program_section(variable_sections[1], &constants->low, &bytes);
    constants->high = constants->low + bytes;
}

char *program_shared(size_t *bytes)
{
    extern void *__tls_get_addr(const size_t module_and_offset[2]);
    *bytes = device.module == 0 ? 0 : device.shared_bytes;
    return *bytes == 0 ? NULL : __tls_get_addr((size_t[2]){device.module, 0});
}

/* From the C++ library. A program is linked with it only if it uses it, so libsimgpu.so is too. */
char *__cxa_demangle(const char *name, char *buffer, size_t *length, int *status);

/* The demangled name, or the name itself; the caller frees it. */
static char *demangled(const char *name)
{
    char *text = __cxa_demangle(name, NULL, NULL, NULL);
    return text == NULL ? strdup(name) : text;
}

void program_short_name(const char *symbol, char *name, size_t room)
{
    char *text = demangled(symbol);
    const char *last = text;
    for (const char *at = text; (at = strstr(at, "::")) != NULL; at += 2)
        last = at + 2;
    snprintf(name, room, "%s", last);
    free(text);
}

/* A function's name as a student would write it: without "void", namespace and parameters. */
static const char *short_name(const Elf64_Sym *symbol)
{
    char *text = demangled(host.names + symbol->st_name);
    if (strncmp(text, "void ", 5) == 0) memmove(text, text + 5, strlen(text + 5) + 1);
    char *parameters = strstr(text, "(anonymous namespace)::") == text ? text + 23 : text;
    parameters[strcspn(parameters, "(")] = '\0';
    return parameters;
}

const char *program_function_name(const void *function)
{
    static struct known {
        const Elf64_Sym *symbol;
        const char *name;
        const struct known *next;
    } * known;
    const Elf64_Sym *symbol = find_symbol(&host, STT_FUNC, NULL, (uintptr_t)function);
    if (symbol == NULL) return "kernel";
    for (const struct known *one = known; one != NULL; one = one->next)
        if (one->symbol == symbol) return one->name;
    const char *name = short_name(symbol);
    struct known *new = malloc(sizeof *new);
    if (new == NULL) return name;
    *new = (struct known){.symbol = symbol, .name = name, .next = known};
    known = new;
    return name;
}

bool program_image(uintptr_t pc, int *file, uintptr_t *bias)
{
    const struct image *image = is_in(&host, pc) ? &host : is_in(&device, pc) ? &device : NULL;
    if (image == NULL || image->file < 0) return false;
    *file = image->file;
    *bias = image->bias;
    return true;
}
