/* start.c: see start.h. */
#define _GNU_SOURCE
#include "gpu/server/start.h"

#include "gpu/server/connection.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    HIGH = 400, /* the program's descriptors: so that its own begin at 3, as always */
    VARIABLES_BYTES_MAX = 64 << 10,
    CPU_SECONDS_LEFT = 5 /* that this process may compute after the program's end: a kernel may run
                            for ever. A busy machine or a slow disk may let it wait longer. */
};

/* For this process alone: they say where the trace is and how long it may be, what a check does to
 * find cheats, and who this process becomes. */
static const char *const hidden[] = {"WARPUP_TRACE",   "WARPUP_TRACE_MB", "WARPUP_KEY",
                                     "WARPUP_PERTURB", "WARPUP_LARGER",   "WARPUP_USER"};
enum { HIDDEN = sizeof hidden / sizeof hidden[0] };

static const int forwarded[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGXCPU};
enum { FORWARDED = sizeof forwarded / sizeof forwarded[0] };

static volatile sig_atomic_t child, child_ended, child_status;

static _Noreturn void give_up(const char *what)
{
    fprintf(stderr, "warp-up: the simulated GPU cannot start: %s: %s\n", what, strerror(errno));
    _exit(2);
}

/* ---- variables for this process alone ------------------------------------------------------- */

struct start_variables {
    size_t bytes;
    char text[VARIABLES_BYTES_MAX + 1];
};

struct start_variables *start_read_variables(const char *file)
{
    struct start_variables *variables = calloc(1, sizeof *variables);
    FILE *stream = fopen(file, "re");
    if (variables == NULL || stream == NULL) give_up(file);
    variables->bytes = fread(variables->text, 1, VARIABLES_BYTES_MAX, stream);
    fclose(stream);
    if (unlink(file) != 0) give_up(file);
    return variables;
}

