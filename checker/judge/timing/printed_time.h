/* printed_time.h: the time that a line of results means, by t0, or by P and B. */
#ifndef WARPUP_PRINTED_TIME_H
#define WARPUP_PRINTED_TIME_H

#include "judge/read/runs.h"

/* A printed number stands for an interval; so does the time, in seconds. */
struct printed_time {
    double seconds, least, most;
};

/* The times that a line can mean, the most exact first: t0 alone, if it has digits enough; else
 * what P, B and t0 mean. P and B count alone where they agree with each other and not with t0. */
struct printed_times {
    struct printed_time list[3];
    size_t count; /* 0 when no figure says */
};

struct printed_times printed_times(const struct figures *figures,
                                   const struct oracle_problem *problem);

/* The time that P or B means, over `seconds`: of the one that is farther away; 1 when both agree.
 */
double printed_rates(const struct figures *figures, const struct oracle_problem *problem,
                     double seconds);

#endif
