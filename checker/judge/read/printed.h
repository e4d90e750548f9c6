/*
 * printed.h: what an exercise's program prints. A line of results is a label, a colon and figures:
 *
 *      CPU: nthr =   20   t0 = 0.008933753 sec   P =  15.024 Gflop/s   B =   90.142 GB/s
 *      GPU: nthr =  512   t0 = 0.001119137 sec   P = 119.930 Gflop/s   B =  719.578 GB/s
 *      Diff = 1.021564e-15
 *
 * The first line labelled CPU is part A, the last one labelled GPU is part B. Programs may print
 * such lines with other labels, or CPU once more, as well: these count only where one of the two is
 * missing, the first for part A and the last for part B. Spaces do not matter, figures may stand in
 * any order, and any of them may be missing as long as one of t0, P and B is there. An address
 * (0x…) is no figure. Other lines are the program's own business.
 */
#ifndef WARPUP_PRINTED_H
#define WARPUP_PRINTED_H

#include <stdbool.h>

/* A number as it was printed: it stands for all values from value - half to value + half, half of
 * a unit in its last digit. NAN when it was not printed. */
struct number {
    double value, half;
};

/* What stands before a line's colon. */
enum label { LABEL_OTHER, LABEL_CPU, LABEL_GPU };

struct figures {
    enum label label;
    bool present;                 /* the line is there */
    struct number seconds;        /* t0 */
    struct number gflops, gbytes; /* P, B */
    double threads;               /* nthr; NAN when not printed */
};

struct printed {
    struct figures a, b;
    bool has_diff;
    double diff; /* may be NAN or infinite: that is what the program printed */
};

struct printed printed_parse(const char *text);

#endif
