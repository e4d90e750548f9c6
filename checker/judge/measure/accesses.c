/* accesses.c: see accesses.h. */
#include "judge/measure/accesses.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SECTOR_BYTES = 32 };

/* One place in the source: its part of the mean, and the bytes that it moves. */
struct place {
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
static struct place place_of(const struct record *r, enum access_mean mean)
{
    struct place place = {.bytes = (double)r->access.size * r->access.lanes};
    if (mean == ACCESS_SECTORS || mean == ACCESS_LOAD_SECTORS) {
        double needed = access_needed(r);
        place.bytes = SECTOR_BYTES * needed;
        place.part = (struct mean){r->access.used, needed};
        place.badness = needed > 0 ? r->access.used / needed : 0;
    } else if (mean == ACCESS_BYTES) {
        place.part = (struct mean){(double)r->access.size * r->access.requests, r->access.requests};
        place.badness = -(double)r->access.size;
    } else {
        place.part = (struct mean){r->access.lanes, r->access.requests};
        place.badness = -r->access.lanes / fmax(r->access.requests, 1);
    }
    return place;
}

static int worse_first(const void *left, const void *right)
{
    const struct place *a = left, *b = right;
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
    struct place *places = arena_alloc(check->arena, (run->trace.count + 1) * sizeof *places);
    TRACE_EACH (&run->trace, EVENT_ACCESS, r)
        if (counts_hold(counts, r->access.kernel) && belongs(r, mean))
            places[count++] = place_of(r, mean);
    qsort(places, count, sizeof *places, worse_first);
    struct mean sum = {0, 0};
    double left = bytes_of(run, mean);
    for (size_t i = 0; i < count && left > 0; i++) {
        double part = places[i].bytes > left ? left / places[i].bytes : 1;
        sum.number += part * places[i].part.number;
        sum.by += part * places[i].part.by;
        left -= places[i].bytes;
    }
    return sum.by > 0 ? sum : mean_of_all(counts, mean);
}
