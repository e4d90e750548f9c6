/*
 * oracle.c: what matvec's result must be. The inputs follow the formulas of ../README.md: array 0
 * is A, row after row, and array 1 is x.
 */
#include "judge/oracle/inputs.h"

enum input_array { A, X };

/* An element is the dot product of N elements, for which oracle.h derives the tolerance. */
struct oracle_problem oracle_prepare(int argc, char *const argv[], uint64_t seed)
{
    size_t m = argc == 2 ? input_argument(argv[0], SIZE_MAX / sizeof(float)) : 0;
    size_t n = m > 0 ? input_argument(argv[1], SIZE_MAX / sizeof(float) / m) : 0;
    double rows = (double)m, columns = (double)n;
    return (struct oracle_problem){
        .elements = n > 0 ? m : 0,
        .terms = n,
        .bytes = 4 * (rows * columns + rows + columns), /* reads A and x, writes y */
        .flops = 2 * rows * columns,
        .cost = columns,
        .inputs = {{m * n, 1, 0}, {n, 1, 0}},
        .errors = {.constant = 2 * columns},
        .seed = seed};
}

double oracle_term(const struct oracle_problem *problem, size_t index, size_t k)
{
    return input_at(problem, A, index * problem->terms + k) * input_at(problem, X, k);
}

const char *oracle_mistake(const struct oracle_problem *problem, size_t k, size_t index,
                           double *value)
{
    if (k > 0) return NULL;
    *value = 0;
    for (size_t j = 0; j < problem->terms; j++)
        *value += input_at(problem, A, j * problem->elements + index) * input_at(problem, X, j);
    return "A x with A read column by column: for a row it takes elements with M - 1 others "
           "between them";
}
