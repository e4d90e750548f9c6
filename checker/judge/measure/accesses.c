/* accesses.c: see accesses.h. */
#include "judge/measure/accesses.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SECTOR_BYTES = 32 };

/* Requests of one place in the source: their part of the mean, and the bytes that they move. */
struct part {
    struct mean mean;
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

/* Sums over a number of requests. */
struct requests {
    double count, used, lanes, ideal;
};

static double needed_by(const struct record *r, const struct requests *requests)
{
    double asked = (double)r->access.size * requests->lanes;
    return r->access.shared ? requests->ideal : fmin(requests->ideal, asked / SECTOR_BYTES);
}

static struct requests all_of(const struct record *r)
{
    return (struct requests){r->access.requests, r->access.used, r->access.lanes, r->access.ideal};
}

double access_needed(const struct record *r)
{
    struct requests all = all_of(r);
    return needed_by(r, &all);
}

/* Lanes may read the same words. So what counts of sectors is what they need, not what the lanes
 * ask for. But a lane alone needs only a part of its sector. */
static struct part part_of(const struct record *r, const struct requests *requests,
                           enum access_mean mean)
{
    struct part part = {.bytes = (double)r->access.size * requests->lanes};
    if (mean == ACCESS_SECTORS || mean == ACCESS_LOAD_SECTORS) {
        double needed = needed_by(r, requests);
        part.bytes = SECTOR_BYTES * needed;
        part.mean = (struct mean){requests->used, needed};
        part.badness = needed > 0 ? requests->used / needed : 0;
    } else if (mean == ACCESS_BYTES) {
        part.mean = (struct mean){(double)r->access.size * requests->count, requests->count};
        part.badness = -(double)r->access.size;
    } else {
        part.mean = (struct mean){requests->lanes, requests->count};
        part.badness = -requests->lanes / fmax(requests->count, 1);
    }
    return part;
}

/* The poor requests of a place, and the others. Returns how many of the two there are. */
static size_t split(const struct record *r, enum access_mean mean, struct part parts[2])
{
    struct requests all = all_of(r), poor = {r->access.poor_requests, r->access.poor_used,
                                             r->access.poor_lanes, r->access.poor_ideal};
    struct requests rest = {all.count - poor.count, all.used - poor.used, all.lanes - poor.lanes,
                            all.ideal - poor.ideal};
    size_t count = 0;
    if (poor.count > 0) parts[count++] = part_of(r, &poor, mean);
    if (rest.count > 0) parts[count++] = part_of(r, &rest, mean);
    return count;
}

static int worse_first(const void *left, const void *right)
{
    const struct part *a = left, *b = right;
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
    struct part *parts = arena_alloc(check->arena, 2 * (run->trace.count + 1) * sizeof *parts);
    TRACE_EACH (&run->trace, EVENT_ACCESS, r)
        if (counts_hold(counts, r->access.kernel) && belongs(r, mean))
            count += split(r, mean, parts + count);
    qsort(parts, count, sizeof *parts, worse_first);
    struct mean sum = {0, 0};
    double left = bytes_of(run, mean);
    for (size_t i = 0; i < count && left > 0; i++) {
        double share = parts[i].bytes > left ? left / parts[i].bytes : 1;
        sum.number += share * parts[i].mean.number;
        sum.by += share * parts[i].mean.by;
        left -= parts[i].bytes;
    }
    return sum.by > 0 ? sum : mean_of_all(counts, mean);
}
