/* pool.c: see pool.h. */
#define _GNU_SOURCE
#include "gpu/warp/pool.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>

enum { THREADS_MAX = 256 };

static struct pool {
    pthread_mutex_t lock;
    pthread_cond_t begin, end;
    uint32_t threads; /* that exist, beside the callers */
    uint32_t wanted;  /* of the current round: threads with a number below it work */
    uint32_t busy;
    uint64_t round;
    void (*work)(void *data, uint32_t i);
    void *data;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER,
          .begin = PTHREAD_COND_INITIALIZER,
          .end = PTHREAD_COND_INITIALIZER};

static uint32_t cores(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
    return (uint32_t)CPU_COUNT(&set);
}

uint32_t pool_size(void)
{
    static uint32_t size;
    if (size != 0) return size;
    const char *text = getenv("WARPUP_THREADS");
    long asked = text != NULL ? strtol(text, NULL, 10) : 0;
    uint32_t count = asked > 0 ? (uint32_t)asked : cores();
    size = count < 1 ? 1 : count < THREADS_MAX ? count : THREADS_MAX;
    return size;
}

static void *serve(void *argument)
{
    uint32_t number = (uint32_t)(uintptr_t)argument;
    uint64_t seen = 0;
    pthread_mutex_lock(&pool.lock);
    for (;;) {
        while (pool.round == seen)
            pthread_cond_wait(&pool.begin, &pool.lock);
        seen = pool.round;
        if (number >= pool.wanted) continue;
        pthread_mutex_unlock(&pool.lock);
        pool.work(pool.data, number);
        pthread_mutex_lock(&pool.lock);
        if (--pool.busy == 0) pthread_cond_signal(&pool.end);
    }
    return NULL;
}

/* Makes threads until there are `count`, all signals blocked. */
static void make_threads(uint32_t count)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (pool.threads < count) {
        pthread_t thread;
        void *number = (void *)(uintptr_t)(pool.threads + 1);
        if (pthread_create(&thread, NULL, serve, number) != 0) break;
        pthread_detach(thread);
        pool.threads++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void pool_run(uint32_t count, void (*work)(void *data, uint32_t i), void *data)
{
    pthread_mutex_lock(&pool.lock);
    if (count > 1) make_threads(count - 1);
    uint32_t others = count - 1 < pool.threads ? count - 1 : pool.threads;
    pool.work = work;
    pool.data = data;
    pool.wanted = others + 1;
    pool.busy = others;
    pool.round++;
    if (others > 0) pthread_cond_broadcast(&pool.begin);
    pthread_mutex_unlock(&pool.lock);
    work(data, 0);
    pthread_mutex_lock(&pool.lock);
    while (pool.busy > 0)
        pthread_cond_wait(&pool.end, &pool.lock);
    pthread_mutex_unlock(&pool.lock);
    for (uint32_t i = others + 1; i < count; i++)
        work(data, i);
}
