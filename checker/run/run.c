/*
 * run.c: the runner. It runs one program of a student, which may do anything, and keeps control:
 *     run --dir DIRECTORY [--link FILE]... [--seconds 20] [--output-bytes 1000000] -- PROGRAM
 *         [ARGUMENT...]
 * DIRECTORY is made if it is not there. Each FILE gets a hard link in it, so that a program which
 * removes its own file disturbs no other run. The program reads /dev/null. Its output goes to
 * DIRECTORY/stdout and DIRECTORY/stderr, and DIRECTORY/run.json says how it ended. --seconds limits
 * the time in which it computes or sleeps (budget.c). The runner ends every process that the
 * program started: when the program ends, when its time is up, or when the runner gets SIGINT,
 * SIGTERM or SIGHUP. Exit code: 0 the program ran, with any result; 2 wrong arguments; 3 the runner
 * failed (one line on stderr); 128 + signal.
 */
#define _GNU_SOURCE
#include "run/run.h"
#include "run/budget.h"
#include "run/capture.h"
#include "run/report.h"
#include "run/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <math.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { EXIT_USAGE = 2, EXIT_TROUBLE = 3 };

static const double grace_seconds = 1;  /* between SIGTERM and SIGKILL */
static const double look_seconds = 0.1; /* between two updates of the budget */
/* A run may last this many times its limit on the clock, and more if other programs share the
 * processors. A program that stops the whole machine has to end, too. */
static const double patience = 10;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* How many programs want each processor, at least 1. Before the start, these are others. */
static double crowd(void)
{
    cpu_set_t set;
    double wanting = 0;
    FILE *file = fopen("/proc/loadavg", "re");
    if (file != NULL && fscanf(file, "%*f %*f %*f %lf", &wanting) != 1) wanting = 0;
    if (file != NULL) fclose(file);
    int processors = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return wanting > processors ? wanting / processors : 1;
}

/* Reads a positive number; false if `text` is not one. */
static bool positive(const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*value) && *value > 0;
}

static bool read_arguments(int argc, char **argv, struct request *request)
{
    double bytes = 1e6;
    int i = 1;
    *request = (struct request){.seconds = 20};
    for (; i + 1 < argc && strcmp(argv[i], "--") != 0; i += 2) {
        if (strcmp(argv[i], "--dir") == 0)
            request->directory = argv[i + 1];
        else if (strcmp(argv[i], "--link") == 0 && request->link_count < LINKS_MAX)
            request->links[request->link_count++] = argv[i + 1];
        else if (strcmp(argv[i], "--seconds") == 0 && positive(argv[i + 1], &request->seconds))
            continue;
        else if (strcmp(argv[i], "--output-bytes") == 0 && positive(argv[i + 1], &bytes))
            continue;
        else
            return false;
    }
    request->output_bytes = (size_t)bytes;
    request->argv = argv + i + 1;
    return request->directory && i + 1 < argc && strcmp(argv[i], "--") == 0;
}

/* A descriptor that becomes readable when a child ends or a signal asks the runner to stop. */
static int listen_to_signals(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGHUP);
    sigprocmask(SIG_BLOCK, &set, NULL);
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* Waits for output, a signal or `until`; returns the signal that asks the runner to stop, or 0. */
static int wait_for_news(int signals, struct capture *out, struct capture *err, double until)
{
    struct pollfd sources[] = {
        {.fd = signals, .events = POLLIN},
        {.fd = out->pipe, .events = POLLIN},
        {.fd = err->pipe, .events = POLLIN},
    };
    double left = until - now();
    poll(sources, 3, left > 0 ? (int)ceil(left * 1e3) : 0);
    if (sources[1].revents) capture_pump(out);
    if (sources[2].revents) capture_pump(err);
    struct signalfd_siginfo news;
    int stop = 0;
    while (read(signals, &news, sizeof news) == (ssize_t)sizeof news)
        if (news.ssi_signo != SIGCHLD) stop = (int)news.ssi_signo;
    return stop;
}

/* True when the program's time is up. If the machine was so busy that the program got hardly any
 * processor time, this is reported as an error of the runner. */
static bool time_is_up(const struct request *request, double start, double patient_until,
                       struct budget *budget, struct outcome *outcome)
{
    budget_look(budget, now());
    outcome->processor_seconds = budget->processor;
    if (budget->used >= request->seconds) return true;
    if (now() < patient_until) return false;
    snprintf(outcome->internal_error, sizeof outcome->internal_error,
             "this machine is too busy: %s got %.1f s of processor time in %.0f s",
             request->argv[0], budget->processor, now() - start);
    return true;
}

