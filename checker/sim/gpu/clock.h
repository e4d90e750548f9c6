/*
 * clock.h: the program's virtual clock. It runs like the real clock while the program's own code
 * runs, and stands still while the simulated GPU works. Then it advances by the time that a real
 * GPU would have taken. Times are nanoseconds since the program began.
 */
#ifndef WARPUP_CLOCK_H
#define WARPUP_CLOCK_H

#include <stdint.h>

/* Starts the clock at 0. Called once, before everything else. */
void clock_begin(void);

int64_t clock_now(void);

/* Stops the clock: the program has called the simulated GPU. Calls nest. */
void clock_stop(void);

/* Advances the clock by a time, or to a time, while it is stopped. It never goes back. */
void clock_add(double ns);
void clock_wait_until(int64_t time);

/* The calling thread runs a host function, which a stream calls at this time: its readings show the
 * time, until the thread says 0. */
void clock_visit(int64_t time);

/* The program may find out that work is done without asking for it: by a host function or a flag in
 * memory. It can read the clock only afterwards, so that its next reading shows this time or a
 * later one. */
void clock_expect(int64_t time);

/* Lets the clock go on. */
void clock_go(void);

#endif
