/*
 * sandbox_init.h: the part of a step that runs inside of the sandbox.
 */
#ifndef WARPUP_CAGE_SANDBOX_INIT_H
#define WARPUP_CAGE_SANDBOX_INIT_H

/* Runs a command with at most `processes` processes and threads; its environment comes from
 * ENVIRONMENT_FD, and its status goes to STATUS_FD. Returns an exit code. */
int sandbox_init(const char *processes, char **command);

#endif
