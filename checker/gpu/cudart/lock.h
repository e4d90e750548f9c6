/*
 * lock.h: one exchange with the GPU at a time. The lock is fair: a thread that calls again
 * immediately, such as one that polls a clock, lets those go first that have waited. A thread may
 * take it again, from a signal handler.
 */
#ifndef WARPUP_LOCK_H
#define WARPUP_LOCK_H

#include <stdbool.h>
#include <time.h>

/* False, without `patience`, if the lock does not become free within two seconds. */
bool lock_take(bool patience);
void lock_release(void);

/* Lets others have the lock while this thread runs a host function. Returns what lock_resume()
 * needs. */
int lock_pause(void);
void lock_resume(int depth);

int clock_real(clockid_t clock, struct timespec *time);

#endif
