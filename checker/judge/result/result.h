/*
 * result.h: whether a run's result is right. It is right when an array that came to the host holds
 * the oracle's result, and the printed Diff is small. The judge looks for the result at an array's
 * start, and at multiples of its length. When Diff is small, the program has found its result too:
 * then the judge looks for any layout, and for several arrays that hold it together.
 */
#ifndef WARPUP_RESULT_H
#define WARPUP_RESULT_H

#include "judge/result/search.h"

enum answer { ANSWER_UNKNOWN, ANSWER_RIGHT, ANSWER_WRONG };

/* Shows that the GPU did not compute a right result (measure/provenance.h finds out). */
struct host_made {
    enum { MADE_BY_GPU, MADE_COPIED, MADE_ELSEWHERE, MADE_UNKNOWN } how;
    const struct run *run;     /* the run that shows it */
    const struct record *site; /* the copy that brought it, or the last launch */
    unsigned long long bytes,
        host; /* MADE_COPIED: bytes of the copy, and those that the host wrote */
    size_t array, index,
        sites;    /* MADE_ELSEWHERE: the perturbed input, and the place of its number */
    bool timed;   /* only the timed kernels saw it perturbed */
    bool changed; /* the result changes then, but to a wrong one */
};

/* One of several arrays that hold a result together; alloc and start as below. */
struct result_part {
    uint64_t alloc, start, bytes;
};

struct result {
    enum answer array; /* UNKNOWN: the trace did not keep what came to the host */
    bool diff_small;
    double small;   /* what counts as small */
    bool copied;    /* copies brought a right result; the next three members say to which place */
    uint64_t alloc; /* joined by the place in this allocation, or, if 0, on the host */
    uint64_t start; /* of its array, as in host_copy.h */
    struct layout layout; /* in the array */
    /* instead of the layout, when copies brought it in several arrays */
    struct result_part parts[PARTS_MAX];
    size_t part_count;
    struct host_made made;
};

/* The answer that follows from both. */
enum answer result_answer(const struct result *result);

/* Forgives the faults of a run that are none. A thread past the end of the data may read shared
 * memory that nothing has written, and never use the value. There, the simulated GPU has NaNs:
 * where the result is right, no such value is part of it. Another fault may be the reason for such
 * a read, and is explained by it. */
void result_forgive_reads(const struct result *result, struct run *run);

/* Judges one run. A damaged snapshot becomes an internal error of the check. */
struct result result_judge(struct check *check, const struct run *run);

/* Finds the result among the device's arrays. Returns NULL when it is not there. */
const struct host_array *result_on_device(const struct host_copy *host,
                                          const struct oracle_problem *problem);

/* True when an array of the host holds the result, in any layout. */
bool result_is_in(const struct host_array *array, const struct oracle_problem *problem);

/* The number of arrays that came to the host and hold the result, in any layout; 1 when several
 * hold it together. */
size_t result_count(const struct host_copy *host, const struct oracle_problem *problem);

/* True when result_count() is not 0, which costs less to find out. */
bool result_is_somewhere(const struct host_copy *host, const struct oracle_problem *problem);

/* How many bytes of a right result came by this one copy. */
uint64_t result_bytes_of(const struct result *result, const struct oracle_problem *problem,
                         const struct record *copy);

/* The host's array whose distance from the right result is the printed, large Diff. Every element
 * must have been compared. NULL when there is none. */
const struct host_array *result_compared(const struct host_copy *host,
                                         const struct oracle_problem *problem, double diff,
                                         struct difference *difference);

/* True when an array of the host is so close to the right result that its Diff would be small. If
 * some element is not right, then it is less exact than floats are. Every element must have been
 * compared. */
bool result_is_close(const struct host_copy *host, const struct oracle_problem *problem);

/* The host's array of at least `elements` floats that has the fewest wrong elements: probably the
 * result. NULL when no array is long enough. */
const struct host_array *result_nearest(const struct host_copy *host,
                                        const struct oracle_problem *problem,
                                        struct difference *difference);

#endif
