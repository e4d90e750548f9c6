/*
 * inside.h: the part of a step that runs inside of the sandbox.
 */
#ifndef WARPUP_CAGE_INSIDE_H
#define WARPUP_CAGE_INSIDE_H

/* Runs a command with at most `processes` processes and threads; its environment comes from
 * ENVIRONMENT_FD, and its status goes to STATUS_FD. Returns an exit code. */
int inside(const char *processes, char **command);

#endif
