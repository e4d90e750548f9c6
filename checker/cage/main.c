/*
 * main.c: `cage` runs one step of a check in a sandbox: bwrap's namespaces, control groups, limits,
 * and another user. It is the launcher that contained names in LAUNCH and LAUNCH_COMPILER: cage
 * run|compile --work DIRECTORY [--user NUMBER] [--processes NUMBER] [--cgroup DIRECTORY]... --
 * COMMAND... The step writes to the directory that WARPUP_TRACE or WARPUP_OUT names: it sees an
 * empty one in its place, and cage copies what is expected when the step and all its processes have
 * ended. Exit code: that of COMMAND; if a signal ended COMMAND, the same signal ends cage; 126 the
 * sandbox failed, with a line in DIRECTORY/troubles. Inside of the sandbox, cage inside NUMBER
 * COMMAND... is the step's first process.
 */
#define _GNU_SOURCE
#include "cage/collect.h"
#include "cage/enter.h"
#include "cage/inside.h"
#include "cage/notes.h"
#include "cage/step.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EXIT_USAGE = 2, EXIT_TROUBLE = 126 };

static volatile sig_atomic_t sandbox; /* bwrap's process while it runs */
static volatile sig_atomic_t stopped; /* the signal with which the runner asked for the end */

static bool read_arguments(int argc, char **argv, struct step *step)
{
    int i = 2;
    *step = (struct step){.processes = "0"};
    step->compiles = argc > 1 && strcmp(argv[1], "compile") == 0;
    if (!step->compiles && (argc < 2 || strcmp(argv[1], "run") != 0)) return false;
    for (; i + 1 < argc && strcmp(argv[i], "--") != 0; i += 2) {
        if (strcmp(argv[i], "--work") == 0)
            step->work = argv[i + 1];
        else if (strcmp(argv[i], "--user") == 0)
            step->user = (uid_t)strtoul(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--processes") == 0)
            step->processes = argv[i + 1];
        else if (strcmp(argv[i], "--cgroup") == 0 && step->cgroup_count < CGROUPS_MAX)
            step->cgroups[step->cgroup_count++] = argv[i + 1];
        else
            return false;
    }
    step->command = argv + i + 1;
    step->out = getenv(step->compiles ? "WARPUP_OUT" : "WARPUP_TRACE");
    return step->work && i + 1 < argc && strcmp(argv[i], "--") == 0;
}

/* The runner asks for the end: all processes of the sandbox end with its first one. */
static void stop(int number)
{
    stopped = number;
    if (sandbox > 0) kill((pid_t)sandbox, SIGKILL);
}

/* Ends as the command has ended. */
static int end_like(int status)
{
    if (!WIFSIGNALED(status)) return WEXITSTATUS(status);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    signal(WTERMSIG(status), SIG_DFL);
    raise(WTERMSIG(status));
    return 128 + WTERMSIG(status);
}

/* Waits until bwrap and every process of the sandbox have ended: those that lose their parent
 * become children of this process. Returns bwrap's status. */
static int wait_for_all(void)
{
    int status = 0, one;
    pid_t ended;
    while ((ended = waitpid(-1, &one, 0)) > 0 || errno == EINTR)
        if (ended > 0 && ended == (pid_t)sandbox) status = one, sandbox = 0;
    return status;
}

/* The status of the command, of which its first process reports a byte at its begin and the status
 * at its end. If there is no report, the status of bwrap. Without even the byte the sandbox has
 * failed. */
static bool find_status(int report, int *status)
{
    char begun;
    int reported;
    if (read(report, &begun, 1) != 1) return false;
    if (read(report, &reported, sizeof reported) == (ssize_t)sizeof reported) *status = reported;
    return true;
}

int main(int argc, char **argv)
{
    struct step step;
    int report, status;
    if (argc > 3 && strcmp(argv[1], "inside") == 0) return inside(argv[2], argv + 3);
    if (!read_arguments(argc, argv, &step)) {
        fputs("usage: cage run|compile --work DIRECTORY [--user NUMBER] [--processes NUMBER] "
              "[--cgroup DIRECTORY]... -- COMMAND...\n",
              stderr);
        return EXIT_USAGE;
    }
    prctl(PR_SET_CHILD_SUBREAPER, 1L);
    prctl(PR_SET_DUMPABLE, 0L);
    sigaction(SIGTERM, &(struct sigaction){.sa_handler = stop}, NULL);
    if (!enter_prepare(&step) || (sandbox = enter_start(&step, &report)) < 0) {
        note_trouble(&step, "a step cannot be prepared: %s", strerror(errno));
        return EXIT_TROUBLE;
    }
    status = wait_for_all();
    if (stopped) status = stopped;
    bool begun = find_status(report, &status);
    bool whole = collect(&step);
    if (!begun && !WIFSIGNALED(status))
        note_trouble(&step, "bwrap failed (exit code %d)", WEXITSTATUS(status));
    if (!whole || (!begun && !WIFSIGNALED(status))) return EXIT_TROUBLE;
    return end_like(status);
}
