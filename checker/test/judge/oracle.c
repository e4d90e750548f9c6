/*
 * oracle.c: the exercise of the judge's own tests: result[i] = 2 x[i] + y[i] for N elements, with
 * array 0 = x and array 1 = y. A square number of elements counts as a matrix. A second argument is
 * the cost that it pretends to have.
 */
#include "judge/oracle/inputs.h"

#include <math.h>
#include <stdlib.h>

struct oracle_problem oracle_prepare(int argc, char *const argv[], uint64_t seed)
{
    size_t n = argc == 1 || argc == 2 ? input_argument(argv[0], SIZE_MAX / sizeof(float)) : 0;
    size_t root = (size_t)lround(sqrt((double)n));
    return (struct oracle_problem){.elements = n,
                                   .columns = root * root == n ? root : 0,
                                   .terms = 2,
                                   .bytes = 12.0 * (double)n,
                                   .flops = 2.0 * (double)n,
                                   .cost = argc == 2 ? strtod(argv[1], NULL) : 0,
                                   .inputs = {{n, 1, 0}, {n, 1, 0}},
                                   .errors = {.terms = 1, .of_terms = 1, .of_value = 1},
                                   .seed = seed};
}

double oracle_term(const struct oracle_problem *problem, size_t index, size_t k)
{
    return k == 0 ? 2 * input_at(problem, 0, index) : input_at(problem, 1, index);
}

const char *oracle_mistake(const struct oracle_problem *problem, size_t k, size_t index,
                           double *value)
{
    *value = 2 * input_at(problem, 0, index) - input_at(problem, 1, index);
    return k == 0 ? "2 x - y: the sign of y is wrong" : NULL;
}
