/*
 * clock.h: the program's virtual clock. It runs while the program's own code runs, and stands still
 * during each call. Then it advances by the time that a real GPU would have taken. Times are
 * nanoseconds since the program began.
 *
 * The program's own code ran from the end of its last call to the beginning of the next one. The
 * program says both times, and they have to be between the GPU's reply and the next request. The
 * time for which its threads waited for a core does not count. If the time between reply and
 * request is much longer than what the program says, the rest counts too.
 */
#ifndef WARPUP_SERVER_CLOCK_H
#define WARPUP_SERVER_CLOCK_H

#include <stdint.h>

struct message;

/* Starts the clock at 0: with the program's first message. It stands. */
void clock_begin(void);

/* A call has come: the clock has run since the last one. It takes the file with a thread's
 * schedule, which comes with the thread's first message. */
void clock_came(struct message *message);

/* The time. While a call is served it changes only by the functions below. */
int64_t clock_now(void);

/* Advances the clock by a time, or to a time. It never goes back. */
void clock_add(double ns);
void clock_wait_until(int64_t time);

/* The program runs a host function, which a stream calls at this time: its readings show the time,
 * until 0 is said. */
void clock_visit(int64_t time);

/* The program may find out that work is done without asking for it: by a host function or a flag in
 * memory. It can read the clock only afterwards, so that its next reading shows this time or a
 * later one. */
void clock_expect(int64_t time);

#endif