/* Follows the program until it ends, its time is up, or the runner is asked to stop. */
static void follow(pid_t child, const struct request *request, double patient_for, int signals,
                   struct capture *out, struct capture *err, struct outcome *outcome)
{
    const double start = now();
    struct budget budget = {.looked_at = start};
    double until = start + look_seconds;
    bool asked = false; /* SIGTERM was sent */
    while (!(outcome->ended = tree_collect(child, &outcome->status))) {
        int stop = wait_for_news(signals, out, err, until);
        if (stop) outcome->interrupted = stop;
        if (!stop && now() < until) continue;
        if (asked) return;
        until = now() + look_seconds;
        if (!stop && !time_is_up(request, start, start + patient_for, &budget, outcome)) continue;
        asked = true;
        outcome->timed_out = !stop;
        until = now() + grace_seconds;
        kill(-child, SIGTERM);
    }
}

/* Starts the program, follows it, and then ends all processes that it started. */
static void run(const struct request *request, int signals, int ends[2], struct capture *out,
                struct capture *err, struct outcome *outcome)
{
    double start = now(), patient_for = patience * request->seconds * crowd();
    pid_t child = tree_start(request->argv, ends[0], ends[1]);
    int error = errno;
    close(ends[0]);
    close(ends[1]);
    if (child < 0) {
        snprintf(outcome->internal_error, sizeof outcome->internal_error, "cannot start %s: %s",
                 request->argv[0], strerror(error));
        return;
    }
    follow(child, request, patient_for, signals, out, err, outcome);
    outcome->seconds = now() - start;
    tree_kill(child, &outcome->status, &outcome->ended);
    double until = now() + grace_seconds; /* to read the rest of the pipes */
    while ((out->pipe >= 0 || err->pipe >= 0) && now() < until) {
        int stop = wait_for_news(signals, out, err, until);
        if (stop) outcome->interrupted = stop;
    }
}

/* Reports an error of the runner itself; returns the runner's exit code. */
static int internal_error(const struct request *request, const char *what, int error)
{
    fprintf(stderr, "run: cannot write %s/%s: %s\n", request->directory, what, strerror(error));
    return EXIT_TROUBLE;
}

/* Moves a variable out of the memory that /proc/PID/environ shows: it is for the simulated GPU, and
 * the program must not read it here. */
static void hide_environment(const char *name)
{
    char *text = getenv(name), *copy = text != NULL ? strdup(text) : NULL;
    if (copy == NULL || setenv(name, copy, 1) != 0) return;
    char *begin = text - strlen(name) - 1;
    memset(begin, 0, (size_t)(text - begin) + strlen(text));
    free(copy);
}

/* Opens the directory of the run, with the links in it; returns -1 if that is not possible.
 * `failed` is then what could not be written there. */
static int open_directory(const struct request *request, const char **failed)
{
    *failed = "";
    if (mkdir(request->directory, 0777) != 0 && errno != EEXIST) return -1;
    int directory = open(request->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (size_t i = 0; i < request->link_count && directory >= 0; i++) {
        const char *file = request->links[i], *slash = strrchr(file, '/');
        *failed = slash != NULL ? slash + 1 : file;
        unlinkat(directory, *failed, 0);
        if (linkat(AT_FDCWD, file, directory, *failed, 0) != 0) return -1;
    }
    return directory;
}

int main(int argc, char **argv)
{
    struct request request;
    if (!read_arguments(argc, argv, &request)) {
        fputs("usage: run --dir DIRECTORY [--link FILE]... [--seconds S] [--output-bytes N] -- "
              "PROGRAM "
              "[ARGUMENT...]\n",
              stderr);
        return EXIT_USAGE;
    }
    hide_environment("WARPUP_KEY");
    hide_environment("WARPUP_PERTURB");
    hide_environment("WARPUP_LARGER");
    setlocale(LC_CTYPE, "C.UTF-8");
    signal(SIGPIPE, SIG_IGN);

    const char *failed;
    int directory = open_directory(&request, &failed);
    if (directory < 0) return internal_error(&request, failed, errno);
    struct capture out, err;
    int ends[2];
    if ((ends[0] = capture_open(&out, directory, "stdout", request.output_bytes)) < 0)
        return internal_error(&request, "stdout", errno);
    if ((ends[1] = capture_open(&err, directory, "stderr", request.output_bytes)) < 0)
        return internal_error(&request, "stderr", errno);

    struct outcome outcome = {0};
    tree_adopt();
    run(&request, listen_to_signals(), ends, &out, &err, &outcome);

    if (outcome.interrupted)
        snprintf(outcome.internal_error, sizeof outcome.internal_error, "interrupted");
    if (!report_write(directory, &request, &outcome, &out, &err))
        return internal_error(&request, "run.json", errno);
    if (out.error) return internal_error(&request, "stdout", out.error);
    if (err.error) return internal_error(&request, "stderr", err.error);
    if (outcome.interrupted) return 128 + outcome.interrupted;
    if (outcome.internal_error[0]) {
        fprintf(stderr, "run: %s\n", outcome.internal_error);
        return EXIT_TROUBLE;
    }
    return 0;
}
