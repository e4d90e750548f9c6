/* sample.c: keeps requests to show (sample.h). Of two that are equally bad, the one in the earlier
 * block is kept. So the samples do not depend on the number of this machine's cores. */
#include "sim/requests/sample.h"

#include "sim/gpu/memory.h"
#include "sim/gpu/shadow.h"
#include "sim/image/shared_variables.h"
#include "sim/requests/lane.h"

#include "trace/trace.h"

#include <stdlib.h>
#include <string.h>

/* A trace stays small: a place takes about 2 KB, a kernel seldom has more than 20 places. */
enum {
    KERNELS_SAMPLED = 16,
    LAUNCHES_SAMPLED = 2, /* of each kernel: the first may be there to warm up */
    SITES_SAMPLED = 48
};

bool sample_wanted(const char *kernel)
{
    static struct {
        const char *kernel;
        int launches;
    } seen[KERNELS_SAMPLED];
    int i = 0;
    while (i < KERNELS_SAMPLED && seen[i].kernel != NULL && strcmp(seen[i].kernel, kernel) != 0)
        i++;
    if (i == KERNELS_SAMPLED || !trace_is_open()) return false;
    seen[i].kernel = kernel;
    return seen[i].launches++ < LAUNCHES_SAMPLED;
}

void sample_begin(struct tally *tally, bool wanted, uint64_t blocks)
{
    tally->sampled = wanted;
    tally->sample_count = 0;
    tally->last_block = blocks - 1;
}

/* The samples of the site, which get room with its first request; NULL if there are too many sites.
 */
static struct samples *samples_of(struct tally *tally, struct site *site)
{
    if (site->samples == 0) {
        if (tally->sample_count == SITES_SAMPLED) return NULL;
        if (tally->samples == NULL) tally->samples = malloc(SITES_SAMPLED * sizeof *tally->samples);
        if (tally->samples == NULL) return NULL;
        site->samples = ++tally->sample_count;
        struct samples *new = &tally->samples[site->samples - 1];
        new->count = new->edge.mask = new->worst.mask = 0;
    }
    return &tally->samples[site->samples - 1];
}

static uint32_t lanes_of(const struct sample *sample)
{
    return (uint32_t)__builtin_popcount(sample->mask);
}

/* Does `one` use more for each lane than `other`? */
static bool is_worse(const struct sample *one, const struct sample *other)
{
    return other->mask == 0 || one->used * lanes_of(other) > other->used * lanes_of(one);
}

static void keep(struct sample *sample, const struct sample *head, const uint64_t *offset)
{
    *sample = *head;
    EACH_LANE (lane, head->mask)
        sample->offset[lane] = offset[lane];
}

void sample_take(const struct warp *warp, const struct request *request)
{
    struct samples *all = samples_of(warp->tally, request->site);
    if (all == NULL) return;
    struct sample head;
    head.mask = request->mask;
    head.used = request->site->shared ? request->wavefronts : request->sectors;
    head.block = warp->segment->block;
    head.warp = warp->first_thread / LANES;
    bool goes_on = all->count == 0 || all->row[0].warp == head.warp;
    if (head.block == 0 && goes_on && all->count < SAMPLES_IN_A_ROW)
        keep(&all->row[all->count++], &head, request->offset);
    if (head.block == warp->tally->last_block &&
        (all->edge.mask == 0 || request->lanes < lanes_of(&all->edge)))
        keep(&all->edge, &head, request->offset);
    if (is_worse(&head, &all->worst)) keep(&all->worst, &head, request->offset);
}

void sample_join(struct tally *tally, struct site *site, const struct tally *other,
                 const struct site *more)
{
    struct samples *mine = more->samples != 0 ? samples_of(tally, site) : NULL;
    if (mine == NULL) return;
    const struct samples *its = &other->samples[more->samples - 1];
    if (its->count > 0) {
        memcpy(mine->row, its->row, sizeof mine->row);
        mine->count = its->count;
    }
    if (its->edge.mask != 0) mine->edge = its->edge;
    if (its->worst.mask == 0) return;
    bool as_bad = mine->worst.mask != 0 && !is_worse(&its->worst, &mine->worst) &&
                  !is_worse(&mine->worst, &its->worst);
    if (is_worse(&its->worst, &mine->worst) || (as_bad && its->worst.block < mine->worst.block))
        mine->worst = its->worst;
}

/* ---- records -------------------------------------------------------------------------------- */

/* The variable that contains the offset; NULL if none does. */
static const struct device_symbol *find_variable(enum device_symbols kind, uint64_t offset,
                                                 uintptr_t base)
{
    size_t count;
    const struct device_symbol *list = program_symbols(kind, &count);
    for (size_t i = 0; i < count; i++)
        if (base + offset - list[i].value < list[i].bytes) return &list[i];
    return NULL;
}

/* Writes which array the lanes access. Returns the offset of its first byte. */
static uint64_t write_array(bool shared, uint64_t offset)
{
    char name[64];
    const struct device_symbol *variable;
    if (shared) {
        variable = find_variable(DEVICE_SHARED, offset - SHARED_OFFSET, 0);
        if (variable == NULL) return SHARED_OFFSET;
        shared_variables_name(variable, name, sizeof name);
        trace_string("array", name);
        trace_integer("shift", (long long)(variable->value % LINE_BYTES));
        return SHARED_OFFSET + variable->value;
    }
    const char *address = shadow_address(offset);
    const struct allocation *allocation = memory_find(address);
    if (allocation != NULL) {
        trace_fields("alloc:%lu alloc_bytes:%zu", allocation->id, allocation->bytes);
        return shadow_offset(allocation->base);
    }
    variable = find_variable(DEVICE_VARIABLES, 0, (uintptr_t)address);
    if (variable == NULL) return offset;
    program_short_name(variable->name, name, sizeof name);
    uint64_t first = offset - ((uintptr_t)address - variable->value);
    trace_string("array", name);
    trace_integer("shift", (long long)(first % LINE_BYTES));
    return first;
}

static void write_sample(const struct sample *sample, const struct site *site, uint64_t launch,
                         uint64_t number, const char *which)
{
    uint32_t block[3];
    int64_t offsets[LANES];
    if (sample->mask == 0) return;
    lane_block(sample->block, block);
    trace_begin("sample");
    trace_fields("kernel:%lu site:%lu which:%s", launch, number, which);
    trace_triple("block", block[0], block[1], block[2]);
    trace_fields("warp:%u", sample->warp);
    trace_integer(site->shared ? "wavefronts" : "sectors", sample->used);
    uint64_t from = write_array(site->shared, sample->offset[__builtin_ctz(sample->mask)]);
    for (int lane = 0; lane < LANES; lane++)
        offsets[lane] = (int64_t)((sample->offset[lane] & ~SHARED_ARRIVED) - from);
    trace_list("offsets", offsets, LANES, sample->mask);
    trace_end();
}

void sample_write(const struct tally *tally, const struct site *site, uint64_t launch,
                  uint64_t number)
{
    if (site->samples == 0) return;
    const struct samples *all = &tally->samples[site->samples - 1];
    for (uint32_t i = 0; i < all->count; i++)
        write_sample(&all->row[i], site, launch, number, "row");
    write_sample(&all->edge, site, launch, number, "edge");
    write_sample(&all->worst, site, launch, number, "worst");
}
