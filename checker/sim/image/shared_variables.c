/* shared_variables.c: shared variables and who declares them, from the device image's symbols
 * (shared_variables.h). */
#define _GNU_SOURCE
#include "sim/image/shared_variables.h"

#include "sim/image/program.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    struct shared_variable *list; /* NULL before they were looked for */
    size_t count, room;
} variables;

static int by_offset(const void *a, const void *b)
{
    const struct shared_variable *x = a, *y = b;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

static void add_variable(const struct device_symbol *symbol)
{
    if (variables.count == variables.room) {
        variables.room = 2 * variables.room + 16;
        variables.list = realloc(variables.list, variables.room * sizeof *variables.list);
        if (variables.list == NULL) abort();
    }
    variables.list[variables.count++] =
        (struct shared_variable){.symbol = symbol->name,
                                 .offset = symbol->value,
                                 .bytes = symbol->bytes,
                                 .is_dynamic = strcmp(symbol->name, "warpup_dynamic_shared") == 0};
}

const struct shared_variable *shared_variables_list(size_t *count)
{
    static bool read;
    size_t index = 0;
    struct device_symbol symbol;
    if (!read) {
        while (program_next_symbol(STT_TLS, &index, &symbol))
            add_variable(&symbol);
        if (variables.count > 0)
            qsort(variables.list, variables.count, sizeof *variables.list, by_offset);
        read = true;
    }
    *count = variables.count;
    return variables.list;
}

void shared_variables_name(const struct shared_variable *variable, char *name, size_t room)
{
    if (variable->is_dynamic)
        snprintf(name, room, "the dynamic shared memory");
    else
        program_short_name(variable->symbol, name, room);
}

const void *shared_variables_kernel(uintptr_t pc)
{
    size_t index = 0;
    struct device_symbol symbol;
    while (pc != 0 && program_next_symbol(STT_FUNC, &index, &symbol))
        if (pc - symbol.value < symbol.bytes) return (const void *)symbol.value;
    return NULL;
}

/* The kernel's symbol; NULL when the address is none's. */
static const char *symbol_of(const void *kernel)
{
    size_t index = 0;
    struct device_symbol symbol;
    while (program_next_symbol(STT_FUNC, &index, &symbol))
        if (symbol.value == (uintptr_t)kernel) return symbol.name;
    return NULL;
}

/* _Z4tilePf declares _ZZ4tilePfE3Mds. A clone made by the compiler has a suffix (.constprop.0), and
 * a C function has a plain name. */
static bool symbol_declares(const char *function, const char *variable)
{
    char plain[300];
    if (function == NULL || strncmp(variable, "_ZZ", 3) != 0) return false;
    if (strncmp(function, "_Z", 2) != 0) {
        snprintf(plain, sizeof plain, "_Z%zu%s", strcspn(function, "."), function);
        function = plain;
    }
    size_t length = strcspn(function + 2, ".");
    return strncmp(variable + 3, function + 2, length) == 0 && variable[3 + length] == 'E';
}

bool shared_variables_declares(const void *kernel, const struct shared_variable *variable)
{
    return symbol_declares(symbol_of(kernel), variable->symbol);
}

size_t shared_variables_static_bytes(const void *kernel)
{
    size_t count, bytes = 0;
    const struct shared_variable *list = shared_variables_list(&count);
    const char *function = symbol_of(kernel);
    for (size_t i = 0; i < count; i++)
        if (symbol_declares(function, list[i].symbol)) bytes += list[i].bytes;
    return bytes;
}
