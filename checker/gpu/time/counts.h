/*
 * counts.h: what the instructions that a launch executed cost a GPU, and which arithmetic they
 * were. PTX is not what a GPU executes: ptxas makes a row of instructions of some, and none of
 * others. costs.c has a table.
 */
#ifndef WARPUP_COUNTS_H
#define WARPUP_COUNTS_H

#include "gpu/memory/tally.h"
#include "gpu/ptx/ptx.h"

/* The instructions of a warp that a GPU executes for one PTX instruction. `issued` is what the
 * scheduler issues; the others are what the units get of that. `clocks`: until another instruction
 * can use the result. */
struct cost {
    float issued, floats, products, logic, special, doubles, clocks;
};

/* The cost of the instruction of a function at this index. */
struct cost cost_of(const struct ptx_function *function, uint32_t index);

/* Which arithmetic the trace counts for one lane of the instruction: the kind, and how many
 * operations. */
uint32_t cost_arithmetic(const struct ptx_function *function, uint32_t index,
                         enum arithmetic_kind *kind);

/* Sums of the instructions of all warps. */
struct work_counts {
    double issued, floats, products, logic, special, doubles;
};

/* Sums of a launch. */
struct counts {
    struct work_counts warps;
    struct work_counts in_floats;          /* if floats took the place of all doubles */
    struct work_counts undivided;          /* without divisions of integers */
    uint64_t arithmetic[ARITHMETIC_KINDS]; /* of lanes */
    double spills; /* of registers to local memory, and as many loads of them: of warps */
    double atomics, swaps, expected; /* of lanes: atomic operations; of these, compare and swap;
                                        loads of what such a one expects */
    double tensor_cost; /* of a product of tensor cores, mean: one of TF32 numbers costs 1 */
};
struct counts counts_of(const struct ptx_function *kernel, const struct tally *tally);

/* The arithmetic of all lanes, by instruction: calls `visit` for each one that did some. */
typedef void visit_arithmetic(void *context, const struct ptx_instruction *instruction,
                              enum arithmetic_kind kind, uint64_t operations);
void counts_visit(const struct tally *tally, visit_arithmetic *visit, void *context);

#endif
