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
#include "gpu/server/threads.h"
#include "trace/trace.h"

#include <time.h>

enum {
    READS_MAX = 10000,  /* that are recorded */
    CLOCKS_MAX = 16,    /* Linux has 12 */
    READING_NS = 25000, /* what two readings with nothing between them take, twice as much as
                           measured on an idle machine */
    NEAR_NS =
        5000000,   /* host code next to a call of the GPU is free up to here: cold caches and
                      new host threads need less, also on a virtual machine whose host is busy */
    TICK_NS = 1000 /* of gettimeofday(): in whole ticks, host code before the timer starts
                      does not change the difference of two readings */
};

static const int64_t SECOND = 1000000000;

static struct {
    int64_t now, visited, expected;
    int64_t origin; /* CLOCK_MONOTONIC when it began */
    int reads;
} virtual;

/* ---- how long the program's own code ran ---------------------------------------------------- */

static int64_t lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t greater(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* The time of the program's own code between two calls of a thread, in whole ticks. */
static int64_t own_time(struct thread *thread, int64_t elapsed, bool reading)
{
    if (thread->reading && reading) {
        int64_t own = elapsed < READING_NS ? 0 : threads_worked(thread, elapsed);
        return greater((own - READING_NS) / TICK_NS, 1) * TICK_NS;
    }
    if (elapsed < NEAR_NS) return 0;
    return greater(threads_worked(thread, elapsed) - NEAR_NS, 0) / TICK_NS * TICK_NS;
}

void clock_came(const struct message *message)
{
    int64_t sent = connection_sent();
    if (sent == 0) return; /* the first message: the clock begins with it */
    const struct wire_request *request = &message->request;
    struct thread *thread = threads_find(request->thread, virtual.now, sent);
    bool reading = request->call == WIRE_clock_read;
    int64_t elapsed = greater(message->sent - thread->left_at, 0);
    int64_t own = own_time(thread, elapsed, reading);
    if (request->call == WIRE_slept) own += lesser((int64_t)request->argument[0], elapsed);
    virtual.now = greater(virtual.now, thread->left + own);
    thread->reading = reading;
}

void clock_leaves(const struct message *message, bool asked)
{
    if (connection_program() == 0) return; /* the greeting of a program that started its GPU */
    struct thread *thread = threads_find(message->request.thread, virtual.now, 1);
    threads_leave(thread, asked || connection_now() - message->received >= NEAR_NS);
    thread->left = virtual.now;
    thread->left_at = connection_now();
}

void clock_begin(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    virtual.origin = time.tv_sec * SECOND + time.tv_nsec;
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

/* The time that the program reads. */
static int64_t read_now(void)
{
    if (virtual.visited == 0) clock_wait_until(virtual.expected);
    return greater(virtual.now, virtual.visited);
}

/* The time that the clock showed when the virtual clock began. The two are compared once for each
 * clock: then two readings differ by exactly what is recorded, whatever the machine does in
 * between. */
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
        began[number] -= began[number] % TICK_NS;
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

/* A thread has slept: clock_came() has counted it. */
cudaError_t serve_slept(struct call *call)
{
    (void)call;
    return cudaSuccess;
}
