/*
 * clock.h: the program's virtual clock, in nanoseconds since the program began. A reading depends
 * on what the program did, never on how busy the machine is:
 *
 * - Each call costs what it costs on the GPU of the profile.
 * - Host code between two readings of a clock costs its CPU time, that of the thread that ran
 *   longest: so part A prints its rate.
 * - Host code next to any other call is free up to a fixed time (NEAR_NS). Beyond, it costs its CPU
 *   time. So readings around GPU work are the same in each run.
 * - A sleep costs the time that the program asked for. All other waiting is free.
 *
 * CPU times are the kernel's (threads.h). Each thread has its own time since its last call, and the
 * clock shows the latest time that one of them has reached.
 */
#ifndef WARPUP_SERVER_CLOCK_H
#define WARPUP_SERVER_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct message;

/* Starts the clock at 0: with the program's first message. It stands. */
void clock_begin(void);

/* A call has come: the clock has run since the thread's last one. */
void clock_came(const struct message *message);

/* The call's last reply is about to be sent: from now on the clock runs. `asked`: the program has
 * just done something for the call. */
void clock_leaves(const struct message *message, bool asked);

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
