/*
 * warp.h: a warp while it runs, as those see it who execute its instructions. A register is 32
 * lanes side by side (ptx.h), so most instructions are one loop over 32 values that the compiler
 * makes vector code of.
 */
#ifndef WARPUP_WARP_H
#define WARPUP_WARP_H

#include "gpu/ptx/ptx.h"

#include <stdbool.h>
#include <stdint.h>

struct block;
struct worker;
struct watched_warp;

static const uint32_t FULL_MASK = 0xffffffffu;

/* The lanes of `left`, which is not empty, that have the same value as its first one. */
static inline uint32_t lanes_like(const uint32_t value[LANES], uint32_t left)
{
    uint32_t same = 0, first = value[__builtin_ctz(left)];
    EACH_LANE (lane, left)
        if (value[lane] == first) same |= UINT32_C(1) << lane;
    return same;
}

static inline uint32_t lanes_like_64(const uint64_t value[LANES], uint32_t left)
{
    uint32_t same = 0;
    uint64_t first = value[__builtin_ctz(left)];
    EACH_LANE (lane, left)
        if (value[lane] == first) same |= UINT32_C(1) << lane;
    return same;
}

struct warp {
    unsigned char *base[BASES]; /* of the group of lanes that runs now: where operands are */
    unsigned char *call_area; /* of the running activation: lane l's .param bytes are at call_area +
                                 l * call_stride */
    uint32_t call_stride;
    uint32_t lanes; /* that it has */
    uint32_t live;  /* of them, those that have not ended */
    uint32_t carry; /* a bit per lane: the carry flag of add.cc, addc, sub.cc … */
    uint32_t index; /* in the block */
    struct block *block;
    struct worker *worker;
    struct watched_warp *watched; /* what memory/ knows of it */
    /* --- the rest is that of control.c: groups of lanes, activations --- */
    struct control *control;
};

/* The 32 values of an operand. The type is one whose size is the operand's `bytes`; `PREDICATE` is
 * one mask. */
#define VALUES(warp, type, base_, at_) ((type *)((warp)->base[base_] + (at_)))
#define D_OF(warp, i, type)            VALUES(warp, type, (i)->d_base, (i)->d)
#define A_OF(warp, i, type)            VALUES(warp, const type, (i)->a_base, (i)->a)
#define B_OF(warp, i, type)            VALUES(warp, const type, (i)->b_base, (i)->b)
#define C_OF(warp, i, type)            VALUES(warp, const type, (i)->c_base, (i)->c)

/* The mask of a predicate operand; a negated one is inverted. */
static inline uint32_t predicate_of(const struct warp *warp, const struct ptx_operand *operand)
{
    uint32_t bits = *VALUES(warp, const uint32_t, operand->base, operand->at);
    return operand->negated ? ~bits : bits;
}

/* Ends the kernel: the fault has been noted, and this is the CUDA error that the program gets. The
 * running instruction returns as usual; control.c looks at it afterwards. */
void warp_fail(struct warp *warp, int error);

/* Notes a fault of this lane at the instruction's place; it has no address (control.c). */
void warp_fault(struct warp *warp, const struct ptx_instruction *instruction, uint32_t lane,
                const char *name, const char *detail);

/* One request to memory of an instruction that is neither ld nor st: wmma, ldmatrix, tex, sust …
 * (access.c). The addresses, by lane, are those of `space`; generic ones may be global, shared or
 * local. `data` holds `bytes` (1, 2, 4, 8 or 16) per lane, one lane after the other. It is watched
 * and counted as a ld or st is. Returns the lanes that did the access. After a load, the bytes of
 * all others are unchanged. */
uint32_t access_values(struct warp *warp, const struct ptx_instruction *instruction, bool store,
                       enum ptx_space space, uint32_t mask, const uint64_t address[LANES],
                       uint32_t bytes, void *data);

/* Adds to the tally's tensor_flops (control.c). */
void warp_count_tensor(struct warp *warp, uint64_t flops);

/* Chooses what executes an arithmetic, logic, conversion, matrix or texture instruction of the
 * function, and its `detail`. NULL: it is not known, or an operand has another size than its type
 * says (prepare.c). */
ptx_execute *arithmetic_select(const struct ptx_function *function,
                               struct ptx_instruction *instruction);

#endif
