/*
 * printed.h: what an exercise's program prints. A line of results is a label, a colon and figures:
 *
 *      CPU: nthr =   20   t0 = 0.008933753 sec   P =  15.024 Gflop/s   B =   90.142 GB/s
 *      GPU: nthr =  512   t0 = 0.001119137 sec   P = 119.930 Gflop/s   B =  719.578 GB/s
 *      Diff = 1.021564e-15
 *
 * The first line labelled CPU is part A, and the last one labelled GPU is part B. The last one
 * labelled JOB is the whole job. Programs may also print such lines with other labels, or another
 * CPU line. These count only when one of the two is
 * missing: the first for part A, the last for part B. Spaces do not matter. Figures may be in any
 * order, and one of t0, P and B is enough. An address (0x…) is not a figure. Other lines are
 * ignored.
 */
#ifndef WARPUP_PRINTED_H
#define WARPUP_PRINTED_H

#include "judge/oracle/oracle.h"

#include <stdbool.h>

/* A number as it was printed. It stands for all values from value - half to value + half, where
 * half is half a unit in its last digit. NAN when it was not printed. */
struct number {
    double value, half;
};

/* The text before a line's colon. */
enum label { LABEL_OTHER, LABEL_CPU, LABEL_GPU, LABEL_JOB };

/* A time in seconds. It stands for an interval, as the number does that it comes from. */
struct printed_time {
    double seconds, least, most;
};

struct figures {
    enum label label;
    bool present;                     /* the line was printed */
    struct number t0, gflops, gbytes; /* t0, P, B */
    double threads;                   /* nthr; NAN when not printed */
    /* The times that the line can mean. This is t0 alone if it has enough digits, else what P, B
     * and t0 mean. If P and B agree with each other but not with t0, only P and B count. */
    struct printed_time times[3];
    size_t time_count;
    double time;  /* s: the most exact of them; NAN when no figure gives a time */
    double rates; /* the time by P or B / `time`, of the one that differs more; 1 if both agree */
};

struct printed {
    struct figures a, b, job; /* `job` may be missing */
    bool has_diff;
    double diff; /* may be NAN or infinite: that is what the program printed */
};

/* Reads what a program printed that has solved this problem. */
struct printed printed_parse(const char *text, const struct oracle_problem *problem);

#endif
