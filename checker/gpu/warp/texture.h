/*
 * texture.h: what the files that execute tex, suld and their like share: operands, and objects.
 */
#ifndef WARPUP_WARP_TEXTURE_H
#define WARPUP_WARP_TEXTURE_H

#include "gpu/textures/object.h"
#include "gpu/warp/compute.h"

enum { PARTS = 4, AXES = 2 };

/* How many dimensions the instruction's shape has: 1 or 2; 0: it is another shape. */
int dimensions_of(const struct ptx_instruction *instruction);

/* The registers of a vector, or of a single value. */
static inline const struct ptx_operand *parts_of(const struct ptx_operand *elements,
                                                 const struct ptx_operand *operand)
{
    return operand->kind == OPERAND_VECTOR ? &elements[operand->first] : operand;
}

static inline unsigned part_count(const struct ptx_operand *operand)
{
    return operand->kind == OPERAND_VECTOR ? operand->count : 1;
}

/* Are all of them values, or sinks, of this size? */
bool are_parts(const struct ptx_operand *elements, const struct ptx_operand *operand,
               unsigned bytes);

/* The lanes of `left` that name the same object as the first of them, and the object. If there is
 * none, the fault is noted, and it is NULL. */
const struct texture_object *next_object(struct warp *warp,
                                         const struct ptx_instruction *instruction,
                                         const struct ptx_operand *handle, bool surface,
                                         uint32_t left, uint32_t *lanes);

select_family select_surface;

#endif
