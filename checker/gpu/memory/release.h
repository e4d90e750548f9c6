/*
 * release.h: how a thread hands over what it knows: a fence, then an atomic operation on a word (or
 * a store to a flag), whose result another thread uses (or which it reads as volatile). What the
 * first thread's fence covers is then before what the second one does. What a thread has learned in
 * this way goes on to others at barriers and by its own fences.
 */
#ifndef WARPUP_RELEASE_H
#define WARPUP_RELEASE_H

#include "gpu/memory/watching.h"

struct knowledge;
struct fence;

/* The number of the warp's last fence; 0: none. */
uint32_t release_fence_number(const struct watched_warp *warp);

/* The lane's atomic operation on the object of this key: it releases what its last fence covers; it
 * acquires what others have released there. */
void release_on(struct watched_warp *warp, uint32_t lane, uint64_t key);
void release_take(struct watched_warp *warp, uint32_t lane, uint64_t key);

/* The lane has read a flag that thread `tag` stored: it acquires what that thread's last fence
 * before it covers. False if there was no such fence. */
bool release_take_flag(struct watched_warp *warp, uint32_t lane, uint32_t tag);

/* Did the thread of this tag call a fence before its access? Has this lane called one? */
bool release_is_fenced(const struct watched_warp *warp, uint32_t tag);
bool release_has_fenced(const struct watched_warp *warp, uint32_t lane);

/* Does what the lane has acquired order the access `tag`, of one segment, before what it does now?
 */
bool release_orders(const struct watched_warp *warp, uint32_t lane, uint32_t tag);

/* All lanes of these warps (or these lanes of a warp) now know what one of them knows. */
void release_join_warps(struct watched_block *block, uint32_t warps);
void release_join_lanes(struct watched_warp *warp, uint32_t lanes);

/* Warps (or lanes) have met: each fence that one of them called now covers for the others what it
 * covers for itself. They need not have called one since. */
void release_pass_warps(struct watched_block *block, uint32_t warps);
void release_pass_lanes(struct watched_warp *warp, uint32_t lanes);

/* For a message. `tag` is a store of another block. That block may have handed something over after
 * it: by an atomic on global memory, or by a flag that it stored there. The reader must have used
 * an atomic's result, or read a flag. Returns the place of the block's atomic or flag if no fence
 * was before it, else 0. */
void release_note_signal(const struct watched_warp *warp, uint32_t lane, uint32_t location,
                         bool reads, bool writes, bool flag);
uint32_t release_missing_fence(const struct watched_block *reader, uint32_t tag, bool *flag);

void release_free(struct watcher *watcher);

/* ---- between release.c and fences.c: what a fence covers, and what is passed on at barriers
 * ------ */

struct object;

/* A fence, with what its lane had seen and done when it called it. */
struct fence {
    struct fence *previous; /* of the warp */
    uint32_t block, warp, mask;
    uint32_t block_floor, warp_floor, last;
    enum fence_scope scope;
    uint32_t *clock; /* of the warp: what it has seen of others; or NULL */
    /* Not a fence of these lanes, but those of threads that they have met since: by warp, what all
     * of its lanes have fenced is in `clock`; by thread, if lanes differ, in `threads`. */
    bool passed_on;
    uint32_t *threads;
    uint32_t (*seen)[LANES]; /* of its lanes; or NULL */
    const struct knowledge *acquired, **acquired_by;
    const struct object *on; /* the last object on which it was released, by these lanes */
    uint32_t on_lanes;
};

/* Memory that lives until the watcher is freed, filled with zeros; a copy in it, NULL of NULL. */
void *release_get(struct watcher *watcher, size_t bytes);
void *release_copy(struct watcher *watcher, const void *from, size_t bytes);

/* Gives a fence its number among the worker's; the fence with a number. */
uint32_t release_number(struct watcher *watcher, const struct fence *fence);
const struct fence *release_numbered(const struct watcher *watcher, uint32_t number);

/* The lane's last fence, beginning with this one of its warp; that before the access `tag`; NULL:
 * there is none. */
struct fence *fence_of_lane(struct fence *fence, uint32_t lane);
const struct fence *fence_of_tag(const struct watcher *watcher, uint32_t tag);

/* Is the access `tag` before what comes after the lane's fence, by barriers, meetings and fences
 * alone? */
bool fence_covers(const struct fence *fence, uint32_t lane, uint32_t tag);

#endif
