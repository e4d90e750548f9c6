/*
 * kernel_warp.c: functions by which the threads of a kernel work together: barriers, and the warp
 * functions of include/warpup/warp.h, which are one exchange of values between lanes each.
 */
#include "sim/api/kernel_warp.h"
#include "sim/engine/block.h"
#include "sim/engine/engine.h"
#include "sim/engine/running.h"
#include "sim/requests/fault.h"
#include "sim/requests/lane.h"
#include "sim/requests/race.h"
#include "sim/streams/host_hazards.h"
#include "warpup/runtime.h"

#include <stdatomic.h>
#include <stdio.h>

#define CALLER ((uintptr_t)__builtin_return_address(0))

/* What a lane reads from a lane that did not come; on a GPU this is undefined. Here it is a NaN as
 * a float or double, and a conspicuous number as an integer. */
static const uint64_t NO_VALUE = 0x7ff5dead7ff5dead;

/* Where a thread of the running kernel read it; 0 if none did. */
static _Atomic uintptr_t lost_at;

uintptr_t kernel_lost_value(void)
{
    return atomic_exchange(&lost_at, 0);
}

/* Waits for the lanes of the mask that have not ended. Gets all their values, and returns the lanes
 * that came. */
static uint32_t exchange(uint32_t mask, uint64_t value, uint64_t from[LANES], uintptr_t pc)
{
    if (!lane_runs) return 0;
    uint32_t lane = running_lane();
    if (!(mask >> lane & 1)) {
        char detail[100];
        snprintf(detail, sizeof detail,
                 "lane %u of the warp calls it, but the mask 0x%08x does not include this lane",
                 lane, mask);
        fault_here("lanes-missing", pc, NULL, 0, NULL, detail);
    }
    return block_exchange(mask, value, from, pc);
}

void warpup_return(void)
{
    if (lane_runs) block_return(CALLER);
}

void warpup_syncwarp(uint32_t mask)
{
    uint64_t from[LANES];
    exchange(mask, 0, from, CALLER);
}

uint32_t warpup_active(void)
{
    return lane_runs ? block_active(CALLER) : 0;
}

/* The lane that `lane` reads from, within its section of `width` lanes; `lane` itself if the other
 * one would be outside. */
static uint32_t source_lane(enum warpup_direction direction, uint32_t lane, uint32_t by, int width)
{
    uint32_t inside = (uint32_t)width - 1, first = lane & ~inside, last = first | inside;
    by &= LANES - 1;
    switch (direction) {
    case WARPUP_INDEX: return first | (by & inside);
    case WARPUP_UP: return lane >= first + by ? lane - by : lane;
    case WARPUP_DOWN: return lane + by <= last ? lane + by : lane;
    case WARPUP_XOR_LANE: return (lane ^ by) <= last ? lane ^ by : lane;
    }
    return lane;
}

uint64_t warpup_shuffle(enum warpup_direction direction, uint32_t mask, uint64_t value, uint32_t by,
                        int width)
{
    uint64_t from[LANES];
    uint32_t came = exchange(mask, value, from, CALLER);
    if (came == 0) return value;
    uint32_t lane = source_lane(direction, running_lane(), by, width);
    if (came >> lane & 1) return from[lane];
    lost_at = CALLER;
    return NO_VALUE;
}

uint32_t warpup_ballot(uint32_t mask, int predicate)
{
    uint64_t from[LANES];
    uint32_t came = exchange(mask, predicate != 0, from, CALLER), votes = 0;
    EACH_LANE (lane, came)
        votes |= (uint32_t)from[lane] << lane;
    return votes;
}

/* Of the lanes that came, those with this value. */
static uint32_t lanes_with(uint64_t value, uint32_t came, const uint64_t from[LANES])
{
    uint32_t same = 0;
    EACH_LANE (lane, came)
        if (from[lane] == value) same |= 1u << lane;
    return same;
}

uint32_t warpup_match(uint32_t mask, uint64_t value)
{
    uint64_t from[LANES];
    uint32_t came = exchange(mask, value, from, CALLER);
    return lanes_with(value, came, from);
}

uint32_t warpup_match_all(uint32_t mask, uint64_t value)
{
    uint64_t from[LANES];
    uint32_t came = exchange(mask, value, from, CALLER);
    return lanes_with(value, came, from) == came ? came : 0;
}

static int64_t reduced(enum warpup_operation operation, int64_t a, int64_t b)
{
    switch (operation) {
    case WARPUP_ADD: return (int64_t)((uint64_t)a + (uint64_t)b);
    case WARPUP_MIN: return a < b ? a : b;
    case WARPUP_MAX: return a > b ? a : b;
    case WARPUP_AND: return a & b;
    case WARPUP_OR: return a | b;
    case WARPUP_XOR: return a ^ b;
    default: return a;
    }
}

int64_t warpup_reduce(enum warpup_operation operation, uint32_t mask, int64_t value)
{
    uint64_t from[LANES];
    uint32_t came = exchange(mask, (uint64_t)value, from, CALLER);
    if (came == 0) return value;
    uint32_t first = (uint32_t)__builtin_ctz(came);
    int64_t result = (int64_t)from[first];
    EACH_LANE (lane, came & (came - 1))
        result = reduced(operation, result, (int64_t)from[lane]);
    return result;
}

/* ---- barriers ------------------------------------------------------------------------------- */

void warpup_barrier(void)
{
    int threads;
    if (lane_runs) block_wait_at_barrier(0, false, &threads, CALLER);
}

int warpup_barrier_count(int predicate)
{
    int threads;
    return lane_runs ? block_wait_at_barrier(predicate, false, &threads, CALLER) : 0;
}

int warpup_barrier_all(int predicate)
{
    int threads;
    return lane_runs && block_wait_at_barrier(predicate, false, &threads, CALLER) == threads;
}

/* What grid.sync() does on a GPU after a launch that is not cooperative. */
void warpup_grid_barrier(void)
{
    int threads;
    if (!lane_runs) return;
    if (!running_worker->launch->cooperative) {
        fault_here("assert-failed", CALLER, NULL, 0, NULL,
                   "grid.sync() needs a cooperative launch");
        running_abort(cudaErrorLaunchFailure);
    }
    block_wait_at_barrier(0, true, &threads, CALLER);
}

int warpup_grid_is_cooperative(void)
{
    return lane_runs && running_worker->launch->cooperative;
}

/* Other blocks run at the same time. The race detector must know what this thread has written
 * before they can learn of it, so its log is merged here. The fence of this machine is for them
 * too: aarch64 keeps no order between stores. */
void warpup_fence(void)
{
    if (!lane_runs) return;
    race_fence(&running_worker->segment);
    running_yield();
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

void warpup_fence_system(void)
{
    hazard_fenced();
    warpup_fence();
}
