/*
 * flow.h: what an analysis asks of a function's body: its basic blocks, which registers an
 * instruction reads and writes, and from where to where a register holds a value that is needed.
 */
#ifndef WARPUP_PTX_FLOW_H
#define WARPUP_PTX_FLOW_H

#include "gpu/ptx/reader.h"

/* Basic blocks in the order of the code. Block b's successors are to[first_to … first_to + to_count
 * - 1]: first where a branch goes, last where it falls through to. */
struct flow {
    struct basic_block {
        uint32_t first, end; /* instructions; end is one past the last one */
        uint32_t first_to, to_count;
        bool falls; /* its last successor is the next block of the text */
    } * blocks;
    uint32_t count;
    uint32_t *to;
    uint32_t *block_of; /* by instruction */
};

/* In the arena of the reader. */
struct flow flow_of_body(struct reader *reader);

/* waits.c: is this block a loop by itself, which ptxas unrolls? */
bool is_unrolled(const struct reader *reader, const struct flow *flow, uint32_t number);

/* The operands of an instruction that are registers, elements of vectors and the guard included:
 * where their numbers are, first of those that it reads, then of those that it writes. A vector has
 * at most 16 elements, and so on. */
enum { TOUCHED_MAX = 128 };
struct touched {
    int32_t *list[TOUCHED_MAX];
    uint32_t read_count, count;
};
struct touched registers_of(const struct body *body, const struct ptx_instruction *instruction);

/* For the number of each register in list[from … to - 1]. */
#define EACH_NUMBER(number, touched, from, to)                                                     \
    for (uint32_t number##_k = (from), number;                                                     \
         number##_k < (to) && (number = (uint32_t) * (touched).list[number##_k], true);            \
         number##_k++)
#define EACH_READ(number, touched) EACH_NUMBER (number, touched, 0, (touched).read_count)
#define EACH_WRITE(number, touched)                                                                \
    EACH_NUMBER (number, touched, (touched).read_count, (touched).count)

/* Is the operand a special register that changes while a warp runs? */
static inline bool is_changing(const struct ptx_operand *one)
{
    return one->base == BASE_SPECIAL && one->at / (4 * LANES) >= SPECIAL_READ;
}

/* Marks registers until nothing changes: backward, what an instruction that counts reads; forward,
 * what it writes. `counts` is asked with whether one of the registers on its other side is marked.
 * False: that takes too many passes. */
bool spread_marks(const struct body *body, unsigned char *marked, bool forward,
                  bool (*counts)(const struct ptx_instruction *one, bool marked));

/* By register: how many instructions write it: 0, 1, or 2 for more. */
uint8_t *count_definitions(struct reader *reader);

/* Does some instruction have this opcode, and this space? SPACES: any. */
enum { SPACES = SPACE_CONST + 1 };
bool has_opcode(const struct body *body, enum ptx_opcode opcode, int space);

/* The code has two positions per instruction: it reads at the first and writes at the second. One
 * with several results writes at the first and reads at the second, so that none of them shares a
 * place with what it reads (liveness.c). */
struct liveness {
    uint32_t *from, *to; /* by register: the first and last position of its value; from > to: it is
                            never used */
    const uint8_t *weight; /* by register: as how many of 32 bits it counts */
    uint32_t pressure;     /* the most 32-bit registers that hold values at any position */
    uint32_t settled;      /* the same if every load comes just before what needs it first; by
                              instruction: ptx_instruction.pressure */
};
struct liveness liveness_of_body(struct reader *reader, const uint8_t *weight);

#endif
