/* interval.c: see interval.h. */
#include "interval.h"

#include <math.h>
#include <string.h>

static bool is_close(double a, double b)
{
    return fabs(a - b) <= 0.02 * fabs(b);
}

static const struct record *mark_of(const struct trace *trace, uint64_t id)
{
    TRACE_EACH (trace, EVENT_MARK, r)
        if (r->mark.id == id) return r;
    return NULL;
}

/* The printed time is that of two events, in seconds, or in the milliseconds in which it is told.
 */
static struct interval by_events(const struct run *run, double printed)
{
    TRACE_EACH (&run->trace, EVENT_ELAPSED, r) {
        double seconds = r->elapsed.ms * 1e-3;
        double unit = is_close(printed, 1e3 * seconds) ? 1e3 : 1;
        if (seconds <= 0 || !is_close(printed, unit * seconds)) continue;
        const struct record *from = mark_of(&run->trace, r->elapsed.from);
        const struct record *to = mark_of(&run->trace, r->elapsed.to);
        if (from != NULL && to != NULL) return (struct interval){from, to, seconds, unit};
    }
    return (struct interval){NULL, NULL, 0, 1};
}

/* The clock was read before the first timed kernel was launched, and after the last one. */
static struct interval by_clocks(const struct run *run, double printed, double start_ns,
                                 const struct record *launch)
{
    const struct record *from = NULL, *to = NULL;
    if (launch != NULL) to = trace_next(&run->trace, launch, EVENT_CLOCK);
    TRACE_EACH (&run->trace, EVENT_CLOCK, r)
        if (r->start <= start_ns && r < launch) from = r;
    if (from == NULL || to == NULL) return (struct interval){NULL, NULL, 0, 1};
    double seconds = (to->start - from->start) * 1e-9;
    return (struct interval){from, to, seconds, is_close(printed, 1e3 * seconds) ? 1e3 : 1};
}

struct interval interval_find(const struct run *run, double printed, double start_ns,
                              const struct record *launch)
{
    struct interval interval = by_events(run, printed);
    if (interval.from == NULL && run->device == DEVICE_SIM)
        interval = by_clocks(run, printed, start_ns, launch);
    return interval;
}

const struct record *interval_copies(const struct run *run, const struct interval *interval,
                                     double *seconds)
{
    const struct record *first = NULL;
    *seconds = 0;
    if (interval->from == NULL || interval->unit * interval->seconds <= 0) return NULL;
    TRACE_EACH (&run->trace, EVENT_COPY, r) {
        bool crosses =
            strcmp(r->copy.direction, "h2d") == 0 || strcmp(r->copy.direction, "d2h") == 0;
        if (!crosses || r->start < interval->from->start || r->end > interval->to->start) continue;
        if (first == NULL) first = r;
        *seconds += (r->end - r->start) * 1e-9;
    }
    return first;
}
