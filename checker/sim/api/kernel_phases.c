/*
 * kernel_phases.c: the barriers that cuda::barrier and the pipelines of a block use. A block may
 * have many of them, and any number of its threads may wait at each. The kernel's accesses do not
 * include those to a barrier itself.
 */
#include "sim/engine/async_copies.h"
#include "sim/engine/block.h"
#include "sim/engine/running.h"
#include "sim/requests/lane.h"
#include "warpup/runtime.h"

#define CALLER ((uintptr_t)__builtin_return_address(0))

void warpup_phases_init(struct warpup_phases *phases, uint32_t expected)
{
    *phases = (struct warpup_phases){.expected = expected, .missing = expected};
}

uint32_t warpup_phases_come(struct warpup_phases *phases, uint32_t count)
{
    uint32_t phase = phases->phase;
    if (!lane_runs) return phase;
    warpup_copy_commit();
    async_copies_promise();
    phases->missing = count < phases->missing ? phases->missing - count : 0;
    if (phases->missing == 0) {
        phases->missing = phases->expected;
        phases->phase++;
        phases->release = running_worker->releases;
    }
    block_moved();
    return phase;
}

void warpup_phases_leave(struct warpup_phases *phases)
{
    if (phases->expected > 0) phases->expected--;
    warpup_phases_come(phases, 1);
}

/* Is the phase over for the threads that were released last? What the threads did that ended it
 * then comes before what these do. */
static bool is_over(const struct warpup_phases *phases, uint32_t phase)
{
    return phases->phase != phase && phases->release != running_worker->releases;
}

/* A thread always lets the others run before it goes on, so that what they did comes before what it
 * does. */
void warpup_phases_wait(struct warpup_phases *phases, uint32_t phase)
{
    bool again = false;
    if (!lane_runs) return;
    warpup_copy_wait(0);
    do {
        if (!block_poll(again, CALLER)) return;
        again = true;
    } while (!is_over(phases, phase));
}

int warpup_phases_ask(struct warpup_phases *phases, uint32_t phase)
{
    if (!lane_runs) return 1;
    return !block_poll(false, CALLER) || is_over(phases, phase);
}
