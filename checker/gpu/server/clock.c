/*
 * clock.c: see clock.h. serve_clock_read() is what the program's clock_gettime(), gettimeofday(),
 * timespec_get(), omp_get_wtime() and clock() ask: they return the real time of their clock when
 * the program began, plus the virtual time. The clock of CPU time shows virtual time too, as if the
 * program had kept one core busy from its start: a program that waits for a GPU does that.
 */
#define _GNU_SOURCE
#include "gpu/server/clock.h"

#include "gpu/server/call.h"
#include "gpu/server/connection.h"
#include "trace/trace.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum {
    READS_MAX = 10000, /* that are recorded */
    CLOCKS_MAX = 16,   /* Linux has 12 */
    COLD_NS = 15000,
    THREADS_MAX = 64, /* the waits of more do not count */
    CALL_NS = 200000, /* what a call takes on the program's side, and both need to wake up */
    CREDIT_NS = 5000000
};

static const int64_t SECOND = 1000000000;

static struct {
    int64_t now, visited, expected;
    int64_t origin; /* CLOCK_MONOTONIC when it began */
    int reads;
} virtual;

/* ---- how long the program's own code ran ---------------------------------------------------- */

/* A thread's schedule, ns since it began: how long it has run, and waited for a core. */
static struct thread {
    uint64_t number; /* 0: the place is free */
    int file;
    int64_t ran, waited;
} threads[THREADS_MAX], self = {.file = -1};

static bool read_schedule(const struct thread *thread, int64_t *ran, int64_t *waited)
{
    char text[80], *end;
    ssize_t length = pread(thread->file, text, sizeof text - 1, 0);
    if (length <= 0) return false; /* the thread has ended, or the system keeps no such file */
    text[length] = '\0';
    *ran = strtoll(text, &end, 10);
    *waited = strtoll(end, NULL, 10);
    return true;
}

/* From now on the thread's schedule is known; what it did before counts as done since the last
 * call. */
static void add_thread(uint64_t number, int file)
{
    int i = 0;
    while (i < THREADS_MAX && threads[i].number != 0)
        i++;
    if (i == THREADS_MAX)
        close(file);
    else
        threads[i] = (struct thread){.number = number, .file = file};
}

static int64_t lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t greater(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* How long all known threads have waited for a core since the last call, and the longest time that
 * one of them ran. */
struct schedule {
    int64_t waited, most_waited, ran; /* `waited`: of each at most `elapsed` */
};

static struct schedule read_threads(int64_t elapsed)
{
    struct schedule sum = {0, 0, 0};
    for (int i = 0; i < THREADS_MAX; i++) {
        struct thread *one = &threads[i], last = *one;
        if (one->number == 0) continue;
        if (!read_schedule(one, &one->ran, &one->waited)) {
            close(one->file);
            one->number = 0;
            continue;
        }
        sum.waited += lesser(one->waited - last.waited, elapsed);
        sum.most_waited += one->waited - last.waited;
        sum.ran = greater(sum.ran, lesser(one->ran - last.ran, elapsed));
    }
    return sum;
}

/* Time between the GPU's reply and the next request that the program has not reported, beyond what
 * its calls and a busy machine need. Such a program works longer than it says. */
static int64_t untold(int64_t interval, int64_t told, int64_t waited)
{
    static int64_t credit = CREDIT_NS;
    int64_t last = self.waited;
    if (self.file >= 0 && read_schedule(&self, &self.ran, &self.waited))
        waited += self.waited - last;
    credit += told + waited + CALL_NS - interval;
    if (credit > CREDIT_NS) credit = CREDIT_NS;
    if (credit >= 0) return 0;
    int64_t more = -credit;
    credit = 0;
    return more;
}

/* After a call the caches hold less of the program, and the first call of each function is linked
 * only then. So code between two calls takes up to some 15 us longer than it would beside a real
 * GPU, and more on a busy machine. Short pieces count a quarter, longer ones COLD_NS less. */
static int64_t without_cold_caches(int64_t own)
{
    const int64_t short_ns = COLD_NS * 4 / 3;
    return own < short_ns ? own / 4 : own - COLD_NS;
}

static int64_t between(int64_t low, int64_t value, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}

void clock_came(struct message *message)
{
    int64_t sent = connection_sent();
    if (sent == 0) return; /* the first message: the clock begins with it */
    int64_t left = between(sent, (int64_t)message->request.left, message->received);
    int64_t came = between(left, (int64_t)message->request.came, message->received);
    int64_t elapsed = came - left;
    if (message->request.call == WIRE_thread && message->file >= 0) {
        add_thread(message->request.thread, message->file);
        message->file = -1;
    }
    struct schedule program = read_threads(elapsed);
    int64_t own = greater(elapsed - program.waited, program.ran);
    virtual.now +=
        without_cold_caches(own + untold(message->received - sent, elapsed, program.most_waited));
}

void clock_begin(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    virtual.origin = time.tv_sec * SECOND + time.tv_nsec;
    self.file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
}

/* ---- the time ------------------------------------------------------------------------------- */

int64_t clock_now(void)
{
    return virtual.now;
}

void clock_wait_until(int64_t time)
{
    virtual.now = greater(virtual.now, time);
}

void clock_add(double ns)
{
    virtual.now += (int64_t)ns;
}

void clock_visit(int64_t time)
{
    virtual.visited = time;
}

void clock_expect(int64_t time)
{
    virtual.expected = time;
}

/* What the program reads. */
static int64_t read_now(void)
{
    if (virtual.visited == 0) clock_wait_until(virtual.expected);
    return greater(virtual.now, virtual.visited);
}

/* What the clock showed when the virtual clock began. The two are compared once for each clock:
 * then two readings differ by exactly what is recorded, whatever the machine does in between. */
static bool began_at(uint64_t number, int64_t *time)
{
    static int64_t began[CLOCKS_MAX];
    struct timespec shows, monotonic;
    if (number >= CLOCKS_MAX) return false;
    if (began[number] == 0) {
        if (clock_gettime((clockid_t)number, &shows) != 0) return false;
        clock_gettime(CLOCK_MONOTONIC, &monotonic);
        began[number] = (shows.tv_sec - monotonic.tv_sec) * SECOND + shows.tv_nsec -
                        monotonic.tv_nsec + virtual.origin;
    }
    *time = began[number];
    return true;
}

cudaError_t serve_clock_read(struct call *call)
{
    static const char *const names[] = {"clock_gettime", "gettimeofday", "timespec_get",
                                        "omp_get_wtime", "clock"};
    enum { NAMES = sizeof names / sizeof names[0] };
    uint64_t number = call->argument[0], name = call->argument[1];
    int64_t time = read_now(), began = 0;
    if (number != WIRE_CPU_CLOCK && !began_at(number, &began)) return cudaErrorInvalidValue;
    call->reply->result[0] = (uint64_t)(began + time);
    if (!trace_is_open() || name >= NAMES || virtual.reads++ >= READS_MAX) return cudaSuccess;
    trace_begin("clock");
    trace_fields("call:%s t:%ld", names[name], time);
    call_source(call);
    trace_end();
    return cudaSuccess;
}

/* A thread's first message, of which the clock has taken the file already. */
cudaError_t serve_thread(struct call *call)
{
    (void)call;
    return cudaSuccess;
}
