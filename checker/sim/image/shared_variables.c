/* shared_variables.c: shared variables and who declares them, from the device image's symbols
 * (shared_variables.h). */
#include "sim/image/shared_variables.h"

#include <stdio.h>
#include <string.h>

bool shared_variables_is_dynamic(const struct device_symbol *variable)
{
    return strcmp(variable->name, "warpup_dynamic_shared") == 0;
}

void shared_variables_name(const struct device_symbol *variable, char *name, size_t room)
{
    if (shared_variables_is_dynamic(variable))
        snprintf(name, room, "the dynamic shared memory");
    else
        program_short_name(variable->name, name, room);
}

const void *shared_variables_kernel(uintptr_t pc)
{
    size_t count;
    const struct device_symbol *list = program_symbols(DEVICE_FUNCTIONS, &count);
    for (size_t i = 0; pc != 0 && i < count; i++)
        if (pc - list[i].value < list[i].bytes) return (const void *)list[i].value;
    return NULL;
}

/* The kernel's symbol; NULL if no function has this address. */
static const char *symbol_of(const void *kernel)
{
    size_t count;
    const struct device_symbol *list = program_symbols(DEVICE_FUNCTIONS, &count);
    for (size_t i = 0; i < count; i++)
        if (list[i].value == (uintptr_t)kernel) return list[i].name;
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

bool shared_variables_declares(const void *kernel, const struct device_symbol *variable)
{
    return symbol_declares(symbol_of(kernel), variable->name);
}

size_t shared_variables_static_bytes(const void *kernel)
{
    size_t count, bytes = 0;
    const struct device_symbol *list = program_symbols(DEVICE_SHARED, &count);
    const char *function = symbol_of(kernel);
    for (size_t i = 0; i < count; i++)
        if (symbol_declares(function, list[i].name)) bytes += list[i].bytes;
    return bytes;
}
