/*
 * atomics.h: an atomic operation on a word of memory, for atomics.c and log.c.
 */
#ifndef WARPUP_ATOMICS_H
#define WARPUP_ATOMICS_H

#include "gpu/memory/watch.h"
#include "gpu/ptx/ptx.h"

struct operation {
    uint8_t kind; /* M_add, M_cas … */
    uint8_t type; /* enum ptx_type */
    uint8_t bytes;
};

/* What an atom or red does, and which operands it has. */
struct atomic_detail {
    struct operation operation;
    enum access_kind access;
    bool real; /* an addition of floats */
    bool logs; /* its order matters for the sum, and nobody uses its result */
    uint8_t b, c;
    const struct ptx_operand *elements;
};

/* Does the operation on a word that others may use at the same time. Returns the old value. */
uint64_t operation_do(const struct operation *operation, void *at, uint64_t value,
                      uint64_t compare);

#endif
