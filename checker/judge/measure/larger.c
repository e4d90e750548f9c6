/* larger.c: see larger.h. */
#include "judge/measure/larger.h"

const struct record *larger_failed(const struct check *check, const struct run **run)
{
    for (size_t i = 0; i < check->run_count; i++)
        TRACE_EACH (&check->runs[i].trace, EVENT_LARGER, r)
            if (r->larger.outside || r->larger.silent) {
                *run = &check->runs[i];
                return r;
            }
    return NULL;
}

static struct measure larger(const struct check *check)
{
    const struct run *run;
    const struct record *failed = larger_failed(check, &run), *tried = NULL, *open = NULL;
    if (failed != NULL)
        return measure_of(check, 0, "an index leaves its array for %s", failed->larger.arguments);
    for (size_t i = 0; i < check->run_count; i++)
        TRACE_EACH (&check->runs[i].trace, EVENT_LARGER, r) {
            if (r->larger.why == NULL && tried == NULL) tried = r;
            if (r->larger.why != NULL && open == NULL) open = r;
        }
    if (open != NULL)
        return measure_of(check, 1, "not tried for %s: %s", open->larger.arguments,
                          open->larger.why);
    if (tried == NULL) return (struct measure){1, "not tried"};
    return measure_of(check, 1, "tried for %s", tried->larger.arguments);
}

void measure_larger(struct measures *measures, const struct check *check)
{
    measures->list[MEASURE_LARGER] = larger(check);
}
