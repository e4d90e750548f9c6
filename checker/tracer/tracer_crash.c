/*
 * tracer_crash.c: the signals of a crash. What the handler does is not safe in every state of the
 * program: a lock may be held, the heap may be broken. So it has a time limit, and a second signal
 * ends the program immediately.
 */
#define _GNU_SOURCE
#include "tracer/tracer_crash.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    TOO_LONG = 5, /* seconds that the end of a trace may take after a crash */
    STACK_BYTES = 1 << 20
};

static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

static void (*end_trace)(const char *how);
static volatile sig_atomic_t crash; /* the signal */

/* The program ends by the signal that it got, not by the alarm. */
static void give_up(int alarm_signal)
{
    (void)alarm_signal;
    raise(crash);
}

static void handle(int number)
{
    char how[20];
    crash = number;
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        signal(signals[i], SIG_DFL);
    signal(SIGALRM, give_up);
    alarm(TOO_LONG);
    snprintf(how, sizeof how, "signal %d", number);
    end_trace(how);
    raise(number);
}

void crash_watch(void (*end)(const char *how))
{
    /* A stack of its own, because a crash may be an overflow of the stack. */
    stack_t stack = {.ss_sp = malloc(STACK_BYTES), .ss_size = STACK_BYTES};
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK | SA_NODEFER}, before;
    end_trace = end;
    if (stack.ss_sp != NULL) sigaltstack(&stack, NULL);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
            sigaction(signals[i], &action, NULL);
}
