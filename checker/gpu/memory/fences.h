/*
 * fences.h: the fences of a worker's threads, for release.c: what each covers, and what is passed
 * on at barriers.
 */
#ifndef WARPUP_FENCES_H
#define WARPUP_FENCES_H

#include "gpu/memory/release.h"

struct object;

/* What a lane had seen and done when it called a fence. */
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
    const struct knowledge *known, **known_by;
    const struct object *on; /* the last object on which it was released, by these lanes */
    uint32_t on_lanes;
};

_Noreturn void release_no_memory(void);

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
