/*
 * timer.h: the time that a program prints for part B, against what the devices saw: facts, which
 * timing_diagnoses.c phrases. printed_time.c says what time a line of results means; clock_reads.c
 * which readings of a clock, or of two events, it comes from, as the simulated GPU has seen them;
 * repeats.c what kernels do between these; timer.c which kernels are timed, and how long. On a real
 * GPU the same kernels are timed, counted from the last one back; a call of a library may be
 * several there. thresholds.h has every number by which all this decides.
 */
#ifndef WARPUP_TIMER_H
#define WARPUP_TIMER_H

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

/* The kernels that run in a range of time. Only the simulated GPU counts their bytes. */
struct work {
    size_t kernels;
    double loaded;             /* bytes */
    bool whole;                /* they load all of the inputs */
    bool made;                 /* one of them is like one that wrote the result, if that is known */
    size_t repeats;            /* so many times over; 0 when they do not make the whole result */
    size_t length;             /* kernels of one repeat */
    const struct record *late; /* the first one that ends after the range; NULL when none does */
};

/* True for a kernel that belongs to a range: between two readings of a clock it was launched,
 * between two events it started. Other host threads and other streams count as well. */
bool work_holds(const struct run *run, const struct record *kernel, const struct record *from,
                const struct record *to);

struct work work_between(const struct check *check, const struct run *run,
                         const struct record *from, const struct record *to);

/* The bytes that a kernel wrote, with atomics too. */
double work_written(const struct record *kernel);

/* The bytes that a run's inputs have. */
double work_inputs(const struct run *run);

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

struct timer {
    const struct run *run;      /* the timed run with the smallest ratio; NULL when none is known */
    const char *why;            /* when run is NULL */
    double printed, kernel;     /* seconds: as printed, and of its kernels */
    double ran;                 /* the kernels' time until the timer stopped; all of it, or more */
    struct timed_range range;   /* what the printed time is, on the simulated GPU */
    bool refuted;               /* no readings give it, or others than those around the work */
    const struct run *over_run; /* the run of `over`: on a real GPU two events can tell, too */
    struct timed_range over;
    const struct record *copy;  /* the first copy between host and GPU in it */
    const struct record *alloc; /* the first allocation in it */
    double copies;              /* the time of all such copies, seconds */
    double calls; /* a real GPU: how long launching held the program up before the first kernel ran,
                     and waiting after the last one had ended, seconds */
    double rates; /* the time that P or B means / the printed one; 1 unless one is wrong */
    double all;   /* seconds from the program's start to its end */
};

/* Sets the timed kernels of all runs, once their results were judged, and finds the facts. */
struct timer timer_find(struct check *check);

/* By how much the printed time exceeds what is allowed, in kernel times, 0 when it does not.
 * Allowed are the kernel's time, a tenth of it, and for starting and waiting 1 ms, or what these
 * calls took; a timer that runs over copies does not get these. */
double timer_excess(const struct timer *timer);

/* The CPU line: true when its time is shorter than any CPU needs; when no clock was read for it. */
bool timer_cpu_too_fast(const struct run *run);
bool timer_cpu_unread(const struct run *run);

/* The time by which a line of results is read first; NAN when no figure says. */
double timer_printed(const struct figures *figures, const struct oracle_problem *problem);

/* True for a kernel that is one of the timed ones. */
static inline bool timer_times(const struct run *run, const struct record *kernel)
{
    return kernel->start >= run->timed.start && kernel->start <= run->timed.last_start;
}

/* The time of a run's timed kernels without the pauses, ns; 0 when none ran. */
double timer_kernel_ns(const struct run *run);

/* The last launch of the timed kernels, or, where none ran, of all; NULL when there is none. */
const struct record *timer_launch(const struct run *run);

#endif
