/*
 * crash.c: the signal handler. In host code it reports the fault, ends the trace and lets the
 * signal end the program. In a kernel it makes the thread continue in a function that ends the
 * kernel.
 */
#define _GNU_SOURCE
#include "sim/process/crash.h"

#include "sim/engine/running.h"
#include "sim/gpu/memory.h"
#include "sim/image/source_line.h"
#include "sim/process/registers.h"
#include "sim/requests/fault.h"
#include "sim/requests/lane.h"
#include "sim/streams/host_hazards.h"
#include "trace/trace.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

enum {
    STACK_BYTES = 1 << 20,
    TOO_LONG = 5, /* seconds that the report of a crash may take */
    NULL_PAGES = 65536,
    ERROR_ILLEGAL_ADDRESS = 700,
    ERROR_LAUNCH_FAILURE = 719
};

static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
enum { SIGNALS = sizeof signals / sizeof signals[0] };

/* The thread continues here after a crash in a kernel, on its own stack. */
static _Noreturn void end_kernel(uintptr_t pc, const char *address, int number)
{
    if (number != SIGSEGV && number != SIGBUS) {
        fault_here("assert-failed", pc, NULL, 0, NULL,
                   number == SIGFPE ? "an integer is divided by zero" : "the kernel crashed");
        running_abort(ERROR_LAUNCH_FAILURE);
    }
    const char *name = (uintptr_t)address < NULL_PAGES ? "null-pointer"
                       : memory_owns(address)          ? "out-of-bounds"
                                                       : "host-pointer-in-kernel";
    fault_here(name, pc, address, 0, NULL, NULL);
    running_abort(ERROR_ILLEGAL_ADDRESS);
}

/* Arranges for the interrupted thread to call end_kernel(), as if it had called it itself. */
static void leave_for_end(ucontext_t *context, const char *address, int number)
{
    registers_call(context, (void (*)(void))end_kernel,
                   source_line_caller_pc(registers_pc(context) + 1), address, number);
}

/* True in the C library's free() and realloc(), which read the bytes before the memory. */
static bool in_host_free(uintptr_t pc)
{
    Dl_info info;
    if (dladdr((void *)pc, &info) == 0 || info.dli_sname == NULL) return false;
    return strstr(info.dli_sname, "free") != NULL || strstr(info.dli_sname, "realloc") != NULL;
}

static void report_host_crash(uintptr_t pc, const char *address, bool writes)
{
    if (!memory_owns(address)) return;
    if (in_host_free(pc - 1)) {
        fault_here("bad-free", source_line_caller_pc(pc), address, 0, "free",
                   "the host's free() gets a pointer to GPU memory: free it with cudaFree");
        return;
    }
    const struct allocation *allocation = memory_find(address);
    bool freed = allocation != NULL && allocation->freed;
    char detail[120];
    snprintf(detail, sizeof detail, "host code %s %s", writes ? "writes" : "reads",
             freed ? "memory that was freed"
                   : "device memory through this pointer; only kernels and copies can");
    fault_here(freed ? "use-after-free" : "device-pointer-on-host", source_line_caller_pc(pc),
               address, 0, writes ? "store" : "load", detail);
}

/* If the program cannot go on, the handler resets itself and returns. The signal then comes again,
 * and ends the program. */
static void handle(int number, siginfo_t *info, void *data)
{
    ucontext_t *context = data;
    bool access = number == SIGSEGV || number == SIGBUS;
    const char *address = access ? info->si_addr : NULL;
    if (lane_runs) {
        leave_for_end(context, address, number);
        return;
    }
    uintptr_t pc = registers_pc(context) + 1;
    bool writes = access && registers_write(context);
    if (number == SIGSEGV && hazard_touched(address, writes, pc)) return;
    for (int i = 0; i < SIGNALS; i++)
        signal(signals[i], SIG_DFL);
    signal(SIGALRM, SIG_DFL);
    alarm(TOO_LONG);
    if (access) report_host_crash(pc, address, writes);
    fault_report(0, NULL);
    char how[20];
    snprintf(how, sizeof how, "signal %d", number);
    trace_close(how);
    raise(number);
}

void crash_begin(void)
{
    stack_t stack = {.ss_size = STACK_BYTES};
    stack.ss_sp = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stack.ss_sp == MAP_FAILED || sigaltstack(&stack, NULL) != 0) return;
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < SIGNALS; i++)
        sigaction(signals[i], &action, NULL);
}
