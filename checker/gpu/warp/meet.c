/*
 * meet.c: lanes that wait for other lanes of their warp, at shuffles, votes and the like. The lanes
 * that an instruction's mask names execute it together, wherever each of them waits. Lanes for
 * which nobody comes are reported, and go on.
 */
#include "gpu/warp/control.h"

#include <stdio.h>

/* Lanes of `lanes`, which are at this instruction, for which nobody else has to come. */
uint32_t complete_lanes(struct warp *warp, const struct ptx_instruction *at, uint32_t lanes)
{
    uint32_t done = 0, left = lanes;
    while (left != 0) {
        uint32_t lane = (uint32_t)__builtin_ctz(left), mask = meet_mask_of(warp, at, lane);
        uint32_t together =
            at->flow == FLOW_MEET_FIXED
                ? left
                : lanes_like(VALUES(warp, const uint32_t, at->c_base, at->target), left);
        left &= ~together;
        if ((mask & warp->live & ~together) == 0) done |= together;
        uint32_t outside = together & ~mask;
        if (outside == 0) continue;
        char detail[100];
        lane = (uint32_t)__builtin_ctz(outside);
        snprintf(detail, sizeof detail,
                 "lane %u of the warp calls it, but the mask 0x%08x does not include this lane",
                 lane, mask);
        warp_fault(warp, at, lane, "lanes-missing", detail);
        done |= outside;
    }
    return done;
}

/* The lanes that wait together with this one, of all that wait. */
static uint32_t together_with(const struct control *control, uint32_t lane, uint32_t waiting)
{
    uint32_t together = 0;
    EACH_LANE (one, waiting)
        if (control->meet_mask[one] == control->meet_mask[lane] &&
            exchange_is_same(control->meet_at[one], control->meet_at[lane]))
            together |= 1u << one;
    return together;
}

/* Lanes that wait, all of whose partners wait too; those of one mask. */
static uint32_t complete_waiting(const struct warp *warp)
{
    const struct control *control = warp->control;
    uint32_t waiting = waiting_lanes(warp, GROUP_MEETS, 0);
    EACH_LANE (lane, waiting) {
        uint32_t together = together_with(control, lane, waiting);
        if ((control->meet_mask[lane] & warp->live & ~together) == 0) return together;
    }
    return 0;
}

/* Executes the exchange of lanes that have met, wherever each is, and lets them go on. */
static void exchange_waiting(struct warp *warp, uint32_t lanes)
{
    struct control *control = warp->control;
    uint32_t locations = 0;
    for (uint32_t i = 0; i < control->count; i++) {
        struct group *one = &control->group[i];
        if (one->state != GROUP_MEETS || (one->mask & lanes) == 0) continue;
        enter_activation(warp, one->activation);
        exchange_gather(warp, one->activation->function->code + one->at, one->mask & lanes);
        locations++;
    }
    control->gathered = locations > 1;
    control->came = lanes;
    for (uint32_t i = 0; i < control->count;) {
        struct group one = control->group[i];
        if (one.state != GROUP_MEETS || (one.mask & lanes) == 0) {
            i++;
            continue;
        }
        const struct ptx_function *function = one.activation->function;
        const struct ptx_instruction *at = function->code + one.at;
        if ((one.mask & ~lanes) != 0)
            control->group[i].mask &= ~lanes;
        else
            drop_group(control, i);
        one.mask &= lanes;
        one.state = GROUP_READY;
        one.at++;
        enter_activation(warp, one.activation);
        at->execute(warp, at, one.mask);
        watch_exchange(warp->watched, one.mask);
        count_segment(warp, function, at, at + 1, one.mask);
        add_group(control, &one);
        i = 0;
    }
    control->gathered = false;
    warp->worker->tally.exchanges++;
}

void exchange_complete(struct warp *warp)
{
    uint32_t lanes;
    while (!warp->control->stop && (lanes = complete_waiting(warp)) != 0)
        exchange_waiting(warp, lanes);
}

/* Nobody comes for whom these lanes wait: a GPU might hang. The first group is reported, and goes
 * on alone. */
bool release_meeting(struct warp *warp)
{
    struct control *control = warp->control;
    uint32_t waiting = waiting_lanes(warp, GROUP_MEETS, 0);
    if (waiting == 0) return false;
    uint32_t lane = (uint32_t)__builtin_ctz(waiting), at_barrier = 0;
    uint32_t lanes = together_with(control, lane, waiting);
    uint32_t missing = control->meet_mask[lane] & warp->live & ~lanes;
    const struct ptx_instruction *at = control->meet_at[lane];
    for (uint32_t i = 0; i < control->count; i++)
        if (control->group[i].state > GROUP_MEETS) at_barrier |= control->group[i].mask;
    char detail[120];
    if (needs_whole_warp(at))
        snprintf(detail, sizeof detail,
                 "all 32 lanes of the warp have to call it, but only %d of them do",
                 __builtin_popcount(lanes));
    else
        snprintf(detail, sizeof detail, "it waits for lane %d of the warp, but that lane waits %s",
                 __builtin_ctz(missing),
                 missing & -missing & at_barrier                  ? "at a barrier of the block"
                 : control->meet_at[__builtin_ctz(missing)] == at ? "for other lanes"
                                                                  : "at another call");
    warp_fault(warp, at, lane, "lanes-missing", detail);
    exchange_waiting(warp, lanes);
    exchange_complete(warp);
    return true;
}
