/* printed_time.h: the time that a line of results means, from t0, or from P and B. */
#ifndef WARPUP_PRINTED_TIME_H
#define WARPUP_PRINTED_TIME_H

#include "judge/read/runs.h"

/* A printed number stands for an interval; so does the time, in seconds. */
struct printed_time {
    double seconds, least, most;
};

/* The times that a line can mean, the most exact first. This is t0 alone if it has enough digits,
 * else what P, B and t0 mean. If P and B agree with each other but not with t0, only P and B
 * count. */
struct printed_times {
    struct printed_time list[3]; /* the first has NAN seconds when no figure gives a time */
    size_t count;
    double
        rates; /* the time by P or B / the first, of the one that differs more; 1 if both agree */
};

struct printed_times printed_times(const struct figures *figures,
                                   const struct oracle_problem *problem);

#endif
