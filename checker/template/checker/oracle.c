/*
 * oracle.c: what the result of skeleton must be. The inputs follow the formulas of ../README.md:
 * array 0 is x.
 */
#include "judge/oracle/inputs.h"

enum input_array { X };

/* The product rounds once, to half a unit in the last place. Twice that is allowed. */
static const struct oracle_errors errors = {.of_value = 1};

struct oracle_problem oracle_prepare(int argc, char *const argv[], uint64_t seed)
{
    size_t n = argc == 1 ? input_argument(argv[0], SIZE_MAX / sizeof(float)) : 0;
    return (struct oracle_problem){.elements = n,
                                   .terms = 1,
                                   .bytes = 8.0 * (double)n, /* reads x, writes y */
                                   .flops = (double)n,
                                   .inputs = {{n, 1, 0}},
                                   .errors = errors,
                                   .seed = seed};
}

double oracle_term(const struct oracle_problem *problem, size_t index, size_t k)
{
    (void)k; /* there is one term */
    return input_at(problem, X, index) * input_at(problem, X, index);
}

const char *oracle_mistake(const struct oracle_problem *problem, size_t k, size_t index,
                           double *value)
{
    double x = input_at(problem, X, index);
    const struct formula mistakes[] = {
        {"x + x: a sum in place of the product", x + x},
        {0},
    };
    return input_formula(mistakes, k, value);
}
