/*
 * end_to_end.h: the whole job, from the host's arrays to the host's arrays. A program may do it
 * after part B, and prints a line labelled JOB for it. Its copies to the GPU are the last ones of
 * the run that together have as many bytes as the inputs. Its copies to the host are the last ones
 * with as many as the result. Its time is the trace's, from the start of the first of these copies
 * to the end of the last one.
 */
#ifndef WARPUP_END_TO_END_H
#define WARPUP_END_TO_END_H

#include "judge/read/runs.h"

struct end_to_end {
    bool found;
    const struct record *first_down, *first_up; /* its first copy in each direction */
    const struct record *last_up;
    const struct record *latest; /* the copy that ends last */
    double start, end;           /* ns */
    double down, up,
        both;       /* ns in which copies go to the GPU, to the host, and in both directions */
    double kernels; /* ns in which its kernels run while copies do */
    double down_bytes, up_bytes;
    size_t down_count;             /* copies to the GPU */
    const struct record *pageable; /* its first copy of pageable memory; NULL when all are pinned */
    const struct record *unmade;   /* a copy of what no kernel of the job wrote; NULL if none */
};

struct end_to_end end_to_end_find(struct arena *arena, const struct run *run);

/* Sets the run's `job`, if the program printed a line JOB and ended well. */
void end_to_end_mark(struct arena *arena, struct run *run);

/* True if a copy to the host is one of the job's. */
bool job_brings(const struct end_to_end *job, const struct record *copy);

#endif
