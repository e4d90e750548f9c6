/*
 * result.h: whether a run's result is right. It is when some array that came to the host holds the
 * oracle's result from its start on, or from a multiple of the result's length, and the printed
 * Diff is a small number.
 */
#ifndef WARPUP_RESULT_H
#define WARPUP_RESULT_H

#include "compare.h"
#include "image.h"
#include "runs.h"

enum answer { ANSWER_UNKNOWN, ANSWER_RIGHT, ANSWER_WRONG };

struct result {
    enum answer array; /* UNKNOWN: the trace does not hold what came to the host */
    bool diff_small;
    double small;        /* what counts as small */
    uint64_t host;       /* where copies brought a right result to; 0 when none did */
    const char *foreign; /* how a right result was seen not to be the GPU's; else NULL */
};

/* The answer of both together. */
enum answer result_answer(const struct result *result);

/* Judges one run; a damaged snapshot is told as the check's trouble. */
struct result result_judge(struct check *check, const struct run *run);

/* Finds the result among the host's arrays (or the device's). Returns NULL when it is not there. */
const struct array *result_find(const struct image *image, bool on_device,
                                const struct oracle_problem *problem);

/* The host's array, of `elements` floats at least, that has the fewest wrong ones: the one that
 * was probably meant. NULL when no array is long enough. */
const struct array *result_nearest(const struct image *image, const struct oracle_problem *problem,
                                   struct difference *difference);

#endif
