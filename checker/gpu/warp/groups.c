/*
 * groups.c: lanes at the same instruction form a group. Which group of a warp runs next, where it
 * meets another one, and which groups wait for something.
 */
#include "gpu/warp/control.h"

/* Adds a group; lanes that are ready at the same place become one. */
void add_group(struct control *control, const struct group *group)
{
    if (group->mask == 0) return;
    for (uint32_t i = 0; i < control->count; i++) {
        struct group *one = &control->group[i];
        if (one->at != group->at || one->activation != group->activation ||
            one->state != group->state || one->barrier != group->barrier)
            continue;
        one->mask |= group->mask;
        one->gave_way = one->gave_way && group->gave_way;
        if (group->slice < one->slice) one->slice = group->slice;
        return;
    }
    control->group[control->count++] = *group;
}

void drop_group(struct control *control, uint32_t i)
{
    control->group[i] = control->group[--control->count];
}

int32_t location_of_call(const struct activation *activation)
{
    return (int32_t)(activation->call - activation->caller->function->code);
}

/* Is one place before the other? Lanes in a function are at their caller's call, before lanes that
 * are to call it. */
static bool is_before(const struct group *a, const struct group *b)
{
    const struct activation *x = a->activation, *y = b->activation;
    int32_t at_x = a->at, at_y = b->at;
    bool deep_x = false, deep_y = false;
    while (x != y) {
        uint32_t depth_x = x->depth, depth_y = y->depth;
        if (depth_x >= depth_y) {
            at_x = location_of_call(x);
            x = x->caller;
            deep_x = true;
        }
        if (depth_y >= depth_x) {
            at_y = location_of_call(y);
            y = y->caller;
            deep_y = true;
        }
    }
    if (at_x != at_y) return at_x < at_y;
    return deep_x && !deep_y;
}

/* Where a group is in an activation: at its own place, or at the call that led it away; -1:
 * elsewhere. */
static int32_t slot_in(const struct group *group, const struct activation *activation)
{
    const struct activation *one = group->activation;
    int32_t at = group->at;
    while (one != activation && one->depth > activation->depth) {
        at = location_of_call(one);
        one = one->caller;
    }
    return one == activation ? at : -1;
}

/* Takes the group that runs next. False if all wait, or have given way. */
bool take_group(struct control *control, struct group *taken)
{
    int best = -1;
    for (uint32_t i = 0; i < control->count; i++) {
        const struct group *one = &control->group[i];
        if (one->state != GROUP_READY || one->gave_way) continue;
        if (best < 0 || is_before(one, &control->group[best])) best = (int)i;
    }
    if (best < 0) return false;
    *taken = control->group[best];
    drop_group(control, (uint32_t)best);
    return true;
}

/* The next place in its activation at which the running group meets another one that is ready. */
const struct ptx_instruction *limit_of(const struct control *control, const struct group *running)
{
    const struct ptx_function *function = running->activation->function;
    int32_t limit = (int32_t)function->code_count;
    for (uint32_t i = 0; i < control->count; i++) {
        const struct group *one = &control->group[i];
        if (one->state != GROUP_READY) continue;
        int32_t at = slot_in(one, running->activation);
        if (at > running->at && at < limit) limit = at;
    }
    return function->code + limit;
}

uint32_t waiting_lanes(const struct warp *warp, enum group_state state, int barrier)
{
    uint32_t lanes = 0;
    for (uint32_t i = 0; i < warp->control->count; i++) {
        const struct group *one = &warp->control->group[i];
        if (one->state == state && (state != GROUP_BARRIER || one->barrier == barrier))
            lanes |= one->mask;
    }
    return lanes;
}

/* Lets groups that wait go on. Those at one place become one. */
void release_groups(struct warp *warp, enum group_state state, int barrier)
{
    struct control *control = warp->control;
    for (uint32_t i = 0; i < control->count;) {
        struct group one = control->group[i];
        if (one.state != state || (state == GROUP_BARRIER && one.barrier != barrier)) {
            i++;
            continue;
        }
        drop_group(control, i);
        one.state = GROUP_READY;
        one.barrier = 0;
        one.at++;
        add_group(control, &one);
        i = 0;
    }
}
