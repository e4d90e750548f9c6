/* runs.c: see runs.h. */
#define _GNU_SOURCE
#include "driver/runs.h"

#include "driver/driver.h"
#include "driver/task.h"
#include "fsutil/folders.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RUNNING_MAX = 64, NOTED_MAX = 256 };

/* For the large arrays of a timed run, a fifth of its processor time. Small runs lose by it. */
static const char HUGE_PAGES[] = "glibc.malloc.hugetlb=1";

bool runs_are_cold, runs_load_lazily;
const char *runs_key;

static struct {
    pid_t runner; /* 0: free */
    const char *secret, *name;
    bool real, is_early;
} running[RUNNING_MAX];

static int turn = -1; /* the file whose lock says that early runs have to wait */

/* Noted runs: `ended` are read as far as `read` goes. */
static struct {
    struct run_plan plans[NOTED_MAX];
    struct ended *ended[NOTED_MAX];
    size_t count, read;
} noted;

uint64_t random_number(void)
{
    uint64_t number = 0;
    if (getrandom(&number, sizeof number, 0) != sizeof number)
        cannot("this machine has no random numbers");
    return number;
}

void runs_prepare(void)
{
    runs_key = arena_format(&arena, "%016llx%016llx", (unsigned long long)random_number(),
                            (unsigned long long)random_number());
}

/* ---- starting ------------------------------------------------------------------------------- */

/* The variables that tell the device what to do. Faults and lines come from the code near the
 * source, counts and times from that which is optimised. Threads that wait leave their core to
 * others: on the simulated GPU their waiting would count as work. */
static void set_variables(struct task *task, const struct run_plan *plan)
{
    task_set(task, "WARPUP_TRACE", in_directory("%s", task->directory));
    task_set(task, "WARPUP_SNAPSHOT", plan->no_snapshot ? "0" : "1");
    if (runs_are_cold) task_set(task, "WARPUP_COLD", "1");
    task_set(task, "CUDA_MODULE_LOADING", plan->timed && !runs_load_lazily ? "EAGER" : "LAZY");
    if (!plan->real || !plan->timed) task_set(task, "OMP_WAIT_POLICY", "passive");
    if (plan->real)
        task_set(task, "CUDA_INJECTION64_PATH",
                 arena_format(&arena, "%s/tracer.so", request.build));
    else
        task_set(task, "WARPUP_CODE", plan->timed ? "optimised" : "source");
    if (!plan->real && plan->timed) task_set(task, "GLIBC_TUNABLES", HUGE_PAGES);
}

/* The larger sizes that the simulated GPU tries beside the run: "263 1030:50021 46337"; NULL: none.
 */
static const char *larger_of(const struct run_plan *plan)
{
    bool tries = !plan->real && !plan->timed && plan->perturb == NULL && plan->size->larger != NULL;
    return tries ? arena_format(&arena, "%s:%s", plan->size->arguments, plan->size->larger) : NULL;
}

/* Some launchers pass no environment on: the simulated GPU reads its variables from a file, which
 * it removes before it starts the program. */
static const char *write_variables(const struct task *task, const struct run_plan *plan)
{
    extern char **environ;
    const char *path = in_directory("%s.variables", task->directory);
    mode_t mask = umask(077);
    FILE *file = fopen(path, "we");
    umask(mask);
    if (file == NULL) disk_check();
    for (char **one = environ; *one != NULL && file != NULL; one++)
        if (strncmp(*one, "WARPUP_", 7) == 0) fprintf(file, "%s\n", *one);
    for (int i = 0; i < task->variable_count && file != NULL; i++)
        if (strncmp(task->variables[i], "WARPUP_", 7) == 0)
            fprintf(file, "%s\n", task->variables[i]);
    if (file != NULL) {
        fprintf(file, "WARPUP_KEY=%s\n", runs_key);
        if (plan->perturb != NULL) fprintf(file, "WARPUP_PERTURB=%s\n", plan->perturb);
        if (larger_of(plan) != NULL) fprintf(file, "WARPUP_LARGER=%s\n", larger_of(plan));
        if (fclose(file) != 0) disk_check();
    }
    return path;
}

/* The simulated GPU comes before the program, and before the launcher of the program alone. */
static void add_simulated_gpu(struct task *task, const struct run_plan *plan)
{
    const char *launch = getenv("LAUNCH");
    task_add(task, arena_format(&arena, "%s/gpu", request.build));
    if (launch != NULL && launch[0] != '\0') {
        task_add(task, "--variables");
        task_add(task, write_variables(task, plan));
        task_add(task, "env"); /* the launcher may pass nothing on */
        task_add(task, arena_format(&arena, "WARPUP_SEED=%s", request.seed_text));
        task_add(task, arena_format(&arena, "LAB_SEED=%s", request.seed_text));
        return;
    }
    task_set(task, "WARPUP_KEY", runs_key);
    if (plan->perturb != NULL) task_set(task, "WARPUP_PERTURB", plan->perturb);
    if (larger_of(plan) != NULL) task_set(task, "WARPUP_LARGER", larger_of(plan));
}

