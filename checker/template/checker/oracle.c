/*
 * oracle.c: what the result of skeleton must be.
 * Recomputes the inputs by the formulas of ../README.md, and the result in double precision.
 */
#include "judge/inputs.h"
#include "judge/oracle.h"

#include <float.h>
#include <stdlib.h>

static uint64_t problem_seed;
static size_t problem_n;

/* Element i of x, which is array 0. */
static double x(size_t i)
{
    return input_taken(0, input_hashed(problem_seed, 0, i));
}

bool oracle_prepare(int argc, char *const argv[], uint64_t seed, struct oracle_problem *problem)
{
    problem_n = argc == 1 ? strtoull(argv[0], NULL, 10) : 0;
    problem_seed = seed;
    problem->elements = problem_n;
    problem->bytes = 8.0 * (double)problem_n; /* reads x, writes y */
    problem->flops = (double)problem_n;
    return problem_n > 0;
}

double oracle_value(size_t index)
{
    return x(index) * x(index);
}

/* One product, which rounds to half a unit in the last place; twice that is allowed. */
double oracle_tolerance(size_t index)
{
    return FLT_EPSILON * oracle_value(index);
}

bool oracle_input(size_t array, size_t index, double *value)
{
    if (array > 0 || index >= problem_n) return false;
    *value = x(index);
    return true;
}

/* Never asked for: oracle_prepare() says that an element has 0 terms. */
double oracle_sum(size_t index, size_t from, size_t to)
{
    (void)index, (void)from, (void)to;
    return 0;
}

/* No wrong formula is known yet. */
const char *oracle_mistake(size_t k, size_t index, double *value)
{
    (void)k, (void)index, (void)value;
    return NULL;
}
