/*
 * words.c: the words of PTX itself, from words.h, and what their types are.
 */
#include "gpu/ptx/words.h"

#include <stdint.h>

#define X(name, form, flow) #name,
const char *const ptx_opcodes[] = {PTX_INSTRUCTIONS(X)};
#undef X
#define X(name, bytes) #name,
const char *const ptx_types[] = {PTX_TYPES(X)};
#undef X
#define X(name, text) text,
const char *const ptx_modifiers[] = {PTX_MODIFIERS(X)}, *const ptx_specials[] = {PTX_SPECIALS(X)};
#undef X

unsigned ptx_type_bytes(enum ptx_type type)
{
#define X(name, size) size,
    static const uint8_t bytes[] = {PTX_TYPES(X) 0};
#undef X
    return bytes[type];
}

bool ptx_is_real(enum ptx_type type)
{
    return type == TYPE_f16 || type == TYPE_bf16 || type == TYPE_tf32 || type == TYPE_f32 ||
           type == TYPE_f64;
}

bool ptx_is_signed(enum ptx_type type)
{
    return type == TYPE_s8 || type == TYPE_s16 || type == TYPE_s32 || type == TYPE_s64;
}
