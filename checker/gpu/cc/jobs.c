/* jobs.c: see jobs.h. */
#define _GNU_SOURCE
#include "gpu/cc/jobs.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Children inherit the limit. This program itself needs a fraction of a second. */
static void limit_time(void)
{
    static bool done;
    struct rlimit limit;
    if (done || getrlimit(RLIMIT_CPU, &limit) != 0) return;
    done = true;
    if (limit.rlim_cur <= COMPILER_SECONDS) return;
    limit.rlim_cur = COMPILER_SECONDS;
    setrlimit(RLIMIT_CPU, &limit);
}

void start_job(struct job *job)
{
    limit_time();
    job->log = memfd_create("log", MFD_CLOEXEC);
    if (job->log < 0) fatal("a compiler's messages cannot be kept: %s", strerror(errno));
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, job->log, 1);
    posix_spawn_file_actions_adddup2(&actions, job->log, 2);
    if (job->folder != NULL) posix_spawn_file_actions_addchdir_np(&actions, job->folder);
    int error = posix_spawnp(&job->process, job->command.items[0], &actions, NULL,
                             job->command.items, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) fatal("%s cannot be started: %s", job->command.items[0], strerror(error));
}

/* The part of a log that is read: enough for the first errors with their notes. One mistake can
 * cause a hundred thousand lines, and each is compared with those before it. */
enum { LOG_BYTES_MAX = 1 << 18 };

static void read_log(struct job *job)
{
    struct stat log;
    if (fstat(job->log, &log) == 0 && log.st_size > LOG_BYTES_MAX &&
        ftruncate(job->log, LOG_BYTES_MAX) != 0)
        fatal("a compiler's messages cannot be cut: %s", strerror(errno));
    job->said = text_read(text_of("/proc/self/fd/%d", job->log), NULL);
    if (job->said == NULL) job->said = "";
    close(job->log);
}

void end_job(struct job *job)
{
    while (waitpid(job->process, &job->status, 0) < 0)
        if (errno != EINTR) fatal("%s: %s", job->command.items[0], strerror(errno));
    read_log(job);
}

static size_t processors(void)
{
    cpu_set_t set;
    int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return count < 1 ? 1 : (size_t)count;
}

/* Waits for one of the jobs that run. */
static void end_any(struct job *jobs, size_t started)
{
    int status;
    pid_t process = wait(&status);
    if (process < 0 && errno != EINTR) fatal("a compiler is lost: %s", strerror(errno));
    for (size_t i = 0; i < started; i++) {
        if (jobs[i].process != process || jobs[i].said != NULL) continue;
        jobs[i].status = status;
        read_log(&jobs[i]);
    }
}

void run_jobs(struct job *jobs, size_t count)
{
    size_t started = 0, ended = 0, most = processors();
    while (ended < count) {
        while (started < count && started - ended < most)
            start_job(&jobs[started++]);
        end_any(jobs, started);
        ended = 0;
        for (size_t i = 0; i < started; i++)
            ended += jobs[i].said != NULL;
    }
}

bool job_succeeded(const struct job *job)
{
    return WIFEXITED(job->status) && WEXITSTATUS(job->status) == 0;
}

const char *job_crashed(const struct job *job)
{
    const char *name = job->command.items[0];
    if (WIFSIGNALED(job->status) && WTERMSIG(job->status) == SIGXCPU)
        return text_of("%s took more than %d seconds", name, COMPILER_SECONDS);
    if (WIFSIGNALED(job->status))
        return text_of("%s crashed: %s", name, strsignal(WTERMSIG(job->status)));
    if (strstr(job->said, "PLEASE submit a bug report") != NULL ||
        strstr(job->said, "LLVM ERROR") != NULL ||
        strstr(job->said, "internal compiler error") != NULL ||
        strstr(job->said, "died due to signal") != NULL ||
        strstr(job->said, "Killed signal terminated") != NULL)
        return text_of("%s crashed", name);
    return NULL;
}
