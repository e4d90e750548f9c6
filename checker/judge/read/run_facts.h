/*
 * run_facts.h: questions about one run that has been read.
 */
#ifndef WARPUP_RUN_FACTS_H
#define WARPUP_RUN_FACTS_H

#include "judge/read/runs.h"

/* True when a run refused its arguments: it ended by itself with an exit code and a message, and
 * launched nothing. */
bool run_refused(const struct run *run);

/* True when a record is of the whole job (timing/end_to_end.h), and so says nothing about part B.
 */
bool run_is_job(const struct run *run, const struct record *r);

/* True when the device saw a fault in the run. A leak does not count, because it changes no
 * result, and neither does what happens in the whole job. */
bool run_saw_fault(const struct run *run);

/* True when a kernel ended with an error: later calls then do nothing. */
bool run_was_aborted(const struct run *run);

/* The last launch of a run; NULL when there is none. */
const struct record *run_last_launch(const struct run *run);

/* True when the timed launch is the only call of a library in the run: it also loads and prepares
 * the library's kernels. */
bool run_times_first_call(const struct run *run);

/* The last launch of the timed kernels or, if none ran, of all kernels; NULL when there is none. */
const struct record *run_timed_launch(const struct run *run);

#endif
