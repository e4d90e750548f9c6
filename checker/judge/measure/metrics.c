/* metrics.c: see metrics.h. There is one function per measure of how the runs ended, in the order
 * of enum measure_name. The measures of how the GPU is used are in gpu_metrics.c. */
#include "judge/measure/metrics.h"
#include "judge/measure/plan.h"
#include "judge/read/run_facts.h"
#include "judge/measure/timer_metrics.h"
#include "judge/read/phrases.h"

#include <math.h>
#include <string.h>

/* Each measure's name in ladder.tsv, its unit (in the singular if it counts things), and the words
 * after it. A measure without words is yes or no. */
static const struct {
    const char *name, *unit, *words;
} measure_words[MEASURE_COUNT] = {
    [MEASURE_COMPILES] = {"compiles", NULL, NULL},
    [MEASURE_RUNS] = {"runs", NULL, NULL},
    [MEASURE_KERNELS] = {"kernels", "kernel", " in each run"},
    [MEASURE_RIGHT] = {"right", NULL, NULL},
    [MEASURE_REFUSES] = {"refuses", NULL, NULL},
    [MEASURE_MAY_REFUSE] = {"may_refuse", NULL, NULL},
    [MEASURE_LARGER] = {"larger", NULL, NULL},
    [MEASURE_FAULTS] = {"faults", "fault", ""},
    [MEASURE_TIMER] = {"timer", NULL, "of the kernel's time"},
    [MEASURE_TIMER_EXCESS] = {"timer_excess", NULL, "kernel times more, beyond 1 ms"},
    [MEASURE_SHARE] = {"share", NULL, "% of the limit"},
    [MEASURE_SHARE_SECOND_SHAPE] = {"share_second_shape", NULL, "% of the limit"},
    [MEASURE_END_TO_END] = {"end_to_end", NULL, NULL},
    [MEASURE_COPY_OVERLAP] = {"copy_overlap", NULL, "% of the copies to the host"},
    [MEASURE_BUS_SHARE] = {"bus_share", NULL, "% of the bus's rate in both directions"},
    [MEASURE_LIBRARY] = {"library", "kernel", " of a library"},
    [MEASURE_BLOCK_MISMATCH] = {"block_mismatch", "thread",
                                " more or fewer per block than the first argument"},
    [MEASURE_THREADS] = {"threads", "thread", ""},
    [MEASURE_THREADS_PER_ITEM] = {"threads_per_item", "thread", " per element of the result"},
    [MEASURE_BLOCKS] = {"blocks_per_sm_filled", "block", " per SM"},
    [MEASURE_OCCUPANCY] = {"occupancy", NULL, "% of the threads that an SM can hold"},
    [MEASURE_SECTORS] = {"sectors", "sector", " per sector needed"},
    [MEASURE_LOAD_SECTORS] = {"load_sectors", "sector", " per sector needed"},
    [MEASURE_BYTES_PER_ACCESS] = {"bytes_per_access", "byte", " per thread and access"},
    [MEASURE_ACTIVE_LANES] = {"active_lanes", "lane", " of 32 per access"},
    [MEASURE_INTENSITY] = {"intensity", NULL, "flop per byte loaded"},
    [MEASURE_DRAM_INTENSITY] = {"dram_intensity", NULL, "flop per byte from DRAM"},
    [MEASURE_SHARED_BYTES] = {"shared_bytes", "byte", " of shared memory per block"},
    [MEASURE_SHARED_INTENSITY] = {"shared_intensity", NULL, "flop per byte of shared memory"},
    [MEASURE_WAVEFRONTS] = {"wavefronts", "wavefront", " per wavefront needed"},
    [MEASURE_OVERLAP] = {"overlap", NULL, "% of the loaded bytes while the block computes"},
    [MEASURE_TENSOR] = {"tensor", NULL, "flop of tensor cores per flop of the problem"},
};

/* The largest share of the limit without tensor cores. A higher rate cannot be that of the work. */
static const double SHARE_MOST = 1.5;

/* A share that the model gives for a small size may be too high by this factor. */
static const double DOUBT = 2;

/* How much faster than its floats a GPU's tensor cores are, at most: 16 for the halves of an A100,
 * by its data sheet. */
static const double TENSOR_MOST = 16;

int measure_find(const char *name)
{
    for (int i = 0; i < MEASURE_COUNT; i++)
        if (strcmp(name, measure_words[i].name) == 0) return i;
    return -1;
}

static bool meets(double seen, const char *test, double value)
{
    if (test[0] == '>') return seen >= value;
    if (test[0] == '<') return seen <= value;
    return seen == value;
}

