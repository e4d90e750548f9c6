/* race.c: see race.h. */
#include "gpu/memory/race.h"

static const uint32_t NOBODY = UINT32_MAX;

bool race_row(struct watched_warp *warp, const struct request *request, uint64_t first)
{
    (void)warp;
    (void)request;
    (void)first;
    return true;
}

void race_lanes(struct watched_warp *warp, const struct looked *looked)
{
    (void)warp;
    (void)looked;
}

void race_shared_begin(struct watched_block *block)
{
    (void)block;
}

void race_shared(struct watched_warp *warp, const struct looked *looked)
{
    EACH_LANE_OF(lane, looked->mask)
    {
        const struct tags *tags = &warp->block->words[looked->offset[lane] / 4];
        if (tags->writer == NOBODY) {
            shared_note_outside(warp, looked, lane);
        } else if (looked->request->kind != ACCESS_LOAD) {
            warp->block->words[looked->offset[lane] / 4].writer = 1;
        } else if (tags->writer == 0) {
            struct fault fault = fault_of_lane(warp, looked, lane, "uninitialised-read");
            fault_note(&fault);
        }
    }
}

void watch_arrived(struct watched_warp *warp, uint32_t lane, uint32_t offset, uint32_t bytes)
{
    (void)lane;
    (void)offset;
    flight_arrive(warp, bytes);
}
