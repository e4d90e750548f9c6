/* grid.c: see grid.h. */
#include "sim/engine/grid.h"

#include "sim/requests/request.h"

#include <stdlib.h>
#include <string.h>

struct parked_block {
    struct segment segment;
    struct barrier barrier;
    struct warp *warps;
    struct chain *chains;
    struct fiber *(*fibers)[LANES];
    uint32_t block[3]; /* blockIdx */
    struct shared_copy shared;
    struct async_copies *copies; /* NULL: none in flight */
    double ns;
};

static void *take(size_t count, size_t bytes)
{
    void *memory = calloc(count, bytes);
    if (memory == NULL) abort();
    return memory;
}

/* The time of the block's slowest warp. */
static double slowest(struct worker *worker)
{
    double ns = 0;
    for (uint32_t i = 0; i < worker->warp_count; i++) {
        double one = request_settle(&worker->chain[i]);
        if (one > ns) ns = one;
    }
    return ns;
}

struct parked_block *grid_park(struct worker *worker)
{
    uint32_t warps = worker->warp_count;
    struct parked_block *parked = take(1, sizeof *parked);
    parked->ns = slowest(worker);
    parked->segment = worker->segment;
    parked->barrier = worker->barrier;
    parked->warps = take(warps, sizeof *parked->warps);
    parked->chains = take(warps, sizeof *parked->chains);
    parked->fibers = take(warps, sizeof *parked->fibers);
    memcpy(parked->warps, worker->warps, warps * sizeof *parked->warps);
    memcpy(parked->chains, worker->chain, warps * sizeof *parked->chains);
    memcpy(parked->fibers, worker->fiber, warps * sizeof *parked->fibers);
    memcpy(parked->block, warpup_lane.block, sizeof parked->block);
    shared_save(&worker->shared, &parked->shared);
    if (worker->copies.count > 0) {
        parked->copies = take(1, sizeof *parked->copies);
        *parked->copies = worker->copies;
        worker->copies = (struct async_copies){0};
    }
    worker->barrier = (struct barrier){0};
    return parked;
}

void grid_unpark(struct worker *worker, struct parked_block *parked)
{
    uint32_t warps = worker->warp_count;
    worker->segment = parked->segment;
    worker->barrier = parked->barrier;
    memcpy(worker->warps, parked->warps, warps * sizeof *parked->warps);
    memcpy(worker->chain, parked->chains, warps * sizeof *parked->chains);
    memcpy(worker->fiber, parked->fibers, warps * sizeof *parked->fibers);
    memcpy(warpup_lane.block, parked->block, sizeof parked->block);
    warpup_lane.thread[1] = warpup_lane.thread[2] = 0;
    for (uint32_t i = 0; i < warps; i++)
        worker->chain[i].ns = parked->ns;
    async_copies_reset(&worker->copies, &worker->shared);
    shared_begin_block(&worker->shared);
    shared_restore(&worker->shared, &parked->shared);
    if (parked->copies != NULL) {
        free(worker->copies.pool);
        worker->copies = *parked->copies;
        parked->copies->pool = NULL;
    }
    grid_forget(parked);
}

void grid_forget(struct parked_block *parked)
{
    if (parked->copies != NULL) free(parked->copies->pool);
    free(parked->copies);
    shared_copy_free(&parked->shared);
    free(parked->warps);
    free(parked->chains);
    free(parked->fibers);
    free(parked);
}

double grid_time(const struct parked_block *parked)
{
    return parked->ns;
}

void grid_set_time(struct parked_block *parked, double ns)
{
    parked->ns = ns;
}

uint32_t grid_block(const struct parked_block *parked)
{
    return parked->segment.block;
}

struct arrival grid_arrival(const struct parked_block *parked)
{
    return parked->barrier.first;
}
