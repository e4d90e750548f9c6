/*
 * result.h: whether a run's result is right. It is when some array that came to the host holds the
 * oracle's result, and the printed Diff is a small number. The result is looked for from an array's
 * start on, and from multiples of its length; where Diff is small, so that the program has found it
 * as well, in any layout.
 */
#ifndef WARPUP_RESULT_H
#define WARPUP_RESULT_H

#include "judge/result/compare.h"

enum answer { ANSWER_UNKNOWN, ANSWER_RIGHT, ANSWER_WRONG };

/* How a right result was seen not to be the GPU's (measure/provenance.h finds out). */
struct host_made {
    enum { MADE_BY_GPU, MADE_COPIED, MADE_ELSEWHERE } how;
    const struct run *run;          /* the run that shows it */
    const struct record *place;     /* the copy that brought it, or the last launch */
    unsigned long long bytes, host; /* MADE_COPIED: bytes of the copy; the host wrote of them */
    size_t array, index, places;    /* MADE_ELSEWHERE: the input that was altered, and where */
    bool timed;                     /* only the timed kernels found it altered */
    bool changed;                   /* the result is another one then, but not the right one */
};

struct result {
    enum answer array; /* UNKNOWN: the trace does not hold what came to the host */
    bool diff_small;
    double small;   /* what counts as small */
    bool copied;    /* copies brought a right result: where to, the next three tell */
    uint64_t alloc; /* it is put together by where it was in this allocation; 0: on the host */
    uint64_t start; /* of its array, as in host_copy.h */
    struct layout layout; /* in the array */
    struct host_made made;
};

/* The answer of both together. */
enum answer result_answer(const struct result *result);

/* Judges one run; a damaged snapshot becomes the check's trouble. */
struct result result_judge(struct check *check, const struct run *run);

/* Finds the result among the device's arrays. Returns NULL when it is not there. */
const struct host_array *result_on_device(const struct host_copy *host,
                                          const struct oracle_problem *problem);

/* True when an array of the host holds the result, in any layout. */
bool result_is_in(const struct host_array *array, const struct oracle_problem *problem);

/* How many bytes of a right result that copies brought are among those of one copy. */
uint64_t result_bytes_of(const struct result *result, const struct oracle_problem *problem,
                         const struct record *copy);

/* The host's array whose own distance from the right result is the printed Diff, which is large.
 * Every element must have been compared. NULL when there is none. */
const struct host_array *result_compared(const struct host_copy *host,
                                         const struct oracle_problem *problem, double diff,
                                         struct difference *difference);

/* The host's array, of `elements` floats at least, that has the fewest wrong ones: the one that
 * was probably meant. NULL when no array is long enough. */
const struct host_array *result_nearest(const struct host_copy *host,
                                        const struct oracle_problem *problem,
                                        struct difference *difference);

#endif
