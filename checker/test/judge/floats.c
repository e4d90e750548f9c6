/*
 * floats.c: writes the result of the tests' exercise to stdout as floats, right or wrong in a way
 * that is asked for:
 *
 *   floats N [WAY [FIGURE]]
 *
 * right (default); zeros; input K; nan I; wrong I; scaled F; repeated K; shifted K; tail K (the
 * last K are wrong); twice K (the last K were changed twice); head K (only the first K are there);
 * from K (all but the first K); kth K (every Kth is wrong); only K (every Kth is right); noise (all
 * are wrong); nans (all are nan); plus C; whole (without digits after the point); half (rounded to
 * 11 bits); halves K (made of inputs that are, those arrays whose bit K has); formula (the oracle's
 * wrong one); transposed; first K (of its terms); last K; stripes K (of every 2 K the last K are
 * 0); rotated K (blocks of K, each where the next one belongs); corner K (0 but in the first K rows
 * and columns); goes-on K (element i contains element i - K); perturbed K (of the inputs that
 * WARPUP_PERTURB perturbs, and element K is wrong). And the right one in another layout: doubles;
 * padded K (K zeros before each row); pairs (each after a zero); after K (zeros).
 */
#include "judge/oracle/inputs.h"

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

static double sum(const struct oracle_problem *problem, size_t i, size_t from, size_t to)
{
    double all = 0;
    for (size_t k = from; k < to; k++)
        all += oracle_term(problem, i, k);
    return all;
}

/* The ways that concern a matrix, or the terms of a sum; `right` where it is none of them. */
static double moved(size_t i, const struct oracle_problem *problem, double right)
{
    size_t k = (size_t)figure, n = problem->elements, columns = problem->columns;
    double value;
    if (is("formula") && oracle_mistake(problem, 0, i, &value) != NULL) return value;
    if (is("transposed")) return oracle_value(problem, i % columns * columns + i / columns);
    if (is("corner") && (i / columns >= k || i % columns >= k)) return 0;
    if (is("first")) return sum(problem, i, 0, k);
    if (is("last")) return sum(problem, i, problem->terms - k, problem->terms);
    if (is("stripes") && i / k % 2 == 1) return 0;
    if (is("rotated") && i / k < n / k) return oracle_value(problem, (i + k) % (n / k * k));
    return right;
}

static double element(size_t i, const struct oracle_problem *problem)
{
    size_t n = problem->elements;
    double right = oracle_value(problem, i), input = 0;
    size_t k = (size_t)figure;
    int exponent;
    double fraction = frexp(right, &exponent);
    input_find(problem, is("input") ? k : 1, i, &input);
    if (is("zeros")) return 0;
    if (is("input")) return input;
    if (is("nan") && i == k) return NAN;
    if ((is("wrong") || is("perturbed")) && i == k) return right + 1;
    if (is("scaled")) return figure * right;
    if (is("repeated")) return input + figure * (right - input);
    if (is("shifted")) return i + k < n ? oracle_value(problem, i + k) : 99;
    if (is("tail") && i >= n - k) return input + 3;
    if (is("twice") && i >= n - k) return input + 2 * (right - input);
    if (is("kth") && i % k == 0) return input + 3;
    if (is("only") && i % k != 0) return input + 3;
    if (is("noise")) return right + 1 + (double)(i * 7919 % 31);
    if (is("nans")) return NAN;
    if (is("plus")) return right + figure;
    if (is("goes-on") && i >= k) return right + element(i - k, problem);
    if (is("whole")) return trunc(8 * right);
    if (is("half")) return ldexp(rint(ldexp(fraction, 11)), exponent - 11);
    return moved(i, problem, right);
}

/* The numbers of WARPUP_PERTURB are perturbed. */
static void perturb(struct oracle_problem *problem)
{
    const char *text = getenv("WARPUP_PERTURB");
    while (text != NULL && *text != '\0' && problem->perturbed.count < ORACLE_INPUTS_MAX) {
        char *end;
        uint32_t bits = (uint32_t)strtoul(text, &end, 16);
        memcpy(&problem->perturbed.numbers[problem->perturbed.count++], &bits, sizeof bits);
        text = *end == ',' ? end + 1 : end;
    }
}

static void put_zeros(size_t count)
{
    const float zero = 0;
    while (count-- > 0)
        fwrite(&zero, sizeof zero, 1, stdout);
}

int main(int argc, char *argv[])
{
    struct oracle_problem problem = oracle_prepare(argc < 2 ? 0 : 1, argv + 1, 1);
    if (problem.elements == 0) return EXIT_FAILURE;
    way = argc > 2 ? argv[2] : "right";
    figure = argc > 3 ? atof(argv[3]) : 0;
    if (is("halves")) problem.rounding = (struct oracle_rounding){(unsigned)figure, 13, false};
    if (is("perturbed")) perturb(&problem);
    size_t first = is("from") ? (size_t)figure : 0;
    size_t last = is("head") ? (size_t)figure : problem.elements;
    if (is("after")) put_zeros((size_t)figure);
    for (size_t i = first; i < last; i++) {
        float value = (float)element(i, &problem);
        double wide = oracle_value(&problem, i);
        if (is("pairs")) put_zeros(1);
        if (is("padded") && i % problem.columns == 0) put_zeros((size_t)figure);
        if (is("doubles"))
            fwrite(&wide, sizeof wide, 1, stdout);
        else
            fwrite(&value, sizeof value, 1, stdout);
    }
    return ferror(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
