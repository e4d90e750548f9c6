/* end_to_end_metrics.c: see end_to_end_metrics.h. */
#include "judge/measure/end_to_end_metrics.h"

#include <math.h>

static struct measure job(struct measures *measures, const struct check *check, const char *faults)
{
    if (faults != NULL) return (struct measure){0, faults};
    if (check_counted(check) == NULL) return measure_unknown("it did not run on the simulated GPU");
    for (size_t i = 0; i < check->run_count; i++) {
        const struct run *run = &check->runs[i];
        bool single = run->problem.elements == 1; /* its inputs may go with the launch */
        if (run->device != DEVICE_SIM || run->may_refuse || run->died || single) continue;
        if (!run->printed.job.present) return (struct measure){0, "it prints no line JOB"};
        measures->job_fault = end_to_end_fault_find(check, run);
        if (measures->job_fault.text != NULL) return (struct measure){0, measures->job_fault.text};
    }
    measures->job_fault = end_to_end_fault_time(check, check_counted(check));
    if (measures->job_fault.text != NULL) return (struct measure){0, measures->job_fault.text};
    return (struct measure){1, "yes"};
}

static struct measure overlap(const struct check *check, const struct end_to_end *job)
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
        struct end_to_end job = end_to_end_find(check->arena, run);
        double least = fmax(job.down_bytes, job.up_bytes) / gbs;
        if (job.found && !run->died && run->printed.job.present)
            best = fmax(best, least / (job.end - job.start));
    }
    if (isnan(best)) return measure_unknown("the job was not timed");
    return measure_of(check, best, "%.*g %% of %.3g GB/s in each direction%s", best < 0.995 ? 2 : 3,
                      100 * best, gbs, first->device == DEVICE_REAL ? "" : ", modelled");
}

void measure_end_to_end(struct measures *measures, const struct check *check, const char *faults)
{
    struct measure *list = measures->list;
    const struct run *counted = check_counted(check), *timed = check_next_timed(check, NULL);
    list[MEASURE_END_TO_END] = job(measures, check, faults);
    list[MEASURE_COPY_OVERLAP] = list[MEASURE_BUS_SHARE] =
        measure_unknown("there is no job to time");
    if (isnan(list[MEASURE_SHARE].value) || timed == NULL || list[MEASURE_END_TO_END].value != 1)
        return;
    measures->job = end_to_end_find(check->arena, counted);
    list[MEASURE_COPY_OVERLAP] = overlap(check, &measures->job);
    list[MEASURE_BUS_SHARE] = share(check);
    measures->bands[MEASURE_BUS_SHARE] = band_of_copies(check_next_timed(check, NULL));
}
