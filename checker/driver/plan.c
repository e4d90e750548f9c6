/*
 * plan.c: see plan.h. Runs that are not timed go on side by side, and so do all runs of the
 * simulated GPU, whose time is modelled. On a real GPU a timed run is alone. The traces of the runs
 * that have ended choose the next ones (../judge/measure/plan.h).
 */
#define _GNU_SOURCE
#include "driver/plan.h"

#include "driver/directory.h"
#include "driver/driver.h"
#include "driver/task.h"
#include "driver/runs.h"
#include "fsutil/folders.h"
#include "judge/measure/plan.h"
#include "judge/measure/perturbed.h"
#include "judge/questions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const double SECONDS_PER_EXTRA_SIZE = 5; /* of processor time */
static const double REAL_NS_MAX = 400e6;        /* of the kernels of a timed run on a real GPU */
/* Modelled, or the work of simulating it (judge/measure/plan.c): longer kernels keep few threads
 * busy, and so few cores. */
static const double SIM_NS_MAX = 1e6;
static const double REPEAT_NS_MAX = 20e6;   /* longer kernels need no second measurement */
static const double REPEAT_SECONDS_MAX = 1; /* of a whole run: a check would take too long */
static const double AGREEMENT = 0.02;       /* two times that differ by less are the same */
static const double WORK_EXPONENT = 3;      /* work grows at most with this power of a size */
enum { RESULTS_MAX = 64 };  /* runs of results on a device, with the perturbed ones */
enum { SPEED_REPEATS = 3 }; /* of shorter runs; the judge takes the best */

void note_add(struct notes *notes, const char *text)
{
    const size_t most = sizeof notes->list / sizeof *notes->list;
    if (notes->count < most) notes->list[notes->count++] = text;
}

static const char *device_name(bool real)
{
    return real ? "GPU" : "simulated GPU";
}

/* ---- results -------------------------------------------------------------------------------- */

/* The numbers of a size's inputs that a perturbed run perturbs; "": none. */
static const char *perturbed_of(const struct size *size)
{
    return perturbed_numbers(&arena, size->argc, (char **)size->argv, request.seed, runs_key);
}

/* The runs of results on each device. They are noted when all of them have ended. */
static struct {
    struct run_plan plans[RESULTS_MAX];
    size_t count;
    bool are_noted;
} results[2];

static void start_result(const struct run_plan *plan)
{
    if (results[plan->real].count == RESULTS_MAX)
        cannot("a check has at most %d runs of results", RESULTS_MAX);
    results[plan->real].plans[results[plan->real].count++] = *plan;
    run_start(plan);
}

/* A run in which numbers of the inputs are changed while kernels run. Only the judge knows which.
 */
static void start_perturbed(const struct size *size, int number)
{
    const char *perturb = perturbed_of(size);
    struct run_plan plan = {.purpose = "perturbed",
                            .size = size,
                            .perturb = perturb,
                            .name = arena_format(&arena, "sim-perturbed-%d", number)};
    if (perturb[0] != '\0') start_result(&plan);
}

/* On the simulated GPU, each run has a perturbed one beside it. Chance decides which of the two
 * starts first: a program must not know it. */
static void start_right(const struct size *size, bool real, int number, int perturbed)
{
    struct run_plan plan = {
        .real = real,
        .purpose = size->purpose,
        .size = size,
        .name = arena_format(&arena, "%s-%s-%d", real ? "real" : "sim", size->purpose, number)};
    bool perturbed_first = random_number() % 2 == 0;
    if (!real && perturbed_first) start_perturbed(size, perturbed);
    start_result(&plan);
    if (!real && !perturbed_first) start_perturbed(size, perturbed);
}

void plan_start_right(const struct size_list *sizes, bool real)
{
    static const char *const purposes[] = {"right", "may_refuse"};
    int perturbed = 0;
    bool is_simulated = results[false].count > 0;
    const struct size *last = sizes_last(sizes, real, "right");
    doing("%s: checking its results on the %s", request.source, device_name(real));
    if (real) runs_hold_turn();
    for (size_t p = 0; p < 2; p++) {
        int number = 0;
        for (const struct size *s = NULL; (s = sizes_next(sizes, s, real, purposes[p])) != NULL;)
            if (!real || !s->sim || !is_simulated || s == last)
                start_right(s, real, number++, perturbed++);
    }
}

void plan_finish_right(bool real)
{
    runs_finish(real);
    for (size_t i = 0; i < results[real].count; i++)
        run_note(&results[real].plans[i], NULL);
    results[real].are_noted = true;
}

