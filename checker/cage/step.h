/*
 * step.h: one step of a check in its sandbox: the compilation, or one run of the program.
 */
#ifndef WARPUP_CAGE_STEP_H
#define WARPUP_CAGE_STEP_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

enum {
    CGROUPS_MAX = 4,
    STATUS_FD = 3,
    ENVIRONMENT_FD = 4,
    ARGUMENTS_FD = 5,
    FILTER_FD = 6,
    GPU_FILES = 2
};

enum step_kind {
    STEP_COMPILE, /* a compilation, in the sandbox */
    STEP_RUN,     /* a student's program, in the sandbox */
    STEP_GPU      /* the simulated GPU, which is outside: only limits hold for it */
};

struct step {
    enum step_kind kind;
    const char *work;      /* the directory of the check's sandbox, see README.md */
    const char *out;       /* the directory whose files the step writes; NULL if it has none */
    const char *program;   /* the student's program, which the step must not change; NULL: none */
    int gpu[GPU_FILES];    /* the program's descriptors of its simulated GPU; 0: none */
    pid_t parent;          /* when it has ended, the step ends too */
    const char *processes; /* the number of processes and threads that it may have */
    unsigned long all_processes; /* the number that all steps of the check may have; 0: any */
    unsigned long memory_mb; /* what all its processes may use together; 0: control groups say so */
    unsigned long file_mb;   /* the longest file that it may write */
    const char *cgroups[CGROUPS_MAX];
    int cgroup_count;
    uid_t user; /* whom the step runs as, other than the caller; 0: as the caller */
    char **command;
    char links[PATH_MAX];   /* read-only files that it starts with: WORK/steps/NAME */
    char scratch[PATH_MAX]; /* all that it can write to: WORK/scratch/NAME */
};

#endif
