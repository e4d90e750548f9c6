/*
 * run.h: what the parts of the runner share: the request for a run, and how the run ended.
 */
#ifndef WARPUP_RUN_H
#define WARPUP_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct request {
    const char *directory; /* where run.json, stdout and stderr go */
    double seconds;        /* time limit (budget.c) */
    size_t output_bytes;   /* kept of stdout and of stderr; the rest is read and dropped */
    char **argv;           /* the program and its arguments, NULL at the end */
};

/* One output stream of the program, which the runner copies from a pipe to a file. */
struct capture {
    int pipe, file; /* -1 when closed */
    size_t kept, limit;
    bool truncated;
    int error; /* errno of the first write that failed, 0 when none did */
};

struct outcome {
    int status; /* as waitpid() gives it; meaningless unless `ended` */
    bool ended; /* the program was started and its end was seen */
    bool timed_out;
    int interrupted;          /* the signal that ended the runner itself, 0 when none */
    double seconds;           /* from start to end */
    double processor_seconds; /* of all processes of the program, added up */
    char trouble[256];        /* an error of the runner itself, "" if none */
};

/* What a run has used of its time limit: `processor` + `idle`, in seconds. */
struct budget {
    double processor; /* computing, all threads added up */
    double idle;      /* no thread wanted a processor */
    double looked_at; /* the time of the last look; set it to the start of the run */
};

/* capture.c */

/* Opens the file `name` in `directory`, and a pipe to it. Returns the writing end of the pipe, or
 * -1 with errno set. */
int capture_open(struct capture *capture, int directory, const char *name, size_t limit);
/* Copies what the pipe holds now; closes the pipe at its end. */
void capture_pump(struct capture *capture);

/* tree.c */

/* Makes the runner the parent of orphaned descendants, so that none of them escapes. */
void tree_adopt(void);
/* Starts the program in its own session, with these ends of pipes as stdout and stderr. Returns its
 * process id, or -1 with errno set if it could not be started. */
pid_t tree_start(char **argv, int out, int err);
/* Collects every descendant that has ended; returns true once `child` is among them. */
bool tree_collect(pid_t child, int *status);
/* Kills all descendants, also detached ones, and waits until none is left. */
void tree_kill(pid_t child, int *status, bool *ended);

/* budget.c */

/* Updates a budget. The time since the last look counts as a whole, so look several times per
 * second. */
void budget_look(struct budget *budget, double now);

/* report.c */

/* Writes run.json; false, with errno set, if it could not be written completely. */
bool report_write(int directory, const struct request *request, const struct outcome *outcome,
                  const struct capture *out, const struct capture *err);

#endif
