/*
 * flight.c: follows the bytes that a warp loads from global memory and stores to shared memory.
 * They overlap with computing if the warp reads shared memory in between: after the load, and
 * before the store or the wait for their asynchronous copy. Those are `overlapped`, the others
 * `in_flight`. What a warp stores first counts as what it loaded last; asynchronous copies arrive
 * in their order. Bytes that one warp loads between two barriers while only other warps read shared
 * memory overlap, too.
 */
#include "gpu/memory/watching.h"

/* Bytes that a warp has to read from shared memory for each byte of a load that overlaps with it. A
 * product of tiles reads each of their numbers 8 times or more. */
enum { READS_PER_BYTE = 2 };

/* Takes up to `wanted` bytes out of a stock of them; returns how many. */
static uint64_t take_from(uint64_t *stock, uint64_t wanted)
{
    uint64_t taken = wanted < *stock ? wanted : *stock;
    *stock -= taken;
    return taken;
}

static void follow_store(struct watched_warp *warp, uint64_t bytes)
{
    struct flight *flight = &warp->flight;
    uint64_t at_once = take_from(&flight->in_flight, bytes);
    flight->at_once += at_once;
    warp->block->watcher->tally->overlap_bytes += take_from(&flight->overlapped, bytes - at_once);
}

static void follow_read(struct flight *flight, uint64_t bytes)
{
    uint64_t left = bytes / READS_PER_BYTE, copies = take_from(&flight->in_flight_copies, left);
    flight->overlapped_copies += copies;
    flight->overlapped += take_from(&flight->in_flight, left - copies);
    flight->reads = true;
}

void flight_follow(struct watched_warp *warp, enum access_kind kind, bool shared, uint64_t bytes)
{
    struct flight *flight = &warp->flight;
    if (!shared && is_load(kind)) flight->in_flight += bytes;
    if (!shared) return;
    if (kind == ACCESS_LOAD) follow_read(flight, bytes);
    if (kind == ACCESS_COPY_WRITE) flight->in_flight_copies += take_from(&flight->in_flight, bytes);
    if (kind == ACCESS_STORE) follow_store(warp, bytes);
}

void flight_arrive(struct watched_warp *warp, uint64_t bytes)
{
    uint64_t overlapped = take_from(&warp->flight.overlapped_copies, bytes);
    warp->block->watcher->tally->overlap_bytes += overlapped;
    warp->flight.at_once += take_from(&warp->flight.in_flight_copies, bytes - overlapped);
}

void flight_barrier(struct watched_block *block)
{
    uint64_t fetched = 0;
    bool reads = false;
    for (uint32_t i = 0; i < block->warp_count; i++) {
        struct flight *flight = &block->warps[i].flight;
        if (!flight->reads) fetched += flight->at_once;
        reads = reads || flight->reads;
        flight->at_once = 0;
        flight->reads = false;
    }
    if (reads) block->watcher->tally->overlap_bytes += fetched;
}
