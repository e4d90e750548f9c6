/*
 * clock.c: the virtual clock, and the functions by which a program reads it: gettimeofday,
 * clock_gettime, timespec_get, omp_get_wtime and clock replace those of the C library. They return
 * the real time of their clock, plus the difference between virtual and real time. The clock of CPU
 * time shows virtual time too, as if the program had kept one core busy from its start: a program
 * that waits for a GPU does that.
 */
#define _GNU_SOURCE
#include "sim/gpu/clock.h"

#include "sim/gpu/own_time.h"
#include "sim/image/source_line.h"
#include "trace/trace.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/time.h>
#include <time.h>

enum { READS_MAX = 10000 }; /* that are recorded */
enum { CLOCKS_MAX = 16 };   /* Linux has 12 */
enum { COLD_NS = 15000 };

static const int64_t SECOND = 1000000000;

static struct {
    pthread_mutex_t lock;
    int64_t shift;  /* virtual minus real time, when the clock runs */
    int64_t origin; /* real time at the start */
    int64_t stands; /* virtual time, when it is stopped */
    int stopped;    /* calls nest: how often */
    int64_t went;   /* real time when it last began to run */
    int reads;
} virtual = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int read_real(clockid_t clock, struct timespec *time)
{
    static int (*real)(clockid_t, struct timespec *);
    if (real == NULL) *(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
    return real(clock, time);
}

static int64_t real_now(void)
{
    struct timespec now;
    read_real(CLOCK_MONOTONIC, &now);
    return now.tv_sec * SECOND + now.tv_nsec;
}

void clock_begin(void)
{
    virtual.origin = virtual.went = real_now();
    virtual.shift = -virtual.origin;
    own_time_mark();
}

static int64_t now(void)
{
    return virtual.stopped > 0 ? virtual.stands : real_now() + virtual.shift;
}

int64_t clock_now(void)
{
    pthread_mutex_lock(&virtual.lock);
    int64_t time = now();
    pthread_mutex_unlock(&virtual.lock);
    return time;
}

/* After the simulated GPU has worked, the caches hold nothing of the program, and the
 * first call of each function is linked only then. So code between two calls takes up to some 15 us
 * longer than it would beside a real GPU, and more on a busy machine. Short pieces count a quarter,
 * longer ones COLD_NS less. */
static int64_t without_cold_caches(int64_t own)
{
    const int64_t short_ns = COLD_NS * 4 / 3;
    return own < short_ns ? own / 4 : own - COLD_NS;
}

/* The time that the clock itself takes does not count. */
void clock_stop(void)
{
    int64_t real = real_now();
    pthread_mutex_lock(&virtual.lock);
    if (virtual.stopped++ == 0) {
        int64_t elapsed = real - virtual.went;
        virtual.shift -= elapsed - without_cold_caches(own_time(elapsed));
        if (real + virtual.shift > virtual.stands) /* it never goes back */
            virtual.stands = real + virtual.shift;
    }
    pthread_mutex_unlock(&virtual.lock);
}

void clock_wait_until(int64_t time)
{
    pthread_mutex_lock(&virtual.lock);
    if (time > virtual.stands) virtual.stands = time;
    pthread_mutex_unlock(&virtual.lock);
}

void clock_add(double ns)
{
    pthread_mutex_lock(&virtual.lock);
    virtual.stands += (int64_t)ns;
    pthread_mutex_unlock(&virtual.lock);
}

void clock_go(void)
{
    pthread_mutex_lock(&virtual.lock);
    if (--virtual.stopped == 0) {
        own_time_mark();
        virtual.went = real_now();
        virtual.shift = virtual.stands - virtual.went;
    }
    pthread_mutex_unlock(&virtual.lock);
}

/* ---- reading the clock ---------------------------------------------------------------------- */

static void move(struct timespec *time, int64_t ns)
{
    int64_t sum = time->tv_sec * SECOND + time->tv_nsec + ns;
    time->tv_sec = sum / SECOND;
    time->tv_nsec = sum % SECOND;
}

static _Thread_local int64_t visited;
static int64_t expected;

void clock_visit(int64_t time)
{
    visited = time;
}

void clock_expect(int64_t time)
{
    __atomic_store_n(&expected, time, __ATOMIC_RELAXED);
}

/* What the calling thread reads. The clock is stopped. */
static int64_t read_now(void)
{
    if (visited == 0) clock_wait_until(__atomic_load_n(&expected, __ATOMIC_RELAXED));
    int64_t time = clock_now();
    return time > visited ? time : visited;
}

/* Records that the program has read the clock. */
static void record(const char *call, uintptr_t pc)
{
    if (!trace_is_open() || __atomic_fetch_add(&virtual.reads, 1, __ATOMIC_RELAXED) >= READS_MAX)
        return;
    trace_begin("clock");
    trace_fields("call:%s t:%ld", call, read_now());
    source_line_write(pc);
    trace_end();
}

/* The monotonic time at which a clock shows `time`. The two are compared once for each clock: then
 * two readings differ by exactly what is recorded, whatever the machine does in between. */
static int64_t ahead_of(clockid_t clock, const struct timespec *time)
{
    static int64_t ahead[CLOCKS_MAX];
    int64_t shows = time->tv_sec * SECOND + time->tv_nsec, none = 0;
    if (clock < 0 || clock >= CLOCKS_MAX) return real_now();
    int64_t apart = __atomic_load_n(&ahead[clock], __ATOMIC_RELAXED);
    if (apart == 0) {
        apart = shows - real_now();
        if (apart == 0) apart = 1;
        if (!__atomic_compare_exchange_n(&ahead[clock], &none, apart, false, __ATOMIC_RELAXED,
                                         __ATOMIC_RELAXED))
            apart = none;
    }
    return shows - apart;
}

/* What the clock shows now: its real time, plus the difference between virtual and real time. */
static void read_virtual(clockid_t clock, struct timespec *time, const char *call, uintptr_t pc)
{
    clock_stop();
    read_real(clock, time);
    if (virtual.origin != 0) move(time, read_now() - (ahead_of(clock, time) - virtual.origin));
    record(call, pc);
    clock_go();
}

/* The CPU time that the program has used, ns. */
static int64_t read_worked(const char *call, uintptr_t pc)
{
    clock_stop();
    int64_t worked = read_now();
    record(call, pc);
    clock_go();
    return worked;
}

#define CALLER ((uintptr_t)__builtin_return_address(0))

int clock_gettime(clockid_t clock, struct timespec *time)
{
    int result = read_real(clock, time);
    if (result != 0 || clock == CLOCK_THREAD_CPUTIME_ID) return result;
    if (clock == CLOCK_PROCESS_CPUTIME_ID) {
        int64_t worked = read_worked("clock_gettime", CALLER);
        *time = (struct timespec){.tv_sec = worked / SECOND, .tv_nsec = worked % SECOND};
    } else {
        read_virtual(clock, time, "clock_gettime", CALLER);
    }
    return 0;
}

clock_t clock(void)
{
    return read_worked("clock", CALLER) / (SECOND / CLOCKS_PER_SEC);
}

int timespec_get(struct timespec *time, int base)
{
    if (base != TIME_UTC) return 0;
    read_virtual(CLOCK_REALTIME, time, "timespec_get", CALLER);
    return base;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone)
{
    struct timespec precise;
    (void)zone;
    read_virtual(CLOCK_REALTIME, &precise, "gettimeofday", CALLER);
    time->tv_sec = precise.tv_sec;
    time->tv_usec = precise.tv_nsec / 1000;
    return 0;
}

double omp_get_wtime(void);
double omp_get_wtime(void)
{
    struct timespec time;
    read_virtual(CLOCK_MONOTONIC, &time, "omp_get_wtime", CALLER);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}
