/* oracle.c: what rot's result must be. The inputs follow the formulas of ../README.md: array 0 is
 * r, array 1 is s, and array 2 holds the angle theta as its only element. */
#include "judge/oracle/inputs.h"

#include <math.h>

enum input_array { R, S, THETA };
enum constant { COSINE, SINE };
enum { THREADS_MAX = 1024 };

/* Errors in units of half a last place: CUDA's cosine or sine is off by at most 4, and its product
 * rounds by 1. The sum of the two products rounds by 1 of each, and the last sum by 1 of the
 * result. */
struct oracle_problem oracle_prepare(int argc, char *const argv[], uint64_t seed)
{
    bool valid = argc == 2 && input_argument(argv[0], THREADS_MAX) > 0;
    size_t n = valid ? 2 * input_argument(argv[1], SIZE_MAX / (2 * sizeof(float))) : 0;
    struct oracle_problem problem = {.elements = n, .columns = 2, .terms = 3, .seed = seed};
    problem.errors = (struct oracle_errors){.terms = 2, .of_terms = 3, .of_value = 1};
    problem.bytes = 12.0 * (double)n; /* reads r and s, writes v */
    problem.flops = 4.0 * (double)n;
    problem.inputs[R] = problem.inputs[S] = (struct oracle_input){n, 1, 0};
    problem.inputs[THETA] = (struct oracle_input){1, 3.14159265f, 0};
    problem.constants[COSINE] = cos(input_at(&problem, THETA, 0));
    problem.constants[SINE] = sin(input_at(&problem, THETA, 0));
    return problem;
}

/* y gets + sin(theta) x of r, and x gets - sin(theta) y. */
double oracle_term(const struct oracle_problem *problem, size_t index, size_t k)
{
    double sign = index % 2 == 1 ? 1 : -1;
    if (k == 0) return problem->constants[COSINE] * input_at(problem, R, index);
    if (k == 1) return sign * problem->constants[SINE] * input_at(problem, R, index ^ 1);
    return input_at(problem, S, index);
}

const char *oracle_mistake(const struct oracle_problem *problem, size_t k, size_t i, double *value)
{
    double cosine = problem->constants[COSINE], sine = problem->constants[SINE];
    double sign = i % 2 == 1 ? 1 : -1, turn = sign * sine;
    double r = input_at(problem, R, i), r_other = input_at(problem, R, i ^ 1);
    double s = input_at(problem, S, i), s_other = input_at(problem, S, i ^ 1);
    double v = oracle_value(problem, i), v_other = oracle_value(problem, i ^ 1);
    const struct formula mistakes[] = {
        {"a turn by -theta: the sign of the sine is wrong", v - 2 * turn * r_other},
        {"a turn with sine and cosine swapped", sine * r + sign * cosine * r_other + s},
        {"U r: s is missing", v - s},
        {"r + s: nothing is turned", r + s},
        {"U r - s: the sign of s is wrong", v - 2 * s},
        {"x where y belongs, and y where x belongs", v_other},
        {"U (r + s): it shifts before it turns", cosine * (r + s) + turn * (r_other + s_other)},
        {"U s + r: r and s are swapped", cosine * s + turn * s_other + r},
        {"U r + r: it uses r in place of s", v - s + r},
        {"U s + s: it uses s in place of r", cosine * s + turn * s_other + s},
        {"x, and then y from the new x", sign < 0 ? v : v + sine * (v_other - r_other)},
        {"cos(theta) r + s: the other component's part is missing", cosine * r + s},
        {"x with + sin(theta) r.y: the sign is wrong", sign < 0 ? v + 2 * sine * r_other : v},
        {0},
    };
    return input_formula(mistakes, k, value);
}
