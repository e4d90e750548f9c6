/*
 * control.c: which lanes of a warp run, and what they run next. The group of lanes at the lowest
 * place runs until it waits or reaches the place of another one, which it joins (groups.c): so
 * lanes that went different ways meet again where the ways do. Groups that loop for long give way
 * to the others of their warp.
 */
#include "gpu/warp/control.h"
#include "gpu/warp/trial.h"

#include <stdio.h>

/* ---- counts --------------------------------------------------------------------------------- */

/* An instruction whose guard is false for some lanes was not executed by them. */
static inline void count_guarded(struct warp *warp, const struct ptx_function *function,
                                 const struct ptx_instruction *at, uint32_t without)
{
    size_t number = function->first + (size_t)(at - function->code);
    int64_t count = __builtin_popcount(without);
    warp->worker->lanes_at[number] -= count;
    warp->worker->lanes_at[number + 1] += count;
}

void warp_count_tensor(struct warp *warp, uint64_t flops)
{
    warp->worker->tally.tensor_flops += flops;
}

/* Adds what was counted to the worker's tally. */
void counters_add(struct worker *worker)
{
    int64_t warps = 0, lanes = 0;
    for (uint32_t i = 0; i < worker->run->module->numbers; i++) {
        warps += worker->warps_at[i];
        lanes += worker->lanes_at[i];
        worker->tally.executed[i] += (uint64_t)warps;
        worker->tally.executed_lanes[i] += (uint64_t)lanes;
        worker->tally.warp_instructions += (uint64_t)warps;
        worker->warps_at[i] = worker->lanes_at[i] = 0;
    }
}

/* ---- a group runs --------------------------------------------------------------------------- */

/* The running group, while its lanes are not among the others. */
struct running {
    struct group group;
    const struct ptx_instruction *at;    /* the next one */
    const struct ptx_instruction *start; /* executed from here on, but not counted yet */
};

static void settle(struct warp *warp, struct running *run, const struct ptx_instruction *to)
{
    count_segment(warp, run->group.activation->function, run->start, to, run->group.mask);
    run->start = to;
}

/* Moves lanes of the running group to another place. */
static void part(struct warp *warp, struct running *run, uint32_t lanes,
                 const struct ptx_instruction *at, enum group_state state, uint8_t barrier)
{
    struct group other = run->group;
    other.mask = lanes;
    other.at = (int32_t)(at - run->group.activation->function->code);
    other.state = (uint8_t)state;
    other.barrier = barrier;
    add_group(warp->control, &other);
    run->group.mask &= ~lanes;
}

/* Tells memory/ which lanes have ended, and where: at the jump that led them here, if it is known.
 */
static void announce_end(struct warp *warp, const struct ptx_instruction *at, uint32_t lanes)
{
    const struct control *control = warp->control;
    uint32_t jumped = lanes & control->jumped;
    if ((lanes & ~jumped) != 0) watch_exit(warp->watched, lanes & ~jumped, at);
    for (uint32_t same; jumped != 0; jumped &= ~same) {
        same = lanes_like_64((const uint64_t *)(const void *)control->jumped_at, jumped);
        watch_exit(warp->watched, same, control->jumped_at[__builtin_ctz(jumped)]);
    }
}

/* Lanes end. Others no longer wait for them. */
static void end_lanes(struct warp *warp, struct running *run, uint32_t lanes)
{
    struct group *group = &run->group;
    const struct ptx_instruction *at = run->at - 1;
    announce_end(warp, at, lanes);
    group->mask &= ~lanes;
    warp->live &= ~lanes;
    warp->block->live_threads -= (uint32_t)__builtin_popcount(lanes);
    warp->block->changed = true;
    if (at->opcode == OP_exit) warp->control->exited |= lanes;
    activation_leave(warp, group->activation, lanes);
    if (warp->live != 0) exchange_complete(warp);
    if (group->mask != 0) enter_activation(warp, group->activation);
}

/* A jump back: has the group run long enough? */
static inline bool slice_is_over(struct control *control, struct group *group)
{
    group->slice -= control->drew ? SLICE : control->polled ? POLL_COST : 1;
    if (LIKELY(group->slice > 0)) {
        control->polled = false;
        return false;
    }
    control->spun = control->spun || control->polled;
    control->other_polls = true;
    control->polled = control->drew = false;
    group->slice = SLICE;
    group->gave_way = true;
    return true;
}

/* In a trial, a warp that has jumped back often enough leaves its loops, as if they were over. */
static bool leaves_loop(const struct warp *warp, const struct running *run,
                        const struct ptx_instruction *at)
{
    const struct trial *trial = warp->block->run->launch->trial;
    bool back = at->opcode != OP_brx && at->target <= at - run->group.activation->function->code;
    return UNLIKELY(trial != NULL) && back && run->group.slice <= 1;
}

