/* device_variables.c: see device_variables.h. */
#include "sim/image/device_variables.h"

#include <stdint.h>
#include <stdio.h>

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

const struct device_symbol *device_variables_find(const char *address, size_t bytes)
{
    const struct device_symbol *one, *after;
    find_neighbours((uintptr_t)address, &one, &after);
    return one != NULL && (uintptr_t)address + bytes <= one->value + one->bytes ? one : NULL;
}

bool device_variables_describe(const char *address, char *text, size_t room)
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
