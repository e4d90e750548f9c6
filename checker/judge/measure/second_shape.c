/* second_shape.c: see second_shape.h. */
#include "judge/measure/second_shape.h"
#include "judge/measure/provenance.h"

#include <math.h>

/* The measurements at the timed size of the second shape alone, as if it were the timed one. */
struct at_second_shape {
    struct check check;
    struct measures measures;
};

static void measure_there(struct at_second_shape *there, const struct check *check,
                          const struct result *results, bool in_flops)
{
    size_t *indices;
    there->check = check_at_second_shape(check, &indices);
    there->measures = (struct measures){.share = NAN};
    if (there->check.run_count == 0) return;
    struct result *own = arena_alloc(check->arena, there->check.run_count * sizeof *own);
    for (size_t i = 0; i < there->check.run_count; i++)
        own[i] = results[indices[i]];
    provenance_results(&there->check, own);
    there->measures.timer = timer_find(&there->check);
    measure_all(&there->measures, &there->check, own, 0, "", in_flops);
}

static struct measure share_second_shape(const struct measures *whole, const struct check *check,
                                         const struct at_second_shape *there)
{
    const struct measures *measures = &there->measures;
    const struct run *run = check_next_timed(&there->check, NULL);
    const struct measure *share = &measures->list[MEASURE_SHARE];
    if (isnan(whole->list[MEASURE_SHARE].value)) return whole->list[MEASURE_SHARE];
    if (run == NULL || (check_has(check, DEVICE_REAL) && run->device != DEVICE_REAL))
        return measure_unknown("it was not timed at the size that this rung is about");
    if (isnan(share->value)) return *share;
    if (measures->too_fast || measures->refuted)
        return measure_of(check, 0, "for %s: %s", run->arguments,
                          measures->list[MEASURE_TIMER].seen);
    double value = measures->share;
    return measure_of(check, value, "%.*g %% for %s%s", value < 0.995 ? 2 : 3, 100 * value,
                      run->arguments, run->device == DEVICE_REAL ? "" : ", modelled");
}

void measure_second_shape(struct measures *measures, const struct check *check,
                          const struct result *results, bool in_flops)
{
    struct at_second_shape there;
    measure_there(&there, check, results, in_flops);
    measures->second_shape.counted = check_counted(&there.check);
    measures->second_shape.counts = there.measures.counts;
    measures->bands[MEASURE_SHARE_SECOND_SHAPE] = there.measures.bands[MEASURE_SHARE];
    measures->list[MEASURE_SHARE_SECOND_SHAPE] = share_second_shape(measures, check, &there);
}
