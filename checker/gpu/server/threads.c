/*
 * threads.c: see threads.h. The kernel adds to a thread's time when the thread leaves its core, and
 * with each tick in between. So the time of a thread that waits is exact. settle() gives a
 * thread that has just sent a message the moment that it needs to wait for the reply.
 */
#define _GNU_SOURCE
#include "gpu/server/threads.h"

#include "gpu/server/connection.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    THREADS_MAX = 128, /* what others do does not count */
    LOOKS_MAX = 20,    /* for a thread to wait; one that has no core does not come to it */
    LOOK_NS = 100000,
    COARSE_NS = 1000000 /* a kernel without a fine clock counts whole ticks, of 1 ms or more */
};

static struct thread threads[THREADS_MAX];
static int64_t ended; /* that threads which have ended had run, when looked at */

static int64_t lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t greater(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* ---- the kernel's books --------------------------------------------------------------------- */

static int open_file(int id, const char *name)
{
    char path[80];
    snprintf(path, sizeof path, "/proc/%d/task/%d/%s", (int)connection_program(), id, name);
    return open(path, O_RDONLY | O_CLOEXEC);
}

/* Reads the beginning of a file of /proc; false when its thread has ended. */
static bool read_file(int file, char *text, size_t room)
{
    ssize_t length = file < 0 ? -1 : pread(file, text, room - 1, 0);
    text[length > 0 ? length : 0] = '\0';
    return length > 0;
}

static bool read_schedule(const struct thread *thread, int64_t *ran, int64_t *waited)
{
    char text[80], *end;
    if (!read_file(thread->file, text, sizeof text)) return false;
    *ran = strtoll(text, &end, 10);
    *waited = strtoll(end, NULL, 10);
    return true;
}

static bool runs(const struct thread *thread)
{
    char text[256];
    int file = open_file(thread->id, "stat");
    bool read = read_file(file, text, sizeof text);
    const char *name_end = read ? strrchr(text, ')') : NULL;
    if (file >= 0) close(file);
    return name_end != NULL && name_end[1] == ' ' && name_end[2] == 'R';
}

static void settle(const struct thread *thread)
{
    const struct timespec look = {.tv_nsec = LOOK_NS};
    for (int i = 0; i < LOOKS_MAX && runs(thread); i++)
        if (i < LOOKS_MAX / 2)
            sched_yield();
        else
            nanosleep(&look, NULL);
}

/* The thread's id in the innermost name space, which is the program's. */
static uint64_t own_number(int id)
{
    char text[4096];
    int file = open_file(id, "status");
    bool read = read_file(file, text, sizeof text);
    const char *at = read ? strstr(text, "\nNSpid:") : NULL;
    if (file >= 0) close(file);
    if (at == NULL) return (uint64_t)id;
    char *end = (char *)(uintptr_t)at + strlen("\nNSpid:");
    uint64_t number = 0;
    while (*end == '\t' || *end == ' ')
        number = strtoull(end, &end, 10);
    return number;
}

/* ---- the table ------------------------------------------------------------------------------ */

/* Reads the times of a thread in the table. A thread that has ended loses its place. */
static bool look_at(struct thread *thread, int64_t *ran, int64_t *waited)
{
    if (thread->id == 0) return false;
    if (read_schedule(thread, ran, waited)) return true;
    close(thread->file);
    ended += thread->seen;
    *thread = (struct thread){.file = -1};
    return false;
}

static struct thread *with_id(int id)
{
    for (int i = 0; i < THREADS_MAX; i++)
        if (threads[i].id == id) return &threads[i];
    return NULL;
}

static struct thread *with_number(uint64_t number)
{
    for (int i = 0; i < THREADS_MAX; i++)
        if (threads[i].number == number) return &threads[i];
    return NULL;
}

/* Brings the table up to date. */
static void look_around(void)
{
    char path[40];
    int64_t ran, waited;
    for (int i = 0; i < THREADS_MAX; i++)
        look_at(&threads[i], &ran, &waited);
    snprintf(path, sizeof path, "/proc/%d/task", (int)connection_program());
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        int id = atoi(entry->d_name), file;
        struct thread *slot = with_number(0);
        if (id <= 0 || slot == NULL || with_id(id) != NULL) continue;
        if ((file = open_file(id, "schedstat")) < 0) continue;
        *slot = (struct thread){.number = own_number(id), .id = id, .file = file};
    }
    if (folder != NULL) closedir(folder);
}

struct thread *threads_find(uint64_t number, int64_t left, int64_t left_at)
{
    struct thread *thread = with_number(number);
    if (thread == NULL) {
        look_around();
        thread = with_number(number);
    }
    if (thread == NULL) {
        thread = with_number(0);
        if (thread == NULL) thread = &threads[0];
        *thread = (struct thread){.number = number, .file = -1};
    }
    if (thread->left_at == 0) thread->left = left, thread->left_at = left_at;
    return thread;
}

/* ---- what they did -------------------------------------------------------------------------- */

/* How long all threads have run, also those that have ended. */
static int64_t all_ran(void)
{
    clockid_t clock;
    struct timespec time;
    if (clock_getcpuclockid(connection_program(), &clock) != 0 || clock_gettime(clock, &time) != 0)
        return 0;
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

/* The longest time that another thread has run since it was last looked at. Those that have ended
 * count as one, because only their sum is known. */
static int64_t most_of_others(const struct thread *caller)
{
    int64_t most = 0, ran, waited;
    look_around();
    int64_t rest = all_ran();
    for (int i = 0; i < THREADS_MAX; i++) {
        struct thread *one = &threads[i];
        if (!look_at(one, &ran, &waited)) continue;
        rest -= ran;
        if (one != caller) most = greater(most, ran - one->seen);
        one->seen = ran;
        if (one->left_at == 0) one->ran = ran, one->waited = waited;
    }
    most = greater(most, rest - ended);
    ended = rest;
    return most;
}

int64_t threads_worked(const struct thread *thread, int64_t elapsed)
{
    int64_t ran, waited;
    if (thread->id != 0) settle(thread);
    if (!read_schedule(thread, &ran, &waited) || ran % COARSE_NS == 0) return elapsed;
    int64_t own = greater(ran - thread->ran, 0);
    int64_t idle = greater(elapsed - own - (waited - thread->waited), 0);
    return lesser(elapsed, greater(own, lesser(idle, most_of_others(thread))));
}

void threads_leave(struct thread *thread, bool busy)
{
    if (thread->id == 0) return;
    if (busy) {
        settle(thread);
        most_of_others(thread);
    }
    read_schedule(thread, &thread->ran, &thread->waited);
}
