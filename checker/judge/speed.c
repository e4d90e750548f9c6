/*
 * speed.c: the diagnoses of a watch that does not show the kernel's time, and of accesses that
 * move more sectors, or take more wavefronts, than they need. Each is given only where the ladder
 * asks for more than was seen.
 */
#include "diagnose.h"
#include "words.h"

#include <math.h>
#include <string.h>

/* The line to name for a watch that stopped too early: that of its last reading, or of the launch
 * when the readings share a line and so stand in a function of their own. */
static const struct record *watch_place(const struct trace *trace, const struct record *stop)
{
    const struct record *launch = NULL;
    bool shared = stop->file == NULL;
    TRACE_EACH (trace, EVENT_CLOCK, r)
        if (r < stop && r->line == stop->line) shared = true;
    TRACE_EACH (trace, EVENT_LAUNCH, r)
        if (r < stop) launch = r;
    return shared ? launch : stop;
}

/* The simulated GPU saw the clock read before the kernel's end: the place comes from there, the
 * times from the run that counts. True when it did. */
static bool add_stopped_early(struct diagnoses *diagnoses, const struct check *check,
                              const struct watch *watch)
{
    const struct run *run = watch->run->device == DEVICE_SIM ? watch->run : check_counted(check);
    const struct record *stop = run != NULL ? watch_stop(&run->trace) : NULL;
    double end = 0;
    if (stop == NULL) return false;
    TRACE_EACH (&run->trace, EVENT_KERNEL, r)
        end = fmax(end, r->end);
    if (stop->start >= end) return false;
    double early = run == watch->run ? end - stop->start : (watch->kernel - watch->printed) * 1e9;
    const struct record *place = watch_place(&run->trace, stop);
    diagnoses_add(diagnoses, "watch-stopped-early", place->file, place->line,
                  text_format(diagnoses->arena,
                              "the watch stopped %.3g ms before the kernel did: a launch returns "
                              "at once",
                              early * 1e-6),
                  json_pack("{s:s, s:f, s:f, s:f, s:i}", "run", watch->run->dir, "early_ms",
                            early * 1e-6, "printed_ms", watch->printed * 1e3, "kernel_ms",
                            watch->kernel * 1e3, "watch_line", stop->line));
    return true;
}

/* The place is the last launch, on the device that knows lines where there is one. */
static void add_figure(struct diagnoses *diagnoses, const struct check *check,
                       const struct watch *watch)
{
    const struct run *counted = check_counted(check);
    const struct trace *trace = counted != NULL ? &counted->trace : &watch->run->trace;
    const struct record *launch = NULL;
    TRACE_EACH (trace, EVENT_LAUNCH, r)
        launch = r;
    diagnoses_add(diagnoses, "printed-figure", launch != NULL ? launch->file : NULL,
                  launch != NULL ? launch->line : 0,
                  text_format(diagnoses->arena,
                              "by its printed rate part B took %.4g ms for %s; the kernel took "
                              "%.4g ms",
                              watch->printed * 1e3, watch->run->arguments, watch->kernel * 1e3),
                  json_pack("{s:s, s:f, s:f}", "run", watch->run->dir, "printed_ms",
                            watch->printed * 1e3, "kernel_ms", watch->kernel * 1e3));
}

/* The access of the timed kernels that wastes the most sectors, or the most wavefronts. */
static const struct record *worst_access(const struct trace *trace, uint64_t first, bool shared)
{
    const struct record *worst = NULL;
    double most = 0;
    TRACE_EACH (trace, EVENT_ACCESS, r) {
        double wasted = r->access.used - r->access.ideal;
        if (r->access.kernel < first || r->access.shared != shared || wasted <= most) continue;
        most = wasted;
        worst = r;
    }
    return worst;
}

static void add_access(struct diagnoses *diagnoses, const struct run *run, uint64_t first,
                       bool shared)
{
    const struct record *r = worst_access(&run->trace, first, shared);
    if (r == NULL) return;
    unsigned long long lanes = r->access.worst_lanes, used = r->access.worst_used;
    double ideal = ceil((double)lanes * (double)r->access.size / (shared ? 128 : 32));
    const char *text = text_format(
        diagnoses->arena,
        shared ? "one warp's %llu %.10ss of shared memory take %llu wavefronts; %.0f would do"
               : "one warp's %llu %.10ss touch %llu sectors of 32 bytes; %.0f would do",
        lanes, r->access.kind, used, ideal);
    diagnoses_add(
        diagnoses, shared ? "bank-conflict" : "uncoalesced-access", r->file, r->line, text,
        json_pack("{s:s, s:s, s:f, s:f, s:f, s:I}", "run", run->dir, "kind", r->access.kind,
                  "requests", r->access.requests, shared ? "wavefronts" : "sectors", r->access.used,
                  "ideal", r->access.ideal, "size", (json_int_t)r->access.size));
}

void diagnose_speed(struct diagnoses *diagnoses, const struct check *check,
                    const struct ladder *ladder, const struct measures *measures)
{
    const struct watch *watch = &measures->watch;
    bool short_watch = ladder_misses(ladder, measures, MEASURE_WATCH);
    bool long_watch = ladder_misses(ladder, measures, MEASURE_WATCH_EXCESS);
    if (short_watch && add_stopped_early(diagnoses, check, watch)) short_watch = false;
    if (short_watch || long_watch) add_figure(diagnoses, check, watch);
    const struct run *counted = check_counted(check);
    if (counted != NULL && ladder_misses(ladder, measures, MEASURE_SECTORS))
        add_access(diagnoses, counted, measures->counts.first, false);
    if (counted != NULL && ladder_misses(ladder, measures, MEASURE_WAVEFRONTS))
        add_access(diagnoses, counted, measures->counts.first, true);
}
