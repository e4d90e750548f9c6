/*
 * plan.h: what a check has to know about the runs that have ended, to choose the next ones: how
 * long the kernels took, whether launches look as if larger sizes could fail, and when CUDA should
 * load the kernels. All of it comes from traces, which may end anywhere or be missing.
 */
#ifndef WARPUP_PLAN_H
#define WARPUP_PLAN_H

#include "judge/read/trace_read.h"

/* Why extra sizes should run: facts about the launches of some runs. */
struct extra_sizes {
    bool fixed;        /* all runs launch the same number of threads */
    bool growing;      /* the blocks grow with the arguments */
    bool large_grid_y; /* the grid grows along y or z, where it may have 65535 blocks */
};

/* The time of all kernels together, in ns; 0 if none ran. On the simulated GPU it adds only the
 * kernels between two clock readings. It takes the smallest such sum, because a program may also
 * time other kernels. The result is at least the work of simulating all kernels. Repeated launches,
 * which the simulated GPU does not run again, cost nothing. */
double plan_kernel_ns(const struct trace *trace);

/* The threads of the largest launch of the program's own kernels; 0 if there is none. */
double plan_threads(const struct trace *trace);

struct extra_sizes plan_extra_sizes(const struct trace *traces, size_t count);

/* True if the program runs no kernel of its own, and calls its library at least once before the
 * timer starts. */
bool plan_warmed_up(const struct trace *trace);

#endif
