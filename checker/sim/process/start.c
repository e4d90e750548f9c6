/*
 * start.c: the beginning and the end of a program on the simulated GPU. The library is loaded with
 * the program. It opens the trace before main(), and closes it as the last thing in exit().
 */
#define _GNU_SOURCE
#include "sim/api/api_call.h"
#include "sim/api/api_memory.h"
#include "sim/gpu/clock.h"
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
    trace_fields("version:%d device:%s kind:%s", 1, gpu->name, "simulated");
    trace_fields("profile:%s", wanted == NULL || wanted[0] == '\0' ? "h200" : wanted);
    trace_fields("capability:%d sms:%d threads_per_sm:%d", (int)gpu->capability, (int)gpu->sms,
                 (int)gpu->threads_per_sm);
    trace_fields("memory_bytes:%ld l2_bytes:%ld", (long)(gpu->memory_gb * 1e9),
                 (long)(gpu->l2_mb * 1024 * 1024));
    trace_fields("copy_gbs:%g cublas_gflops:%g bus_gbs:%g", gpu->copy_gbs, gpu->sgemm_gflops,
                 gpu->pinned_both_gbs);
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
