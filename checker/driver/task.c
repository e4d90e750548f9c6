/*
 * task.c: see task.h. Runners report their own errors through a pipe. Variables of a task are set
 * in the process that becomes its runner, so that nothing of one run is in the environment of
 * another.
 */
#define _GNU_SOURCE
#include "driver/task.h"

#include "driver/driver.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TASKS_MAX = 64, WRITTEN_BYTES = 1000000 };
enum { EXIT_OF_SIGNAL = 128, PRIORITY_BESIDE = 5 /* of nice(1) */ };

void (*task_meanwhile)(void);
static pid_t running[TASKS_MAX];
static int runner_errors[2] = {-1, -1}; /* the pipe of the runners' errors */

void task_add(struct task *task, const char *word)
{
    if (task->count == TASK_WORDS_MAX - 1)
        cannot("a command has more than %d words", TASK_WORDS_MAX);
    task->words[task->count++] = word;
}

void task_add_words(struct task *task, const char *words)
{
    if (words == NULL) return;
    char *rest = arena_copy(&arena, words, strlen(words)), *word;
    while ((word = strsep(&rest, " \t\n")) != NULL)
        if (word[0] != '\0') task_add(task, word);
}

void task_set(struct task *task, const char *name, const char *value)
{
    if (task->variable_count == TASK_VARIABLES_MAX) cannot("a run has too many variables");
    task->variables[task->variable_count++] = arena_format(&arena, "%s=%s", name, value);
}

static void open_errors(void)
{
    if (runner_errors[0] < 0 && pipe2(runner_errors, O_CLOEXEC | O_NONBLOCK) != 0)
        cannot("this machine lets no pipe be made: %s", strerror(errno));
}

/* The process becomes the runner. What the judge needs of its environment is not for programs. */
static _Noreturn void become_runner(const struct task *task)
{
    const char *words[TASK_WORDS_MAX + 8];
    char seconds[32];
    int count = 0;
    snprintf(seconds, sizeof seconds, "%g", task->seconds);
    words[count++] = arena_format(&arena, "%s/run", request.build);
    words[count++] = "--dir";
    words[count++] = in_directory("%s", task->directory);
    if (task->link != NULL) words[count++] = "--link", words[count++] = task->link;
    words[count++] = "--seconds";
    words[count++] = seconds;
    words[count++] = "--";
    memcpy(words + count, task->words, (size_t)task->count * sizeof *words);
    words[count + task->count] = NULL;
    for (int i = 0; i < task->variable_count; i++)
        putenv((char *)task->variables[i]);
    if (task->is_beside) setpriority(PRIO_PROCESS, 0, PRIORITY_BESIDE);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    dup2(runner_errors[1], STDERR_FILENO);
    execv(words[0], (char **)words);
    dprintf(STDERR_FILENO, "check: cannot start %s: %s\n", words[0], strerror(errno));
    _exit(EXIT_OF_SIGNAL - 1);
}

pid_t task_start(const struct task *task)
{
    int slot = 0;
    open_errors();
    stop_if_interrupted();
    while (slot < TASKS_MAX && running[slot] != 0)
        slot++;
    if (slot == TASKS_MAX) cannot("too many programs run at the same time");
    pid_t runner = fork();
    if (runner < 0) cannot("this machine starts no more processes: %s", strerror(errno));
    if (runner == 0) become_runner(task);
    return running[slot] = runner;
}

bool task_is_over(pid_t runner)
{
    siginfo_t end = {0};
    return waitid(P_PID, (id_t)runner, &end, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           end.si_pid == runner;
}

/* Waits for a runner; a signal for this check ends the wait and the check. */
static void wait_for(pid_t runner, bool may_stop)
{
    int status;
    do {
        if (may_stop) stop_if_interrupted();
        if (may_stop && task_meanwhile != NULL) task_meanwhile();
    } while (waitpid(runner, &status, 0) < 0 && errno == EINTR);
    for (int i = 0; i < TASKS_MAX; i++)
        if (running[i] == runner) running[i] = 0;
    if (may_stop) stop_if_interrupted();
}

void task_finish(pid_t runner)
{
    wait_for(runner, true);
}

void task_stop(pid_t runner)
{
    kill(runner, SIGTERM);
    wait_for(runner, false);
}

void tasks_stop(void)
{
    for (int i = 0; i < TASKS_MAX; i++)
        if (running[i] != 0) kill(running[i], SIGTERM);
    for (int i = 0; i < TASKS_MAX; i++)
        if (running[i] != 0) wait_for(running[i], false);
}

int tool_run(const char *const words[])
{
    int status;
    fflush(stdout);
    pid_t tool = fork();
    if (tool == 0) {
        signal(SIGPIPE, SIG_DFL);
        execvp(words[0], (char **)words);
        fprintf(stderr, "check: cannot start %s: %s\n", words[0], strerror(errno));
        _exit(EXIT_OF_SIGNAL - 1);
    }
    if (tool < 0) return EXIT_OF_SIGNAL;
    while (waitpid(tool, &status, 0) < 0)
        if (errno != EINTR) return EXIT_OF_SIGNAL;
    return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_OF_SIGNAL + WTERMSIG(status);
}

struct task_end task_end(const char *name)
{
    struct task_end end = {.exit = EXIT_OF_SIGNAL};
    json_t *report = json_load_file(in_directory("%s/run.json", name), 0, NULL);
    json_t *code = json_object_get(report, "exit");
    if (json_is_integer(code)) end.exit = (int)json_integer_value(code);
    end.timed_out = json_is_true(json_object_get(report, "timed_out"));
    end.processor_seconds = json_number_value(json_object_get(report, "processor_seconds"));
    json_decref(report);
    return end;
}

/* The first line that a runner has left in the pipe, after its own name; NULL: none. */
static const char *first_error(void)
{
    char line[512];
    ssize_t bytes = runner_errors[0] >= 0 ? read(runner_errors[0], line, sizeof line - 1) : -1;
    if (bytes <= 0) return NULL;
    line[bytes] = '\0';
    line[strcspn(line, "\n")] = '\0';
    const char *text = strstr(line, ": ");
    return arena_format(&arena, "%s", text != NULL ? text + 2 : line);
}

void disk_check(void)
{
    const char *said = first_error(), *path = in_directory("written");
    static const char zeros[WRITTEN_BYTES];
    if (said != NULL) cannot("%s", said);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    ssize_t bytes = file >= 0 ? write(file, zeros, sizeof zeros) : -1;
    int error = bytes < 0 ? errno : ENOSPC;
    if (file >= 0) close(file);
    unlink(path);
    if (bytes != (ssize_t)sizeof zeros)
        cannot("%s/build cannot be written: %s", request.exercise, strerror(error));
}
