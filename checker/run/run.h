/*
 * run.h: the request for a run, and how the run ended.
 */
#ifndef WARPUP_RUN_H
#define WARPUP_RUN_H

#include <stdbool.h>
#include <stddef.h>

enum { LINKS_MAX = 4 };

struct request {
    const char *directory;        /* where run.json, stdout and stderr go */
    const char *links[LINKS_MAX]; /* files that get a hard link there before the start */
    size_t link_count;
    double seconds;      /* time limit (budget.c) */
    size_t output_bytes; /* kept of stdout and of stderr; the rest is read and dropped */
    char **argv;         /* the program and its arguments, NULL at the end */
};

struct outcome {
    int status; /* as waitpid() gives it; meaningless unless `ended` */
    bool ended; /* the program was started and its end was seen */
    bool timed_out;
    int interrupted;          /* the signal that ended the runner itself, 0 when none */
    double seconds;           /* from start to end */
    double processor_seconds; /* of all processes of the program, added up */
    char internal_error[256]; /* an error of the runner itself, "" if none */
};

#endif
