/*
 * order.h: which accesses of other threads come before what a thread does now (happens-before).
 * Within a block barriers order warps, within a warp __syncwarp orders lanes; all else is in
 * release.h. Between blocks nothing else orders; if several workers run the blocks, it is only
 * found out whether blocks depend on each other (conflict.h).
 */
#ifndef WARPUP_ORDER_H
#define WARPUP_ORDER_H

#include "gpu/memory/tag.h"
#include "gpu/memory/watching.h"

void order_launch(uint64_t launch);
void order_end(void);
void order_watcher(struct watcher *watcher);
void order_free_watcher(struct watcher *watcher);
void order_block(struct watched_block *block);
void order_free_block(struct watched_block *block);
void order_warp(struct watched_warp *warp);

/* Begins a new segment of the warp. */
void order_begin_segment(struct watched_warp *warp);

/* The tag of the warp's segment, without a form. */
static inline uint32_t order_own(struct watched_warp *warp)
{
    if (warp->own == 0) order_begin_segment(warp);
    return warp->own;
}

/* A number for a set. 0: none is left. */
uint32_t order_number(struct watcher *watcher);

/* Is the access `tag`, of one segment, before what this lane does now? */
bool order_is_before(const struct watched_warp *warp, uint32_t lane, uint32_t tag);

/* Are all accesses to the row or word from before the block's last barrier? This is quick, and may
 * say no where they are. */
static inline bool order_is_settled(const struct watched_block *block, uint32_t tag)
{
    return tag < block->floor && tag_form(tag) != FORM_SET && !tag_is_blocks(tag) &&
           segments[tag_number(tag)].block == block->index;
}

/* A barrier object's clock: by warp, the tag up to which those who wait for the object have seen
 * it. All lanes of the warp that have not ended arrive at the object, or have waited for it. */
bool order_are_all(const struct watched_warp *warp, uint32_t lanes);
void order_hand_over(struct watched_warp *warp, uint32_t clock[WARPS_MAX]);
void order_take_over(struct watched_warp *warp, const uint32_t clock[WARPS_MAX]);

/* The launch whose kernel set this tag, and the range of its tags; 0: none that is known. The first
 * tag of a launch. */
struct tag_range {
    uint32_t first, end;
};
uint64_t order_launch_of(uint32_t tag, struct tag_range *range);
uint32_t order_first_tag(
    uint64_t launch);       /* of the first launch with this number or a higher one; UINT32_MAX */
bool order_forgotten(void); /* have tags been forgotten, because their numbers began again? */

/* Is it the tag of a segment with a number of its own? The last number is that of all others. */
static inline bool order_is_numbered(uint32_t tag)
{
    return tag_number(tag) < NUMBERS - 2;
}

/* Blocks depend on each other. */
void order_note_dependence(void);

/* Does the launch's code have anything but whole barriers and __syncwarp that orders threads:
 * fences, barriers of some warps, barrier objects? Only then sets of accesses are kept one by one.
 */
extern bool order_is_plain;

#endif
