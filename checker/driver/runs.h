/*
 * runs.h: runs of the compiled program. While a run goes on, its directory has a name that says
 * nothing: a program must not know what the run is for. When it has ended, its directory gets the
 * name by which the judge knows it, and it is read once.
 */
#ifndef WARPUP_DRIVER_RUNS_H
#define WARPUP_DRIVER_RUNS_H

#include "driver/sizes.h"
#include "judge/read/runs.h"

#include <jansson.h>
#include <sys/types.h>

/* A run's purpose and arguments. */
struct run_plan {
    bool real;
    const char *purpose; /* as the judge knows it: right, may_refuse, speed, speed_second_shape,
                            perturbed */
    const char *name;    /* of its directory, such as sim-right-0 */
    const struct size *size;
    bool timed;          /* its time counts, or it is a perturbed run beside such a one */
    const char *perturb; /* what it perturbs, or NULL */
    bool no_snapshot;    /* its arrays are not needed */
    bool is_early;       /* it waits for its turn: runs_finish() leaves it alone */
};

/* Choices for all runs of a check. */
extern bool runs_are_cold;    /* timed sizes stand for data that does not fit into the L2 */
extern bool runs_load_lazily; /* CUDA loads kernels when the timed runs first use them */
extern const char *runs_key;  /* the key of the checksums of traces */

/* A number that no program can know before. */
uint64_t random_number(void);

/* Makes the key. */
void runs_prepare(void);

/* Starts a run in the background. */
pid_t run_start(const struct run_plan *plan);

/* Waits for one run, or for all that go on on a device, and gives their directories their names. */
void run_finish(pid_t runner);
void runs_finish(bool real);

/* While this process holds the turn, an early run waits in its tracer (../tracer). */
void runs_hold_turn(void);
void runs_pass_turn(void);

/* Ends a run, and removes its directory. */
void run_stop(pid_t runner);

/* Reads a run that has ended. */
struct ended *run_read(const struct run_plan *plan);

/* Notes a run for the verdict: now, in the order of the starts. It is read when it has ended, if it
 * has not been: `ended` is NULL then. */
void run_note(const struct run_plan *plan, struct ended *ended);

/* The noted runs that have ended. */
struct ended **runs_noted(size_t *count);

/* Their entries for check.json, a list. */
json_t *runs_records(void);

#endif
