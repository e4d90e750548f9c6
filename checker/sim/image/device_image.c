/* device_image.c: see device_image.h. */
#include "sim/image/device_image.h"

#include "sim/image/device_variables.h"
#include "sim/image/program.h"

uintptr_t image_code;

static struct program_part all, data, constants;

bool image_find(void)
{
    if (image_code != 0) return true;
    size_t count;
    program_symbols(DEVICE_VARIABLES, &count); /* before several threads ask for them */
    program_device_parts(&all, &data, &constants);
    image_code = all.low;
    return image_code != 0;
}

size_t image_bytes(void)
{
    return all.high - all.low;
}

enum image_part image_part_of(const char *address, size_t bytes)
{
    uintptr_t at = (uintptr_t)address;
    if (!program_is_in(&all, at)) return IMAGE_OUTSIDE;
    if (!program_is_in(&data, at)) return IMAGE_CONSTANT;
    if (device_variables_find(address, bytes) == NULL) return IMAGE_OUTSIDE;
    return program_is_in(&constants, at) ? IMAGE_CONSTANT : IMAGE_VARIABLE;
}
