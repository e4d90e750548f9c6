/*
 * floats.c: writes the result of the tests' exercise to stdout as floats, right or wrong in a way
 * that is asked for:
 *
 *   floats N [WAY [FIGURE]]
 *
 * right (default), zeros, input K, nan I, wrong I, scaled F, repeated K, shifted K, tail K (the
 * last K are wrong), head K (only the first K are there), from K (all but the first K), kth K
 * (every Kth is wrong), only K (every Kth is right), noise (all are wrong).
 */
#include "oracle.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *way;
static double figure;

static bool is(const char *name)
{
    return strcmp(way, name) == 0;
}

static double element(size_t i, size_t n)
{
    double right = oracle_value(i), input = 0;
    size_t k = (size_t)figure;
    oracle_input(is("input") ? k : 1, i, &input);
    if (is("zeros")) return 0;
    if (is("input")) return input;
    if (is("nan") && i == k) return NAN;
    if (is("wrong") && i == k) return right + 1;
    if (is("scaled")) return figure * right;
    if (is("repeated")) return input + figure * (right - input);
    if (is("shifted")) return i + k < n ? oracle_value(i + k) : 99;
    if (is("tail") && i >= n - k) return input + 3;
    if (is("kth") && i % k == 0) return input + 3;
    if (is("only") && i % k != 0) return input + 3;
    if (is("noise")) return right + 1 + (double)(i * 7919 % 31);
    return right;
}

int main(int argc, char *argv[])
{
    struct oracle_problem problem;
    if (argc < 2 || !oracle_prepare(1, argv + 1, 1, &problem)) return EXIT_FAILURE;
    way = argc > 2 ? argv[2] : "right";
    figure = argc > 3 ? atof(argv[3]) : 0;
    size_t first = is("from") ? (size_t)figure : 0;
    size_t last = is("head") ? (size_t)figure : problem.elements;
    for (size_t i = first; i < last; i++) {
        float value = (float)element(i, problem.elements);
        if (fwrite(&value, sizeof value, 1, stdout) != 1) return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
