/*
 * grid.h: blocks of a cooperative launch that wait for the whole grid. A worker runs its blocks one
 * after another, as always. A block whose threads wait for the grid is parked: its threads, and
 * what it has in shared memory, which the worker's next block uses too. When all blocks of the
 * launch have come, each goes on, on the worker that has begun it.
 */
#ifndef WARPUP_GRID_H
#define WARPUP_GRID_H

#include "sim/engine/running.h"

struct parked_block;

/* Takes the running block off its worker. All its threads have ended or wait at a barrier. */
struct parked_block *grid_park(struct worker *worker);

/* Puts it back, and frees the copy. */
void grid_unpark(struct worker *worker, struct parked_block *parked);

/* Frees a block that does not go on. */
void grid_forget(struct parked_block *parked);

/* The time at which it came, and the earliest at which it goes on. */
double grid_time(const struct parked_block *parked);
void grid_set_time(struct parked_block *parked, double ns);

/* Its linear index, and the place of its first thread's call. */
uint32_t grid_block(const struct parked_block *parked);
struct arrival grid_arrival(const struct parked_block *parked);

#endif