/* The runs of results that have ended on a device. */
static size_t right_runs(bool real, const struct run *list[], size_t most)
{
    size_t count, found = 0;
    struct ended **ended = runs_noted(&count);
    for (size_t i = 0; i < count && found < most; i++) {
        const struct run *run = &ended[i]->check.runs[0];
        bool is_result = !run->speed && !run->second_shape && !run->perturbed;
        if (is_result && (run->device == DEVICE_REAL) == real) list[found++] = run;
    }
    return found;
}

enum { RIGHT_MAX = 64 };

void plan_need_libraries(bool real)
{
    static const char phrase[] = "error while loading shared libraries: ";
    const struct run *runs[RIGHT_MAX];
    if (right_runs(real, runs, RIGHT_MAX) == 0 || runs[0]->exit != 127) return;
    const char *reason = strstr(runs[0]->complaint, phrase);
    if (reason != NULL) cannot("%s; checker/bin/setup installs what is missing", reason);
}

bool plan_hung(bool real)
{
    const struct run *runs[RIGHT_MAX];
    size_t count = right_runs(real, runs, RIGHT_MAX);
    for (size_t i = 0; i < count; i++)
        if (runs[i]->timed_out) return true;
    return false;
}

bool plan_is_wrong(void)
{
    size_t count;
    struct ended **ended = runs_noted(&count);
    return question_wrong((const struct ended *const *)ended, count);
}

/* ---- larger sizes --------------------------------------------------------------------------- */

/* Runs the sizes of one kind of extra sizes. A run that takes too long shows nothing, and is left
 * out. */
static void run_sizes_if(const struct size_list *sizes, const char *reason, int *number)
{
    const char *purpose = arena_format(&arena, "right_if_%s", reason);
    double seconds = request.seconds;
    for (const struct size *s = NULL; (s = sizes_next(sizes, s, false, purpose)) != NULL;) {
        struct run_plan plan = {
            .purpose = "right", .size = s, .name = arena_format(&arena, "sim-right-%d", *number)};
        request.seconds = SECONDS_PER_EXTRA_SIZE;
        run_start(&plan);
        request.seconds = seconds;
        runs_finish(false);
        if (task_end(plan.name).timed_out) {
            folder_remove(in_directory("%s", plan.name));
            continue;
        }
        run_note(&plan, NULL);
        (*number)++;
    }
}

void plan_suspected(const struct size_list *sizes)
{
    const struct run *runs[RIGHT_MAX];
    struct trace traces[RIGHT_MAX];
    size_t count = right_runs(false, runs, RIGHT_MAX);
    for (size_t i = 0; i < count; i++)
        traces[i] = runs[i]->trace;
    struct extra_sizes found = plan_extra_sizes(traces, count);
    bool narrow = access(in_directory("compile-sim/converts"), F_OK) == 0;
    bool product = access(in_directory("compile-sim/multiplies"), F_OK) == 0;
    int number = sizes_count(sizes, false, "right");
    if (product && !narrow) run_sizes_if(sizes, "product", &number);
    if (narrow) run_sizes_if(sizes, "16bit", &number);
    if (found.fixed) run_sizes_if(sizes, "fixed", &number);
    if (found.growing) run_sizes_if(sizes, "growing", &number);
    if (found.large_grid_y) run_sizes_if(sizes, "large_grid_y", &number);
}

/* ---- timed sizes ---------------------------------------------------------------------------- */

