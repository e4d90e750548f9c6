/*
 * threads.h: how long the program's threads have computed. All figures are the kernel's, from
 * /proc/PID/task/TID/schedstat: the time that a thread ran, and the time that it waited for a core.
 * Nothing that the program says is part of them, and a busy machine does not change them.
 */
#ifndef WARPUP_SERVER_THREADS_H
#define WARPUP_SERVER_THREADS_H

#include <stdbool.h>
#include <stdint.h>

/* A thread of the program. Times are ns. */
struct thread {
    uint64_t number; /* of its calls: its id in the program's own name space */
    int id;          /* in this process's name space; 0: unknown, its time cannot be read */
    int file;        /* its schedule */
    int64_t ran, waited,
        seen; /* at its last reply; `seen`: how long it had run when last looked at */
    int64_t left,
        left_at;  /* its last call ended: virtual time, and CLOCK_MONOTONIC. Set by clock.c */
    bool reading; /* that call read a clock */
};

/* The thread that makes calls with this number; a new one has left at `left`, `left_at`. */
struct thread *threads_find(uint64_t number, int64_t left, int64_t left_at);

/* How long the thread has computed in the `elapsed` ns since its last reply. If it waited for
 * other threads, their work counts: that of the one that ran longest. */
int64_t threads_worked(const struct thread *thread, int64_t elapsed);

/* The thread is about to get its reply. `busy`: it may have computed for this call. */
void threads_leave(struct thread *thread, bool busy);

#endif
