/*
 * arithmetic.h: how much a kernel computes. arithmetic.awk puts a counter into each piece of device
 * code that computes, and a table of what each piece computes in one run. Threads count in their
 * worker's counters: a piece that ran for 20 lanes of a warp has counted 20. Mathematical functions
 * are not counted, except fma().
 */
#ifndef WARPUP_ARITHMETIC_H
#define WARPUP_ARITHMETIC_H

#include <stddef.h>
#include <stdint.h>

/* In the order of arithmetic.awk. A subtraction is an addition, a root a division. */
enum arithmetic_kind {
    FLOAT_ADD,
    FLOAT_MULTIPLY,
    FLOAT_DIVIDE,
    DOUBLE_ADD,
    DOUBLE_MULTIPLY,
    DOUBLE_DIVIDE,
    CONVERT,   /* from or to double */
    DIVIDE,    /* integers of at most 32 bits; the remainder is included */
    DIVIDE_64, /* of 64 bits */
    ARITHMETIC_KINDS
};

/* Of a row of the table of instructions.awk; its second word is a counter, as here. */
enum { INSTRUCTIONS_ROW_BYTES = 36 };

/* What the lanes of a launch have computed. */
struct arithmetic {
    uint64_t count[ARITHMETIC_KINDS];
    /* Additions and multiplications as instructions of a GPU: one instruction does one of each. */
    uint64_t float_fused, double_fused;
};

/* Counters for one worker, not set yet; NULL if there is no memory. */
uint64_t *arithmetic_make(void);

/* Sets the counters to 0. The calling OS thread counts in them from now on; NULL: in none. */
void arithmetic_count(uint64_t *counters);

/* How many counters there are. */
size_t arithmetic_counters(void);

/* What one run of the piece with this counter computes. */
struct arithmetic arithmetic_piece(size_t counter);

/* Those of the calling OS thread. */
extern _Thread_local uint64_t *warpup_counters;

/* Adds another worker's counters. */
void arithmetic_join(uint64_t *sum, const uint64_t *more);

/* The sum of the counters. */
struct arithmetic arithmetic_sum(const uint64_t *counters);

/* Writes an `arithmetic` record for each source line that computed. */
void arithmetic_write(const uint64_t *counters, uint64_t launch);

/* Adds the counts to the open record. */
void arithmetic_fields(const uint64_t count[ARITHMETIC_KINDS]);

#endif
