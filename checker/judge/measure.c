/* measure.c: see measure.h. One function a measure, in the order of enum measure_name. */
#include "measure.h"
#include "words.h"

#include <math.h>
#include <string.h>

/* What each measure is called in ladder.tsv; its unit, in the singular where it counts things; and
 * the words behind it. Measures without words are yes or no. */
static const struct {
    const char *name, *unit, *words;
} known[MEASURE_COUNT] = {
    [MEASURE_COMPILES] = {"compiles", NULL, NULL},
    [MEASURE_RUNS] = {"runs", NULL, NULL},
    [MEASURE_KERNELS] = {"kernels", "kernel", " in each run"},
    [MEASURE_RIGHT] = {"right", NULL, NULL},
    [MEASURE_FAULTS] = {"faults", "fault", ""},
    [MEASURE_WATCH] = {"watch", NULL, "of the kernel's time"},
    [MEASURE_WATCH_EXCESS] = {"watch_excess", NULL, "kernel times more, beyond 1 ms"},
    [MEASURE_THREADS] = {"threads", "thread", ""},
    [MEASURE_SECTORS] = {"sectors", "sector", " for each one needed"},
    [MEASURE_BLOCKS] = {"blocks_per_sm_filled", "block", " for each multiprocessor"},
    [MEASURE_LANE_BYTES] = {"lane_bytes", "byte", " a thread with each access"},
    [MEASURE_SHARE] = {"share", NULL, "% of the limit"},
};

int measure_find(const char *name)
{
    for (int i = 0; i < MEASURE_COUNT; i++)
        if (strcmp(name, known[i].name) == 0) return i;
    return -1;
}

const char *measure_needed(struct arena *arena, const char *name, const char *test, double value)
{
    int i = measure_find(name);
    const char *how = test[0] == '>' ? "at least " : test[0] == '<' ? "at most " : "";
    const char *unit = known[i].unit != NULL ? known[i].unit : "";
    const char *plural = known[i].unit != NULL && value != 1 ? "s" : "";
    if (known[i].words == NULL) return value != 0 ? "yes" : "no";
    if (i == MEASURE_FAULTS && value == 0) return "none";
    if (i == MEASURE_WATCH_EXCESS && value == 0)
        return "the kernel's time, and at most 1 ms and a tenth more";
    return text_format(arena, "%s%.6g %s%s%s", how, i == MEASURE_SHARE ? 100 * value : value, unit,
                       plural, known[i].words);
}

