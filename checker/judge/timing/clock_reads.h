/* clock_reads.h: which readings of a clock, or of two events, the printed time comes from. */
#ifndef WARPUP_CLOCK_READS_H
#define WARPUP_CLOCK_READS_H

#include "judge/timing/printed_time.h"
#include "judge/timing/repeats.h"

/* What a printed time was found to be; of several ways to read it, the last one here. */
enum measured {
    MEASURED_UNKNOWN, /* no run of the simulated GPU, or no time was printed */
    MEASURED_NOWHERE, /* no readings give it */
    MEASURED_DIVIDED, /* readings do, but they are divided by a wrong number */
    MEASURED_OUTSIDE, /* readings do, but kernels between them are not all of the work */
    MEASURED_EARLY,   /* all of the work was started between them, but had not ended */
    MEASURED_WHOLE
};

struct timed_range {
    enum measured measured;
    const struct record *from, *to; /* readings, or marks of events; NULL when there are none */
    const struct record *stop;      /* the reading before which a kernel had not ended; else `to` */
    double seconds;                 /* between them; of a sum, what is summed */
    double unit;                    /* printed / true: 1000 where milliseconds stand for seconds */
    double divisor;                 /* what `seconds` is divided by */
    bool sum;                       /* of the times from each reading to the next, with kernels */
    struct work work;               /* between them */
};

/* The range that the run's printed time comes from. */
struct timed_range clock_reads_find(const struct check *check, const struct run *run);

/* The last two readings that follow each other and hold the whole work; from is NULL when there are
 * none. */
struct timed_range clock_reads_last(const struct check *check, const struct run *run);

#endif
