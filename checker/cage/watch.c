/*
 * watch.c: adds up the memory and the threads of all processes of a step, and those that want a
 * processor, from /proc (proc(5)): they are descendants of this process. The memory of the
 * simulated GPU counts too. It also looks at the free space of the step's disk.
 */
#define _GNU_SOURCE
#include "cage/watch.h"

#include "cage/notes.h"

#include <dirent.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* BUSY_PER_CORE: a program that computes with OpenMP on the host has one thread per core.
 * CROWD: bwrap, the first process, and a compiler with its own. PROCESSES_MAX: threads may be many,
 * but programs for a GPU start no process, and nvcc some 10. */
enum { DEPTH_MAX = 64, BUSY_PER_CORE = 8, BUSY_MIN = 32, PROCESSES_MAX = 64, CROWD = 12 };

struct use {
    unsigned long pages, processes, threads;
    unsigned long busy; /* threads that want a processor */
    bool idle;          /* make each thread one that computes only when nobody else does */
};

static unsigned long pages_of(const char *process)
{
    char path[64];
    unsigned long pages = 0;
    snprintf(path, sizeof path, "/proc/%.20s/statm", process);
    FILE *file = fopen(path, "re");
    if (file == NULL) return 0;
    if (fscanf(file, "%*u %lu", &pages) != 1) pages = 0;
    fclose(file);
    return pages;
}

/* The simulated GPU's process is this one's parent, and holds what the program has on its GPU. */
static unsigned long pages_of_gpu(const struct step *step)
{
    char process[32];
    snprintf(process, sizeof process, "%d", (int)step->parent);
    return pages_of(process);
}

/* True for a thread that runs, or could run if it had a processor. The state follows the name,
 * which may contain anything. */
static bool is_busy(const char *process, const char *thread)
{
    char path[320], line[512];
    snprintf(path, sizeof path, "/proc/%.20s/task/%.20s/stat", process, thread);
    FILE *file = fopen(path, "re");
    if (file == NULL) return false;
    line[fread(line, 1, sizeof line - 1, file)] = '\0';
    fclose(file);
    const char *name_end = strrchr(line, ')');
    return name_end != NULL && name_end[1] != '\0' && name_end[2] == 'R';
}

/* Adds a process and all its descendants. */
static void add_process(const char *process, int depth, struct use *use)
{
    char path[320], child[32];
    snprintf(path, sizeof path, "/proc/%.20s/task", process);
    DIR *threads = depth < DEPTH_MAX ? opendir(path) : NULL;
    if (threads == NULL) return;
    use->pages += pages_of(process);
    use->processes++;
    for (struct dirent *entry; (entry = readdir(threads));) {
        if (entry->d_name[0] == '.') continue;
        use->threads++;
        use->busy += is_busy(process, entry->d_name);
        if (use->idle && depth > 0)
            sched_setscheduler(atoi(entry->d_name), SCHED_IDLE, &(struct sched_param){0});
        snprintf(path, sizeof path, "/proc/%.20s/task/%.20s/children", process, entry->d_name);
        FILE *children = fopen(path, "re");
        while (children && fscanf(children, "%31s", child) == 1)
            add_process(child, depth + 1, use);
        if (children) fclose(children);
    }
    closedir(threads);
}

/* The number of processes of the whole check, which has a /proc of its own. */
static unsigned long all_processes(void)
{
    unsigned long count = 0;
    DIR *processes = opendir("/proc");
    for (struct dirent *entry; processes && (entry = readdir(processes));)
        if (entry->d_name[0] >= '0' && entry->d_name[0] <= '9') count++;
    if (processes) closedir(processes);
    return count;
}

/* Notes that the step has, or all steps have, nearly as many processes and threads as they may: the
 * others of a step that cannot start any more do not wait for a look. False if the step has more
 * processes than any program needs: then it has to end. */
static bool look_at_processes(struct watch *watch, const struct step *step, const struct use *use)
{
    const unsigned long most = strtoul(step->processes, NULL, 10);
    const bool over = use->processes > PROCESSES_MAX;
    if (watch->processes) return !over;
    watch->processes = over || (most > 0 && use->threads >= most / 10 * 9) ||
                       (step->all_processes > 0 && all_processes() >= step->all_processes / 10 * 9);
    if (watch->processes) note_seen(step, "It started too many processes and threads.");
    return !over;
}

/* Notes that the step's threads keep this machine busy: if its check cannot be done in time, then
 * that is the reason. From then on they compute only when nobody else does: where no control group
 * weighs the steps of a check, hundreds of threads would leave other checks nothing. */
static void look_at_processors(struct watch *watch, const struct step *step, unsigned long busy)
{
    const unsigned long cores = (unsigned long)sysconf(_SC_NPROCESSORS_ONLN);
    const unsigned long most = cores * BUSY_PER_CORE > BUSY_MIN ? cores * BUSY_PER_CORE : BUSY_MIN;
    if (busy <= most) return;
    if (!watch->busy)
        note_seen(step, "More than %lu of its processes and threads computed at the same time.",
                  most);
    watch->busy = true;
}

/* Notes that the step has filled what it could write to. */
static void look_at_space(struct watch *watch, const struct step *step)
{
    struct statvfs space;
    if (watch->space || statvfs(step->scratch, &space) != 0 || space.f_blocks == 0) return;
    const unsigned long mb = (unsigned long)(space.f_blocks * space.f_frsize >> 20);
    watch->space = space.f_bfree == 0 || space.f_ffree == 0;
    if (space.f_bfree == 0)
        note_seen(step, "It filled its disk of %lu MB.", mb);
    else if (space.f_ffree == 0)
        note_seen(step, "It filled its disk with %lu files.", (unsigned long)space.f_files);
}

bool watch_look(struct watch *watch, const struct step *step)
{
    struct use use = {.idle = watch->busy};
    char self[32];
    look_at_space(watch, step);
    snprintf(self, sizeof self, "%d", (int)getpid());
    add_process(self, 0, &use);
    if (step->gpu[0] != 0) use.pages += pages_of_gpu(step);
    watch->crowded = use.processes > CROWD;
    const bool few = look_at_processes(watch, step, &use);
    look_at_processors(watch, step, use.busy);
    const unsigned long mb = use.pages * (unsigned long)sysconf(_SC_PAGESIZE) >> 20;
    if (step->memory_mb == 0 || mb <= step->memory_mb) return few;
    if (!watch->memory)
        note_seen(step, "It used more than %.3g GB of memory.", (double)step->memory_mb / 1024);
    watch->memory = true;
    return false;
}
