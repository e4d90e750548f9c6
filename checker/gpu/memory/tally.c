/* tally.c: see tally.h. */
#include "gpu/memory/tally.h"

#include "gpu/memory/obtain.h"
#include "gpu/memory/sample.h"

#include <stdlib.h>
#include <string.h>

void tally_begin(struct tally *tally, const struct ptx_module *module)
{
    *tally = (struct tally){.module = module};
    tally->sites = obtain(module->access_count, sizeof *tally->sites);
    tally->executed = obtain(module->numbers, sizeof *tally->executed);
    tally->executed_lanes = obtain(module->numbers, sizeof *tally->executed_lanes);
    tally->block_work = obtain(BLOCKS_NOTED, sizeof *tally->block_work);
}

void tally_free(struct tally *tally)
{
    sample_free(tally);
    free(tally->sites);
    free(tally->executed);
    free(tally->executed_lanes);
    free(tally->block_work);
    *tally = (struct tally){0};
}

static void add_site(struct access_site *sum, const struct access_site *more)
{
    tally_add_counts(&sum->global, &more->global);
    tally_add_counts(&sum->shared, &more->shared);
    tally_add_counts(&sum->poor, &more->poor);
    tally_take_worse(&sum->worst_lanes, &sum->worst_sectors, more->worst_lanes,
                     more->worst_sectors);
    tally_take_worse(&sum->worst_shared_lanes, &sum->worst_wavefronts, more->worst_shared_lanes,
                     more->worst_wavefronts);
}

/* All that is a sum, or the greatest of something. */
static void add_numbers(struct tally *tally, const struct tally *more)
{
    enum {
        SUMS = offsetof(struct tally, global),
        GREATEST = offsetof(struct tally, busiest_bytes)
    };
    for (size_t at = SUMS; at < offsetof(struct tally, blocks_per_sm); at += sizeof(uint64_t)) {
        uint64_t *mine = (uint64_t *)(void *)((char *)tally + at),
                 other = *(const uint64_t *)(const void *)((const char *)more + at);
        *mine = at < GREATEST ? *mine + other : other > *mine ? other : *mine;
    }
    tally->narrow_stores |= more->narrow_stores;
    if (more->blocks_per_sm > tally->blocks_per_sm) tally->blocks_per_sm = more->blocks_per_sm;
    if (tally->lost_location == 0 ||
        (more->lost_location != 0 && more->lost_location < tally->lost_location))
        tally->lost_location = more->lost_location;
}

void tally_add(struct tally *tally, const struct tally *more)
{
    for (uint32_t i = 0; i < tally->module->access_count; i++)
        add_site(&tally->sites[i], &more->sites[i]);
    for (uint32_t i = 0; i < tally->module->numbers; i++) {
        tally->executed[i] += more->executed[i];
        tally->executed_lanes[i] += more->executed_lanes[i];
    }
    for (uint32_t i = 0; i < BLOCKS_NOTED; i++)
        tally->block_work[i] += more->block_work[i];
    add_numbers(tally, more);
    sample_add(tally, more);
}
