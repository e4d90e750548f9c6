/*
 * jobs.h: compilers that run side by side, and what they say.
 */
#ifndef WARPUP_CC_JOBS_H
#define WARPUP_CC_JOBS_H

#include "gpu/cc/text.h"

#include <sys/types.h>

struct job {
    struct list command;
    const char *folder; /* where it runs; NULL: here */
    /* The running process and its end */
    pid_t process;
    int log;    /* file of its stdout and stderr */
    int status; /* as waitpid() has it */
    char *said; /* all of it */
};

/* Seconds of processor time that one compiler may take. */
enum { COMPILER_SECONDS = 60 };

/* Starts one job; end_job() waits for it. */
void start_job(struct job *job);
void end_job(struct job *job);

/* Runs all of them, at most as many at a time as this machine has processors. */
void run_jobs(struct job *jobs, size_t count);

/* Did the job end with exit code 0? */
bool job_succeeded(const struct job *job);

/* Why the compiler did not do its work: it crashed, took too long, or is not there. NULL: it did
 * its work. */
const char *job_crashed(const struct job *job);

#endif
