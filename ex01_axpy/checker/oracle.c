/*
 * oracle.c: what axpy's result must be. The inputs follow the formulas of ../README.md: array 0 is
 * x, array 1 is y, and array 2 holds the scalar a as its only element.
 */
#include "judge/oracle/inputs.h"

enum input_array { X, Y, A };

/* The product and the sum each round once, to half a unit in the last place. Twice that is allowed,
 * so that a fused multiply-add and a separate pair both pass with room. */
static const struct oracle_errors errors = {.terms = 1, .of_terms = 1, .of_value = 1};

struct oracle_problem oracle_prepare(int argc, char *const argv[], uint64_t seed)
{
    size_t n = argc == 1 ? input_argument(argv[0], SIZE_MAX / sizeof(float)) : 0;
    return (struct oracle_problem){.elements = n,
                                   .terms = 2,
                                   .bytes = 12.0 * (double)n, /* reads x and y, writes y */
                                   .flops = 2.0 * (double)n,
                                   .inputs = {{n, 1, 0}, {n, 1, 0}, {1, 0.5f, 1.5f}},
                                   .errors = errors,
                                   .seed = seed};
}

double oracle_term(const struct oracle_problem *problem, size_t index, size_t k)
{
    if (k == 1) return input_at(problem, Y, index);
    return input_at(problem, A, 0) * input_at(problem, X, index);
}

const char *oracle_mistake(const struct oracle_problem *problem, size_t k, size_t index,
                           double *value)
{
    double a = input_at(problem, A, 0);
    double x = input_at(problem, X, index), y = input_at(problem, Y, index);
    const struct formula mistakes[] = {
        {"a x: y is missing", a * x},
        {"x + y: a is missing", x + y},
        {"y - a x: the sign of a x is wrong", y - a * x},
        {"a x - y: the sign of y is wrong", a * x - y},
        {"a y + x: x and y are swapped", a * y + x},
        {"a y + y: it uses y in place of x", a * y + y},
        {"a x + x: it uses x in place of y", a * x + x},
        {"a (x + y): y is multiplied by a as well", a * (x + y)},
        {"2 a x + y: a x is added twice, perhaps because y already held a result", 2 * a * x + y},
        {0},
    };
    return input_formula(mistakes, k, value);
}
