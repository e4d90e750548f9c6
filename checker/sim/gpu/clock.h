/*
 * clock.h: the program's virtual clock. It runs with the real one while the program's own code
 * runs, stands still while the simulated GPU works, and is put forward by the time that a real
 * GPU would have taken. Times are nanoseconds since the program began.
 */
#ifndef WARPUP_CLOCK_H
#define WARPUP_CLOCK_H

#include <stdint.h>

/* Starts the clock at 0; called once, before all else. */
void clock_begin(void);

int64_t clock_now(void);

/* Stops the clock: the program has called the simulated GPU. Calls nest. */
void clock_stop(void);

/* While it is stopped: puts the clock forward by, or to, a time. Never backward. */
void clock_add(double ns);
void clock_wait_until(int64_t time);

/* Lets the clock go on from where it stands. */
void clock_go(void);

#endif