enum passed measure_passes(const struct measures *measures, int name, const char *test,
                           double value)
{
    const struct counts *counts = &measures->counts;
    const struct measure *measure = &measures->list[name];
    bool all_library = counts->library_kernels > 0 && counts->library_kernels == counts->kernels;
    if (isnan(measure->value))
        return name >= MEASURE_THREADS && all_library ? PASSED_YES : PASSED_UNKNOWN;
    const struct band *band = &measures->bands[name];
    if (band->most <= 0) return meets(measure->value, test, value) ? PASSED_YES : PASSED_NO;
    bool least = meets(measure->value * band->least, test, value);
    bool most = meets(measure->value * band->most, test, value);
    return least != most ? PASSED_UNDECIDED : least ? PASSED_YES : PASSED_NO;
}

const char *measure_needed(struct arena *arena, int name, const char *test, double value)
{
    const char *how = test[0] == '>' ? "at least " : test[0] == '<' ? "at most " : "";
    const char *unit = measure_words[name].unit != NULL ? measure_words[name].unit : "";
    const char *plural = measure_words[name].unit != NULL && value != 1 ? "s" : "";
    bool percent = measure_words[name].words != NULL && measure_words[name].words[0] == '%';
    if (measure_words[name].words == NULL) return value != 0 ? "yes" : "no";
    if ((name == MEASURE_FAULTS || name == MEASURE_LIBRARY) && value == 0) return "none";
    if (name == MEASURE_SHARED_BYTES && value == 1) return "some";
    if (name == MEASURE_TIMER_EXCESS && value == 0)
        return "at most the kernel's time plus a tenth of it plus 1 ms";
    return arena_format(arena, "%s%.6g %s%s%s", how, percent ? 100 * value : value, unit, plural,
                        measure_words[name].words);
}

struct measure measure_of(const struct check *check, double value, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    struct measure measure = {value, arena_format_list(check->arena, format, arguments)};
    va_end(arguments);
    return measure;
}

static struct measure yes_or_no(bool yes, const char *otherwise)
{
    return (struct measure){yes, yes ? "yes" : otherwise};
}

static struct measure compiles(const struct check *check)
{
    for (size_t i = 0; i < check->compile_count; i++) {
        const struct compile *compile = &check->compiles[i];
        bool set_aside = compile->device == DEVICE_SIM && check->unknown != NULL;
        if (compile->exit != 0 && !set_aside) return yes_or_no(false, "no");
    }
    return yes_or_no(true, NULL);
}

/* How a run ended badly; NULL when it ended well. */
static const char *bad_end(const struct run *run)
{
    const struct printed *printed = &run->printed;
    if (run->timed_out) return "did not end in time";
    if (run->died) return run->signal != 0 ? "crashed" : "returned an error";
    if (!printed->a.present || !printed->b.present || !printed->has_diff)
        return "did not print all its lines";
    return NULL;
}

/* The fault of a run in words, with what a student needs to repeat it: the arguments may be random.
 */
static const char *seen_for(const struct check *check, const char *what, const struct run *run)
{
    return arena_format(check->arena, "%s for %s, WARPUP_SEED=%llu", what, run->arguments,
                        (unsigned long long)check->seed);
}

static struct measure runs(const struct check *check)
{
    for (size_t i = 0; i < check->run_count; i++) {
        const struct run *run = &check->runs[i];
        const char *otherwise = run->may_refuse ? NULL : bad_end(run);
        if (otherwise != NULL) return yes_or_no(false, seen_for(check, otherwise, run));
    }
    const struct run *counted = check_counted(check);
    if (check->run_count == 0) return measure_unknown("it did not run");
    if (counted == NULL || counted->died || !counted->printed.a.present)
        return yes_or_no(true, NULL);
    if (timer_cpu_too_fast(counted))
        return yes_or_no(false, "the CPU line prints a time that is too short for any CPU");
    return yes_or_no(!timer_cpu_unread(counted),
                     "the CPU line prints a time that the program did not measure");
}

static struct measure kernels(const struct check *check)
{
    const struct run *fewest = NULL, *shown = check_counted(check);
    for (size_t i = 0; i < check->run_count; i++) {
        const struct run *run = &check->runs[i];
        bool fewer = fewest == NULL || trace_kernels(&run->trace) < trace_kernels(&fewest->trace);
        if (!run->may_refuse && fewer) fewest = run;
    }
    if (fewest == NULL) return measure_unknown("it did not run");
    size_t count = trace_kernels(&fewest->trace);
    if (count == 0) return (struct measure){0, "none"};
    if (shown == NULL) shown = fewest;
    const struct record *r = trace_first(&shown->trace, EVENT_LAUNCH);
    if (r == NULL) return measure_of(check, (double)count, "%zu", count);
    return measure_of(check, (double)count, "%s%s", phrase_launch(check->arena, r),
                      trace_kernels(&shown->trace) > 1 ? " and more" : "");
}

