/*
 * flow.h: what an analysis asks of a function's body: its basic blocks, and which registers an
 * instruction reads and writes.
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

/* Does control never go on to the instruction after this one? */
bool ends_path(const struct ptx_instruction *instruction);

/* The registers of an instruction: at most 16 elements per vector, and so on. */
enum { TOUCHED_MAX = 128 };
struct touched {
    uint32_t reads[TOUCHED_MAX], writes[TOUCHED_MAX];
    uint32_t read_count, write_count;
};
void registers_of(const struct body *body, const struct ptx_instruction *instruction,
                  struct touched *touched);

/* Calls `visit` for each operand that is a register, elements of vectors and the guard's own `at`
 * included. */
typedef void visit_register(void *data, int32_t *at, bool written);
void each_register(struct body *body, struct ptx_instruction *instruction, visit_register *visit,
                   void *data);

#endif
