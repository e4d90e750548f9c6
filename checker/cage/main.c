/*
 * main.c: `cage` runs one step of a check with limits: cage compile|run|gpu --work DIRECTORY
 * [--user NUMBER] [--processes NUMBER] [--cgroup DIRECTORY]... -- COMMAND... A compilation and a
 * student's program are in a sandbox: bwrap's namespaces, control groups, limits, and another user.
 * `cage compile` is the launcher that sandbox-check names in LAUNCH_COMPILER, `cage run` in
 * LAUNCH_PROGRAM. The simulated GPU (`cage gpu`, in LAUNCH) is outside: it writes the trace. It is
 * in the control groups too, and becomes another user once it has started the program.
 *
 * A step in the sandbox writes to the directory that WARPUP_OUT names, or WARPUP_TRACE of a run on
 * a real GPU: it sees an empty one in its place, and cage copies what is expected when the step and
 * all its processes have ended. Exit code: that of COMMAND; if a signal ended COMMAND, the same
 * signal ends cage; 126 the sandbox failed, with a line in DIRECTORY/internal_errors. Inside of the
 * sandbox, cage init NUMBER COMMAND... is the step's first process.
 */
#define _GNU_SOURCE
#include "cage/collect.h"
#include "cage/sandbox_exec.h"
#include "cage/sandbox_init.h"
#include "cage/notes.h"
#include "cage/step.h"
#include "cage/watch.h"
#include "gpu/wire/wire.h"

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

/* Between two looks at what the step uses. Without a control group, the looks limit its memory; in
 * one, they only say what it does, as long as its processes are few. A look costs 0.1 ms, and some
 * ten steps run at a time. */
static const long look_ns_alone = 50000000, look_ns_in_group = 200000000;

static bool read_kind(const char *name, struct step *step)
{
    static const char *const names[] = {
        [STEP_COMPILE] = "compile", [STEP_RUN] = "run", [STEP_GPU] = "gpu"};
    for (int kind = STEP_COMPILE; kind <= STEP_GPU; kind++)
        if (strcmp(name, names[kind]) == 0) {
            step->kind = (enum step_kind)kind;
            return true;
        }
    return false;
}