/* Says how a result is not right. If the program itself finds it right, it may keep the result
 * elsewhere. */
static const char *wrong_words(const struct result *result)
{
    return result->diff_small ? "not found in the data that came back" : "wrong";
}

/* Says what shows that the GPU did not compute a right result. */
static const char *made_words(struct arena *arena, const struct host_made *made)
{
    if (made->how == MADE_COPIED)
        return arena_format(
            arena, "right for %s, but no kernel wrote %llu of the %llu bytes that came back",
            made->run->arguments, made->host, made->bytes);
    return arena_format(arena, "right for %s, but not computed from element %zu of input array %zu",
                        made->run->arguments, made->index, made->array);
}

/* When inputs were perturbed, the run did not end like the others, or its result was no result at
 * all. */
static struct measure unknown_maker(const struct check *check, const struct run *run)
{
    return measure_unknown(arena_format(
        check->arena,
        "right for %s, WARPUP_SEED=%llu. But when the check changed a number of each input in the "
        "GPU's memory, no result came back: the check cannot say what computes it",
        run->arguments, (unsigned long long)check->seed));
}

static struct measure right(const struct check *check, const struct result *results,
                            double kernels_seen)
{
    if (check->run_count == 0) return measure_unknown("it did not run");
    if (kernels_seen == 0) return measure_unknown("no kernel ran");
    bool any = false;
    const struct run *unknown = NULL;
    for (size_t i = 0; i < check->run_count; i++) {
        enum answer answer = result_answer(&results[i]);
        if (check->runs[i].may_refuse) continue;
        if (check->runs[i].died) return measure_unknown("a run did not end well");
        if (answer == ANSWER_WRONG)
            return yes_or_no(false, seen_for(check, wrong_words(&results[i]), &check->runs[i]));
        if (results[i].made.how == MADE_UNKNOWN)
            unknown = &check->runs[i];
        else if (results[i].made.how != MADE_BY_GPU)
            return yes_or_no(false, made_words(check->arena, &results[i].made));
        if (answer == ANSWER_RIGHT) any = true;
    }
    if (unknown != NULL) return unknown_maker(check, unknown);
    return any ? yes_or_no(true, NULL)
               : measure_unknown("the trace does not contain the data that came to the host");
}

/* The runs whose arguments may be refused: true when each is right, or is refused if that is
 * enough. */
static struct measure any_right(const struct check *check, const struct result *results,
                                double kernels_seen, bool refusing_does)
{
    if (kernels_seen == 0) return measure_unknown("no kernel ran");
    size_t count = 0;
    for (size_t i = 0; i < check->run_count; i++) {
        const struct run *run = &check->runs[i];
        if (!run->may_refuse) continue;
        count++;
        bool refused = run_refused(run);
        if (refused && refusing_does) continue;
        if (refused)
            return measure_of(check, 0,
                              "the program refuses the size %s; from this "
                              "rung on, all sizes have to work",
                              run->arguments);
        const char *otherwise = bad_end(run);
        if (otherwise == NULL && result_answer(&results[i]) == ANSWER_WRONG)
            otherwise = wrong_words(&results[i]);
        if (otherwise == NULL && results[i].made.how == MADE_UNKNOWN)
            return unknown_maker(check, run);
        if (otherwise == NULL && results[i].made.how != MADE_BY_GPU)
            otherwise = "right, but not computed by the GPU,";
        if (otherwise == NULL) continue;
        return yes_or_no(false, seen_for(check, otherwise, run));
    }
    return count > 0 ? yes_or_no(true, NULL) : measure_unknown("it did not run");
}

static struct measure faults(const struct check *check, size_t count, const char *names)
{
    if (check->run_count == 0) return measure_unknown("it did not run");
    return (struct measure){(double)count, count == 0 ? "none" : names};
}

