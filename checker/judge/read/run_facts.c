/* run_facts.c: what the rest of the judge asks about a run that has been read: how it ended, which
 * launch is timed, and which records are of the whole job. See run_facts.h. */
#include "judge/read/run_facts.h"

#include <string.h>

bool run_refused(const struct run *run)
{
    return run->exit > 0 && run->signal == 0 && !run->timed_out && run->complaint[0] != '\0' &&
           trace_first(&run->trace, EVENT_LAUNCH) == NULL;
}

/* A leak belongs to what follows the allocation: the job's begin after the last copy before it. */
static bool leaks_in_job(const struct run *run, uint64_t id)
{
    const struct record *alloc = trace_alloc(&run->trace, id), *before = run->job;
    while (before > run->trace.records && (before == run->job || before->event != EVENT_COPY))
        before--;
    return alloc > before;
}

bool run_is_job(const struct run *run, const struct record *r)
{
    if (run->job == NULL || r < run->job) return false;
    if (r->event == EVENT_FINAL) return leaks_in_job(run, r->final.alloc);
    bool leak = r->event == EVENT_FAULT && strcmp(r->fault.name, "leak") == 0;
    return !leak || leaks_in_job(run, r->fault.alloc);
}

bool run_saw_fault(const struct run *run)
{
    TRACE_EACH (&run->trace, EVENT_FAULT, r)
        if (strcmp(r->fault.name, "leak") != 0 && !run_is_job(run, r)) return true;
    return false;
}

bool run_was_aborted(const struct run *run)
{
    TRACE_EACH (&run->trace, EVENT_ERROR, r)
        if (r->error.code >= FIRST_KERNEL_ERROR && r->error.code <= LAST_KERNEL_ERROR) return true;
    return false;
}

const struct record *run_last_launch(const struct run *run)
{
    const struct record *last = NULL;
    TRACE_EACH (&run->trace, EVENT_LAUNCH, r)
        last = r;
    return last;
}

const struct record *run_timed_launch(const struct run *run)
{
    const struct record *launch = trace_launch(&run->trace, run->timed.last);
    return launch != NULL ? launch : run_last_launch(run);
}

bool run_times_first_call(const struct run *run)
{
    const struct record *launch = run_timed_launch(run);
    return launch != NULL && launch->launch.library != NULL && trace_kernels(&run->trace) == 1;
}
