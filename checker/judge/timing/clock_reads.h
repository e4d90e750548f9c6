/* clock_reads.h: finds the readings of a clock, or the events, that the printed time comes from. */
#ifndef WARPUP_CLOCK_READS_H
#define WARPUP_CLOCK_READS_H

#include "judge/read/runs.h"
#include "judge/timing/end_to_end.h"

/* The work between two readings. Only the simulated GPU counts the bytes of kernels. */
struct timed_work {
    size_t kernels, *indices; /* their number, and their places in trace.kernels */
    double loaded;            /* bytes */
    bool whole;               /* the kernels load all of the inputs */
    bool made; /* they wrote the result, or are like what wrote it, if that is known */
    const struct record *elsewhere; /* else a launch outside of the range that wrote a part of it */
    double elsewhere_share;         /* the part of the result that it wrote; 1 if not known */
    size_t repeats; /* how many times they make the whole result; 0 when they do not */
    size_t length;  /* kernels per repeat */
    bool awaited;   /* something that can wait comes between the last launch and the reading */
    const struct record *running; /* if that leaves a kernel out, this one; else NULL */
    const struct record *late;    /* the first kernel that had not ended at `stop`, or NULL */
    const struct record *stop;    /* the reading at the end; of a sum, that of the late kernel */
    const struct record *copy;    /* the first copy between host and GPU */
    const struct record *alloc;   /* the first allocation by the program itself */
    double copies;                /* the time of all copies between host and GPU, seconds */
};

/* The way in which a printed time was measured. If several fit, the last one of this list counts.
 */
enum measured {
    MEASURED_UNKNOWN, /* there is no run of the simulated GPU, or no time was printed */
    MEASURED_NOWHERE, /* no readings give it */
    MEASURED_DIVIDED, /* readings give it, but divided by a wrong number */
    MEASURED_OUTSIDE, /* readings give it, but the kernels between them are not all of the work */
    MEASURED_EARLY,   /* all of the work was started between the readings, but had not ended */
    MEASURED_WHOLE
};

struct timed_range {
    const struct run *run;
    const struct end_to_end *job; /* of the line JOB; NULL for part B's line */
    enum measured measured;
    const struct record *from, *to; /* readings, or marks of events; NULL when there are none */
    double seconds;                 /* between the readings; for a sum, the whole sum */
    double unit;    /* printed / true: 1000 if milliseconds are used as if they were seconds */
    double divisor; /* the number that divides `seconds` */
    double misfit;  /* from what is printed, in its unit */
    bool sum;       /* of the times from each reading to the next, if kernels ran there */
    struct timed_work work;
};

/* The range that the printed time of part B comes from; or, with a job, that of the line JOB: then
 * the work is the job's copies and kernels. */
struct timed_range clock_reads_find(const struct check *check, const struct run *run,
                                    const struct end_to_end *job);

/* The last two readings in a row that enclose the whole work; `from` is NULL if there are none. */
struct timed_range clock_reads_last(const struct check *check, const struct run *run);

#endif
