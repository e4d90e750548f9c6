/* job_metrics.c: see job_metrics.h. */
#include "judge/measure/job_metrics.h"

#include "judge/result/host_copy.h"
#include "judge/timing/thresholds.h"

#include <math.h>

/* True when the job's last copy brought a part of this array, or came from this memory. */
static bool is_of_job(const struct job *job, const struct host_array *array, bool by_place)
{
    const struct record *last = job->last_up;
    if (by_place) return array->alloc == last->copy.from;
    return array->alloc == 0 && last->copy.host >= array->start &&
           last->copy.host < array->start + array->bytes;
}

/* The copy of the job that brought this byte of the host's memory; NULL when none did. */
static const struct record *copy_of(const struct run *run, const struct job *job, uint64_t host)
{
    const struct record *found = NULL;
    TRACE_EACH (&run->trace, EVENT_COPY, r)
        if (job_brings(job, r) && host >= r->copy.host && host - r->copy.host < r->copy.bytes)
            found = r;
    return found;
}

/* Where the job's result begins in an array, in bytes: the first place that its copies wrote. */
static uint64_t begin_of(const struct run *run, const struct job *job,
                         const struct host_array *array)
{
    uint64_t begin = array->bytes;
    TRACE_EACH (&run->trace, EVENT_COPY, r)
        if (job_brings(job, r) && r->copy.host >= array->start &&
            r->copy.host - array->start < begin)
            begin = r->copy.host - array->start;
    return begin;
}

/* The first element of the job's result in an array that is wrong or missing. */
static size_t first_wrong(const struct run *run, const struct host_array *array, uint64_t begin)
{
    size_t skipped = begin / sizeof(float), floats = array->bytes / sizeof(float) - skipped, k = 0;
    while (k < floats && k < run->problem.elements &&
           compare_fits(&run->problem, host_array_float(array, k + skipped), k))
        k++;
    return k;
}

/* Says which element is the first wrong one of the array that the job's copies brought. */
static struct job_fault describe(const struct check *check, const struct run *run,
                                 const struct job *job, const struct host_copy *host)
{
    struct job_fault fault = {run, job->last_up, NULL};
    for (size_t i = 0; i < host->count; i++) {
        const struct host_array *array = &host->arrays[i];
        if (array->on_device || !is_of_job(job, array, false)) continue;
        uint64_t begin = begin_of(run, job, array);
        size_t k = first_wrong(run, array, begin);
        const struct record *copy = copy_of(run, job, array->start + begin + k * sizeof(float));
        if (copy != NULL) fault.place = copy;
        fault.text = arena_format(
            check->arena, "with arguments %s, the job's result is wrong from element %zu on",
            run->arguments, k);
        return fault;
    }
    fault.text =
        arena_format(check->arena, "with arguments %s, the job's result is wrong", run->arguments);
    return fault;
}

/* A fault without a text if the job's copies brought the result. */
static struct job_fault wrong_result(const struct check *check, const struct run *run,
                                     const struct job *job)
{
    struct host_copy host;
    struct job_fault fault = {NULL, NULL, NULL};
    bool right = false;
    if (host_copy_read(check->arena, run, &host) == NULL) {
        for (size_t i = 0; i < host.all && !right; i++) {
            const struct host_array *array = &host.arrays[i];
            right = !array->on_device && is_of_job(job, array, i >= host.count) &&
                    result_is_in(array, &run->problem);
        }
        if (!right) fault = describe(check, run, job, &host);
    }
    host_copy_free(&host);
    return fault;
}

/* What is wrong with the job of a run that prints a line for it. Only the simulated GPU's runs have
 * all that is needed to know. */
static struct job_fault wrong_in(const struct check *check, const struct run *run)
{
    struct job job = job_find(check->arena, run);
    struct job_fault fault = {run, NULL, NULL};
    double printed = run->printed.job.time, took = (job.end - job.start) * 1e-9;
    if (!job.found) {
        fault.text = arena_format(
            check->arena,
            "with arguments %s, the job's copies bring fewer bytes than the arrays have",
            run->arguments);
    } else if (!(printed >= TIME_LEAST * took)) {
        fault.text = arena_format(
            check->arena,
            "with arguments %s, the line JOB says %.4g ms; the job's copies take %.4g ms",
            run->arguments, printed * 1e3, took * 1e3);
    } else if (job.unmade != NULL) {
        fault.place = job.unmade;
        fault.text = arena_format(
            check->arena,
            "with arguments %s, no kernel of the job wrote all that this copy brings to the host",
            run->arguments);
    } else {
        return wrong_result(check, run, &job);
    }
    return fault;
}

static struct measure job(struct measures *measures, const struct check *check)
{
    if (check_counted(check) == NULL) return measure_unknown("it did not run on the simulated GPU");
    for (size_t i = 0; i < check->run_count; i++) {
        const struct run *run = &check->runs[i];
        bool single = run->problem.elements == 1; /* its inputs may go with the launch */
        if (run->device != DEVICE_SIM || run->may_refuse || run->died || single) continue;
        if (!run->printed.job.present) return (struct measure){0, "it prints no line JOB"};
        measures->job_fault = wrong_in(check, run);
        if (measures->job_fault.text != NULL) return (struct measure){0, measures->job_fault.text};
    }
    return (struct measure){1, "yes"};
}

static struct measure overlap(const struct check *check, const struct job *job)
{
    double least = fmin(job->up, job->down);
    double value = least > 0 ? job->both / least : 0;
    return measure_of(check, value,
                      "%.0f %% of the time of the copies to the host, others go to the GPU; "
                      "kernels run for %.3g ms beside copies",
                      100 * value, job->kernels * 1e-6);
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
    list[MEASURE_JOB] = job(measures, check);
    list[MEASURE_JOB_OVERLAP] = list[MEASURE_JOB_SHARE] =
        measure_unknown("there is no job to time");
    if (isnan(list[MEASURE_SHARE].value) || timed == NULL || list[MEASURE_JOB].value != 1) return;
    measures->job = job_find(check->arena, counted);
    list[MEASURE_JOB_OVERLAP] = overlap(check, &measures->job);
    list[MEASURE_JOB_SHARE] = share(check);
}
