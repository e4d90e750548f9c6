/* accesses.c: see accesses.h. */
#include "judge/measure/accesses.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SECTOR_BYTES = 32 };

/* One place in the source: its part of the mean, and the bytes that it moves. */
struct site {
    struct mean part;
    double bytes;
    double badness;
};

static bool is_kind(const struct record *r, const char *kind)
{
    return strcmp(r->access.kind, kind) == 0;
}

static bool belongs(const struct record *r, enum access_mean mean)
{
    if (mean == ACCESS_LANES) return true;
    return !r->access.shared && (mean != ACCESS_LOAD_SECTORS || is_kind(r, "load"));
}

double access_needed(const struct record *r)
{
    double asked = (double)r->access.size * r->access.lanes;
    return r->access.shared ? r->access.ideal : fmin(r->access.ideal, asked / SECTOR_BYTES);
}

/* Lanes may read the same words. So what counts of sectors is what they need, not what the lanes
 * ask for. But a lane alone needs only a part of its sector. */
static struct site site_of(const struct record *r, enum access_mean mean)
{
    struct site site = {.bytes = (double)r->access.size * r->access.lanes};
    if (mean == ACCESS_SECTORS || mean == ACCESS_LOAD_SECTORS) {
        double needed = access_needed(r);
        site.bytes = SECTOR_BYTES * needed;
        site.part = (struct mean){r->access.used, needed};
        site.badness = needed > 0 ? r->access.used / needed : 0;
    } else if (mean == ACCESS_BYTES) {
        site.part = (struct mean){(double)r->access.size * r->access.requests, r->access.requests};
        site.badness = -(double)r->access.size;
    } else {
        site.part = (struct mean){r->access.lanes, r->access.requests};
        site.badness = -r->access.lanes / fmax(r->access.requests, 1);
    }
    return site;
}

static int worse_first(const void *left, const void *right)
{
    const struct site *a = left, *b = right;
    return (a->badness < b->badness) - (a->badness > b->badness);
}

/* The bytes that have to move: those of the problem; for lanes once more, through shared memory. */
static double bytes_of(const struct run *run, enum access_mean mean)
{
    if (mean == ACCESS_LOAD_SECTORS) return oracle_input_bytes(&run->problem);
    return (mean == ACCESS_LANES ? 2 : 1) * run->problem.bytes;
}

/* For a trace that does not say where the accesses are */
static struct mean mean_of_all(const struct counts *c, enum access_mean mean)
{
    if (mean == ACCESS_SECTORS)
        return (struct mean){c->load.sectors + c->store.sectors, c->load.ideal + c->store.ideal};
    if (mean == ACCESS_LOAD_SECTORS) return (struct mean){c->load.sectors, c->load.ideal};
    return (struct mean){0, 0};
}

struct mean accesses_mean(const struct check *check, const struct run *run,
                          const struct counts *counts, enum access_mean mean)
{
    size_t count = 0;
    struct site *sites = arena_alloc(check->arena, (run->trace.count + 1) * sizeof *sites);
    TRACE_EACH (&run->trace, EVENT_ACCESS, r)
        if (counts_hold(counts, r->access.kernel) && belongs(r, mean))
            sites[count++] = site_of(r, mean);
    qsort(sites, count, sizeof *sites, worse_first);
    struct mean sum = {0, 0};
    double left = bytes_of(run, mean);
    for (size_t i = 0; i < count && left > 0; i++) {
        double part = sites[i].bytes > left ? left / sites[i].bytes : 1;
        sum.number += part * sites[i].part.number;
        sum.by += part * sites[i].part.by;
        left -= sites[i].bytes;
    }
    return sum.by > 0 ? sum : mean_of_all(counts, mean);
}
