/*
 * constants.c: the constants of a module, each once, spread over 32 lanes. While the text is read
 * only their places are known; their memory is made at the end. Those that are addresses get their
 * values by ptx_place().
 */
#include "gpu/ptx/reader.h"

#include <stdlib.h>
#include <string.h>

static int32_t intern(struct reader *reader, const struct constant *wanted)
{
    uint64_t mix = (wanted->value ^ (uintptr_t)wanted->variable ^ (uintptr_t)wanted->function) *
                   UINT64_C(0x9e3779b97f4a7c15);
    uint32_t *bucket = &reader->constant_buckets[(mix >> 40 ^ wanted->bytes) % 4096];
    for (uint32_t k = *bucket; k != 0; k = reader->constants[k].next) {
        const struct constant *one = &reader->constants[k];
        if (one->value == wanted->value && one->bytes == wanted->bytes &&
            one->variable == wanted->variable && one->function == wanted->function)
            return (int32_t)one->at;
    }
    if (reader->constant_count == 0) reader->constant_count = 1;
    reader->constants = arena_grown(reader->constants, reader->constant_count,
                                    &reader->constant_room, sizeof *reader->constants);
    struct constant *one = &reader->constants[reader->constant_count];
    *one = *wanted;
    one->at = reader->module->constant_bytes;
    one->next = *bucket;
    *bucket = (uint32_t)reader->constant_count++;
    reader->module->constant_bytes += one->bytes == 0 ? 64 : LANES * one->bytes;
    return (int32_t)one->at;
}

int32_t constant_of(struct reader *reader, unsigned bytes, uint64_t value)
{
    if (bytes == 0) value = value != 0 ? UINT32_MAX : 0;
    if (bytes == 1) bytes = 2;
    if (bytes < 8) value &= bytes == 0 ? UINT32_MAX : (UINT64_C(1) << 8 * bytes) - 1;
    return intern(reader, &(struct constant){.value = value, .bytes = (uint8_t)bytes});
}

int32_t address_of(struct reader *reader, unsigned bytes, struct ptx_variable *variable,
                   struct ptx_function *function, int64_t add)
{
    return intern(reader, &(struct constant){.value = (uint64_t)add,
                                             .bytes = bytes == 4 ? 4 : 8,
                                             .variable = variable,
                                             .function = function});
}

static void spread(unsigned char *at, const struct constant *one, uint64_t value)
{
    if (one->bytes == 0) {
        memcpy(at, &(uint32_t){(uint32_t)value}, 4);
        return;
    }
    uint64_t lane[2] = {value, 0};
    for (unsigned l = 0; l < LANES; l++)
        memcpy(at + l * one->bytes, lane, one->bytes);
}

/* The constants that are addresses, with the arena: ptx_place() may come again. */
struct address_constants {
    uint32_t count;
    struct constant constants[];
};

void constants_finish(struct reader *reader)
{
    struct ptx_module *module = reader->module;
    unsigned char *memory = arena_new(reader->arena, module->constant_bytes + 64);
    module->constants = (unsigned char *)(((uintptr_t)memory + 63) / 64 * 64);
    uint32_t addresses = 0;
    for (size_t k = 1; k < reader->constant_count; k++) {
        const struct constant *one = &reader->constants[k];
        spread(module->constants + one->at, one, one->value);
        addresses += one->variable != NULL || one->function != NULL;
    }
    struct address_constants *list =
        arena_new(reader->arena, sizeof *list + addresses * sizeof *list->constants);
    for (size_t k = 1; k < reader->constant_count; k++)
        if (reader->constants[k].variable != NULL || reader->constants[k].function != NULL)
            list->constants[list->count++] = reader->constants[k];
    module->addresses = list;
}

void ptx_place(struct ptx_module *module)
{
    const struct address_constants *list = module->addresses;
    for (uint32_t k = 0; k < list->count; k++) {
        const struct constant *one = &list->constants[k];
        uint64_t base =
            one->variable != NULL ? one->variable->address : ptx_function_address(one->function);
        spread(module->constants + one->at, one, base + one->value);
    }
}
