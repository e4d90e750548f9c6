/*
 * oracle.c: the exercise of the judge's own tests: result[i] = 2 x[i] + y[i] for N elements, with
 * array 0 = x and array 1 = y between -1 and 1. A square number of elements counts as a matrix. A
 * second argument is the cost that it pretends to.
 */
#include "judge/inputs.h"
#include "judge/oracle.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static uint64_t problem_seed;
static size_t problem_n;

static double hashed(uint64_t array, uint64_t i)
{
    uint64_t h = (4 * problem_seed + array + 1) * UINT64_C(0x9e3779b97f4a7c15) + i;
    h = (h ^ (h >> 31)) * UINT64_C(0xbf58476d1ce4e5b9);
    return input_taken(array, (float)(uint32_t)(h >> 40) / 8388608.0f - 1.0f);
}

bool oracle_prepare(int argc, char *const argv[], uint64_t seed, struct oracle_problem *problem)
{
    long n = argc == 1 || argc == 2 ? strtol(argv[0], NULL, 10) : 0;
    if (n <= 0) return false;
    problem_seed = seed;
    problem_n = (size_t)n;
    problem->elements = problem_n;
    problem->bytes = 12.0 * (double)n;
    problem->flops = 2.0 * (double)n;
    problem->cost = argc == 2 ? strtod(argv[1], NULL) : 0;
    size_t root = (size_t)lround(sqrt((double)n));
    problem->columns = root * root == problem_n ? root : 0;
    problem->terms = 2;
    return true;
}

double oracle_sum(size_t index, size_t from, size_t to)
{
    double sum = 0;
    for (size_t term = from; term < to; term++)
        sum += term == 0 ? 2 * hashed(0, index) : hashed(1, index);
    return sum;
}

double oracle_value(size_t index)
{
    return oracle_sum(index, 0, 2);
}

double oracle_tolerance(size_t index)
{
    return FLT_EPSILON * (fabs(2 * hashed(0, index)) + fabs(oracle_value(index)));
}

bool oracle_input(size_t array, size_t index, double *value)
{
    if (array > 1 || index >= problem_n) return false;
    *value = hashed(array, index);
    return true;
}

const char *oracle_mistake(size_t k, size_t index, double *value)
{
    *value = 2 * hashed(0, index) - hashed(1, index);
    return k == 0 ? "2 x - y, with a minus" : NULL;
}
