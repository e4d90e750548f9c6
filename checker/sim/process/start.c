/*
 * start.c: the beginning and the end of a program on the simulated GPU. The library is loaded with
 * the program. It opens the trace before main(), and closes it as the last thing in exit().
 */
#define _GNU_SOURCE
#include "sim/api/api_call.h"
#include "sim/api/api_memory.h"
#include "sim/gpu/clock.h"
#include "sim/gpu/memory.h"
#include "sim/gpu/profile.h"
#include "sim/gpu/taint.h"
#include "sim/image/program.h"
#include "sim/process/crash.h"
#include "sim/requests/fault.h"

#include "trace/trace.h"

#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static pid_t process; /* a child that the program forks has no trace */

static void record_begin(void)
{
    const struct profile *gpu = profile();
    const char *wanted = getenv("WARPUP_PROFILE");
    trace_begin("begin");
    trace_integer("version", 1);
    trace_string("device", gpu->name);
    trace_string("kind", "simulated");
    trace_string("profile", wanted == NULL || wanted[0] == '\0' ? "h200" : wanted);
    trace_integer("capability", (long long)gpu->capability);
    trace_integer("sms", (long long)gpu->sms);
    trace_integer("threads_per_sm", (long long)gpu->threads_per_sm);
    trace_integer("memory_bytes", (long long)(gpu->memory_gb * 1e9));
    trace_integer("l2_bytes", (long long)(gpu->l2_mb * 1024 * 1024));
    trace_number("copy_gbs", gpu->copy_gbs);
    trace_number("cublas_gflops", gpu->sgemm_gflops);
    trace_end();
}

/* The last thing that exit() does. Memory that is still allocated is a leak, unless the program
 * ended with an error or could no longer free anything. */
static void end(int status, void *unused)
{
    (void)unused;
    if (getpid() != process) return;
    allocations_report(status == 0 && !api_is_broken());
    fault_report(0, NULL);
    trace_close("exit");
}

static void end_quickly(void)
{
    end(0, NULL);
}

/* Replaces the C library's function: a program that exits this way has ended too. */
_Noreturn void _exit(int status)
{
    end(status, NULL);
    for (;;)
        syscall(SYS_exit_group, status);
}

_Noreturn void _Exit(int status)
{
    _exit(status);
}

static __attribute__((constructor)) void begin(void)
{
    process = getpid();
    clock_begin();
    program_open();
    profile();
    trace_open();
    taint_begin();
    record_begin();
    crash_begin();
    on_exit(end, NULL);
    at_quick_exit(end_quickly);
}
