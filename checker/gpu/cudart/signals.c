/*
 * signals.c: see signals.h. An access to memory that the GPU has closed is sent to it; if the GPU
 * has opened the memory, the program tries again. In all other cases the signal does what it would
 * have done without this library.
 */
#define _GNU_SOURCE

#include "gpu/cudart/client.h"
#include "gpu/cudart/registers.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>

enum { STACK_BYTES = 256 << 10 };

static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
enum { SIGNALS = sizeof signals / sizeof signals[0] };
static struct sigaction before[SIGNALS];

/* True in the C library's free() and realloc(), which read the bytes before the memory. */
static bool in_host_free(uintptr_t pc)
{
    Dl_info info;
    if (dladdr((void *)pc, &info) == 0 || info.dli_sname == NULL) return false;
    return strstr(info.dli_sname, "free") != NULL || strstr(info.dli_sname, "realloc") != NULL;
}

static void handle(int number, siginfo_t *info, void *data)
{
    const ucontext_t *context = data;
    int error = errno;
    bool access = number == SIGSEGV || number == SIGBUS;
    uintptr_t pc = registers_pc(context) + 1;
    bool writes = access && registers_write(context);
    struct remote remote = {.request.argument = {access ? AT(info->si_addr) : 0, writes}};
    if (access && client_call_last(&remote, WIRE_touched, (void *)pc, true) &&
        remote.result[0] == 1) {
        errno = error;
        return;
    }
    for (int i = 0; i < SIGNALS; i++) {
        sigaction(signals[i], &before[i], NULL);
        if (signals[i] != number || before[i].sa_handler != SIG_DFL) continue;
        remote =
            (struct remote){.request.argument = {(uint64_t)number, access ? AT(info->si_addr) : 0,
                                                 writes, in_host_free(pc - 1)}};
        client_call_last(&remote, WIRE_crashed, (void *)pc, false);
    }
    errno = error;
    /* A fault comes again when this function returns; what was sent comes now. */
    if (info->si_code <= 0) raise(number);
}

void signals_begin(void)
{
    stack_t stack = {.ss_size = STACK_BYTES};
    if (!client_is_connected()) return;
    stack.ss_sp = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stack.ss_sp == MAP_FAILED || sigaltstack(&stack, NULL) != 0) return;
    struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < SIGNALS; i++)
        sigaction(signals[i], &action, &before[i]);
}
