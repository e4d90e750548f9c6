/* device_variables.c: see device_variables.h. */
#define _GNU_SOURCE
#include "sim/image/device_variables.h"

#include "sim/image/program.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* An access at most this far outside a variable was probably meant for it. device.ld keeps the
 * host's variables at least this far away. */
static const size_t NEAR = 16 << 10;

static struct {
    struct variable *list; /* in the order of their addresses */
    size_t count, room;
    bool read;
} variables;

static int by_address(const void *a, const void *b)
{
    const struct variable *x = a, *y = b;
    return (x->base > y->base) - (x->base < y->base);
}

static void add(const struct device_symbol *symbol)
{
    if (variables.count == variables.room) {
        variables.room = 2 * variables.room + 16;
        variables.list = realloc(variables.list, variables.room * sizeof *variables.list);
        if (variables.list == NULL) abort();
    }
    variables.list[variables.count++] = (struct variable){
        .symbol = symbol->name, .base = (const char *)symbol->value, .bytes = symbol->bytes};
}

void device_variables_read(void)
{
    struct device_symbol symbol;
    if (variables.read) return;
    for (size_t index = 0; program_next_variable(&index, &symbol);)
        add(&symbol);
    if (variables.count > 0)
        qsort(variables.list, variables.count, sizeof *variables.list, by_address);
    variables.read = true;
}

/* How many variables begin at or before the address. */
static size_t count_before(const char *address)
{
    size_t low = 0, high = variables.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (variables.list[middle].base <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct variable *device_variables_find(const char *address, size_t bytes)
{
    size_t before = count_before(address);
    const struct variable *one = before > 0 ? &variables.list[before - 1] : NULL;
    return one != NULL && address + bytes <= one->base + one->bytes ? one : NULL;
}

/* The distance of the address from the variable's end; 0 if it is inside. */
static size_t distance_after(const struct variable *one, const char *address)
{
    return address < one->base + one->bytes ? 0 : (size_t)(address - one->base) - one->bytes;
}

bool device_variables_describe(const char *address, char *text, size_t room)
{
    size_t before = count_before(address), after = NEAR, ahead = NEAR;
    const struct variable *list = variables.list;
    char name[100];
    if (before > 0) after = distance_after(&list[before - 1], address);
    if (before < variables.count) ahead = (size_t)(list[before].base - address);
    if (after >= NEAR && ahead >= NEAR) return false;
    const struct variable *one = after <= ahead ? &list[before - 1] : &list[before];
    program_short_name(one->symbol, name, sizeof name);
    size_t at = after <= ahead ? (size_t)(address - one->base) : 0;
    if (after <= ahead)
        snprintf(text, room, "byte %zu of %s, which has %zu bytes",
                 at < one->bytes ? one->bytes : at, name, one->bytes);
    else
        snprintf(text, room, "%zu bytes before the start of %s", ahead, name);
    return true;
}
