/* thresholds.h: every number that decides something about timing, with its unit and its reason. */
#ifndef WARPUP_THRESHOLDS_H
#define WARPUP_THRESHOLDS_H

/* s; gettimeofday and clock() tick once per microsecond; a double of them is exact to 0.24 us */
static const double CLOCK_TICK = 1.3e-6;
/* of a time; a float holds 24 bits, and cudaEventElapsedTime returns a float */
static const double FLOAT_ROUNDING = 1e-6;
/* of a time; another unit is only assumed if the clock's tick does not explain the difference */
static const double UNIT_SLACK = 0.05;
/* ns; the trace rounds each time to whole nanoseconds */
static const double TRACE_ROUNDING = 2;
/* of the inputs' bytes; a part may come from constant memory, or with the launch */
static const double LOADED_LEAST = 0.9;
/* of the result's bytes; a program may write a few numbers again before or after the work */
static const double WRITTEN_LEAST = 0.99;
/* of a kernel's time; below half of it, the ladders' criterion "timer" fails anyway */
static const double TIME_LEAST = 0.5;
/* of a kernel's time; a GPU's clock may change between two runs, and a launch costs something */
static const double TIME_MOST = 1.1;
/* s; starting a kernel and waiting for it, on a machine with other work */
static const double START_AND_WAIT = 1e-3;
/* of a kernel's time; a shorter time than this cannot hold all kernels that ran */
static const double TIME_OF_ALL = 0.9;
/* of a kernel's time; shorter copies are not reported */
static const double COPIES_LEAST = 0.1;
/* bytes per second; a core copies memory faster than this, also to pages that it touches first */
static const double HOST_COPY_LEAST = 2e9;
/* bytes per second; no CPU, and no node with several CPUs, reaches these rates */
static const double CPU_BYTES = 2e13, CPU_FLOPS = 1e14;
/* per second; the limits of one core: the caches next to it are not faster, and timed sizes do not
 * fit into them */
static const double CORE_BYTES = 4e11, CORE_FLOPS = 2e12;
/* seconds; two readings of the simulated GPU's clock leave out so much host code between them
 * (READING_NS and a tick in gpu/server/clock.c) */
static const double CLOCK_FREE = 2.6e-5;
/* a rate that is printed with few digits differs from the printed time's own by no more */
static const double RATE_SLACK = 1.1;

enum {
    CLOCKS_TRACED = 10000, /* clock readings that a trace holds; a program may make more */
    READS_MAX = 1000,  /* clock readings; only the last ones count, because all pairs are tried */
    RANGES_MAX = 200,  /* ranges whose kernels are examined; a program has only a few */
    DIVISOR_MOST = 20, /* the largest wrong divisor of a time, besides 100 and 1000 */
};

#endif