/* brx.idx: each lane has a target of its own. */
static void branch_by_table(struct warp *warp, struct running *run,
                            const struct ptx_instruction *at, uint32_t lanes)
{
    const uint32_t *index = VALUES(warp, const uint32_t, at->operand[0].base, at->operand[0].at);
    const struct ptx_instruction *code = run->group.activation->function->code;
    uint32_t count = 0;
    while (at->targets[count] >= 0)
        count++;
    for (uint32_t left = lanes, same; left != 0; left &= ~same) {
        uint32_t chosen = index[__builtin_ctz(left)];
        same = lanes_like(index, left);
        part(warp, run, same, code + at->targets[chosen < count ? chosen : count - 1], GROUP_READY,
             0);
    }
}

/* A call. Lanes may call different functions through pointers. */
static void call(struct warp *warp, struct running *run, const struct ptx_instruction *at,
                 uint32_t lanes)
{
    struct activation *caller = run->group.activation;
    const struct ptx_operand *through = &at->call->through;
    for (uint32_t left = lanes, same; left != 0 && !warp->control->stop; left &= ~same) {
        const struct ptx_function *callee = at->callee;
        same = left;
        if (callee == NULL) {
            const uint64_t *pointer = VALUES(warp, const uint64_t, through->base, through->at);
            uint64_t address = pointer[__builtin_ctz(left)];
            same = lanes_like_64(pointer, left);
            callee = function_at(caller->function->module, address);
            if (callee == NULL) {
                refuse_call(warp, at, same, address);
                return;
            }
        }
        struct group entered = run->group;
        entered.mask = same;
        run->group.mask &= ~same;
        if (!call_function(warp, at, callee, caller, same, &entered.activation)) return;
        entered.at = 0;
        if (entered.activation == caller) entered.at = (int32_t)(at - caller->function->code) + 1;
        add_group(warp->control, &entered);
    }
}

static void return_lanes(struct warp *warp, struct running *run, uint32_t lanes)
{
    struct activation *activation = run->group.activation;
    if (activation->caller == NULL) {
        end_lanes(warp, run, lanes);
        return;
    }
    return_results(activation, lanes);
    struct group back = run->group;
    back.mask = lanes;
    back.activation = activation->caller;
    back.at = location_of_call(activation) + 1;
    run->group.mask &= ~lanes;
    activation->inside &= ~lanes;
    activation_leave(warp, activation, 0);
    add_group(warp->control, &back);
}

/* An instruction with matrices needs all 32 lanes: those that have ended, or that the block never
 * had, are missing. */
static void need_all_lanes(struct warp *warp, const struct ptx_instruction *at, uint32_t lanes)
{
    char detail[80];
    if (!needs_whole_warp(at)) return;
    snprintf(detail, sizeof detail, "it needs all 32 lanes of the warp, but lane %d is not there",
             __builtin_ctz(~lanes));
    warp_fault(warp, at, (uint32_t)__builtin_ctz(lanes), "lanes-missing", detail);
}

/* At an instruction for which other lanes may have to come. True if it was executed. */
static bool meet(struct warp *warp, struct running *run, const struct ptx_instruction *at,
                 uint32_t lanes)
{
    struct control *control = warp->control;
    uint32_t complete;
    if (LIKELY(at->flow == FLOW_MEET_FIXED && ((uint32_t)at->target & warp->live) == lanes))
        complete = lanes;
    else
        complete = complete_lanes(warp, at, lanes);
    if (complete != 0) {
        control->came = complete;
        if (UNLIKELY(complete != UINT32_MAX)) need_all_lanes(warp, at, complete);
        at->execute(warp, at, complete);
        watch_exchange(warp->watched, complete);
        warp->worker->tally.exchanges++;
    }
    if (complete == lanes) {
        if (lanes != run->group.mask)
            count_guarded(warp, run->group.activation->function, at, run->group.mask & ~lanes);
        return true;
    }
    settle(warp, run, at);
    if (complete != 0) count_segment(warp, run->group.activation->function, at, at + 1, complete);
    EACH_LANE (lane, lanes & ~complete) {
        control->meet_mask[lane] = meet_mask_of(warp, at, lane);
        control->meet_at[lane] = at;
    }
    part(warp, run, lanes & ~complete, at, GROUP_MEETS, 0);
    part(warp, run, run->group.mask, at + 1, GROUP_READY, 0);
    exchange_complete(warp);
    return false;
}

