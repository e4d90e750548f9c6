/*
 * oracle.h: what one exercise knows of its own answer. Each exercise's checker/oracle.c implements
 * these functions, and its judge is linked with exactly that one. The judge prepares a problem,
 * asks about it, and may then prepare the next: an oracle remembers the last one prepared. Several
 * threads may ask for values and tolerances at once. Inputs are taken as inputs.h's input_taken()
 * gives them, whenever they are asked for.
 */
#ifndef WARPUP_ORACLE_H
#define WARPUP_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct oracle_problem {
    size_t elements; /* floats in the result */
    size_t columns;  /* of the result where it is a matrix, row after row; 0 where it is not */
    size_t terms;    /* that are added up for an element, in their order; 0 where it is no sum */
    double bytes, flops; /* the least traffic, and the work, of one run */
    double cost;         /* multiply-adds behind one oracle_value(); 0 when it is a formula */
};

/* Reads the program's arguments (argv[0] is the first argument, not the program) and the seed of
 * its inputs. False when they are not a valid run. */
bool oracle_prepare(int argc, char *const argv[], uint64_t seed, struct oracle_problem *problem);

/* The exact result at `index` < elements, in double. */
double oracle_value(size_t index);

/* The largest |difference| from oracle_value(index) that rounding in float explains; at least half
 * a unit in the last place of the result. */
double oracle_tolerance(size_t index);

/* Element `index` of input array `array` (0, 1, …), for the diagnosis: which input a wrong result
 * looks like. False when there is no such array or element. */
bool oracle_input(size_t array, size_t index, double *value);

/* The terms from `from` to `to` - 1 of the element at `index`, added up in double. Asked for only
 * where the problem has terms. */
double oracle_sum(size_t index, size_t from, size_t to);

/* The element at `index` of a result that is wrong in the k-th way (0, 1, …) of those that programs
 * are known to be: its formula is another one. Returns the formula in words that follow "what came
 * back is ", NULL when there is no k-th. */
const char *oracle_mistake(size_t k, size_t index, double *value);

#endif
