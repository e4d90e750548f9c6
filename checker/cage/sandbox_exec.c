/*
 * sandbox_exec.c: starts a step in the sandbox: in its control groups, as another user where root
 * asks for it, with limits on its files, and in bwrap's namespaces. What a step may see is in
 * WORK/run.args and WORK/compile.args, in bwrap's own words; this file adds what differs from step
 * to step.
 */
#define _GNU_SOURCE
#include "cage/sandbox_exec.h"

#include "cage/filter.h"
#include "cage/notes.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/keyctl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

extern char **environ;

/* NICE: what watches a step is in the same control groups, and comes before it. */
enum { OPEN_FILES_MAX = 1024, ARGUMENTS_MAX = 400, NICE = 10 };

/* A step gets these variables, and all that begin with these letters. Others may be secrets of the
 * grader. */
static const char *const passed[] = {"PATH=",
                                     "LANG=",
                                     "GLIBC_TUNABLES=",
                                     "LC_",
                                     "TERM=",
                                     "LAB_SEED=",
                                     "DEVICE_COMPILER=",
                                     "WARPUP_",
                                     "CUDA_",
                                     "OMP_",
                                     "OPENBLAS_",
                                     "NVCC",
                                     "LD_LIBRARY_PATH=",
                                     "LIBRARY_PATH=",
                                     "CPATH="};

/* The folders of WORK/scratch to which a step may write. */
static const char *const writable[] = {"tmp", "shm", "cwd", "out"};

static bool make_directory(const char *path, uid_t owner)
{
    return mkdir(path, 0700) == 0 && (owner == 0 || chown(path, owner, owner) == 0);
}

bool sandbox_prepare(struct step *step)
{
    char path[PATH_MAX + 32];
    snprintf(step->links, sizeof step->links, "%s/steps/XXXXXX", step->work);
    if (mkdtemp(step->links) == NULL || chmod(step->links, 0755) != 0) return false;
    snprintf(step->scratch, sizeof step->scratch, "%s/scratch/%s", step->work,
             strrchr(step->links, '/') + 1);
    if (mkdir(step->scratch, 0755) != 0) return false;
    for (size_t i = 0; i < sizeof writable / sizeof writable[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", step->scratch, writable[i]);
        if (!make_directory(path, step->user)) return false;
    }
    snprintf(path, sizeof path, "%s/program", step->links);
    return step->program == NULL || link(step->program, path) == 0;
}

/* bwrap's arguments, as they are put together. */
struct arguments {
    const char *list[ARGUMENTS_MAX];
    size_t count;
};

static void add(struct arguments *to, const char *argument)
{
    if (to->count + 1 < ARGUMENTS_MAX) to->list[to->count++] = argument;
}

/* Adds `how` FOLDER/NAME `where`. The text is never freed: the process becomes bwrap. */
static void add_bind(struct arguments *to, const char *how, const char *folder, const char *name,
                     const char *where)
{
    char *from = NULL;
    if (asprintf(&from, "%s/%s", folder, name) < 0) _exit(126);
    add(to, how);
    add(to, from);
    add(to, where);
}

/* The whole command. Parts of the lab may be in /tmp or /dev/shm: these two come first. */
static void put_together(struct arguments *to, const struct step *step)
{
    static const char *const first[] = {"bwrap",
                                        "--unshare-all",
                                        "--unshare-user",
                                        "--uid",
                                        "1000",
                                        "--gid",
                                        "1000",
                                        "--cap-drop",
                                        "ALL",
                                        "--new-session",
                                        "--die-with-parent",
                                        "--proc",
                                        "/proc",
                                        "--dev",
                                        "/dev",
                                        "--seccomp",
                                        "6"}; /* FILTER_FD */
    static char here[PATH_MAX];
    for (size_t i = 0; i < sizeof first / sizeof first[0]; i++)
        add(to, first[i]);
    add_bind(to, "--bind", step->scratch, "tmp", "/tmp");
    add_bind(to, "--bind", step->scratch, "shm", "/dev/shm");
    if (access("/proc/keys", F_OK) == 0) /* keys of the same user, too */
        add_bind(to, "--ro-bind", "/dev", "null", "/proc/keys");
    if (getcwd(here, sizeof here) == NULL) _exit(126);
    if (step->kind == STEP_RUN) add_bind(to, "--bind", step->scratch, "cwd", here);
    add(to, "--args");
    add(to, "5");
    if (step->out) add_bind(to, "--bind", step->scratch, "out", step->out);
    if (step->program) add_bind(to, "--ro-bind", step->links, "program", step->program);
    static const char *const last[] = {"--chdir", here, "--remount-ro", "/dev", "--remount-ro",
                                       "/",       "--"};
    for (size_t i = 0; i < sizeof last / sizeof last[0]; i++)
        add(to, last[i]);
    add(to, "/cage");
    add(to, "init");
    add(to, step->processes);
    for (char **argument = step->command; *argument; argument++)
        add(to, *argument);
    add(to, NULL);
}

/* Moves this process into a control group. */
static bool join(const char *group)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/cgroup.procs", group);
    int file = open(path, O_WRONLY | O_CLOEXEC);
    bool joined = file >= 0 && write(file, "0", 1) == 1;
    if (file >= 0) close(file);
    return joined;
}

