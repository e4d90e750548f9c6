/*
 * tracer.c: observes an unmodified CUDA program on a real GPU. The driver loads this library when
 * CUDA_INJECTION64_PATH names it, and calls InitializeInjection(). From then on CUPTI reports every
 * call of the CUDA runtime and everything that the GPU did. The result is the trace that
 * checker/trace/README.md describes, in the directory that WARPUP_TRACE names.
 */
#define _GNU_SOURCE
#include "tracer/tracer_activities.h"
#include "tracer/tracer_calls.h"
#include "tracer/tracer_crash.h"
#include "tracer/tracer_events.h"
#include "tracer/tracer_gpu.h"
#include "trace/trace.h"

#include <cuda.h>
#include <cupti.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum { CALLS_MAX = 4096 };

static struct {
    pid_t process; /* a child after fork() has the same memory, but must not write the trace */
    uint64_t zero; /* CUPTI's time at `begin` */
    bool finished;
    int turn; /* the lock of the runs that go first; 0: it need not wait for any */
    CUpti_SubscriberHandle subscriber;
    const char *names[CALLS_MAX]; /* plain names of the runtime's calls, indexed by CUPTI's id */
} tracer;

static uint64_t now(void)
{
    uint64_t time = 0;
    cuptiGetTimestamp(&time);
    return time;
}

/* "__cudaLaunchKernel_ptsz" and "cudaMalloc_v3020" are cudaLaunchKernel and cudaMalloc. */
static const char *plain_name(const char *name)
{
    char plain[128];
    snprintf(plain, sizeof plain, "%s", name + strspn(name, "_"));
    char *version = strstr(plain, "_v");
    if (version != NULL) *version = '\0';
    char *default_stream = strstr(plain, "_pt");
    if (default_stream != NULL) *default_stream = '\0';
    return interned(plain);
}

static const char *name_of(CUpti_CallbackId id, const char *name)
{
    if (id >= CALLS_MAX || name == NULL) return "";
    if (tracer.names[id] == NULL) tracer.names[id] = plain_name(name);
    return tracer.names[id] != NULL ? tracer.names[id] : "";
}

/* Writes the first record of the trace at the program's first call, because only then the program
 * has chosen its device. */
static void begin_once(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, gpu_write_begin);
}

/* An early run waits here until the runs of results have ended: when CUDA has started, and at the
 * latest before it gives the GPU any work. */
static void wait_for_turn(void)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    if (tracer.turn > 0) {
        while (flock(tracer.turn, LOCK_EX) != 0 && errno == EINTR) {
        }
        close(tracer.turn);
        tracer.turn = 0;
    }
    pthread_mutex_unlock(&lock);
}

/* True for calls that give the GPU work. */
static bool is_work(const char *name)
{
    static const char *const begins[] = {"cudaLaunch", "cudaGraphLaunch", "cudaMemcpy",
                                         "cudaMemset"};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (strncmp(name, begins[i], strlen(begins[i])) == 0) return true;
    return false;
}

/* True for calls that return a text or a struct instead of an error code. */
static bool returns_no_code(const char *name)
{
    return strcmp(name, "cudaGetErrorString") == 0 || strcmp(name, "cudaGetErrorName") == 0 ||
           strcmp(name, "cudaCreateChannelDesc") == 0;
}

static void CUPTIAPI called(void *data, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                            const void *information)
{
    (void)data;
    if (domain != CUPTI_CB_DOMAIN_RUNTIME_API || tracer.finished || tracer.process != getpid())
        return;
    const CUpti_CallbackData *callback = information;
    struct call call = {.name = name_of(id, callback->functionName),
                        .parameters = callback->functionParams,
                        .symbol = callback->symbolName,
                        .correlation = callback->correlationId};
    if (returns_no_code(call.name)) return;
    if (callback->callbackSite == CUPTI_API_ENTER) {
        if (tracer.turn > 0 && is_work(call.name)) wait_for_turn();
        call_entered(&call);
        *callback->correlationData = now();
        return;
    }
    if (tracer.turn > 0 && gpu_has_context()) wait_for_turn();
    call.end = now();
    call.start = *callback->correlationData;
    call.code = *(const int *)callback->functionReturnValue;
    call_left(&call);
    if (call.code == 0) begin_once();
}

/* The beginning and the end */

static void end(const char *how)
{
    tracer.finished = true;
    begin_once();
    events_write(tracer.zero);
    trace_close(how);
}

static void finish(void)
{
    if (tracer.finished || tracer.process != getpid()) return;
    calls_finish();
    end("exit");
}

/* After a crash nothing waits for the GPU. Kernels that it has finished are in the trace. */
static void crashed(const char *how)
{
    if (tracer.finished || tracer.process != getpid()) return;
    activities_collect();
    end(how);
}

/* True on success; otherwise writes the reason on stderr. */
static bool fine(CUptiResult result, const char *what)
{
    if (result == CUPTI_SUCCESS) return true;
    const char *text = "unknown reason";
    cuptiGetResultString(result, &text);
    fprintf(stderr, "warp-up: the tracer cannot observe this program: %s: %s\n", what, text);
    return false;
}

static bool start(void)
{
    const char *asked;
    if (!fine(cuptiSubscribe(&tracer.subscriber, called, NULL), "subscribing") ||
        !fine(cuptiEnableDomain(1, tracer.subscriber, CUPTI_CB_DOMAIN_RUNTIME_API), "calls"))
        return false;
    CUptiResult result = (CUptiResult)activities_begin(&asked);
    return fine(result, asked);
}

/* The driver calls this; 1 means success. Programs that this one starts are not traced, because
 * they would overwrite its trace. */
int InitializeInjection(void);
int InitializeInjection(void)
{
    unsetenv("CUDA_INJECTION64_PATH");
    if (getenv("WARPUP_TRACE") == NULL || !trace_open()) return 1;
    tracer.process = getpid();
    const char *turn = getenv("WARPUP_TURN");
    if (turn != NULL) tracer.turn = open(turn, O_RDONLY | O_CLOEXEC);
    trace_forget("WARPUP_TURN");
    tracer.zero = now();
    if (!start()) return 1;
    atexit(finish);
    crash_watch(crashed);
    return 1;
}
