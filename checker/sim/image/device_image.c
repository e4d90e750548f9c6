/* device_image.c: see device_image.h. */
#include "sim/image/device_image.h"

#include "sim/image/program.h"

#include <stdio.h>

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

/* An access at most this far outside a variable was probably meant for it. device.ld keeps the
 * host's variables at least this far away. */
static const size_t NEAR = 16 << 10;

/* The last variable that begins at or before the address, and the one after it; NULL: none. */
static void find_neighbours(uintptr_t address, const struct device_symbol **before,
                            const struct device_symbol **after)
{
    size_t count, low = 0;
    const struct device_symbol *list = program_symbols(DEVICE_VARIABLES, &count);
    size_t high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (list[middle].value <= address)
            low = middle + 1;
        else
            high = middle;
    }
    *before = low > 0 ? &list[low - 1] : NULL;
    *after = low < count ? &list[low] : NULL;
}

/* The variable that holds all of these bytes; NULL when none does. */
static const struct device_symbol *find_variable(const char *address, size_t bytes)
{
    const struct device_symbol *one, *after;
    find_neighbours((uintptr_t)address, &one, &after);
    return one != NULL && (uintptr_t)address + bytes <= one->value + one->bytes ? one : NULL;
}

bool image_describe(const char *address, char *text, size_t room)
{
    const struct device_symbol *before, *after;
    uintptr_t at = (uintptr_t)address;
    char name[100];
    find_neighbours(at, &before, &after);
    size_t end = before == NULL ? 0 : before->value + before->bytes;
    size_t past = before == NULL ? NEAR : at < end ? 0 : at - end;
    size_t ahead = after == NULL ? NEAR : after->value - at;
    if (past >= NEAR && ahead >= NEAR) return false;
    program_short_name(past <= ahead ? before->name : after->name, name, sizeof name);
    if (past <= ahead)
        snprintf(text, room, "byte %zu of %s, which has %zu bytes", before->bytes + past, name,
                 before->bytes);
    else
        snprintf(text, room, "%zu bytes before the start of %s", ahead, name);
    return true;
}

enum image_part image_part_of(const char *address, size_t bytes)
{
    uintptr_t at = (uintptr_t)address;
    if (!program_is_in(&all, at)) return IMAGE_OUTSIDE;
    if (!program_is_in(&data, at)) return IMAGE_CONSTANT;
    if (find_variable(address, bytes) == NULL) return IMAGE_OUTSIDE;
    return program_is_in(&constants, at) ? IMAGE_CONSTANT : IMAGE_VARIABLE;
}
