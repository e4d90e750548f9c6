/*
 * oracle.c: what axpy's result must be. Recomputes the inputs from (seed, array, index) by the
 * formulas of ../README.md, and the result in double precision, without a look at the program's
 * own arrays. Array 0 is x, array 1 is y, array 2 holds the scalar a as its only element.
 */
#include "inputs.h"
#include "oracle.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

enum input_array { X, Y, A };

static uint64_t problem_seed;
static size_t problem_n;

/* Element i of an input array of this problem. */
static float hashed(uint64_t array, uint64_t i)
{
    return input_hashed(problem_seed, array, i);
}

/* The scalar a, rounded to float as the program holds it. */
static double scalar(void)
{
    return 1.5f + 0.5f * hashed(A, 0);
}

bool oracle_prepare(int argc, char *const argv[], uint64_t seed, struct oracle_problem *problem)
{
    if (argc != 1 || argv[0][0] < '0' || argv[0][0] > '9') return false;
    char *end;
    errno = 0;
    unsigned long long n = strtoull(argv[0], &end, 10);
    if (*end != '\0' || errno != 0 || n == 0 || n > SIZE_MAX / sizeof(float)) return false;
    problem_seed = seed;
    problem_n = n;
    problem->elements = n;
    problem->bytes = 12.0 * (double)n; /* reads x and y, writes y */
    problem->flops = 2.0 * (double)n;
    return true;
}

double oracle_value(size_t index)
{
    return scalar() * hashed(X, index) + hashed(Y, index);
}

/* The product and the sum each round once, to half a unit in the last place; twice that is
 * allowed, so that a fused multiply-add and a separate pair both pass with room. */
double oracle_tolerance(size_t index)
{
    double product = scalar() * hashed(X, index);
    return FLT_EPSILON * (fabs(product) + fabs(product + hashed(Y, index)));
}

bool oracle_input(size_t array, size_t index, double *value)
{
    if (array > A || index >= (array == A ? 1 : problem_n)) return false;
    *value = array == A ? scalar() : hashed(array, index);
    return true;
}
