/*
 * printed.h: what an exercise's program prints. A line of results is a label, a colon and figures:
 *
 *      CPU: nthr =   20   t0 = 0.008933753 sec   P =  15.024 Gflop/s   B =   90.142 GB/s
 *      GPU: nthr =  512   t0 = 0.001119137 sec   P = 119.930 Gflop/s   B =  719.578 GB/s
 *      Diff = 1.021564e-15
 *
 * The first such line is part A, the last of the others part B, whatever its label. Spaces do not
 * matter, figures may stand in any order, and any of them may be missing as long as one of t0, P
 * and B is there. Other lines are the program's own business.
 */
#ifndef WARPUP_PRINTED_H
#define WARPUP_PRINTED_H

#include <stdbool.h>

struct figures {
    bool present;          /* the line is there */
    double seconds;        /* t0; NAN when not printed, as are the others */
    double gflops, gbytes; /* P, B */
    double threads;        /* nthr */
};

struct printed {
    struct figures a, b;
    bool has_diff;
    double diff; /* may be NAN or infinite: that is what the program printed */
};

struct printed printed_parse(const char *text);

/* Seconds that part B took by its own figures, for a problem of so many bytes and flops: from B, or
 * from P where B is so small that it has fewer digits; else from P, else from t0, which has too
 * few. 0 for an infinite rate; NAN when no figure says. */
double printed_seconds(const struct figures *figures, double bytes, double flops);

#endif