/* Sets rate and limit; both are measured, or both modelled. */
static void take_rate(struct measures *measures, const struct check *check, bool in_flops)
{
    const char *unit = in_flops ? "Gflop/s" : "GB/s";
    measures->rate = measures->limit = (struct rate){NAN, unit, "modelled"};
    const struct run *run = NULL, *first = check_next_timed(check, NULL);
    if (first == NULL) return;
    while ((run = check_next_timed(check, run)) != NULL) {
        double ns = run->timed.ns;
        double rate = (in_flops ? run->problem.flops : run->problem.bytes) / ns;
        if (ns > 0 && !run->died) measures->rate.value = fmax(measures->rate.value, rate);
    }
    if (first->device == DEVICE_REAL) {
        measures->rate.how = "measured";
        measures->limit = check->measured_limit;
        if (!isnan(measures->limit.value) && strcmp(measures->limit.unit, unit) == 0) return;
        measures->limit = (struct rate){NAN, unit, "measured"};
    } else {
        double limit = in_flops ? first->trace.gflops : first->trace.copy_gbs;
        if (limit > 0) measures->limit.value = limit;
    }
}

/* of the problem's bytes; a kernel that accesses fewer only adds up what others left, and takes no
 * longer if the problem is larger */
static const double SMALL = 0.01;
/* of the problem's bytes; if fewer come from memory, most are still in the L2 from an earlier
 * kernel, and the rate is above that of the memory anyway */
static const double FROM_MEMORY = 0.5;

/* How much of a kernel's time does not grow with the problem, ns. */
static double constant_ns(const struct record *r, double bytes)
{
    double accessed = r->kernel.load.bytes + r->kernel.store.bytes;
    if (r->kernel.library == NULL && accessed < SMALL * bytes) return r->end - r->start;
    return r->kernel.dram_bytes < FROM_MEMORY * bytes ? 0 : r->kernel.start_ns;
}

/* The best rate of modelled runs. They are too small for the GPU: times that do not grow with the
 * problem count too much in them, and are left out. These are the start of each kernel, and the
 * small kernels. A repeated kernel may find a part of its data in the L2, and be faster than the
 * memory: then its rate is that of the rest. */
static double growing_rate(const struct check *check, double limit)
{
    double best = 0;
    const struct run *run = NULL;
    while ((run = check_next_timed(check, run)) != NULL) {
        double grows = run->timed.ns, bytes = run->problem.bytes, dram_bytes = 0;
        if (run->died || grows <= 0) continue;
        TRACE_EACH (&run->trace, EVENT_KERNEL, r) {
            if (!run_times(run, r)) continue;
            grows -= constant_ns(r, bytes);
            dram_bytes += r->kernel.dram_bytes;
        }
        grows = fmax(grows, 1);
        bool in_part = dram_bytes >= FROM_MEMORY * bytes && dram_bytes < bytes;
        best = fmax(best, (bytes / grows > limit && in_part ? dram_bytes : bytes) / grows);
    }
    return best;
}

/* The part of the GPU's SMs that the program uses for any size: 1, unless its grid is the same for
 * all arguments, and has fewer blocks. */
static double used_sms(const struct check *check, const struct measures *measures,
                       const struct run *timed)
{
    double threads = plan_threads(&timed->trace);
    if (threads == 0 || measures->counts.library_kernels > 0) return 1;
    for (size_t i = 0; i < check->run_count; i++) {
        const struct run *run = &check->runs[i];
        double others = run->device == DEVICE_SIM ? plan_threads(&run->trace) : 0;
        if (others > 0 && others != threads) return 1;
    }
    return fmin(measures->counts.blocks / timed->trace.sms, 1);
}

/* The rate's share of the limit. A modelled run is small, and may not fill the GPU. So its kernels
 * count with the time that a larger launch would take for each part like them, without a start.
 * The run is also too small for the library, whose rate is the limit: a library call counts as at
 * most the time that the limit's rate gives. Bytes are compared with the memory's rate, which all
 * SMs share. The reported limit fits to the share: it is the rate divided by the share. */
static double take_share(const struct measures *measures, const struct check *check,
                         const struct run *timed, bool in_flops)
{
    double whole = measures->rate.value / measures->limit.value;
    const struct counts *counts = &measures->counts;
    if (!in_flops && timed != NULL && timed->device == DEVICE_SIM)
        return growing_rate(check, measures->limit.value) / measures->limit.value;
    if (!measures->extrapolated) return whole;
    double ns = timed->problem.flops / measures->rate.value;
    double busy = counts->busy_ns - counts->library_busy_ns +
                  fmin(counts->library_busy_ns, (double)counts->library_kernels * whole * ns);
    return used_sms(check, measures, timed) * whole * ns /
           fmax(fmin(busy, ns - counts->start_ns), 1);
}

/* The largest share of the limit that the timed kernels may reach. Tensor cores that make several
 * products for each of the problem's are that much slower. What the simulated GPU did not count
 * may have used them. */
