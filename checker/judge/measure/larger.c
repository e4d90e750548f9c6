/* larger.c: see larger.h. */
#include "judge/measure/larger.h"

#include <string.h>

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
    const struct record *failed = larger_failed(check, &run), *open = NULL;
    const char *tried = NULL;
    if (failed != NULL)
        return measure_of(check, 0, "an index leaves its array for %s", failed->larger.arguments);
    for (size_t i = 0; i < check->run_count; i++)
        TRACE_EACH (&check->runs[i].trace, EVENT_LARGER, r) {
            const char *sizes = r->larger.arguments;
            if (r->larger.why != NULL && open == NULL) open = r;
            if (r->larger.why == NULL && tried == NULL) tried = sizes;
            if (r->larger.why == NULL && strstr(tried, sizes) == NULL)
                tried = arena_format(check->arena, "%s and %s", tried, sizes);
        }
    if (open != NULL && tried != NULL)
        return measure_of(check, 1, "tried for %s; one launch is not tried for %s: %s", tried,
                          open->larger.arguments, open->larger.why);
    if (open != NULL)
        return measure_of(check, 1, "not tried for %s: %s", open->larger.arguments,
                          open->larger.why);
    const struct run *any = check_counted(check);
    const struct record *launch = any != NULL ? trace_first(&any->trace, EVENT_LAUNCH) : NULL;
    if (tried == NULL && launch != NULL && launch->launch.library != NULL)
        return (struct measure){1, "not tried: a library chooses its launches"};
    if (tried == NULL) return (struct measure){1, "not tried"};
    return measure_of(check, 1, "tried for %s", tried);
}

void measure_larger(struct measures *measures, const struct check *check)
{
    measures->list[MEASURE_LARGER] = larger(check);
}
