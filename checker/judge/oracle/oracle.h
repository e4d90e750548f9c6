/*
 * oracle.h: what one exercise knows about its own answer. Each exercise's checker/oracle.c
 * implements oracle_prepare(), oracle_term() and oracle_mistake(), and its judge is linked with
 * this file. inputs.h has what oracles share. The problem that oracle_prepare() returns holds
 * everything that the other functions need. So any number of threads may ask about any number of
 * problems at the same time.
 */
#ifndef WARPUP_ORACLE_H
#define WARPUP_ORACLE_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ORACLE_INPUTS_MAX = 3 };

/* The program's input array number k: element i is offset + scale * h(seed, k, i), in float, where
 * h is the hash of inputs.h. */
struct oracle_input {
    size_t length;
    float scale, offset;
};

/* Inputs as a smaller type would hold them: the arrays whose bit is set in `arrays` lose their last
 * `bits` bits (1 or more). No bit is set, except while the judge looks for the cause of a wrong
 * result. */
struct oracle_rounding {
    unsigned arrays;
    int bits;
    /* How the bits go: half of the last bit that stays is rounded to even, or away from 0; or all
     * that goes is cut off. */
    enum oracle_way { ORACLE_TO_EVEN, ORACLE_AWAY, ORACLE_CUT } way;
};

/* Numbers of the inputs that were perturbed (inputs.h) on the GPU in a perturbed run, wherever they
 * are. The result is then that of these inputs. */
struct oracle_perturbed {
    size_t count;
    float numbers[ORACLE_INPUTS_MAX];
};

/* Chooses the elements to compare when there are too many to compare all of them. */
struct oracle_sample {
    double work;   /* multiply-adds that a comparison may take */
    uint64_t draw; /* gives the places; from the key of the checksum, so no program knows it */
    size_t also[ORACLE_INPUTS_MAX]; /* elements that are compared as well */
    size_t also_count;
};

/*
 * The largest difference from the exact result that rounding in float explains: the sum of three
 * parts, in units of FLT_EPSILON, and at least half a unit in the last place of the result.
 *
 * To derive them, ask which numbers the operations round. Each error is at most FLT_EPSILON / 2 x
 * the magnitude of that number. The example is the dot product of N elements in [-1, 1).
 *
 * `of_value` x the magnitude of the result is for roundings of the result itself. The sum of two
 * terms needs 1/2 of it. The dot product needs none: its last sum is a partial sum like the others.
 *
 * `of_terms` x the magnitudes of the first `terms` terms is for roundings of terms before they are
 * added. The N products of a dot product need 1/2, unless `constant` has room for them.
 *
 * `constant` is for numbers that neither of these bounds, such as partial sums. Assume the worst
 * order in use: one after another. The mean square of a product is 1/9, so the k-th sum is about
 * sqrt(k) / 3. On average, rounding errs by 0.2 FLT_EPSILON x the sum. N independent errors come
 * to 0.2 sqrt(1/9 + 2/9 + ... + N/9), which is about N/20.
 *
 * Allow several times as much, for all seeds, and for small N, where a sum of few errors is coarse.
 * The dot product has constant = 2 N. The worst of 100 000 seeds, at any N, came to a third of it.
 * At last, compare with the smallest mistake: a missing product is 1/4 on average, and 2 N hides it
 * only from N = 1 000 000 on.
 */
struct oracle_errors {
    size_t terms;
    double of_terms, of_value, constant;
};

struct oracle_problem {
    size_t elements;     /* floats in the result; 0 when the arguments are not valid */
    size_t columns;      /* columns of a result that is a matrix, stored row by row; else 0 */
    size_t terms;        /* the number of terms whose sum is an element */
    double bytes, flops; /* the least traffic of one run, and its work */
    double cost;         /* multiply-adds that one element takes; 0 when it is a short formula */
    struct oracle_input inputs[ORACLE_INPUTS_MAX];
    struct oracle_errors errors;
    double constants[2]; /* for the oracle's own use */
    uint64_t seed;
    struct oracle_rounding rounding;
    struct oracle_perturbed perturbed;
    struct oracle_sample sample;
};

/* The size of all inputs, in bytes: all traffic but the result. */
static inline double oracle_input_bytes(const struct oracle_problem *problem)
{
    return problem->bytes - (double)problem->elements * sizeof(float);
}

/* Reads the program's arguments. argv[0] is the first argument: it is not the program's name. */
struct oracle_problem oracle_prepare(int argc, char *const argv[], uint64_t seed);

/* Term k of the element at `index`, in double. Each element is the sum of its terms. */
double oracle_term(const struct oracle_problem *problem, size_t index, size_t k);

/* The element at `index` of a result that is wrong in the k-th known way (0, 1, …): the program
 * computes another formula. Returns this formula, in words that follow "your kernel computes ", or
 * NULL when there is no k-th way. */
const char *oracle_mistake(const struct oracle_problem *problem, size_t k, size_t index,
                           double *value);

/* One element of the exact result, and how far a right element may be from it. */
struct oracle_element {
    double value, tolerance;
};

static inline struct oracle_element oracle_element(const struct oracle_problem *problem,
                                                   size_t index)
{
    const struct oracle_errors *errors = &problem->errors;
    double value = 0, magnitudes = 0;
    for (size_t k = 0; k < problem->terms; k++) {
        double term = oracle_term(problem, index, k);
        value += term;
        if (k < errors->terms) magnitudes += fabs(term);
    }
    double units = errors->of_terms * magnitudes + errors->of_value * fabs(value);
    return (struct oracle_element){value, FLT_EPSILON * (units + errors->constant)};
}

static inline double oracle_value(const struct oracle_problem *problem, size_t index)
{
    return oracle_element(problem, index).value;
}

#endif
