/*
 * crash.h: what happens when a signal ends the program. The trace is finished, and the use of a
 * pointer on the wrong side of the bus is reported with its line.
 */
#ifndef WARPUP_CRASH_H
#define WARPUP_CRASH_H

/* Installs a handler for the signals that end a program because of its own error. */
void crash_begin(void);

#endif
