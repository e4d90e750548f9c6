/*
 * oracle.c: what axpy's result must be. It computes the inputs from (seed, array, index) by the
 * formulas of ../README.md, and the result in double precision. It never uses the program's own
 * arrays. Array 0 is x, array 1 is y, array 2 holds the scalar a as its only element.
 */
#include "judge/inputs.h"
#include "judge/oracle.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

enum input_array { X, Y, A };
enum { TERMS = 2 };

static uint64_t problem_seed;
static size_t problem_n;

/* Element i of an input array of this problem. */
static float hashed(uint64_t array, uint64_t i)
{
    return input_taken(array, input_hashed(problem_seed, array, i));
}

/* The scalar a, rounded to float as the program holds it. */
static double scalar(void)
{
    return input_taken(A, 1.5f + 0.5f * input_hashed(problem_seed, A, 0));
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
    problem->terms = TERMS;
    return true;
}

double oracle_value(size_t index)
{
    return scalar() * hashed(X, index) + hashed(Y, index);
}

/* The product and the sum each round once, to half a unit in the last place. The tolerance is twice
 * that, so that a fused multiply-add and a separate pair both pass. */
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

double oracle_sum(size_t index, size_t from, size_t to)
{
    const double terms[TERMS] = {scalar() * hashed(X, index), hashed(Y, index)};
    double sum = 0;
    for (size_t term = from; term < to; term++)
        sum += terms[term];
    return sum;
}

const char *oracle_mistake(size_t k, size_t index, double *value)
{
    double a = scalar(), x = hashed(X, index), y = hashed(Y, index);
    const struct {
        const char *words;
        double value;
    } known[] = {
        {"a x, without y", a * x},
        {"x + y, without a", x + y},
        {"y - a x, with a minus", y - a * x},
        {"a x - y, with a minus", a * x - y},
        {"a y + x: x and y are swapped", a * y + x},
        {"a y + y: y is used in place of x", a * y + y},
        {"a x + x: x is used in place of y", a * x + x},
        {"a (x + y)", a * (x + y)},
        {"2 a x + y, with a factor of 2", 2 * a * x + y},
    };
    if (k >= sizeof known / sizeof known[0]) return NULL;
    *value = known[k].value;
    return known[k].words;
}