static const char *turn_file(void)
{
    return in_directory("turn");
}

void runs_hold_turn(void)
{
    turn = open(turn_file(), O_RDONLY | O_CREAT | O_CLOEXEC, 0666);
    if (turn < 0 || flock(turn, LOCK_SH) != 0) disk_check();
}

void runs_pass_turn(void)
{
    if (turn >= 0) close(turn);
    turn = -1;
}

pid_t run_start(const struct run_plan *plan)
{
    struct task task = {
        .directory = arena_format(&arena, "run-%016llx", (unsigned long long)random_number()),
        .seconds = request.seconds,
        .is_beside = !plan->real && request.nvcc != NULL, /* nvcc decides how long a check takes */
        .link = in_directory("compile-%s/program", plan->real ? "real" : "sim")};
    set_variables(&task, plan);
    if (plan->is_early) task_set(&task, "WARPUP_TURN", turn_file());
    task_add_words(&task, getenv("LAUNCH"));
    if (plan->real)
        task_set(&task, "WARPUP_KEY", runs_key);
    else
        add_simulated_gpu(&task, plan);
    task_add_words(&task, getenv("LAUNCH_PROGRAM"));
    task_add(&task, in_directory("%s/program", task.directory));
    for (int i = 0; i < plan->size->argc; i++)
        task_add(&task, plan->size->argv[i]);
    int slot = 0;
    while (slot < RUNNING_MAX && running[slot].runner != 0)
        slot++;
    if (slot == RUNNING_MAX) cannot("too many runs at the same time");
    running[slot].secret = task.directory;
    running[slot].name = plan->name;
    running[slot].real = plan->real;
    running[slot].is_early = plan->is_early;
    running[slot].runner = task_start(&task);
    /* the sandbox asks for this where runs at the same time need too much memory */
    if (getenv("WARPUP_ONE_RUN") != NULL) task_finish(running[slot].runner);
    return running[slot].runner;
}

/* ---- their ends ----------------------------------------------------------------------------- */

static void finish(int slot)
{
    if (getenv("WARPUP_ONE_RUN") == NULL) task_finish(running[slot].runner);
    running[slot].runner = 0;
    if (!folder_rename(in_directory("%s", running[slot].secret),
                       in_directory("%s", running[slot].name)))
        disk_check();
}

void run_finish(pid_t runner)
{
    for (int i = 0; i < RUNNING_MAX; i++)
        if (running[i].runner == runner) finish(i);
}

void runs_finish(bool real)
{
    for (int i = 0; i < RUNNING_MAX; i++)
        if (running[i].runner != 0 && running[i].real == real && !running[i].is_early) finish(i);
}

void run_stop(pid_t runner)
{
    for (int i = 0; i < RUNNING_MAX; i++) {
        if (running[i].runner != runner) continue;
        task_stop(runner);
        running[i].runner = 0;
        folder_remove(in_directory("%s", running[i].secret));
    }
}

static json_t *record_of(const struct run_plan *plan)
{
    json_t *arguments = json_array();
    for (int i = 0; i < plan->size->argc; i++)
        json_array_append_new(arguments, json_string(plan->size->argv[i]));
    return json_pack("{s:s, s:s, s:s, s:o}", "dir", plan->name, "device",
                     plan->real ? "real" : "sim", "purpose", plan->purpose, "arguments", arguments);
}

struct ended *run_read(const struct run_plan *plan)
{
    json_t *record = record_of(plan);
    struct ended *ended = ended_read(&arena, directory, request.seed, runs_key, record);
    json_decref(record);
    return ended;
}

void run_note(const struct run_plan *plan, struct ended *ended)
{
    if (noted.count == NOTED_MAX) cannot("a check has at most %d runs", NOTED_MAX);
    noted.ended[noted.count] = ended;
    noted.plans[noted.count++] = *plan;
}

struct ended **runs_noted(size_t *count)
{
    for (; noted.read < noted.count; noted.read++)
        if (noted.ended[noted.read] == NULL)
            noted.ended[noted.read] = run_read(&noted.plans[noted.read]);
    *count = noted.count;
    return noted.ended;
}

json_t *runs_records(void)
{
    json_t *list = json_array();
    for (size_t i = 0; i < noted.count; i++)
        json_array_append_new(list, record_of(&noted.plans[i]));
    return list;
}
