/* sample.c: keeps requests to show (sample.h). */
#define _GNU_SOURCE
#include "gpu/memory/sample.h"
#include "gpu/memory/obtain.h"

#include "gpu/memory/memory.h"
#include "gpu/memory/fault.h"
#include "gpu/memory/watch.h"
#include "trace/trace.h"

#include <stdlib.h>
#include <string.h>

/* A trace stays small: a place takes about 2 KB, a kernel seldom has more than 20 places. */
enum {
    KERNELS_SAMPLED = 16,
    LAUNCHES_SAMPLED = 2, /* of each kernel: the first may be there to warm up */
    SITES_SAMPLED = 48,
    IN_A_ROW = 6, /* six show the step of a loop, and its repetition */
    LINE = 128
};

struct sample {
    uint64_t address[LANES];
    uint32_t mask; /* lanes that took part; 0: there is no sample */
    uint32_t used; /* sectors, or wavefronts */
    uint32_t block, warp;
    uint32_t order; /* of the first block's samples */
};

struct site_samples {
    struct sample row[IN_A_ROW], edge, worst;
    uint32_t count; /* in the row */
};

/* The state of the sampling, to which tally.samples points. */
struct samples {
    const struct ptx_function *kernel;
    uint32_t grid[3], last_block, dynamic;
    uint32_t taken;              /* in the first block */
    struct site_samples **of[2]; /* by access instruction: of global and of shared memory */
};

bool sample_wanted(const char *kernel)
{
    static struct {
        char *kernel;
        int launches;
    } seen[KERNELS_SAMPLED];
    int i = 0;
    while (i < KERNELS_SAMPLED && seen[i].kernel != NULL && strcmp(seen[i].kernel, kernel) != 0)
        i++;
    if (i == KERNELS_SAMPLED || !trace_is_open()) return false;
    if (seen[i].kernel == NULL && (seen[i].kernel = strdup(kernel)) == NULL) return false;
    return seen[i].launches++ < LAUNCHES_SAMPLED;
}

void sample_begin(struct tally *tally, const struct ptx_function *kernel, const uint32_t grid[3],
                  uint32_t dynamic)
{
    struct samples *all = obtain(1, sizeof *all);
    size_t count = tally->module->access_count;
    *all = (struct samples){
        .kernel = kernel, .dynamic = dynamic, .last_block = grid[0] * grid[1] * grid[2] - 1};
    memcpy(all->grid, grid, sizeof all->grid);
    all->of[0] = obtain(count, sizeof *all->of[0]);
    all->of[1] = obtain(count, sizeof *all->of[1]);
    tally->samples = all;
}

void sample_free(struct tally *tally)
{
    struct samples *all = tally->samples;
    if (all == NULL) return;
    for (int shared = 0; shared < 2; shared++) {
        for (uint32_t i = 0; i < tally->module->access_count; i++)
            free(all->of[shared][i]);
        free(all->of[shared]);
    }
    free(all);
    tally->samples = NULL;
}

static uint32_t lanes_of(const struct sample *sample)
{
    return (uint32_t)__builtin_popcount(sample->mask);
}

/* Does `one` use more for each lane than `other`, or as much in an earlier block? */
static bool is_worse(const struct sample *one, const struct sample *other)
{
    if (one->mask == 0) return false;
    if (other->mask == 0) return true;
    uint64_t its = (uint64_t)one->used * lanes_of(other),
             others = (uint64_t)other->used * lanes_of(one);
    return its > others || (its == others && one->block < other->block);
}

/* Has `one` fewer lanes than `other`, of the last block? */
static bool is_nearer(const struct sample *one, const struct sample *other)
{
    return one->mask != 0 && (other->mask == 0 || lanes_of(one) < lanes_of(other));
}

static void keep(struct sample *sample, const struct sample *head, const uint64_t *address)
{
    *sample = *head;
    memcpy(sample->address, address, sizeof sample->address);
}

void sample_take(struct tally *tally, const struct request *request, uint32_t mask, bool shared,
                 uint32_t used, uint32_t block, uint32_t warp)
{
    const uint64_t *address = request->address;
    struct samples *all = tally->samples;
    struct site_samples **slot = &all->of[shared][request->instruction->access];
    if (*slot == NULL) *slot = obtain(1, sizeof **slot);
    struct site_samples *one = *slot;
    struct sample head;
    head.mask = mask;
    head.used = used;
    head.block = block;
    head.warp = warp;
    bool goes_on = one->count == 0 || one->row[0].warp == warp;
    head.order = all->taken;
    if (block == 0 && goes_on && one->count < IN_A_ROW) {
        keep(&one->row[one->count++], &head, address);
        all->taken++;
    }
    if (block == all->last_block && is_nearer(&head, &one->edge)) keep(&one->edge, &head, address);
    if (is_worse(&head, &one->worst)) keep(&one->worst, &head, address);
}

bool sample_is_known(const struct tally *tally, uint32_t access, uint32_t used, uint32_t block)
{
    const struct samples *all = tally->samples;
    const struct site_samples *one = all->of[true][access];
    struct sample head;
    head.mask = UINT32_MAX;
    head.used = used;
    head.block = block;
    return one != NULL && block != 0 && block != all->last_block && !is_worse(&head, &one->worst);
}

