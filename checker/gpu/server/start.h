/*
 * start.h: the program that this process starts, as a child, and what becomes of both.
 */
#ifndef WARPUP_START_H
#define WARPUP_START_H

/* Starts `argv` with a connection to this process, which it opens. Ends the process if that is
 * impossible. */
void start_program(char **argv);

/* Waits until the program has ended: its exit code, and the signal that ended it, or 0. */
void start_wait(int *status, int *signal);

/* Ends this process as the program has ended, so that whoever started it sees the same. */
_Noreturn void start_end_likewise(int status, int signal);

/* For a program that has started this process (build/gpu --serve SOCKET,BOX): opens the connection,
 * and sees to it that signals for the program do not end this process before it has written the
 * trace. */
void start_attach(const char *descriptors);

#endif
