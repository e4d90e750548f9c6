/*
 * api_call.c: how a call begins and ends, and the errors of calls. As on a real GPU, an error stays
 * until cudaGetLastError has read it. The error that ended a kernel becomes known when the program
 * waits for that kernel, and every later call returns it again.
 */
#define _GNU_SOURCE
#include "sim/api/api_call.h"

#include "sim/gpu/clock.h"
#include "sim/image/source_line.h"
#include "sim/requests/lane.h"

#include "trace/trace.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { RECORDS_MAX = 1000 };

static struct {
    pthread_mutex_t lock; /* held during a call */
    cudaError_t fatal;    /* the kernel's error that the program knows of */
    cudaError_t failed;   /* the one that it does not know yet */
    int64_t failed_at;    /* when it will know it */
    int records;
} errors = {.lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP};

static _Thread_local cudaError_t last_error;

static const struct error_text {
    const char *name, *text;
    int code;
} texts[] = {
#define ROW(name, code, text) {#name, text, code},
    WARPUP_ERRORS(ROW)
#undef ROW
};

static const struct error_text *find_text(cudaError_t error)
{
    static const struct error_text unknown = {"unrecognized error code", "unrecognized error code",
                                              -1};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (texts[i].code == (int)error) return &texts[i];
    return &unknown;
}

const char *cudaGetErrorName(cudaError_t error)
{
    return find_text(error)->name;
}

const char *cudaGetErrorString(cudaError_t error)
{
    return find_text(error)->text;
}

void api_source(const struct call *call)
{
    source_line_write(call->pc);
}

uintptr_t api_caller_pc(const struct call *call)
{
    return trace_is_open() ? source_line_caller_pc(call->pc) : call->pc;
}

int api_line(const struct call *call)
{
    struct source_place place;
    return trace_is_open() && source_line_of_caller(call->pc, &place) ? place.line : 0;
}

void api_unknown(const char *what, uintptr_t pc)
{
    struct source_place place = {0};
    char line[300];
    bool known = source_line_of(pc, &place);
    int length = known ? snprintf(line, sizeof line, "%s:%d: the simulated GPU does not know %s\n",
                                  place.file, place.line, what)
                       : snprintf(line, sizeof line, "the simulated GPU does not know %s\n", what);
    if (length >= (int)sizeof line) length = sizeof line - 1;
    if (write(STDERR_FILENO, line, (size_t)length) < 0) return;
    trace_begin("unknown");
    trace_string("what", what);
    if (known) trace_source(place.file, place.line);
    trace_end();
}

/* A CUDA thread has called a host function. This is reported once. */
static struct call refuse_in_kernel(const char *name, uintptr_t pc)
{
    char what[100];
    static int reported;
    snprintf(what, sizeof what, "%s inside a kernel", name == NULL ? "a launch" : name);
    if (__atomic_exchange_n(&reported, 1, __ATOMIC_RELAXED) == 0) api_unknown(what, pc);
    return (struct call){name, pc, cudaErrorNotSupported};
}

static void learn_of_failure(void)
{
    if (errors.failed == cudaSuccess || clock_now() < errors.failed_at) return;
    if (errors.fatal == cudaSuccess) errors.fatal = errors.failed;
    errors.failed = cudaSuccess;
}

struct call api_begin(const char *name, uintptr_t pc)
{
    if (lane_runs) return refuse_in_kernel(name, pc);
    clock_stop();
    pthread_mutex_lock(&errors.lock);
    learn_of_failure();
    return (struct call){name, pc, errors.fatal};
}

void api_record_error(const struct call *call, int code, const char *name, const char *text)
{
    if (!trace_is_open() || errors.records++ >= RECORDS_MAX) return;
    trace_begin("error");
    trace_fields("call:%s code:%d name:%s text:%s t:%ld", call->name, code, name, text,
                 clock_now());
    api_source(call);
    trace_end();
}

/* "Not ready" is an answer of cudaStreamQuery and cudaEventQuery. From any other call it is a
 * failure. */
static bool is_failure(const struct call *call)
{
    bool asked = call->name != NULL && strstr(call->name, "Query") != NULL;
    return call->error != cudaSuccess && !(call->error == cudaErrorNotReady && asked);
}

cudaError_t api_end(const struct call *call)
{
    if (lane_runs) return call->error;
    struct call ended = *call;
    learn_of_failure();
    if (ended.error == cudaSuccess) ended.error = errors.fatal;
    if (is_failure(&ended)) {
        if (ended.error != cudaErrorNotReady) last_error = ended.error;
        const struct error_text *text = find_text(ended.error);
        if (ended.name != NULL) /* a launch records its own */
            api_record_error(&ended, (int)ended.error, text->name, text->text);
    }
    pthread_mutex_unlock(&errors.lock);
    clock_go();
    return ended.error;
}

void api_kernel_failed(cudaError_t error, int64_t time)
{
    if (errors.failed != cudaSuccess) return;
    errors.failed = error;
    errors.failed_at = time;
}

bool api_is_broken(void)
{
    return errors.fatal != cudaSuccess || errors.failed != cudaSuccess;
}

void api_reset_errors(void)
{
    errors.fatal = errors.failed = last_error = cudaSuccess;
}

/* Reading the last error cannot fail, so nothing is recorded. */
static cudaError_t read_last_error(bool forget)
{
    if (lane_runs) return cudaSuccess;
    clock_stop();
    pthread_mutex_lock(&errors.lock);
    learn_of_failure();
    cudaError_t error = last_error;
    if (forget) last_error = cudaSuccess;
    pthread_mutex_unlock(&errors.lock);
    clock_go();
    return error;
}

cudaError_t cudaGetLastError(void)
{
    return read_last_error(true);
}

cudaError_t cudaPeekAtLastError(void)
{
    return read_last_error(false);
}
