/*
 * run.h: what the parts of the runner share: how a run was asked for and how it ended.
 */
#ifndef WARPUP_RUN_H
#define WARPUP_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct request {
    const char *directory; /* where run.json, stdout and stderr go */
    double seconds;        /* time limit (budget.c) */
    size_t output_bytes;   /* kept of stdout, and of stderr; the rest is read and dropped */
    char **argv;           /* the program and its arguments, NULL at the end */
};

/* One stream of the program on its way from a pipe to a file. */
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
    double processor_seconds; /* of all that the program started, together */
    char trouble[256];        /* what went wrong on the lab's side, "" when nothing */
};

/* What a run has used of its time limit: `processor` + `idle`, in seconds. */
struct budget {
    double processor; /* computing, all threads together */
    double idle;      /* with no thread that wanted a processor */
    double looked_at; /* when that was so; set it to the run's start */
};

/* capture.c */

/* Opens `name` in `directory` and a pipe that leads there; returns the pipe's writing end, or -1
 * with errno set. */
int capture_open(struct capture *capture, int directory, const char *name, size_t limit);
/* Moves what the pipe holds just now; closes it at its end. */
void capture_pump(struct capture *capture);

/* tree.c */

/* Makes orphaned descendants ours, so that none escapes. */
void tree_adopt(void);
/* Starts the program in a session of its own with these ends of pipes as stdout and stderr.
 * Returns its process id, or -1 with errno set when it could not be started. */
pid_t tree_start(char **argv, int out, int err);
/* Collects every descendant that has ended; returns true once `child` is among them. */
bool tree_collect(pid_t child, int *status);
/* Kills all descendants, however deep and however detached, and waits until none is left. */
void tree_kill(pid_t child, int *status, bool *ended);

/* budget.c */

/* Brings a budget up to date. What happened since the last look counts as one piece, so look
 * several times a second. */
void budget_look(struct budget *budget, double now);

/* report.c */

/* Writes run.json; false, with errno set, when it could not be written whole. */
bool report_write(int directory, const struct request *request, const struct outcome *outcome,
                  const struct capture *out, const struct capture *err);

#endif
