/* timed_range.c: see timed_range.h. */
#include "judge/timing/timed_range.h"

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
static struct timed_range by_events(const struct run *run, double printed)
{
    TRACE_EACH (&run->trace, EVENT_ELAPSED, r) {
        double seconds = r->elapsed.ms * 1e-3;
        double unit = is_close(printed, 1e3 * seconds) ? 1e3 : 1;
        if (seconds <= 0 || !is_close(printed, unit * seconds)) continue;
        const struct record *from = mark_of(&run->trace, r->elapsed.from);
        const struct record *to = mark_of(&run->trace, r->elapsed.to);
        if (from != NULL && to != NULL) return (struct timed_range){from, to, seconds, unit};
    }
    return (struct timed_range){NULL, NULL, 0, 1};
}

/* The clock was read before the first timed kernel was launched, and after the last one. */
static struct timed_range by_clocks(const struct run *run, double printed, double start_ns,
                                    const struct record *launch)
{
    const struct record *from = NULL, *to = NULL;
    if (launch != NULL) to = trace_next(&run->trace, launch, EVENT_CLOCK);
    TRACE_EACH (&run->trace, EVENT_CLOCK, r)
        if (r->start <= start_ns && r < launch) from = r;
    if (from == NULL || to == NULL) return (struct timed_range){NULL, NULL, 0, 1};
    double seconds = (to->start - from->start) * 1e-9;
    return (struct timed_range){from, to, seconds, is_close(printed, 1e3 * seconds) ? 1e3 : 1};
}

struct timed_range timed_range_find(const struct run *run, double printed, double start_ns,
                                    const struct record *launch)
{
    struct timed_range interval = by_events(run, printed);
    if (interval.from == NULL && run->device == DEVICE_SIM)
        interval = by_clocks(run, printed, start_ns, launch);
    return interval;
}

const struct record *timed_range_copies(const struct run *run, const struct timed_range *interval,
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
