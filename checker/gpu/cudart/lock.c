/* lock.c: see lock.h. Who waits for the lock holds the door: others queue in front of it. */
#define _GNU_SOURCE
#include "gpu/cudart/lock.h"

#include <pthread.h>

enum { WAIT_SECONDS = 2 };

static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER, lock = PTHREAD_MUTEX_INITIALIZER;
static __thread int held; /* by this thread: how often */

static bool take(pthread_mutex_t *mutex, bool patience)
{
    struct timespec until;
    if (patience) return pthread_mutex_lock(mutex) == 0;
    clock_real(CLOCK_REALTIME, &until);
    until.tv_sec += WAIT_SECONDS;
    return pthread_mutex_timedlock(mutex, &until) == 0;
}

bool lock_take(bool patience)
{
    if (held == 0) {
        if (!take(&door, patience)) return false;
        bool taken = take(&lock, patience);
        pthread_mutex_unlock(&door);
        if (!taken) return false;
    }
    held++;
    return true;
}

void lock_release(void)
{
    if (--held == 0) pthread_mutex_unlock(&lock);
}

int lock_pause(void)
{
    int depth = held;
    held = 0;
    pthread_mutex_unlock(&lock);
    return depth;
}

void lock_resume(int depth)
{
    lock_take(true);
    held = depth;
}
