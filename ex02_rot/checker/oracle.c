/*
 * oracle.c: what rot's result must be. It computes the inputs from (seed, array, index) by the
 * formulas of ../README.md, and the result in double precision. It never uses the program's own
 * arrays. Array 0 is r, array 1 is s, array 2 holds the angle theta as its only element.
 */
#include "judge/inputs.h"
#include "judge/oracle.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

enum input_array { R, S, THETA };
enum { TERMS = 3 };

enum { MAX_THREADS = 1024 };

static uint64_t problem_seed;
static size_t problem_n; /* points */
static double cosine, sine;

/* Element i of an input array of this problem. */
static float hashed(uint64_t array, uint64_t i)
{
    return input_taken(array, input_hashed(problem_seed, array, i));
}

/* The angle, rounded to float as the program holds it. */
static float angle(void)
{
    return 3.14159265f * hashed(THETA, 0);
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
    if (argc != 2 || read_count(argv[0], MAX_THREADS) == 0) return false;
    size_t n = read_count(argv[1], SIZE_MAX / (2 * sizeof(float)));
    if (n == 0) return false;
    problem_seed = seed;
    problem_n = n;
    cosine = cos(angle());
    sine = sin(angle());
    problem->elements = 2 * n;
    problem->columns = 2;              /* x and y of a point */
    problem->bytes = 24.0 * (double)n; /* reads r and s, writes v */
    problem->flops = 8.0 * (double)n;
    problem->terms = TERMS;
    return true;
}

/* What r adds to component `index`: `own` comes from the same component of r, `other` from the
 * other one. */
static void turned(size_t index, double *own, double *other)
{
    bool is_y = index % 2 == 1;
    *own = cosine * hashed(R, index);
    *other = (is_y ? sine : -sine) * hashed(R, index ^ 1);
}

double oracle_value(size_t index)
{
    double own, other;
    turned(index, &own, &other);
    return own + other + hashed(S, index);
}

/* In units of half a last place: a cosine or sine of CUDA's library is off by at most 4, and its
 * product rounds by 1. The sum of the two products rounds by 1 of each, and the last sum by 1 of
 * the result. */
double oracle_tolerance(size_t index)
{
    double own, other;
    turned(index, &own, &other);
    return FLT_EPSILON * (3 * (fabs(own) + fabs(other)) + fabs(own + other + hashed(S, index)));
}

bool oracle_input(size_t array, size_t index, double *value)
{
    if (array > THETA || index >= (array == THETA ? 1 : 2 * problem_n)) return false;
    *value = array == THETA ? angle() : hashed(array, index);
    return true;
}

double oracle_sum(size_t index, size_t from, size_t to)
{
    double terms[TERMS] = {0, 0, hashed(S, index)}, sum = 0;
    turned(index, &terms[0], &terms[1]);
    for (size_t term = from; term < to; term++)
        sum += terms[term];
    return sum;
}

const char *oracle_mistake(size_t k, size_t index, double *value)
{
    bool is_y = index % 2 == 1;
    double sign = is_y ? 1 : -1;
    double r = hashed(R, index), r_other = hashed(R, index ^ 1);
    double s = hashed(S, index), s_other = hashed(S, index ^ 1);
    const struct {
        const char *words;
        double value;
    } known[] = {
        {"turned by -theta: the sign of the sine is wrong", cosine * r - sign * sine * r_other + s},
        {"turned with sine and cosine swapped", sine * r + sign * cosine * r_other + s},
        {"U r, without s", cosine * r + sign * sine * r_other},
        {"r + s: r is not turned", r + s},
        {"U r - s, with a minus", cosine * r + sign * sine * r_other - s},
        {"x where y belongs, and y where x belongs", oracle_value(index ^ 1)},
        {"U s + r: r and s are swapped", cosine * s + sign * sine * s_other + r},
        {"U r + r: r is used in place of s", cosine * r + sign * sine * r_other + r},
        {"U s + s: s is used in place of r", cosine * s + sign * sine * s_other + s},
        {"U r + s for x, but y is computed from the new x: v overwrites r",
         is_y ? oracle_value(index) + sine * (oracle_value(index ^ 1) - r_other)
              : oracle_value(index)},
        {"cos(theta) r + s, without the other component", cosine * r + s},
    };
    if (k >= sizeof known / sizeof known[0]) return NULL;
    *value = known[k].value;
    return known[k].words;
}