static struct measure unknown(const char *why)
{
    return (struct measure){NAN, why};
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

static struct measure runs(const struct check *check)
{
    for (size_t i = 0; i < check->run_count; i++) {
        const struct run *run = &check->runs[i];
        const struct printed *printed = &run->printed;
        const char *otherwise = NULL;
        if (run->timed_out)
            otherwise = "did not end";
        else if (run->died)
            otherwise = run->signal != 0 ? "crashed" : "returned an error";
        else if (!printed->a.present || !printed->b.present || !printed->has_diff)
            otherwise = "did not print all its lines";
        if (otherwise != NULL)
            return yes_or_no(false,
                             text_format(check->arena, "%s for %s", otherwise, run->arguments));
    }
    return check->run_count > 0 ? yes_or_no(true, NULL) : unknown("it did not run");
}

static struct measure kernels(const struct check *check)
{
    if (check->run_count == 0) return unknown("it did not run");
    const struct run *fewest = &check->runs[0], *shown = check_counted(check);
    for (size_t i = 1; i < check->run_count; i++)
        if (trace_kernels(&check->runs[i].trace) < trace_kernels(&fewest->trace))
            fewest = &check->runs[i];
    size_t count = trace_kernels(&fewest->trace);
    if (count == 0) return (struct measure){0, "none"};
    if (shown == NULL) shown = fewest;
    const struct record *r = trace_next(&shown->trace, shown->trace.records, EVENT_LAUNCH);
    if (r == NULL) return (struct measure){(double)count, text_format(check->arena, "%zu", count)};
    return (struct measure){(double)count,
                            text_format(check->arena, "%s%s", words_launch(check->arena, r),
                                        trace_kernels(&shown->trace) > 1 ? " and more" : "")};
}

static struct measure right(const struct check *check, const struct result *results,
                            double kernels_seen)
{
    if (check->run_count == 0) return unknown("it did not run");
    if (kernels_seen == 0) return unknown("no kernel ran");
    bool any = false;
    for (size_t i = 0; i < check->run_count; i++) {
        enum answer answer = result_answer(&results[i]);
        if (check->runs[i].died) return unknown("a run did not end well");
        if (answer == ANSWER_WRONG)
            return yes_or_no(false,
                             text_format(check->arena, "wrong for %s", check->runs[i].arguments));
        if (answer == ANSWER_RIGHT) any = true;
    }
    return any ? yes_or_no(true, NULL) : unknown("the trace does not hold what came to the host");
}

static struct measure faults(const struct check *check, size_t count, const char *names)
{
    if (check->run_count == 0) return unknown("it did not run");
    return (struct measure){(double)count, count == 0 ? "none" : names};
}

static struct measure watch(const struct check *check, const struct watch *watch)
{
    if (watch->run == NULL) return unknown(watch->why);
    return (struct measure){watch->printed / watch->kernel,
                            text_format(check->arena, "%.4g ms printed, the kernel took %.4g ms",
                                        watch->printed * 1e3, watch->kernel * 1e3)};
}

static struct measure excess(const struct watch *watch, const struct measure *as_seen)
{
    if (watch->run == NULL) return unknown(watch->why);
    double value = watch_excess(watch);
    return (struct measure){value, value > 0 ? as_seen->seen : "none"};
}

/* Why there are no counts by the simulated GPU. */
static const char *uncounted(const struct check *check)
{
    if (check->unknown == NULL) return "it did not run on the simulated GPU";
    return text_format(check->arena, "the simulated GPU does not know %s; checked on the GPU only",
                       check->unknown);
}

static struct measure threads(const struct check *check, const struct trace *trace)
{
    double most = 0;
    TRACE_EACH (trace, EVENT_KERNEL, r)
        if (r->kernel.counted && r->kernel.threads > most) most = r->kernel.threads;
    return (struct measure){most,
                            text_format(check->arena, "%.0f thread%s", most, most == 1 ? "" : "s")};
}

static struct measure sectors(const struct check *check, const struct trace *trace)
{
    double moved = 0, ideal = 0;
    TRACE_EACH (trace, EVENT_KERNEL, r) {
        moved += r->kernel.load.sectors + r->kernel.store.sectors;
        ideal += r->kernel.load.ideal + r->kernel.store.ideal;
    }
    if (ideal <= 0) return unknown("no kernel touched global memory");
    return (struct measure){
        moved / ideal,
        text_format(check->arena, "%.2f sectors moved for each one needed", moved / ideal)};
}

static struct measure blocks(const struct check *check, const struct trace *trace)
{
    double most = 0;
    TRACE_EACH (trace, EVENT_LAUNCH, r) {
        double count = (double)r->launch.grid[0] * r->launch.grid[1] * r->launch.grid[2];
        if (r->launch.error == 0 && count > most) most = count;
    }
    if (trace->sms <= 0)
        return unknown("the trace does not say how many multiprocessors there are");
    return (struct measure){most / trace->sms,
                            text_format(check->arena, "%.0f block%s for %.0f multiprocessors", most,
                                        most == 1 ? "" : "s", trace->sms)};
}

static struct measure lane_bytes(const struct check *check, const struct trace *trace)
{
    double bytes = 0, requests = 0;
    TRACE_EACH (trace, EVENT_ACCESS, r) {
        if (strcmp(r->access.kind, "atomic") == 0) continue;
        bytes += (double)r->access.size * r->access.requests;
        requests += r->access.requests;
    }
    if (requests <= 0) return unknown("no kernel touched global memory");
    return (struct measure){
        bytes / requests,
        text_format(check->arena, "%.3g bytes a thread with each access", bytes / requests)};
}

/* Sets rate and limit; both are measured, or both modelled. */
static void take_rate(struct measures *measures, const struct check *check, bool in_flops)
{
    const char *unit = in_flops ? "Gflop/s" : "GB/s";
    measures->rate = measures->limit = (struct rate){NAN, unit, "modelled"};
    const struct run *run = NULL, *first = check_next_timed(check, NULL);
    if (first == NULL) return;
    while ((run = check_next_timed(check, run)) != NULL) {
        double ns = watch_kernel_ns(check, run);
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

static struct measure share(const struct check *check, const struct measures *measures)
{
    if (isnan(measures->rate.value)) return unknown("no kernel's time is known");
    if (isnan(measures->limit.value)) return unknown("the limit of this GPU is not known");
    bool modelled = strcmp(measures->rate.how, "measured") != 0;
    return (struct measure){measures->share,
                            text_format(check->arena, "%.*g %%%s", measures->share < 0.995 ? 2 : 3,
                                        100 * measures->share, modelled ? ", modelled" : "")};
}

void measure_all(struct measures *measures, const struct check *check, const struct result *results,
                 size_t fault_count, const char *fault_names, bool in_flops)
{
    struct measure *list = measures->list;
    const struct run *counted = check_counted(check);
    measures->watch = watch_read(check);
    take_rate(measures, check, in_flops);
    measures->share = measures->rate.value / measures->limit.value;
    list[MEASURE_COMPILES] = compiles(check);
    list[MEASURE_RUNS] = runs(check);
    list[MEASURE_KERNELS] = kernels(check);
    list[MEASURE_RIGHT] = right(check, results, list[MEASURE_KERNELS].value);
    list[MEASURE_FAULTS] = faults(check, fault_count, fault_names);
    list[MEASURE_WATCH] = watch(check, &measures->watch);
    list[MEASURE_WATCH_EXCESS] = excess(&measures->watch, &list[MEASURE_WATCH]);
    list[MEASURE_SHARE] = share(check, measures);
    if (counted == NULL) {
        list[MEASURE_THREADS] = list[MEASURE_SECTORS] = list[MEASURE_BLOCKS] =
            list[MEASURE_LANE_BYTES] = unknown(uncounted(check));
        return;
    }
    list[MEASURE_THREADS] = threads(check, &counted->trace);
    list[MEASURE_SECTORS] = sectors(check, &counted->trace);
    list[MEASURE_BLOCKS] = blocks(check, &counted->trace);
    list[MEASURE_LANE_BYTES] = lane_bytes(check, &counted->trace);
}
