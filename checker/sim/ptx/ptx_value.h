/*
 * ptx_value.h: what PTX instructions compute that access no memory and know of no other thread.
 */
#ifndef WARPUP_PTX_VALUE_H
#define WARPUP_PTX_VALUE_H

#include "sim/ptx/ptx_text.h"

/* A register holds the bits of its type, with zeros above. */
uint64_t ptx_cut(enum ptx_type type, uint64_t bits);

/* The result from the values of the operands after the first. False if `one` is not such an
 * instruction. */
bool ptx_compute(const struct ptx_instruction *one, const uint64_t v[], uint64_t *result);

#endif
