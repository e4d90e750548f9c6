/*
 * arithmetic.h: how much a kernel computes. compile puts a counter into each piece of the device
 * image that computes, and notes beside it what the piece does each time (arithmetic.awk). Threads
 * count in their worker's counters: a piece that ran for 20 lanes of a warp has counted 20.
 * Functions of math are not counted, but for fma().
 */
#ifndef WARPUP_ARITHMETIC_H
#define WARPUP_ARITHMETIC_H

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
    DIVIDE,    /* integers of 32 bits and less; the remainder comes with it */
    DIVIDE_64, /* of 64 bits */
    ARITHMETIC_KINDS
};

/* What the lanes of a launch have computed. */
struct arithmetic {
    uint64_t count[ARITHMETIC_KINDS];
    /* Additions and multiplications as instructions of a GPU, which does one of each at a time. */
    uint64_t float_fused, double_fused;
};

/* Counters for one worker, not set yet; NULL when there is no memory. The device image must be
 * open. */
uint64_t *arithmetic_make(void);

/* The calling OS thread counts in these from now on, from 0; with NULL for nobody. */
void arithmetic_count(uint64_t *counters);

/* Adds another worker's counters. */
void arithmetic_join(uint64_t *sum, const uint64_t *more);

/* What the counters say in all. */
struct arithmetic arithmetic_sum(const uint64_t *counters);

/* Writes an `arithmetic` record for each source line that computed. */
void arithmetic_write(const uint64_t *counters, uint64_t launch);

/* Writes counts as fields of the record that is open. */
void arithmetic_fields(const uint64_t count[ARITHMETIC_KINDS]);

#endif
