/*
 * step.h: one step of a check in its sandbox: the compilation, or one run of the program.
 */
#ifndef WARPUP_CAGE_STEP_H
#define WARPUP_CAGE_STEP_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

enum { CGROUPS_MAX = 4, STATUS_FD = 3, ENVIRONMENT_FD = 4, ARGUMENTS_FD = 5 };

struct step {
    bool compiles;         /* the step is a compilation, not a run */
    const char *work;      /* the directory of the check's sandbox, see README.md */
    const char *out;       /* the directory whose files the step writes; NULL if it has none */
    const char *processes; /* the number of processes and threads that it may have */
    unsigned long all_processes; /* the number that all steps of the check may have; 0: any */
    unsigned long memory_mb; /* what all its processes may use together; 0: control groups say so */
    unsigned long file_mb;   /* the longest file that it may write */
    const char *cgroups[CGROUPS_MAX];
    int cgroup_count;
    uid_t user; /* whom the step runs as; 0: as the caller */
    char **command;
    char links[PATH_MAX];   /* read-only files that it starts with: WORK/steps/NAME */
    char scratch[PATH_MAX]; /* all that it can write to: WORK/scratch/NAME */
};

#endif