static bool read_arguments(int argc, char **argv, struct step *step)
{
    int i = 2;
    *step = (struct step){.processes = "0", .file_mb = 1024, .parent = getppid()};
    if (argc < 2 || !read_kind(argv[1], step)) return false;
    for (; i + 1 < argc && strcmp(argv[i], "--") != 0; i += 2) {
        if (strcmp(argv[i], "--work") == 0)
            step->work = argv[i + 1];
        else if (strcmp(argv[i], "--user") == 0)
            step->user = (uid_t)strtoul(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--processes") == 0)
            step->processes = argv[i + 1];
        else if (strcmp(argv[i], "--all") == 0)
            step->all_processes = strtoul(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--memory") == 0)
            step->memory_mb = strtoul(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--file") == 0)
            step->file_mb = strtoul(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--cgroup") == 0 && step->cgroup_count < CGROUPS_MAX)
            step->cgroups[step->cgroup_count++] = argv[i + 1];
        else
            return false;
    }
    step->command = argv + i + 1;
    if (!step->work || i + 1 >= argc || strcmp(argv[i], "--") != 0) return false;
    step->out = getenv(step->kind == STEP_COMPILE ? "WARPUP_OUT" : "WARPUP_TRACE");
    if (step->kind == STEP_RUN && strncmp(*step->command, step->work, strlen(step->work)) == 0)
        step->program = *step->command;
    const char *gpu = getenv(WIRE_ENVIRONMENT);
    if (gpu == NULL || sscanf(gpu, "%d,%d", &step->gpu[0], &step->gpu[1]) != GPU_FILES)
        memset(step->gpu, 0, sizeof step->gpu);
    return true;
}

/* Ends as the command has ended. */
static int end_like(int status)
{
    if (!WIFSIGNALED(status)) return WEXITSTATUS(status);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    sigset_t none;
    sigemptyset(&none);
    signal(WTERMSIG(status), SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    raise(WTERMSIG(status));
    return 128 + WTERMSIG(status);
}

/* Collects those who have ended; false when nobody is left. Processes of the sandbox that lose
 * their parent become children of this process. */
static bool reap(pid_t *sandbox, int *status)
{
    int one;
    pid_t ended;
    while ((ended = waitpid(-1, &one, WNOHANG)) > 0)
        if (ended == *sandbox) *status = one, *sandbox = 0;
    return ended == 0;
}

/* Waits until bwrap and every process of the sandbox have ended. If they use too much, or if the
 * runner asks for it, ends bwrap, and with it all of them. Returns bwrap's status, or the signal
 * with which the runner asked. */
static int wait_for_all(const struct step *step, pid_t sandbox, const sigset_t *signals)
{
    struct watch watch = {0};
    int status = 0, stopped = 0;
    while (reap(&sandbox, &status)) {
        const bool often = step->memory_mb != 0 || watch.crowded;
        const long look_ns = often ? look_ns_alone : look_ns_in_group;
        int number = sigtimedwait(signals, NULL, &(struct timespec){.tv_nsec = look_ns});
        if (number == SIGTERM) stopped = number;
        /* The GPU's process may not send a signal to this one, which may be another user's. */
        if (getppid() != step->parent) stopped = SIGKILL;
        if (number < 0 && !watch_look(&watch, step)) stopped = SIGKILL;
        if (stopped && sandbox > 0) kill(sandbox, SIGKILL);
    }
    watch_look(&watch, step);
    return stopped ? stopped : status;
}

/* The status of the command, of which its first process reports a byte at its begin and the status
 * at its end. If there is no report, the status of bwrap. Without even the byte the sandbox has
 * failed. */
static bool find_status(int report, int *status)
{
    char begun;
    int reported;
    if (read(report, &begun, 1) != 1) return false;
    if (read(report, &reported, sizeof reported) == (ssize_t)sizeof reported)
        *status = reported;
    else if (WIFEXITED(*status) && WEXITSTATUS(*status) > 128)
        *status = WEXITSTATUS(*status) - 128;
    return true;
}

int main(int argc, char **argv)
{
    struct step step;
    int report;
    sigset_t signals;
    if (argc > 3 && strcmp(argv[1], "init") == 0) return sandbox_init(argv[2], argv + 3);
    if (!read_arguments(argc, argv, &step)) {
        fputs("usage: cage compile|run|gpu --work DIRECTORY [--user NUMBER] [--processes NUMBER] "
              "[--cgroup DIRECTORY]... -- COMMAND...\n",
              stderr);
        return EXIT_USAGE;
    }
    if (step.kind == STEP_GPU) sandbox_gpu(&step);
    prctl(PR_SET_CHILD_SUBREAPER, 1L);
    prctl(PR_SET_DUMPABLE, 0L);
    sigemptyset(&signals);
    sigaddset(&signals, SIGCHLD);
    sigaddset(&signals, SIGTERM);
    sigprocmask(SIG_BLOCK, &signals, NULL);
    pid_t sandbox = sandbox_prepare(&step) ? sandbox_start(&step, &report) : -1;
    if (sandbox < 0) {
        note_internal_error(&step, "a step cannot be prepared: %s", strerror(errno));
        return EXIT_TROUBLE;
    }
    int status = wait_for_all(&step, sandbox, &signals);
    bool begun = find_status(report, &status);
    bool whole = collect(&step);
    if (!begun && !WIFSIGNALED(status))
        note_internal_error(&step, "bwrap failed (exit code %d)", WEXITSTATUS(status));
    if (!whole || (!begun && !WIFSIGNALED(status))) return EXIT_TROUBLE;
    return end_like(status);
}
