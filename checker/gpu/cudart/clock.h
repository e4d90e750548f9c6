/*
 * clock.h: the clocks as they are, for this library itself.
 */
#ifndef WARPUP_CLIENT_CLOCK_H
#define WARPUP_CLIENT_CLOCK_H

#include <time.h>

int clock_real(clockid_t clock, struct timespec *time);

#endif
