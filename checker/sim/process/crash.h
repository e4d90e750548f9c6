/*
 * crash.h: what happens when the program is ended by a signal: the trace is brought to its end,
 * and a pointer that was followed on the wrong side of the bus is told with its line.
 */
#ifndef WARPUP_CRASH_H
#define WARPUP_CRASH_H

/* Begins to watch for the signals that end a program by its own fault. */
void crash_watch(void);

#endif
