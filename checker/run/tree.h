/*
 * tree.h: the program and everything that it starts.
 */
#ifndef WARPUP_TREE_H
#define WARPUP_TREE_H

#include <stdbool.h>
#include <sys/types.h>

/* Makes the runner the parent of orphaned descendants, so that none of them escapes. */
void tree_adopt(void);
/* Starts the program in its own session, with these ends of pipes as stdout and stderr. Returns its
 * process id, or -1 with errno set if it could not be started. */
pid_t tree_start(char **argv, int out, int err);
/* Collects every descendant that has ended; returns true once `child` is among them. */
bool tree_collect(pid_t child, int *status);
/* Kills all descendants, also detached ones, and waits until none is left. */
void tree_kill(pid_t child, int *status, bool *ended);

#endif
