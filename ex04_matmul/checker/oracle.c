/*
 * oracle.c: what P = M N must be. It computes the inputs from (seed, array, index) by the formulas
 * of ../README.md, and an element of the result in double precision. It never uses the program's
 * own arrays. Array 0 is M, array 1 is N. An element costs N multiply-adds, so the judge compares
 * only a sample of a large result.
 */
#include "judge/inputs.h"
#include "judge/oracle.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

enum input_array { LEFT, RIGHT };

static uint64_t problem_seed;
static size_t problem_n;
static _Thread_local struct element { /* of a problem; n is 0 before the first one */
    uint64_t seed;
    size_t n, index;
    struct input_rounding rounding;
    double sum, magnitudes;
} latest;

/* Element i of an input array of this problem. */
static float hashed(uint64_t array, uint64_t i)
{
    return input_taken(array, input_hashed(problem_seed, array, i));
}

bool oracle_prepare(int argc, char *const argv[], uint64_t seed, struct oracle_problem *problem)
{
    if (argc != 1 || argv[0][0] < '0' || argv[0][0] > '9') return false;
    char *end;
    errno = 0;
    unsigned long long n = strtoull(argv[0], &end, 10);
    if (*end != '\0' || errno != 0 || n == 0 || n > SIZE_MAX / sizeof(float) / n) return false;
    problem_seed = seed;
    problem_n = n;
    double elements = (double)n * (double)n;
    problem->elements = n * n;
    problem->bytes = 12.0 * elements; /* reads M and N, writes P */
    problem->flops = 2.0 * (double)n * elements;
    problem->cost = (double)n;
    problem->columns = problem->terms = n;
    return true;
}

static bool is_latest(size_t index)
{
    return latest.n == problem_n && latest.seed == problem_seed && latest.index == index &&
           latest.rounding.arrays == input_rounding.arrays &&
           latest.rounding.bits == input_rounding.bits;
}

/* Sets `latest` to an element: the sum of its N products, and the sum of their magnitudes. A
 * product of two floats is exact in double. The judge asks for an element's value, then its
 * tolerance. */
static void take(size_t index)
{
    if (is_latest(index)) return;
    size_t row = index / problem_n * problem_n, column = index % problem_n;
    double sum = 0, magnitudes = 0;
    for (size_t k = 0; k < problem_n; k++) {
        double product = (double)hashed(LEFT, row + k) * hashed(RIGHT, k * problem_n + column);
        sum += product;
        magnitudes += fabs(product);
    }
    latest = (struct element){problem_seed, problem_n, index, input_rounding, sum, magnitudes};
}

double oracle_value(size_t index)
{
    take(index);
    return latest.sum;
}

/* Each of the N products passes through at most N roundings, in whatever order a program adds them
 * in float, fused or not. A rounding changes a value by at most u = FLT_EPSILON / 2 of it. So the
 * sum is off by at most ((1 + u)^N - 1) times the sum of the products' magnitudes. That sum is
 * about N / 4 for these inputs: the tolerance is 1e-3 for N = 256, where the result itself is
 * about 5. */
double oracle_tolerance(size_t index)
{
    take(index);
    return expm1((double)problem_n * log1p(FLT_EPSILON / 2)) * latest.magnitudes;
}

bool oracle_input(size_t array, size_t index, double *value)
{
    if (array > RIGHT || index >= problem_n * problem_n) return false;
    *value = hashed(array, index);
    return true;
}

double oracle_sum(size_t index, size_t from, size_t to)
{
    size_t row = index / problem_n * problem_n, column = index % problem_n;
    double sum = 0;
    for (size_t k = from; k < to; k++)
        sum += (double)hashed(LEFT, row + k) * hashed(RIGHT, k * problem_n + column);
    return sum;
}

/* Element `index` of a product of two inputs, each of which may be transposed. */
static double product(size_t index, enum input_array left, bool left_turned, enum input_array right,
                      bool right_turned)
{
    size_t n = problem_n, row = index / n, column = index % n;
    double sum = 0;
    for (size_t k = 0; k < n; k++)
        sum += (double)hashed(left, left_turned ? k * n + row : row * n + k) *
               hashed(right, right_turned ? column * n + k : k * n + column);
    return sum;
}

const char *oracle_mistake(size_t k, size_t index, double *value)
{
    static const struct {
        const char *words;
        enum input_array left, right;
        bool left_turned, right_turned;
    } known[] = {
        {"N M: the factors are swapped", RIGHT, LEFT, false, false},
        {"the transpose of M times N: M is read column by column", LEFT, RIGHT, true, false},
        {"M times the transpose of N: N is read column by column", LEFT, RIGHT, false, true},
        {"the product of both transposes: M and N are read column by column", LEFT, RIGHT, true,
         true},
        {"M M: M is used in place of N", LEFT, LEFT, false, false},
        {"N N: N is used in place of M", RIGHT, RIGHT, false, false},
    };
    if (k >= sizeof known / sizeof known[0]) return NULL;
    *value =
        product(index, known[k].left, known[k].left_turned, known[k].right, known[k].right_turned);
    return known[k].words;
}
