/*
 * roundings.c: what the oracle of matmul allows, held to what programs compute. Each of the ways
 * below multiplies the inputs of many seeds as a program would: in float, or on tensor cores, which
 * add groups of four products to a sum and cut off what a float does not hold. For each N it counts
 * the seeds whose whole product the oracle accepts. Usage: roundings SEEDS N...
 */
#include "judge/oracle/inputs.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { GROUP = 4, N_MAX = 64, TF32 = 13, BF16 = 16 }; /* bits that a float loses */

/* How a program splits its numbers: into parts of a smaller type (0 bits: not at all); how many of
 * the products of these parts it adds; whether its parts are rounded; whether it adds all products
 * of four terms before the next four, the largest ones first, or all of the small ones first. */
static const struct way {
    const char *name;
    int bits, products;
    enum oracle_way round;
    bool in_turn;
} ways[] = {
    {"float", 0, 1, ORACLE_TO_EVEN, false},        {"3-tf32", TF32, 3, ORACLE_TO_EVEN, false},
    {"3-tf32-away", TF32, 3, ORACLE_AWAY, false},  {"3-tf32-cut", TF32, 3, ORACLE_CUT, false},
    {"3-tf32-in-turn", TF32, 3, ORACLE_CUT, true}, {"2-tf32", TF32, 2, ORACLE_TO_EVEN, false},
    {"1-tf32", TF32, 1, ORACLE_TO_EVEN, false},    {"4-bf16", BF16, 4, ORACLE_TO_EVEN, false},
    {"3-bf16", BF16, 3, ORACLE_TO_EVEN, false},
};

static float parts_of(float value, const struct way *way, int part)
{
    struct oracle_rounding rounding = {.bits = way->bits, .way = way->round};
    if (way->bits == 0) return value;
    float high = input_rounded(value, &rounding);
    return part == 0 ? high : input_rounded(value - high, &rounding);
}

/* A float of at most this magnitude: tensor cores cut off, they do not round. */
static float cut(double value)
{
    float near = (float)value;
    return fabs((double)near) > fabs(value) ? nextafterf(near, 0) : near;
}

/* Adds the products of these parts of a row and a column to a sum. */
static float add(float sum, const float *row, const float *column, size_t n)
{
    for (size_t k = 0; k < n; k += GROUP) {
        double group = sum;
        for (size_t i = k; i < n && i < k + GROUP; i++)
            group += (double)row[i] * column[i];
        sum = cut(group);
    }
    return sum;
}

/* An element of the product: parts[p] holds part p of a row or a column. */
static float element(const struct way *way, float row[2][N_MAX], float column[2][N_MAX], size_t n)
{
    float sum = 0;
    if (way->bits == 0) {
        for (size_t k = 0; k < n; k++)
            sum += row[0][k] * column[0][k];
        return sum;
    }
    for (size_t k = 0; way->in_turn && k < n; k += GROUP) {
        size_t more = n - k < GROUP ? n - k : GROUP;
        sum = add(sum, row[0] + k, column[0] + k, more);
        sum = add(sum, row[0] + k, column[1] + k, more);
        sum = add(sum, row[1] + k, column[0] + k, more);
    }
    if (way->in_turn) return sum;
    if (way->products > 3) sum = add(sum, row[1], column[1], n);
    if (way->products > 2) sum = add(sum, row[0], column[1], n);
    if (way->products > 1) sum = add(sum, row[1], column[0], n);
    return add(sum, row[0], column[0], n);
}

static bool accepts(const struct oracle_problem *problem, const struct way *way)
{
    size_t n = problem->columns;
    static float rows[N_MAX][2][N_MAX], columns[N_MAX][2][N_MAX];
    for (size_t i = 0; i < n * n; i++)
        for (int part = 0; part < 2; part++) {
            rows[i / n][part][i % n] = parts_of((float)input_at(problem, 0, i), way, part);
            columns[i % n][part][i / n] = parts_of((float)input_at(problem, 1, i), way, part);
        }
    for (size_t i = 0; i < n * n; i++) {
        struct oracle_element exact = oracle_element(problem, i);
        float value = element(way, rows[i / n], columns[i % n], n);
        if (value != (float)exact.value && !(fabs(value - exact.value) <= exact.tolerance))
            return false;
    }
    return true;
}

int main(int argc, char *argv[])
{
    int seeds = argc > 2 ? atoi(argv[1]) : 0;
    for (int i = 2; i < argc; i++)
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
            int accepted = 0;
            for (int seed = 0; seed < seeds; seed++) {
                struct oracle_problem problem = oracle_prepare(1, &argv[i], (uint64_t)seed);
                accepted += accepts(&problem, &ways[w]);
            }
            printf("%s %s %d\n", argv[i], ways[w].name, accepted);
        }
    return seeds > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
