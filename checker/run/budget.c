/*
 * budget.c: how much of its time limit a program has used. This is the time in which its processes
 * computed, plus the time in which none of them wanted a processor (they sleep or wait forever).
 * Threads that compute at the same time count once: on a machine with many cores, waiting threads
 * of OpenMP take a processor each. Time in which a busy machine lets the program wait does not
 * count, so a correct program cannot exceed its limit because of other programs. All data comes
 * from /proc (proc(5)): the tree of processes from task/TID/children, times and states from stat.
 */
#define _GNU_SOURCE
#include "run/budget.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* A program that was seen asleep counts as idle if it used less than this share of a processor: it
 * only wakes up sometimes. */
static const double IDLE_SHARE = 0.05;

/* seconds between two looks that may count as idle. If it was longer, this process got no
 * processor, or the whole machine stood still. The program then had none either. */
static const double IDLE_MAX = 1;

struct activity {
    double seconds; /* of processor time */
    bool wanted;    /* a thread runs, waits for a processor, or for a disk */
};

/* Adds the state of one thread. For the first thread of a process, also adds the processor times of
 * the process and of the children that it has waited for. */
static void add_thread(const char *folder, const char *thread, bool first, struct activity *all)
{
    char path[128], line[1024];
    snprintf(path, sizeof path, "%s/%s/stat", first ? "/proc" : folder, thread);
    FILE *file = fopen(path, "re");
    if (!file) return;
    size_t length = fread(line, 1, sizeof line - 1, file);
    fclose(file);
    line[length] = '\0';
    const char *name_end =
        strrchr(line, ')'); /* the name may contain any character, also brackets */
    char state;
    unsigned long user, kernel;
    long waited_user, waited_kernel;
    if (!name_end ||
        sscanf(name_end + 1, " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %ld %ld", &state,
               &user, &kernel, &waited_user, &waited_kernel) != 5)
        return;
    if (first)
        all->seconds += (double)(user + kernel + (unsigned long)(waited_user + waited_kernel)) /
                        (double)sysconf(_SC_CLK_TCK);
    else if (state == 'R' || state == 'D')
        all->wanted = true;
}

/* Adds a process and all its descendants. */
static void add_process(long process, int depth, struct activity *all)
{
    enum { DEPTH_MAX = 64 }; /* a longer chain of processes computes nothing */
    char folder[64], path[160], name[32];
    snprintf(folder, sizeof folder, "/proc/%ld/task", process);
    DIR *threads = depth < DEPTH_MAX ? opendir(folder) : NULL;
    if (!threads) return;
    snprintf(name, sizeof name, "%ld", process);
    if (process != getpid()) add_thread(folder, name, true, all);
    for (struct dirent *entry; (entry = readdir(threads));) {
        if (entry->d_name[0] == '.') continue;
        if (process != getpid()) add_thread(folder, entry->d_name, false, all);
        snprintf(path, sizeof path, "%s/%.20s/children", folder, entry->d_name);
        FILE *children = fopen(path, "re");
        long child;
        while (children && fscanf(children, "%ld", &child) == 1)
            add_process(child, depth + 1, all);
        if (children) fclose(children);
    }
    closedir(threads);
}

/* The activity of all processes of the program until now, including those that have ended. */
static struct activity activity_now(void)
{
    struct activity all = {0};
    struct rusage ended;
    getrusage(RUSAGE_CHILDREN, &ended);
    all.seconds = (double)(ended.ru_utime.tv_sec + ended.ru_stime.tv_sec) +
                  1e-6 * (double)(ended.ru_utime.tv_usec + ended.ru_stime.tv_usec);
    add_process(getpid(), 0, &all);
    return all;
}

void budget_look(struct budget *budget, double now)
{
    struct activity activity = activity_now();
    double elapsed = now - budget->looked_at;
    double computed = activity.seconds - budget->processor;
    if (!activity.wanted && computed < IDLE_SHARE * elapsed)
        budget->used += elapsed < IDLE_MAX ? elapsed : IDLE_MAX;
    if (computed > 0) {
        budget->used += computed < elapsed ? computed : elapsed;
        budget->processor = activity.seconds;
    }
    budget->looked_at = now;
}
