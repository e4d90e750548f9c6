/*
 * liveness.h: from where to where each register of a body holds a value that is still needed.
 */
#ifndef WARPUP_PTX_LIVENESS_H
#define WARPUP_PTX_LIVENESS_H

#include "gpu/ptx/flow.h"

/* The code has two positions per instruction: it reads at the first and writes at the second. One
 * with several results writes at the first and reads at the second, so that none of them shares a
 * place with what it reads. */
struct liveness {
    uint32_t *from, *to; /* by register: the first and last position of its value; from > to: it is
                            never used */
    const uint8_t *weight; /* by register: as how many of 32 bits it counts */
    uint32_t pressure;     /* the most 32-bit registers that hold values at any position */
};

/* In the arena of the reader. */
struct liveness liveness_of_body(struct reader *reader);

/* registers.c */
uint8_t *register_weights(struct reader *reader);
uint32_t estimate_registers(struct reader *reader, const struct liveness *live);

#endif