/* Anything but a plain instruction. True if the group goes on with run->at. */
static bool step(struct warp *warp, struct running *run)
{
    struct control *control = warp->control;
    struct group *group = &run->group;
    const struct ptx_instruction *at = run->at;
    const struct ptx_function *function = group->activation->function;
    uint32_t lanes = group->mask;
    if (at->guard >= 0) {
        uint32_t bits = *(const uint32_t *)(group->activation->frame + at->guard);
        lanes &= at->guard_negated ? ~bits : bits;
    }
    bool meets = at->flow == FLOW_MEET || at->flow == FLOW_MEET_FIXED;
    if (at->flow != FLOW_BRANCH && !meets && lanes != group->mask)
        count_guarded(warp, function, at, group->mask & ~lanes);
    run->at++;
    if (lanes == 0) return true;
    switch (at->flow) {
    case FLOW_BRANCH:
        if (leaves_loop(warp, run, at)) return true;
        settle(warp, run, at->added ? at : at + 1);
        if (UNLIKELY(at->space != 0)) {
            control->jumped |= lanes;
            EACH_LANE (lane, lanes)
                control->jumped_at[lane] = at;
        }
        if (at->opcode == OP_brx) {
            branch_by_table(warp, run, at, lanes);
            part(warp, run, group->mask, at + 1, GROUP_READY, 0);
            return false;
        }
        if (lanes == group->mask) {
            run->at = run->start = function->code + at->target;
            return at->target > at - function->code || !slice_is_over(control, group);
        }
        if (at->target <= at - function->code) slice_is_over(control, group);
        part(warp, run, lanes, function->code + at->target, GROUP_READY, 0);
        return false;
    case FLOW_CALL:
        settle(warp, run, at + 1);
        call(warp, run, at, lanes);
        return false;
    case FLOW_RETURN:
        settle(warp, run, at + 1);
        return_lanes(warp, run, lanes);
        return false;
    case FLOW_EXIT:
        settle(warp, run, at + 1);
        end_lanes(warp, run, lanes);
        return group->mask != 0;
    case FLOW_BARRIER:
    case FLOW_GRID:
    case FLOW_CLUSTER:
        if (!wait_at(warp, at, lanes)) return true;
        settle(warp, run, at + 1);
        part(warp, run, lanes, at,
             at->flow == FLOW_BARRIER ? GROUP_BARRIER
             : at->flow == FLOW_GRID  ? GROUP_GRID
                                      : GROUP_CLUSTER,
             control->barrier_number);
        return false;
    case FLOW_MEET:
    case FLOW_MEET_FIXED: return meet(warp, run, at, lanes);
    case FLOW_PAUSE:
        control->paused = false;
        settle(warp, run, at);
        at->execute(warp, at, lanes);
        if (!control->paused) return true;
        settle(warp, run, at + 1);
        group->gave_way = control->spun = true;
        return false;
    default: return true;
    }
}

/* Runs a group until it waits or ends, its slice is over, or it reaches another group's place. */
static void run_group(struct warp *warp, struct running *run)
{
    struct control *control = warp->control;
    const struct ptx_function *function = run->group.activation->function;
    const struct ptx_instruction *limit = limit_of(control, &run->group);
    const struct ptx_instruction *at = function->code + run->group.at;
    uint32_t mask = run->group.mask;
    enter_activation(warp, run->group.activation);
    run->start = at;
    /* A group that is at the limit's own place has been merged. It runs at least one instruction.
     */
    do {
        while (LIKELY(at->flow == FLOW_NEXT)) {
            at->execute(warp, at, mask);
            at++;
            if (UNLIKELY(control->stop)) goto out;
            if (UNLIKELY(at == limit)) goto out;
        }
        if (at->flow == FLOW_GUARDED) {
            uint32_t bits = *(const uint32_t *)(run->group.activation->frame + at->guard);
            uint32_t lanes = mask & (at->guard_negated ? ~bits : bits);
            if (lanes != mask) count_guarded(warp, function, at, mask & ~lanes);
            if (lanes != 0) at->execute(warp, at, lanes);
            at++;
        } else {
            run->at = at;
            if (!step(warp, run)) {
                at = run->at;
                goto parted;
            }
            at = run->at;
            mask = run->group.mask;
        }
        if (UNLIKELY(control->stop)) goto out;
    } while (at < limit);
out:
    settle(warp, run, at);
parted:
    if (run->group.mask == 0) return;
    run->group.at = (int32_t)(at - function->code);
    add_group(control, &run->group);
}

void warp_begin(struct warp *warp, uint32_t lanes)
{
    struct control *control = warp->control;
    const struct trial *trial = warp->block->run->launch->trial;
    warp->live = lanes;
    warp->carry = 0;
    control->count = 1;
    control->group[0] = (struct group){.mask = lanes,
                                       .activation = control->kernel,
                                       .slice = trial == NULL ? SLICE : (int32_t)trial->jumps};
    control->kernel->inside = lanes;
    control->jumped = control->exited = control->promised = 0;
    control->polled = control->drew = control->stop = control->spun = false;
    control->instructions = control->clock = 0;
}

/* A warp of a trial asks again and again for what does not come: for the others it is as if it had
 * ended. */
static void cut_off(struct warp *warp)
{
    struct block *block = warp->block;
    block->live_threads -= (uint32_t)__builtin_popcount(warp->live);
    block->changed = true;
    warp->live = warp->control->count = 0;
}

enum warp_state warp_advance(struct warp *warp)
{
    struct control *control = warp->control;
    struct running run;
    control->spun = control->phase_polls = control->other_polls = false;
    while (!control->stop && take_group(control, &run.group))
        run_group(warp, &run);
    if (warp->live == 0 || control->stop) return WARP_ENDED;
    bool any = false;
    for (uint32_t i = 0; i < control->count; i++) {
        struct group *one = &control->group[i];
        any = any || one->state == GROUP_READY;
        one->gave_way = false;
    }
    if (any && warp->block->run->launch->trial != NULL) {
        cut_off(warp);
        return WARP_ENDED;
    }
    return any ? WARP_SPINS : WARP_WAITS;
}
