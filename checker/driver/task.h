/*
 * task.h: starts a program under the runner (../run) and waits for it. The runner makes the task's
 * own directory, and leaves in it what the program printed, and run.json: how it ended.
 */
#ifndef WARPUP_TASK_H
#define WARPUP_TASK_H

#include <stdbool.h>
#include <sys/types.h>

enum { TASK_WORDS_MAX = 128, TASK_VARIABLES_MAX = 16 };

struct task {
    const char *directory;             /* its name in the check's directory */
    double seconds;                    /* of processor time */
    bool is_beside;                    /* another task is awaited: this one leaves it the cores */
    const char *link;                  /* a file that gets a hard link in the directory, or NULL */
    const char *words[TASK_WORDS_MAX]; /* the program and its arguments */
    int count;
    const char *variables[TASK_VARIABLES_MAX]; /* NAME=VALUE for it alone */
    int variable_count;
};

void task_add(struct task *task, const char *word);
void task_add_words(struct task *task, const char *words); /* separated by spaces; NULL: none */
void task_set(struct task *task, const char *name, const char *value);

/* Starts a task in the background. */
pid_t task_start(const struct task *task);

/* What a check does whenever it begins to wait for a task, and when any task ends meanwhile. NULL:
 * nothing. */
extern void (*task_meanwhile)(void);

bool task_is_over(pid_t runner);

/* Waits for it. If a signal asks the check to stop meanwhile, all tasks end, and the check. */
void task_finish(pid_t runner);

/* Ends it and what it has started. */
void task_stop(pid_t runner);

/* Ends all tasks and what they have started; for a check that ends early. */
void tasks_stop(void);

/* How a task ended: run.json. */
struct task_end {
    int exit; /* 128: a signal or the time limit ended it, or there is no report */
    bool timed_out;
    double processor_seconds;
};
struct task_end task_end(const char *directory);

/* Runs one of the lab's tools, and waits for it; returns its exit code, 128 + the signal's number
 * if a signal ended it. */
int tool_run(const char *const words[]);

/* Ends the check if a runner has failed, or if nothing can be written: a check needs a megabyte. */
void disk_check(void);

#endif
