/*
 * traffic.h: what the L1s of all workers ask of the L2. A worker logs it per group of blocks, and
 * the groups' logs are replayed in the order of blocks, whoever finishes first: so the L2 holds the
 * same, and DRAM moves the same bytes, whatever the number of workers.
 *
 * DRAM moves bursts of two sectors: `dram_bursts` has their bytes, also where only one of the two
 * was wanted.
 */
#ifndef WARPUP_TRAFFIC_H
#define WARPUP_TRAFFIC_H

#include "gpu/memory/tally.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The log of a group of blocks that follow each other. */
struct traffic {
    uint64_t *entries; /* line << 12 | partial << 8 | store << 4 | sectors */
    size_t count, room;
    uint32_t first, last; /* linear indices of the group's blocks; none yet if first > last */
};

/* A launch begins. */
void traffic_begin(uint64_t l2_bytes);

/* The worker begins a block. */
void traffic_block(struct traffic *log, uint32_t block);

void traffic_spill(struct traffic *log);

/* The sectors (a bit each) of a line, which the L1 does not hold, or which are stored; those of
 * which only a part is. */
static inline void traffic_add(struct traffic *log, uint64_t line, unsigned sectors, bool store,
                               unsigned partial)
{
    if (log->count == log->room) traffic_spill(log);
    log->entries[log->count++] =
        line << 12 | (uint64_t)partial << 8 | (uint64_t)store << 4 | sectors;
}

/* The group has ended. */
void traffic_close(struct traffic *log);

/* All groups have ended: replays what is left and adds the bytes to the tally. Or forgets all of
 * it, because the launch will run again. */
void traffic_end(struct tally *total);
void traffic_forget(void);

#endif
