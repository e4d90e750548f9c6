/* job_metrics.c: see job_metrics.h. */
#include "judge/measure/job_metrics.h"

#include "judge/result/host_copy.h"
#include "judge/timing/thresholds.h"

#include <math.h>

/* True when this array was brought by the job's copies, or is memory that they came from. */
static bool is_of_job(const struct run *run, const struct job *job, const struct host_array *array,
                      bool by_place)
{
    TRACE_EACH (&run->trace, EVENT_COPY, r) {
        if (!job_brings(job, r)) continue;
        if (by_place && array->alloc == r->copy.from) return true;
        if (!by_place && array->alloc == 0 && r->copy.host >= array->start &&
            r->copy.host < array->start + array->bytes)
            return true;
    }
    return false;
}

/* True unless the job's copies brought something else than the result. */
static bool is_right(const struct check *check, const struct run *run, const struct job *job)
{
    struct host_copy host;
    bool right = false;
    if (host_copy_read(check->arena, run, &host) == NULL)
        for (size_t i = 0; i < host.count + host.all && !right; i++) {
            const struct host_array *array = &host.arrays[i];
            right = !array->on_device && is_of_job(run, job, array, i >= host.count) &&
                    result_is_in(array, &run->problem);
        }
    host_copy_free(&host);
    return right;
}

/* What is wrong with the job of a run; NULL when nothing is. Only the simulated GPU's runs have
 * all that is needed to know. */
static const char *wrong_in(const struct check *check, const struct run *run)
{
    struct job job = job_find(check->arena, run);
    double printed = run->printed.job.time, took = (job.end - job.start) * 1e-9;
    const char *where = arena_format(check->arena, "for %s", run->arguments);
    if (!run->printed.job.present) return "it prints no line JOB";
    if (!job.found)
        return arena_format(check->arena, "%s, its copies bring less than the arrays hold", where);
    if (isnan(printed)) return arena_format(check->arena, "%s, the line JOB has no time", where);
    if (printed < TIME_LEAST * took)
        return arena_format(check->arena, "%s, it prints %.4g ms, but its copies took %.4g ms",
                            where, printed * 1e3, took * 1e3);
    if (job.unmade != NULL)
        return arena_format(check->arena,
                            "%s, no kernel of the job wrote all of what came to the host", where);
    if (!is_right(check, run, &job))
        return arena_format(check->arena, "%s, what came to the host is wrong", where);
    return NULL;
}

static struct measure job(const struct check *check)
{
    if (check_counted(check) == NULL) return measure_unknown("it did not run on the simulated GPU");
    for (size_t i = 0; i < check->run_count; i++) {
        const struct run *run = &check->runs[i];
        bool single = run->problem.elements == 1; /* its inputs may go with the launch */
        if (run->device != DEVICE_SIM || run->may_refuse || run->died || single) continue;
        const char *wrong = wrong_in(check, run);
        if (wrong != NULL) return (struct measure){0, wrong};
    }
    return (struct measure){1, "yes"};
}

static struct measure overlap(const struct check *check, const struct job *job)
{
    double least = fmin(job->up, job->down);
    double value = least > 0 ? job->both / least : 0;
    return measure_of(check, value,
                      "%.0f %% of the time of the copies to the host, others go to the GPU",
                      100 * value);
}

/* The bus's rate in each direction while both are busy. */
static double bus_rate(const struct check *check, const struct run *timed)
{
    return timed->device == DEVICE_REAL ? check->measured_bus.value : timed->trace.bus_gbs;
}

/* The time that the bus needs for the arrays, as a share of the job's. */
static struct measure share(const struct check *check)
{
    const struct run *run = NULL, *first = check_next_timed(check, NULL);
    double best = NAN, gbs = bus_rate(check, first);
    if (!(gbs > 0)) return measure_unknown("the rate of this bus is not known");
    while ((run = check_next_timed(check, run)) != NULL) {
        struct job job = job_find(check->arena, run);
        double least = fmax(job.down_bytes, job.up_bytes) / gbs;
        if (job.found && !run->died && run->printed.job.present)
            best = fmax(best, least / (job.end - job.start));
    }
    if (isnan(best)) return measure_unknown("the job was not timed");
    return measure_of(check, best, "%.*g %% of %.3g GB/s in each direction%s", best < 0.995 ? 2 : 3,
                      100 * best, gbs, first->device == DEVICE_REAL ? "" : ", modelled");
}

void measure_job(struct measures *measures, const struct check *check)
{
    struct measure *list = measures->list;
    const struct run *counted = check_counted(check), *timed = check_next_timed(check, NULL);
    list[MEASURE_JOB] = job(check);
    list[MEASURE_JOB_OVERLAP] = list[MEASURE_JOB_SHARE] =
        measure_unknown("there is no job to time");
    if (isnan(list[MEASURE_SHARE].value) || timed == NULL || list[MEASURE_JOB].value != 1) return;
    measures->job = job_find(check->arena, counted);
    list[MEASURE_JOB_OVERLAP] = overlap(check, &measures->job);
    list[MEASURE_JOB_SHARE] = share(check);
}
