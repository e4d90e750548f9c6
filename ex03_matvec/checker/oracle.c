/*
 * oracle.c: what matvec's result must be. It computes the inputs from (seed, array, index) by the
 * formulas of ../README.md, and the result in double precision. It never uses the program's own
 * arrays. Array 0 is A, row after row; array 1 is x.
 */
#include "judge/inputs.h"
#include "judge/oracle.h"

#include <errno.h>
#include <float.h>
#include <stdlib.h>

enum input_array { A, X };

static uint64_t problem_seed;
static size_t rows, columns;

/* Element i of an input array of this problem. */
static float hashed(uint64_t array, uint64_t i)
{
    return input_taken(array, input_hashed(problem_seed, array, i));
}

/* Reads a whole number from 1 to `most`; 0 when it is anything else. */
static size_t read_count(const char *text, size_t most)
{
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    bool whole = text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0;
    return whole && number <= most ? (size_t)number : 0;
}

bool oracle_prepare(int argc, char *const argv[], uint64_t seed, struct oracle_problem *problem)
{
    if (argc != 2) return false;
    size_t m = read_count(argv[0], SIZE_MAX / sizeof(float));
    size_t n = m == 0 ? 0 : read_count(argv[1], SIZE_MAX / sizeof(float) / m);
    if (n == 0) return false;
    problem_seed = seed;
    rows = m;
    columns = n;
    double elements = (double)m * (double)n;
    problem->elements = m;
    problem->bytes = 4 * (elements + (double)m + (double)n); /* reads A and x, writes y */
    problem->flops = 2 * elements;
    problem->cost = (double)n;
    problem->terms = n;
    return true;
}

double oracle_sum(size_t index, size_t from, size_t to)
{
    double sum = 0;
    for (size_t j = from; j < to; j++)
        sum += (double)hashed(A, index * columns + j) * hashed(X, j);
    return sum;
}

double oracle_value(size_t index)
{
    return oracle_sum(index, 0, columns);
}

/* N products, added one after another in float: the worst order that programs use. The product of
 * two numbers from [-1, 1) has a mean square of 1/9, so the k-th sum is about sqrt(k)/3. Each
 * addition rounds it by up to half a unit in the last place. These N errors are independent, and
 * add up to about FLT_EPSILON N/20. The tolerance is FLT_EPSILON 2 N. Of 100 000 rows, for any N,
 * the worst error was a third of that. A missing product changes the sum by 1/4 on average, which
 * only an N of a million could hide. */
double oracle_tolerance(size_t index)
{
    (void)index;
    return FLT_EPSILON * 2 * (double)columns;
}

bool oracle_input(size_t array, size_t index, double *value)
{
    if (array > X || index >= (array == X ? columns : rows * columns)) return false;
    *value = hashed(array, index);
    return true;
}

const char *oracle_mistake(size_t k, size_t index, double *value)
{
    if (k > 0) return NULL;
    *value = 0;
    for (size_t j = 0; j < columns; j++)
        *value += (double)hashed(A, j * rows + index) * hashed(X, j);
    return "A x with A read column by column: the elements of a row are taken M apart";
}