static double share_most(const struct check *check, const struct counts *counts)
{
    const struct run *counted = check_counted(check);
    if (counted == NULL) return TENSOR_MOST;
    double products = counts->tensor_flops / counted->problem.flops;
    return products >= 1 ? fmax(SHARE_MOST, TENSOR_MOST / products) : SHARE_MOST;
}

static struct measure share(const struct check *check, const struct measures *measures)
{
    if (isnan(measures->rate.value)) return measure_unknown("no kernel's time is known");
    if (isnan(measures->limit.value)) return measure_unknown("the limit of this GPU is not known");
    bool modelled = strcmp(measures->rate.how, "measured") != 0;
    double most = share_most(check, &measures->counts);
    if (modelled && measures->share > most * (measures->extrapolated ? DOUBT : 1))
        return measure_unknown(arena_format(check->arena,
                                            "%.3g %%, modelled: no GPU can do this work so fast, "
                                            "so the kernels do not do all of it",
                                            100 * measures->share));
    const struct run *timed = check_next_timed(check, NULL);
    bool in_l2 = measures->share > 1 && !measures->extrapolated &&
                 timed->problem.bytes <= (double)timed->trace.l2_bytes;
    return measure_of(check, measures->share, "%.*g %%%s%s", measures->share < 0.995 ? 2 : 3,
                      100 * measures->share, modelled ? ", modelled" : "",
                      in_l2 ? ": the data fit into the L2" : "");
}

static bool any_aborted(const struct check *check)
{
    for (size_t i = 0; i < check->run_count; i++)
        if (run_was_aborted(&check->runs[i])) return true;
    return false;
}

/* True when the program is wrong, so that its speed says nothing. */
static bool is_wrong(const struct check *check, const struct measures *measures)
{
    if (measures->list[MEASURE_RUNS].value == 0 || measures->list[MEASURE_RIGHT].value == 0)
        return true;
    for (size_t i = 0; i < check->run_count; i++)
        if (run_saw_fault(&check->runs[i])) return true;
    return any_aborted(check);
}

/* Removes the measures of speed for a wrong program, and all times after an aborted kernel. */
static void withdraw_speed(struct measures *measures, const struct check *check)
{
    if (!is_wrong(check, measures)) return;
    measures->rate.value = measures->share = NAN;
    measures->list[MEASURE_SHARE] = measure_unknown("the program is not right yet");
    if (!any_aborted(check)) return;
    measures->too_fast = measures->refuted = false;
    measures->list[MEASURE_TIMER] = measures->list[MEASURE_TIMER_EXCESS] =
        measure_unknown("a kernel was aborted, so its time says nothing");
}

void measure_all(struct measures *measures, const struct check *check, const struct result *results,
                 size_t fault_count, const char *fault_names, bool in_flops)
{
    struct measure *list = measures->list;
    const struct run *counted = check_counted(check);
    if (counted != NULL) measures->counts = counts_of(counted);
    measures->occupancy = occupancy_of(check);
    take_rate(measures, check, in_flops);
    const struct run *timed = check_next_timed(check, NULL);
    measures->extrapolated =
        in_flops && timed != NULL && timed->device == DEVICE_SIM && timed->trace.sms > 0;
    measures->share = take_share(measures, check, timed, in_flops);
    measures->bands[MEASURE_SHARE] = band_of_kernels(timed, &measures->counts);
    if (measures->extrapolated) measures->limit.value = measures->rate.value / measures->share;
    bool in_l2 = !in_flops && measures->rate.value > measures->limit.value; /* in part */
    if (in_l2 && measures->share < 1)
        measures->rate.value = measures->share * measures->limit.value;
    list[MEASURE_COMPILES] = compiles(check);
    list[MEASURE_RUNS] = runs(check);
    list[MEASURE_KERNELS] = kernels(check);
    list[MEASURE_RIGHT] = right(check, results, list[MEASURE_KERNELS].value);
    list[MEASURE_REFUSES] = any_right(check, results, list[MEASURE_KERNELS].value, true);
    list[MEASURE_MAY_REFUSE] = any_right(check, results, list[MEASURE_KERNELS].value, false);
    list[MEASURE_FAULTS] = faults(check, fault_count, fault_names);
    list[MEASURE_SHARE] = share(check, measures);
    measures->too_fast = timed != NULL && timed->device == DEVICE_REAL &&
                         measures->share > share_most(check, &measures->counts);
    measures->refuted = timer_is_refuted(&measures->timer.range) && counted != NULL &&
                        results[counted - check->runs].array == ANSWER_RIGHT;
    list[MEASURE_TIMER] = measure_timer(check, measures);
    list[MEASURE_TIMER_EXCESS] = measure_timer_excess(check, &measures->timer);
    withdraw_speed(measures, check);
}