static void add_site(struct site_samples *one, const struct site_samples *more)
{
    if (more->count > 0) {
        memcpy(one->row, more->row, sizeof one->row);
        one->count = more->count;
    }
    if (more->edge.mask != 0) one->edge = more->edge;
    if (is_worse(&more->worst, &one->worst)) one->worst = more->worst;
}

void sample_add(struct tally *tally, const struct tally *more)
{
    struct samples *theirs = more->samples;
    if (theirs == NULL) return;
    if (tally->samples == NULL) sample_begin(tally, theirs->kernel, theirs->grid, theirs->dynamic);
    struct samples *all = tally->samples;
    for (uint32_t i = 0; i < 2 * tally->module->access_count; i++) {
        struct site_samples **slot = &all->of[i % 2][i / 2];
        const struct site_samples *other = theirs->of[i % 2][i / 2];
        if (other == NULL) continue;
        if (*slot == NULL) *slot = obtain(1, sizeof **slot);
        add_site(*slot, other);
    }
}

/* ---- records -------------------------------------------------------------------------------- */

/* Writes which array the lanes access. Returns the address of its first byte. */
static uint64_t write_array(const struct tally *tally, bool shared, uint64_t address)
{
    const struct samples *all = tally->samples;
    const struct allocation *allocation =
        shared ? NULL : memory_find((const void *)(uintptr_t)address);
    if (allocation != NULL) {
        trace_fields("alloc:%lu alloc_bytes:%zu", allocation->id, allocation->bytes);
        uint64_t base = (uint64_t)(uintptr_t)allocation->base,
                 host = (uint64_t)(uintptr_t)allocation->host;
        return host != 0 && address - host < allocation->bytes ? host : base;
    }
    const struct ptx_variable *variable =
        shared ? name_of_shared(tally->module, all->kernel, address, all->dynamic)
               : name_of_global(tally->module, address, 0);
    if (variable == NULL) return shared ? 0 : address;
    trace_string("array", name_in_words(variable));
    trace_integer("shift", (long long)(variable->address % LINE));
    return variable->address;
}

static void write_sample(const struct tally *tally, const struct sample *sample, bool shared,
                         uint64_t launch, uint64_t site, const char *which)
{
    const struct samples *all = tally->samples;
    int64_t offsets[LANES];
    if (sample->mask == 0) return;
    trace_begin("sample");
    trace_fields("kernel:%lu site:%lu which:%s", launch, site, which);
    trace_triple("block", sample->block % all->grid[0], sample->block / all->grid[0] % all->grid[1],
                 sample->block / all->grid[0] / all->grid[1]);
    trace_fields("warp:%u", sample->warp);
    trace_integer(shared ? "wavefronts" : "sectors", sample->used);
    uint64_t from = write_array(tally, shared, sample->address[__builtin_ctz(sample->mask)]);
    for (int lane = 0; lane < LANES; lane++)
        offsets[lane] = (int64_t)(sample->address[lane] - from);
    trace_list("offsets", offsets, LANES, sample->mask);
    trace_end();
}

static const struct site_samples *find(const struct tally *tally, uint32_t access, bool shared)
{
    const struct samples *all = tally->samples;
    return all == NULL || access >= tally->module->access_count ? NULL : all->of[shared][access];
}

/* Both rows in one, in the order of execution: of the warp that came first. */
static void join_rows(struct site_samples *one, const struct site_samples *more)
{
    const struct site_samples mine = *one;
    uint32_t i = 0, j = 0;
    one->count = 0;
    while (one->count < IN_A_ROW && (i < mine.count || j < more->count)) {
        bool is_mine =
            j == more->count || (i < mine.count && mine.row[i].order < more->row[j].order);
        const struct sample *next = is_mine ? &mine.row[i++] : &more->row[j++];
        if (one->count == 0 || one->row[0].warp == next->warp) one->row[one->count++] = *next;
    }
}

void sample_join(const struct tally *tally, uint32_t to, uint32_t from, bool shared)
{
    struct samples *all = tally->samples;
    if (all == NULL || !sample_any(tally, to, shared) || !sample_any(tally, from, shared)) return;
    struct site_samples *one = all->of[shared][to], *more = all->of[shared][from];
    join_rows(one, more);
    if (is_nearer(&more->edge, &one->edge)) one->edge = more->edge;
    if (is_worse(&more->worst, &one->worst)) one->worst = more->worst;
    all->of[shared][from] = NULL;
    free(more);
}

bool sample_any(const struct tally *tally, uint32_t access, bool shared)
{
    return find(tally, access, shared) != NULL;
}

void sample_write(const struct tally *tally, uint32_t access, bool shared, uint64_t launch,
                  uint64_t site)
{
    static uint64_t last_launch;
    static int sites;
    const struct site_samples *one = find(tally, access, shared);
    if (launch != last_launch) sites = 0;
    last_launch = launch;
    if (one == NULL || sites++ >= SITES_SAMPLED) return;
    for (uint32_t i = 0; i < one->count; i++)
        write_sample(tally, &one->row[i], shared, launch, site, "row");
    write_sample(tally, &one->edge, shared, launch, site, "edge");
    write_sample(tally, &one->worst, shared, launch, site, "worst");
}
