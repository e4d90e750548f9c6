/*
 * start.h: the program that this process starts, as a child, and what becomes of both.
 */
#ifndef WARPUP_START_H
#define WARPUP_START_H

/* Variables of the environment for this process alone, from a file with lines NAME=VALUE, which is
 * removed. The second function sets them, after the program has started; NULL: there are none. */
struct start_variables;
struct start_variables *start_read_variables(const char *file);
void start_set_variables(struct start_variables *variables);

/* Starts `argv` with a connection to this process, which it opens. Ends the process if that is
 * impossible. */
void start_program(char **argv);

/* Becomes the user that WARPUP_USER names by its number, if it is set: what a program can do to
 * this process then reaches nothing of root's. Everything that only root can open is open by then.
 */
void start_change_user(void);

/* Waits until the program has ended: its exit code, and the signal that ended it, or 0. */
void start_wait(int *status, int *signal);

/* Ends this process as the program has ended, so that whoever started it sees the same. */
_Noreturn void start_end_likewise(int status, int signal);

/* For a program that has started this process (build/gpu --serve SOCKET,BOX): opens the connection,
 * and sees to it that signals for the program do not end this process before it has written the
 * trace. */
void start_attach(const char *descriptors);

#endif