static bool join_all(const struct step *step)
{
    for (int i = 0; i < step->cgroup_count; i++)
        if (!join(step->cgroups[i])) return false;
    return true;
}

/* Closes all files but the first ones up to FILTER_FD and those of the GPU: a directory that
 * stays open would be a way out. */
static void close_others(const struct step *step)
{
    DIR *open_files = opendir("/proc/self/fd");
    if (open_files == NULL) _exit(126);
    for (struct dirent *entry; (entry = readdir(open_files));) {
        const int file = atoi(entry->d_name);
        if (file > FILTER_FD && file != dirfd(open_files) && file != step->gpu[0] &&
            file != step->gpu[1])
            close(file);
    }
    closedir(open_files);
}

/* The limit on processes holds for this user in the namespaces where bwrap starts, so for all steps
 * of the check. The limit of the step itself is set inside, where only its own count
 * (user_namespaces(7)). */
static bool limit(const struct step *step)
{
    const rlim_t all = step->all_processes > 0 ? step->all_processes : RLIM_INFINITY;
    const rlim_t bytes = (rlim_t)step->file_mb << 20;
    if (!join_all(step)) return false;
    setpriority(PRIO_PROCESS, 0, NICE);
    if (step->user != 0 &&
        (setgroups(0, NULL) != 0 || setresgid(step->user, step->user, step->user) != 0 ||
         setresuid(step->user, step->user, step->user) != 0))
        return false;
    return (all == RLIM_INFINITY || setrlimit(RLIMIT_NPROC, &(struct rlimit){all, all}) == 0) &&
           setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0}) == 0 &&
           setrlimit(RLIMIT_FSIZE, &(struct rlimit){bytes, bytes}) == 0 &&
           setrlimit(RLIMIT_NOFILE, &(struct rlimit){OPEN_FILES_MAX, OPEN_FILES_MAX}) == 0;
}

/* Joins a new keyring: the one of the session has keys of the grader's, and what an earlier step
 * has left. Where the kernel has no keyrings, or a container forbids them, there is nothing to
 * leave. */
static void leave_keyring(void)
{
    syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL);
}

/* Puts a file at a number, where it stays open in the next program. */
static bool moved_to(int file, int number)
{
    return file >= 0 && dup2(file, number) == number;
}

static _Noreturn void become(const struct step *step, int status, int environment)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    static char *nothing[] = {NULL};
    /* A control group counts such memory. Compilers and the driver of a real GPU may need it. */
    const bool may_hoard = step->memory_mb == 0 || step->gpu[0] == 0;
    struct arguments arguments = {.count = 0};
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s.args", step->work,
             step->kind == STEP_COMPILE ? "compile" : "run");
    put_together(&arguments, step);
    /* High numbers first, so that none of the three is overwritten. */
    status = fcntl(status, F_DUPFD, 64);
    environment = fcntl(environment, F_DUPFD, 64);
    if (moved_to(status, STATUS_FD) && moved_to(environment, ENVIRONMENT_FD) &&
        moved_to(fcntl(open(path, O_RDONLY), F_DUPFD, 64), ARGUMENTS_FD) &&
        moved_to(fcntl(filter_file(may_hoard), F_DUPFD, 64), FILTER_FD)) {
        close_others(step);
        if (!limit(step)) _exit(126);
        leave_keyring();
        prctl(PR_SET_PDEATHSIG, (long)SIGKILL);
        execvpe("bwrap", (char **)(void *)arguments.list, nothing);
    }
    note_internal_error(step, "the sandbox cannot be entered: %s", strerror(errno));
    _exit(126);
}

/* Writes the variables for the step into a pipe, each with its NUL. */
static bool send_environment(int file)
{
    for (char **one = environ; *one; one++) {
        bool wanted = false;
        for (size_t i = 0; i < sizeof passed / sizeof passed[0]; i++)
            if (strncmp(*one, passed[i], strlen(passed[i])) == 0) wanted = true;
        if (wanted && write(file, *one, strlen(*one) + 1) < 0) return false;
    }
    static const char own[] = "HOME=/tmp\0TMPDIR=/tmp";
    return write(file, own, sizeof own) == (ssize_t)sizeof own;
}

pid_t sandbox_start(const struct step *step, int *status)
{
    int ends[2], environment[2];
    if (pipe2(ends, O_CLOEXEC) != 0 || pipe2(environment, O_CLOEXEC) != 0) return -1;
    fcntl(environment[1], F_SETFL, O_NONBLOCK); /* more than the pipe holds would stop everything */
    pid_t child = send_environment(environment[1]) ? fork() : -1;
    if (child == 0) become(step, ends[1], environment[0]);
    close(environment[0]);
    close(environment[1]);
    close(ends[1]);
    *status = ends[0];
    return child;
}

_Noreturn void sandbox_gpu(const struct step *step)
{
    char number[24];
    snprintf(number, sizeof number, "%lu", (unsigned long)step->user);
    if (step->user != 0 && step->out != NULL &&
        (setenv("WARPUP_USER", number, 1) != 0 || chown(step->out, step->user, step->user) != 0))
        note_internal_error(step, "%s cannot be given to the simulated GPU: %s", step->out,
                            strerror(errno));
    else if (!join_all(step))
        note_internal_error(step, "the simulated GPU cannot be limited: %s", strerror(errno));
    else
        execvp(*step->command, step->command);
    _exit(126);
}