void start_set_variables(struct start_variables *variables)
{
    if (variables == NULL) return;
    for (char *line = strtok(variables->text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        char *equals = strchr(line, '=');
        if (equals == NULL) continue;
        *equals = '\0';
        setenv(line, equals + 1, 1);
    }
    memset(variables, 0, sizeof *variables);
    free(variables);
}

/* ---- a program that this process starts ----------------------------------------------------- */

/* A copy of the descriptor for the program: with a high number, and not closed when it starts. */
static int for_program(int file)
{
    int copy = fcntl(file, F_DUPFD, HIGH);
    if (copy < 0) copy = dup(file);
    if (copy < 0) give_up("a descriptor");
    close(file);
    return copy;
}

/* The memory of both, which nobody can shrink; a small one where files may not be large. */
static int make_box(void)
{
    for (long bytes = WIRE_BOX; bytes >= 64 << 10; bytes /= 4) {
        int box = memfd_create("warp-up box", MFD_CLOEXEC | MFD_ALLOW_SEALING);
        if (box < 0) give_up("shared memory");
        if (ftruncate(box, bytes) == 0) {
            fcntl(box, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
            return box;
        }
        close(box);
    }
    give_up("shared memory");
}

static _Noreturn void become(char **argv, pid_t parent, int socket, int box)
{
    char descriptors[40];
    prctl(PR_SET_PDEATHSIG, (long)SIGKILL);
    if (getppid() != parent) _exit(2);
    for (int i = 0; i < HIDDEN; i++)
        unsetenv(hidden[i]);
    snprintf(descriptors, sizeof descriptors, "%d,%d", for_program(socket), for_program(box));
    setenv(WIRE_ENVIRONMENT, descriptors, 1);
    setenv("OMP_WAIT_POLICY", "passive", 0); /* the GPU needs the cores that would wait */
    execvp(argv[0], argv);
    fprintf(stderr, "warp-up: cannot run %s: %s\n", argv[0], strerror(errno));
    _exit(errno == ENOENT ? 127 : 126);
}

static void kill_program(void)
{
    if (child > 0 && !child_ended) kill((pid_t)child, SIGKILL);
}

/* Kernels of a program that has ended may still run: end_late() comes when they take too long. */
static void limit_rest(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    setitimer(ITIMER_PROF,
              &(struct itimerval){.it_value.tv_sec = CPU_SECONDS_LEFT * (cores < 1 ? 1 : cores)},
              NULL);
}

static void end_late(int number)
{
    static const char text[] =
        "warp-up: a kernel still ran long after its program's end: stopped\n";
    (void)number;
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0 || child == 0) _exit(2);
    int status = (int)child_status;
    start_end_likewise(WIFEXITED(status) ? WEXITSTATUS(status) : 0,
                       WIFSIGNALED(status) ? WTERMSIG(status) : 0);
}

/* The program has ended: then nothing more comes from it, even if a child of its own has the
 * socket. */
static void learn_end(int number)
{
    int error = errno, status;
    (void)number;
    if (!child_ended && waitpid((pid_t)child, &status, WNOHANG) == (pid_t)child) {
        child_status = status;
        child_ended = 1;
        connection_shut();
        limit_rest();
    }
    errno = error;
}

/* A terminal sends its signals to the program too. */
static void forward(int number, siginfo_t *info, void *context)
{
    (void)context;
    if (info->si_code != SI_KERNEL && child > 0 && !child_ended) kill((pid_t)child, number);
}

static void set_handlers(void)
{
    struct sigaction end = {.sa_handler = learn_end, .sa_flags = SA_NOCLDSTOP};
    struct sigaction late = {.sa_handler = end_late};
    struct sigaction on = {.sa_sigaction = forward, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigaction(SIGCHLD, &end, NULL);
    sigaction(SIGPROF, &late, NULL);
    for (int i = 0; i < FORWARDED; i++)
        sigaction(forwarded[i], &on, NULL);
}

void start_program(char **argv)
{
    int pair[2];
    sigset_t all, before;
    pid_t parent = getpid();
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) give_up("a socket");
    int box = make_box();
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    pid_t started = fork();
    if (started < 0) give_up("a process");
    if (started == 0) {
        sigprocmask(SIG_SETMASK, &before, NULL);
        become(argv, parent, pair[1], box);
    }
    child = started;
    close(pair[1]);
    connection_lost = kill_program;
    if (!connection_open(pair[0], box)) give_up("the connection");
    set_handlers();
    sigprocmask(SIG_SETMASK, &before, NULL);
}

void start_change_user(void)
{
    const char *wanted = getenv("WARPUP_USER");
    uid_t user = wanted == NULL ? 0 : (uid_t)strtoul(wanted, NULL, 10);
    if (user == 0) return;
    if (setgroups(0, NULL) == 0 && setresgid(user, user, user) == 0 &&
        setresuid(user, user, user) == 0)
        return;
    int error = errno;
    kill_program();
    errno = error;
    give_up("another user");
}

void start_wait(int *status, int *signal)
{
    sigset_t wanted, before;
    sigemptyset(&wanted);
    sigaddset(&wanted, SIGCHLD);
    pthread_sigmask(SIG_BLOCK, &wanted, &before);
    while (!child_ended) {
        learn_end(0);
        if (!child_ended) sigsuspend(&before);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    *status = WIFEXITED(child_status) ? WEXITSTATUS(child_status) : 0;
    *signal = WIFSIGNALED(child_status) ? WTERMSIG(child_status) : 0;
}

_Noreturn void start_end_likewise(int status, int signal)
{
    if (signal != 0) {
        sigset_t none;
        sigemptyset(&none);
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        sigaction(signal, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
        pthread_sigmask(SIG_SETMASK, &none, NULL);
        kill(getpid(), signal);
        status = 128 + signal;
    }
    _exit(status);
}

/* ---- a program that has started this process ------------------------------------------------ */

/* Ends the conversation when the program's process has ended, even if a child of its own has the
 * socket. */
static void *watch_program(void *data)
{
    struct pollfd program = {.fd = (int)(intptr_t)data, .events = POLLIN};
    while (poll(&program, 1, -1) < 0 && errno == EINTR)
        continue;
    connection_shut();
    limit_rest();
    return NULL;
}

void start_attach(const char *descriptors)
{
    int socket, box;
    pthread_t thread;
    struct ucred program;
    socklen_t length = sizeof program;
    for (int i = 0; i < FORWARDED; i++)
        signal(forwarded[i], SIG_IGN);
    signal(SIGPROF, end_late);
    if (sscanf(descriptors, "%d,%d", &socket, &box) != 2 || !connection_open(socket, box))
        give_up("the connection");
    fcntl(socket, F_SETFD, FD_CLOEXEC);
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &program, &length) != 0) return;
    int file = (int)syscall(SYS_pidfd_open, program.pid, 0);
    if (file >= 0) pthread_create(&thread, NULL, watch_program, (void *)(intptr_t)file);
}
