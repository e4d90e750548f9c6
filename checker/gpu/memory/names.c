/* names.c: see names.h. */
#include "gpu/memory/names.h"

#include <stdio.h>

/* 0 inside. */
static uint64_t distance(uint64_t from, uint64_t bytes, uint64_t at)
{
    if (at < from) return from - at;
    return at - from < bytes ? 0 : at - from - bytes + 1;
}

const struct ptx_variable *name_of_global(const struct ptx_module *module, uint64_t address,
                                          uint64_t near)
{
    const struct ptx_variable *nearest = NULL;
    uint64_t best = near;
    for (uint32_t i = 0; module != NULL && i < module->variable_count; i++) {
        const struct ptx_variable *one = module->variables[i];
        if (one->space == SPACE_SHARED || one->address == 0) continue;
        uint64_t apart = distance(one->address, one->bytes, address);
        if (apart > best || (nearest != NULL && apart == best)) continue;
        nearest = one;
        best = apart;
    }
    return nearest;
}

const struct ptx_variable *name_of_shared(const struct ptx_module *module,
                                          const struct ptx_function *kernel, uint64_t offset,
                                          uint64_t dynamic)
{
    const struct ptx_variable *nearest = NULL;
    uint64_t best = 0;
    for (uint32_t i = 0; kernel != NULL && i < kernel->shared_used_count; i++) {
        const struct ptx_variable *one = module->variables[kernel->shared_used[i]];
        uint64_t apart = distance(one->address, one->external ? dynamic : one->bytes, offset);
        if (nearest != NULL && apart >= best) continue;
        nearest = one;
        best = apart;
    }
    return nearest;
}

const char *name_in_words(const struct ptx_variable *variable)
{
    if (variable->external) return "the dynamic shared memory";
    return variable->plain_name != NULL ? variable->plain_name : variable->name;
}

void name_address(char *detail, size_t room, const char *name, uint64_t at, uint64_t from,
                  uint64_t bytes)
{
    if ((int64_t)at < (int64_t)from)
        snprintf(detail, room, "%llu bytes before the start of %s", (unsigned long long)(from - at),
                 name);
    else
        snprintf(detail, room, "byte %llu of %s, which has %llu bytes",
                 (unsigned long long)(at - from), name, (unsigned long long)bytes);
}