/* A timed run: how long its kernels took, and the whole program. */
struct timing {
    const struct size *size;
    struct ended *ended; /* NULL: none has run */
    double ns, seconds;
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static struct run_plan timed_plan(const struct size *size, bool real, const char *number)
{
    return (struct run_plan){
        .real = real,
        .purpose = "speed",
        .size = size,
        .timed = true,
        .name = arena_format(&arena, "%s-speed-%s", real ? "real" : "sim", number)};
}

/* The numbers that a perturbed run of a timed size perturbs, from this launch on; NULL: none. */
static const char *perturbed_from(const struct size *size, uint64_t launch)
{
    const char *perturb = perturbed_of(size);
    return perturb[0] == '\0'
               ? NULL
               : arena_format(&arena, "%llu:%s", (unsigned long long)launch, perturb);
}

/* The perturbed run of the timed size on the simulated GPU: numbers are changed from the first
 * timed kernel on. It starts beside the timed run, from a guess: in a smaller run the same launch
 * is the first timed one, unless the program chooses by its arguments. */
static struct {
    struct run_plan plan;
    uint64_t launch; /* 0: it has not started */
} beside;

static void start_beside(const struct size *size, uint64_t launch)
{
    beside.plan = timed_plan(size, false, "1");
    beside.plan.purpose = "perturbed";
    beside.plan.perturb = perturbed_from(size, launch);
    beside.launch = launch;
    if (beside.plan.perturb != NULL) run_start(&beside.plan);
}

/* The largest timed size whose kernels should take less than `ns_max`, if those of another size
 * took `ns`; `now_size` if there is none. */
static const struct size *next_size(const struct size_list *sizes, bool real, double ns_max,
                                    const struct size *from, double ns, const struct size *now_size)
{
    const struct size *next = now_size;
    for (const struct size *s = NULL;
         (s = sizes_next(sizes, s, real, "speed")) != NULL && ns > 0;) {
        double times = floor(s->product / from->product);
        if (times > 1 && ns * times < ns_max) next = s;
    }
    return next;
}

/* The run of the largest size whose result had to be right. */
static struct timing last_right(const struct size_list *sizes, bool real)
{
    struct timing timing = {.size = sizes_last(sizes, real, "right")};
    size_t count;
    struct ended **ended = runs_noted(&count);
    for (size_t i = 0; i < count && timing.size != NULL; i++) {
        const struct run *run = &ended[i]->check.runs[0];
        if ((run->device == DEVICE_REAL) == real && !run->may_refuse && !run->perturbed &&
            strcmp(run->arguments, timing.size->arguments) == 0 && timing.ended == NULL)
            timing.ended = ended[i];
    }
    if (timing.ended != NULL) timing.ns = floor(plan_kernel_ns(&timing.ended->check.runs[0].trace));
    return timing;
}

/* A timed run on the real GPU that starts beside those of results, because starting CUDA takes
 * longer than all the rest. The tracer lets it begin its work when they have ended. The time on the
 * simulated GPU chooses its size. */
static struct {
    const struct size *size;
    pid_t runner; /* 0: there is none */
} early;

/* CUDA loads kernels before a timer can start. For cuBLAS this takes seconds, because it has very
 * many kernels. So it waits if two things hold: the program runs no kernel of its own, and the
 * simulated GPU saw that it makes its library calls once before the timer starts. */
static void choose_loading(void)
{
    const struct run *runs[RIGHT_MAX];
    size_t count = right_runs(false, runs, RIGHT_MAX);
    while (count > 0 && runs[count - 1]->may_refuse)
        count--;
    runs_load_lazily = count > 0 && plan_warmed_up(&runs[count - 1]->trace);
}

void plan_start_early(const struct size_list *sizes)
{
    static bool is_tried;
    if (is_tried || !results[false].are_noted) return;
    is_tried = true;
    choose_loading();
    struct timing last = last_right(sizes, false);
    if (last.ended == NULL) return;
    early.size = next_size(sizes, true, REAL_NS_MAX, last.size, last.ns, NULL);
    if (early.size == NULL) return;
    struct run_plan plan = timed_plan(early.size, true, "0");
    plan.is_early = true;
    early.runner = run_start(&plan);
}

/* Waits for the timed run that has started early, if it has this size. Returns false if there is
 * none, or if it used up its time limit while it waited. */
static bool finish_early(const struct run_plan *plan)
{
    pid_t runner = early.runner;
    early.runner = 0;
    if (runner != 0 && plan->size != early.size) {
        run_stop(runner);
        runner = 0;
    }
    runs_pass_turn();
    if (runner == 0) return false;
    run_finish(runner);
    if (!task_end(plan->name).timed_out) return true;
    folder_remove(in_directory("%s", plan->name));
    return false;
}

/* Runs a timed size. `guess` is a smaller run from which a perturbed one starts beside it, or NULL.
 */
static struct timing time_size(const struct run_plan *plan, const struct ended *guess)
{
    struct timing timing = {.size = plan->size};
    double start = now();
    doing("%s: timing it on the %s, with %s", request.source, device_name(plan->real),
          plan->size->arguments);
    if (!plan->real || !finish_early(plan)) {
        pid_t runner = run_start(plan);
        if (guess != NULL) start_beside(plan->size, question_first_timed(guess));
        run_finish(runner);
    }
    timing.seconds = now() - start;
    timing.ended = run_read(plan);
    timing.ns = floor(plan_kernel_ns(&timing.ended->check.runs[0].trace));
    return timing;
}

/* True if a run reached the time limit, and a smaller one took so long that this was to be
 * expected. A program that hangs at some size is not one. */
static bool is_too_much(const struct timing *timing, const struct timing *smaller)
{
    if (!timing->ended->check.runs[0].timed_out || smaller->ended == NULL) return false;
    double times = floor(timing->size->product / smaller->size->product);
    double seconds = smaller->ended->check.runs[0].processor_seconds;
    return seconds * pow(times, WORK_EXPONENT) > request.seconds / 2;
}

/* Runs larger and larger timed sizes. The time of the last run whose result has to be right chooses
 * the first size. The last size that ran is the one that counts. If it is too much work for this
 * machine, the one before it counts; without one, the last run whose result has to be right does,
 * and no timed run is noted. */
static struct timing run_speed(const struct size_list *sizes, bool real, double ns_max,
                               struct notes *notes)
{
    struct timing before = last_right(sizes, real), best = {0};
    const struct size *last = sizes_last(sizes, real, "speed");
    const struct size *next = sizes_next(sizes, NULL, real, "speed");
    const char *set_aside = arena_format(&arena, "%s-speed-ended", real ? "real" : "sim");
    if (before.size != NULL) next = next_size(sizes, real, ns_max, before.size, before.ns, next);
    const struct ended *guess = real ? NULL : before.ended;
    struct run_plan plan = {0};
    while (next != NULL && next != best.size) {
        if (best.size != NULL) {
            folder_rename(in_directory("%s", plan.name), in_directory("%s", set_aside));
            before = best;
        }
        plan = timed_plan(next, real, "0");
        best = time_size(&plan, next == last ? guess : NULL);
        if (is_too_much(&best, &before)) {
            runs_finish(false);
            note_add(notes,
                     arena_format(&arena,
                                  "%s needs more than %g s of processor time: %s is timed instead",
                                  next->arguments, request.seconds, before.size->arguments));
            folder_remove(in_directory("%s", plan.name));
            folder_remove(in_directory("%s-speed-1", real ? "real" : "sim"));
            beside.launch = 0;
            best = (struct timing){0};
            if (folder_rename(in_directory("%s", set_aside), in_directory("%s", plan.name)))
                best = before;
            break;
        }
        next = next_size(sizes, real, ns_max, best.size, best.ns, best.size);
    }
    folder_remove(in_directory("%s", set_aside));
    if (best.size != NULL) {
        plan = timed_plan(best.size, real, "0");
        run_note(&plan, best.ended);
    }
    return best;
}

/* The guess was right if the timed run says the same; else the perturbed run is made again. */
static void finish_probe(const struct timing *timing)
{
    uint64_t first = question_first_timed(timing->ended);
    if (first == 0) first = 1;
    runs_finish(false);
    bool started = beside.launch != 0 && beside.plan.size == timing->size;
    if (!started || beside.launch != first) {
        folder_remove(in_directory("sim-speed-1"));
        start_beside(timing->size, first);
        runs_finish(false);
    }
    if (beside.plan.perturb != NULL) run_note(&beside.plan, NULL);
}

void plan_speed_simulated(const struct size_list *sizes, struct notes *notes)
{
    struct timing timing = run_speed(sizes, false, SIM_NS_MAX, notes);
    if (timing.ended != NULL && !plan_hung(false)) finish_probe(&timing);
    runs_finish(false);
}

/* The runs of one size on the real GPU, which may be repeated. */
static struct repeated {
    struct timing last;
    int runs;
    bool agree; /* the last two do */
} repeated[2];  /* the timed size, and that of the second shape */

void plan_speed_real(const struct size_list *sizes, struct notes *notes)
{
    choose_loading();
    repeated[false] = (struct repeated){.last = run_speed(sizes, true, REAL_NS_MAX, notes)};
    repeated[false].runs = repeated[false].last.size != NULL;
}

/* Runs a timed size for the first time, or the next one. */
static struct timing time_again(const struct size *size, bool real, bool second_shape, int number)
{
    const char *suffix = second_shape ? "-other" : "";
    struct run_plan plan = timed_plan(size, real, arena_format(&arena, "%d%s", number, suffix));
    if (second_shape) plan.purpose = "speed_second_shape";
    plan.no_snapshot = number > 0;
    struct timing timing = time_size(&plan, NULL);
    run_note(&plan, timing.ended);
    return timing;
}

void plan_second_shape(const struct size_list *sizes, bool real)
{
    const struct size *size = sizes_next(sizes, NULL, real, "speed_second_shape");
    struct timing timing = time_again(size, real, true, 0);
    if (real) repeated[true] = (struct repeated){.last = timing, .runs = 1};
}

bool plan_repeat(bool second_shape)
{
    struct repeated *these = &repeated[second_shape];
    double before = these->last.ns;
    if (these->runs == 0 || these->runs == SPEED_REPEATS || these->agree || before <= 0 ||
        before >= REPEAT_NS_MAX || these->last.seconds >= REPEAT_SECONDS_MAX)
        return false;
    these->last = time_again(these->last.size, true, second_shape, these->runs++);
    these->agree = fabs(these->last.ns - before) < AGREEMENT * before;
    return true;
}
