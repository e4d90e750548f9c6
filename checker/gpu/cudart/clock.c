/*
 * clock.c: the functions by which a program reads a clock replace those of the C library and of
 * OpenMP's. The GPU's process knows the virtual time (server/clock.c). time() and the CPU time of a
 * thread stay as they are. Functions that sleep also tell the GPU for how long.
 */
#define _GNU_SOURCE
#include "gpu/cudart/lock.h"

#include "gpu/cudart/client.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static const int64_t SECOND = 1000000000;
enum clock_call { CLOCK_GETTIME, GETTIMEOFDAY, TIMESPEC_GET, OMP_GET_WTIME, CLOCK };

int clock_real(clockid_t clock, struct timespec *time)
{
    static int (*real)(clockid_t, struct timespec *);
    if (real == NULL) *(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
    return real(clock, time);
}

/* OpenMP's libraries read clocks for themselves. */
static bool is_openmp(const void *pc)
{
    Dl_info library;
    if (client_is_program(pc) || dladdr(pc, &library) == 0 || library.dli_fname == NULL)
        return false;
    return strstr(library.dli_fname, "/libomp.") != NULL ||
           strstr(library.dli_fname, "/libgomp.") != NULL;
}

/* The time that the clock has to show, ns; the real time if there is no GPU or it does not know the
 * clock. */
static int64_t read_clock(clockid_t clock, enum clock_call call, const void *pc)
{
    uint64_t number = clock == CLOCK_PROCESS_CPUTIME_ID ? WIRE_CPU_CLOCK : (uint64_t)clock;
    struct remote remote = {.request.argument = {number, call}};
    struct timespec time = {0, 0};
    if (client_is_connected() && !is_openmp(pc) &&
        client_call(&remote, WIRE_clock_read, pc) == cudaSuccess)
        return (int64_t)remote.result[0];
    clock_real(clock, &time);
    return time.tv_sec * SECOND + time.tv_nsec;
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
    int result = clock_real(clock, time);
    if (result != 0 || clock == CLOCK_THREAD_CPUTIME_ID || !client_is_connected()) return result;
    int64_t shows = read_clock(clock, CLOCK_GETTIME, RETURN_PC);
    *time = (struct timespec){.tv_sec = shows / SECOND, .tv_nsec = shows % SECOND};
    return 0;
}

clock_t clock(void)
{
    return read_clock(CLOCK_PROCESS_CPUTIME_ID, CLOCK, RETURN_PC) / (SECOND / CLOCKS_PER_SEC);
}

int timespec_get(struct timespec *time, int base)
{
    if (base != TIME_UTC) return 0;
    int64_t shows = read_clock(CLOCK_REALTIME, TIMESPEC_GET, RETURN_PC);
    *time = (struct timespec){.tv_sec = shows / SECOND, .tv_nsec = shows % SECOND};
    return base;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone)
{
    (void)zone;
    int64_t shows = read_clock(CLOCK_REALTIME, GETTIMEOFDAY, RETURN_PC);
    time->tv_sec = shows / SECOND;
    time->tv_usec = shows % SECOND / 1000;
    return 0;
}

double omp_get_wtime(void);
double omp_get_wtime(void)
{
    return 1e-9 * (double)read_clock(CLOCK_MONOTONIC, OMP_GET_WTIME, RETURN_PC);
}

/* ---- sleeping ------------------------------------------------------------------------------- */

static int64_t ns_of(const struct timespec *time)
{
    return time->tv_sec * SECOND + time->tv_nsec;
}

/* Sleeps for a time, and says so to the GPU. Returns an error number. */
static int sleep_for(struct timespec time, struct timespec *left, const void *pc)
{
    static int (*real)(clockid_t, int, const struct timespec *, struct timespec *);
    struct timespec rest = {0, 0};
    if (real == NULL) *(void **)&real = dlsym(RTLD_NEXT, "clock_nanosleep");
    int error = real(CLOCK_MONOTONIC, 0, &time, &rest);
    struct remote remote = {.request.argument = {(uint64_t)(ns_of(&time) - ns_of(&rest))}};
    if ((error == 0 || error == EINTR) && client_is_connected() && !is_openmp(pc))
        client_call(&remote, WIRE_slept, pc);
    if (left != NULL) *left = rest;
    return error;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left)
{
    struct timespec wait = *time;
    if (flags & TIMER_ABSTIME) {
        struct timespec now;
        if (clock_gettime(clock, &now) != 0) return EINVAL;
        int64_t ns = ns_of(time) - ns_of(&now);
        if (ns <= 0) return 0;
        wait = (struct timespec){.tv_sec = ns / SECOND, .tv_nsec = ns % SECOND};
        left = NULL;
    }
    return sleep_for(wait, left, RETURN_PC);
}

int nanosleep(const struct timespec *time, struct timespec *left)
{
    int error = sleep_for(*time, left, RETURN_PC);
    if (error != 0) errno = error;
    return error == 0 ? 0 : -1;
}

int usleep(useconds_t us)
{
    int error = sleep_for((struct timespec){us / 1000000, us % 1000000 * 1000L}, NULL, RETURN_PC);
    if (error != 0) errno = error;
    return error == 0 ? 0 : -1;
}

unsigned int sleep(unsigned int seconds)
{
    struct timespec left = {0, 0};
    sleep_for((struct timespec){.tv_sec = seconds}, &left, RETURN_PC);
    return (unsigned int)left.tv_sec + (left.tv_nsec > 0);
}
