/*
 * errors.c: how a call begins and ends, and the errors of calls. As on a real GPU, an error stays
 * with its host thread until cudaGetLastError has read it. The error that ended a kernel becomes
 * known when the program waits for that kernel, and every later call returns it again.
 */
#include "gpu/runtime/runtime.h"

#include "gpu/memory/fault.h"
#include "gpu/runtime/costs.h"
#include "gpu/server/clock.h"

#include "trace/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RECORDS_MAX = 1000, THREADS_MAX = 4096 };

static struct {
    cudaError_t fatal;             /* the kernel's error that the program knows of */
    cudaError_t failed;            /* the one that it does not know yet */
    int64_t failed_at;             /* when it will know it */
    cudaError_t last[THREADS_MAX]; /* by host thread; threads beyond the last share its place */
    int records;
} errors;

static cudaError_t *last_error(const struct call *call)
{
    uint64_t thread = call->request->thread;
    return &errors.last[thread < THREADS_MAX ? thread : THREADS_MAX - 1];
}

struct location call_location(const struct call *call)
{
    struct location location = {NULL, 0};
    if (trace_is_open()) location.line = call_line(call, &location.file);
    return location;
}

void keep_call(struct kept_call *kept, const struct call *call)
{
    kept->call = *call;
    kept->request = *call->request;
    kept->call.request = &kept->request;
    kept->call.argument = kept->request.argument;
    kept->call.payload = NULL;
    kept->call.reply = NULL;
}

/* ---- faults of the host --------------------------------------------------------------------- */

void fault_at(const char *name, struct location location, uint64_t address, size_t bytes,
              const char *kind, const char *detail)
{
    struct fault fault = {.name = name,
                          .file = location.file,
                          .line = location.line,
                          .address = here(address),
                          .bytes = bytes,
                          .kind = kind};
    if (detail != NULL) snprintf(fault.detail, sizeof fault.detail, "%s", detail);
    fault_note(&fault);
}

void fault_here(const char *name, const struct call *call, uint64_t address, size_t bytes,
                const char *kind, const char *detail)
{
    fault_at(name, call_location(call), address, bytes, kind, detail);
}

/* ---- beginning and ending a call ------------------------------------------------------------ */

static void learn_of_failure(void)
{
    if (errors.failed == cudaSuccess || clock_now() < errors.failed_at) return;
    if (errors.fatal == cudaSuccess) errors.fatal = errors.failed;
    errors.failed = cudaSuccess;
}

void errors_record(const struct call *call, const struct code_text *error)
{
    if (!trace_is_open() || errors.records++ >= RECORDS_MAX) return;
    trace_begin("error");
    trace_fields("call:%s code:%d name:%s text:%s t:%ld", call->name, error->code, error->name,
                 error->text, clock_now());
    call_source(call);
    trace_end();
}

/* "Not ready" is an answer of cudaStreamQuery and cudaEventQuery. From any other call it is a
 * failure. */
static bool is_failure(const struct call *call)
{
    bool asked = strstr(call->name, "Query") != NULL;
    return call->error != cudaSuccess && !(call->error == cudaErrorNotReady && asked);
}

/* A launch records its own failure. */
static bool is_launch(const struct call *call)
{
    return strncmp(call->name, "cudaLaunchKernel", 16) == 0 ||
           strcmp(call->name, "cudaLaunchCooperativeKernel") == 0;
}

/* Does this call do something even after an error from which a program cannot recover? */
static bool always_runs(const struct call *call)
{
    return is_launch(call) || strcmp(call->name, "cudaDeviceReset") == 0 ||
           strncmp(call->name, "cublas", 6) == 0 || strncmp(call->name, "curand", 6) == 0;
}

/* Reading the last error cannot fail, so nothing is recorded. */
static bool reads_error(const struct call *call)
{
    return strcmp(call->name, "cudaGetLastError") == 0 ||
           strcmp(call->name, "cudaPeekAtLastError") == 0;
}

static void end(struct call *call)
{
    learn_of_failure();
    if (call->error == cudaSuccess && errors.fatal != cudaSuccess) {
        call->error = errors.fatal;
        call->reply->payload = 0;
    }
    if (!is_failure(call)) return;
    if (call->error != cudaErrorNotReady) *last_error(call) = call->error;
    if (!is_launch(call)) errors_record(call, text_of_code(error_texts, call->error));
}

void runtime_serve(struct call *call, serve_function *serve)
{
    costs_call(call);
    learn_of_failure();
    call->error = errors.fatal;
    if (reads_error(call) || always_runs(call) || call->error == cudaSuccess)
        call->error = serve(call);
    if (!reads_error(call)) end(call);
}

cudaError_t serve_cudaGetLastError(struct call *call)
{
    cudaError_t error = *last_error(call);
    *last_error(call) = cudaSuccess;
    return error;
}

cudaError_t serve_cudaPeekAtLastError(struct call *call)
{
    return *last_error(call);
}

void errors_kernel_failed(cudaError_t error, int64_t time)
{
    if (errors.failed != cudaSuccess) return;
    errors.failed = error;
    errors.failed_at = time;
}

bool runtime_is_broken(void)
{
    return errors.fatal != cudaSuccess || errors.failed != cudaSuccess;
}

void errors_reset(void)
{
    errors.fatal = errors.failed = cudaSuccess;
    memset(errors.last, 0, sizeof errors.last);
}
