/*
 * own_time.c: see own_time.h. Linux tells in /proc how long a thread has waited. How long it has
 * run is there too, but as of the last tick: a clock of the thread's own is exact.
 */
#define _GNU_SOURCE
#include "sim/gpu/own_time.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { THREADS_MAX = 64 }; /* that call CUDA or read a clock; the waits of more do not count */

struct schedule {
    int64_t ran, waited; /* ns, since the thread began */
};

static struct thread {
    int file;             /* with the thread's schedule; -1: the place is free */
    clockid_t clock;      /* of the time that the thread has run */
    struct schedule mark; /* at the mark */
    struct schedule last; /* when the thread ended: its file ends with it */
    bool ended;
} threads[THREADS_MAX];
static int count; /* of the places that were ever used */
static __thread bool known;

static bool read_schedule(const struct thread *thread, struct schedule *schedule)
{
    char text[80];
    long long waited;
    struct timespec ran; /* the program's clock_gettime() shows virtual time */
    ssize_t length = thread->file < 0 ? 0 : pread(thread->file, text, sizeof text - 1, 0);
    if (length <= 0) return false; /* the thread has ended, or the system keeps no such file */
    text[length] = '\0';
    if (sscanf(text, "%*s %lld", &waited) != 1) return false;
    if (syscall(SYS_clock_gettime, thread->clock, &ran) != 0) return false;
    *schedule = (struct schedule){ran.tv_sec * 1000000000L + ran.tv_nsec, waited};
    return true;
}

/* What a thread has done so far. */
static bool read_thread(const struct thread *thread, struct schedule *schedule)
{
    if (!__atomic_load_n(&thread->ended, __ATOMIC_ACQUIRE)) return read_schedule(thread, schedule);
    *schedule = thread->last;
    return true;
}

/* A thread that ends keeps its last schedule, until the next mark. */
static void end_thread(void *ending)
{
    struct thread *thread = ending;
    bool ended = read_schedule(thread, &thread->last);
    __atomic_store_n(&thread->ended, ended, __ATOMIC_RELEASE);
}

static pthread_key_t at_end;

static void prepare_end(void)
{
    pthread_key_create(&at_end, end_thread);
}

/* What a thread did before it became known counts as done since the mark, as far as there was time.
 */
static void add_this_thread(void)
{
    static pthread_once_t prepared = PTHREAD_ONCE_INIT;
    int place = 0;
    known = true;
    while (place < count && threads[place].file >= 0)
        place++;
    if (place == THREADS_MAX) return;
    threads[place].file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    if (pthread_getcpuclockid(pthread_self(), &threads[place].clock) != 0) return;
    threads[place].mark = (struct schedule){0};
    threads[place].ended = false;
    if (place == count) count++;
    pthread_once(&prepared, prepare_end);
    pthread_setspecific(at_end, &threads[place]);
}

void own_time_mark(void)
{
    if (!known) add_this_thread();
    for (int i = 0; i < count; i++) {
        bool goes_on =
            threads[i].file >= 0 && !__atomic_load_n(&threads[i].ended, __ATOMIC_ACQUIRE);
        if (threads[i].file < 0 || (goes_on && read_schedule(&threads[i], &threads[i].mark)))
            continue;
        close(threads[i].file);
        threads[i].file = -1;
    }
}

static int64_t lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

int64_t own_time(int64_t elapsed)
{
    int64_t waited = 0, ran = 0;
    if (!known) add_this_thread();
    for (int i = 0; i < count; i++) {
        struct schedule now;
        if (threads[i].file < 0 || !read_thread(&threads[i], &now)) continue;
        waited += lesser(now.waited - threads[i].mark.waited, elapsed);
        int64_t own = lesser(now.ran - threads[i].mark.ran, elapsed);
        if (own > ran) ran = own;
    }
    return elapsed - waited > ran ? elapsed - waited : ran;
}
