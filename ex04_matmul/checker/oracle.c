/*
 * oracle.c: what P = M N must be. The inputs follow the formulas of ../README.md: array 0 is M,
 * array 1 is N. An element costs N multiply-adds, so the judge looks at a sample of a large result.
 */
#include "judge/oracle/inputs.h"

#include <float.h>
#include <math.h>

enum input_array { M, N };

/* Rung 7 allows tensor cores, which take factors of 11 bits: a program splits each number into two
 * parts, and adds three of their four products. In FLT_EPSILON of a product, this costs at most 17.
 * The product that is left out is below 2^-20: 8. The two parts lack at most two bits of 24: 3 for
 * each factor. Each of the three sums is cut off to a float: 3. More terms never reach this much
 * each, and from N = 34 on, the bound below is larger. */
static const double OF_PARTS = 17;

/* Each of N products is rounded at most N times when they are added in float, fused or not, in any
 * order. Each rounding is off by at most u = FLT_EPSILON / 2. So the sum is off by at most ((1 +
 * u)^N - 1) times the sum of the products' magnitudes. That sum is about N / 4 here: the error is
 * at most 1e-3 for N = 256, where the result itself is about 5. */
struct oracle_problem oracle_prepare(int argc, char *const argv[], uint64_t seed)
{
    size_t n = argc == 1 ? input_argument(argv[0], INT32_MAX) : 0;
    double side = (double)n;
    struct oracle_problem problem = {.elements = n * n, .columns = n, .terms = n, .cost = side};
    problem.bytes = 12.0 * side * side; /* reads M and N, writes P */
    problem.flops = 2.0 * side * side * side;
    problem.inputs[M] = problem.inputs[N] = (struct oracle_input){n * n, 1, 0};
    problem.errors.terms = n;
    problem.errors.of_terms = fmax(expm1(side * log1p(FLT_EPSILON / 2)) / FLT_EPSILON, OF_PARTS);
    problem.seed = seed;
    return problem;
}

double oracle_term(const struct oracle_problem *problem, size_t index, size_t k)
{
    size_t n = problem->columns, row = index / n, column = index % n;
    return input_at(problem, M, row * n + k) * input_at(problem, N, k * n + column);
}

/* Element (i, j) of an input: 'M', 'N', or their transposes 'm', 'n'. */
static double at(const struct oracle_problem *problem, char factor, size_t i, size_t j)
{
    size_t place = factor >= 'a' ? j * problem->columns + i : i * problem->columns + j;
    return input_at(problem, factor == 'M' || factor == 'm' ? M : N, place);
}

/* The same, but within each tile of `side` rows and columns, row and column are swapped. Past the
 * edge, a tile holds 0. */
static double in_tile(const struct oracle_problem *problem, enum input_array factor, size_t i,
                      size_t j, size_t side)
{
    size_t row = i - i % side + j % side, column = j - j % side + i % side;
    bool inside = row < problem->columns && column < problem->columns;
    return inside ? input_at(problem, factor, row * problem->columns + column) : 0;
}

/* A kernel with tiles reads one of them by columns. `way`: of M (1), of N (2), of both (3). */
static double tiles_swapped(const struct oracle_problem *problem, size_t row, size_t column,
                            size_t side, unsigned way)
{
    double sum = 0;
    size_t n = problem->columns;
    for (size_t k = 0; k < (n + side - 1) / side * side; k++) {
        double left = way & 1 ? in_tile(problem, M, row, k, side)
                      : k < n ? at(problem, 'M', row, k)
                              : 0,
               right = way & 2 ? in_tile(problem, N, k, column, side)
                       : k < n ? at(problem, 'N', k, column)
                               : 0;
        sum += left * right;
    }
    return sum;
}

const char *oracle_mistake(const struct oracle_problem *problem, size_t k, size_t index,
                           double *value)
{
    static const char *const mistakes[][2] = {
        {"NM", "N M: the factors are swapped"},
        {"mN", "the transpose of M times N: it reads M column by column"},
        {"Mn", "M times the transpose of N: it reads N column by column"},
        {"mn", "the product of both transposes: it reads M and N column by column"},
        {"MM", "M M: it uses M in place of N"},
        {"NN", "N N: it uses N in place of M"},
    };
    static const char *const swapped[] = {
        "M N with row and column swapped in each tile of M",
        "M N with row and column swapped in each tile of N",
        "M N with row and column swapped in each tile of M and of N",
    };
    static const size_t sides[] = {8, 16, 32};
    const size_t plain = sizeof mistakes / sizeof mistakes[0];
    size_t row = index / problem->columns, column = index % problem->columns;
    if (k >= plain + 9) return NULL;
    if (k >= plain) {
        size_t way = (k - plain) % 3, side = sides[(k - plain) / 3];
        *value = tiles_swapped(problem, row, column, side, (unsigned)way + 1);
        return swapped[way];
    }
    *value = 0;
    for (size_t i = 0; i < problem->terms; i++)
        *value +=
            at(problem, mistakes[k][0][0], row, i) * at(problem, mistakes[k][0][1], i, column);
    return mistakes[k][1];
}
