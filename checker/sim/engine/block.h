/*
 * block.h: running one block, on one worker. Its CUDA threads run on fibers: one fiber runs thread
 * after thread, until a thread has to wait at a barrier or because its log is full. That thread
 * keeps the fiber, and another fiber goes on with the other threads.
 */
#ifndef WARPUP_BLOCK_H
#define WARPUP_BLOCK_H

#include "sim/engine/running.h"

struct parked_block;

/* Makes a worker's fibers: enough for this number of waiting threads, and at least for one block.
 * False if this machine has no memory for them. No block may be running. */
bool block_prepare(struct worker *worker, size_t threads);

/* Starts one thread of the launch, stops it at its first basic block, and returns the place of that
 * block. */
uintptr_t block_entry(struct worker *worker, const struct kernel_launch *launch);

/* Runs the block with this linear index to its end, unless worker->error is set then. If all its
 * threads wait for the grid instead, it returns the block, which block_go_on() takes when all
 * blocks have come; otherwise NULL. */
struct parked_block *block_run(struct worker *worker, uint32_t block);
struct parked_block *block_go_on(struct worker *worker, struct parked_block *parked);

/*
 * Called by the running CUDA thread, which waits meanwhile; `pc` is its place in the kernel. The
 * barrier returns how many threads of the block came with a predicate that is not 0, and in
 * `threads` how many came at all; `for_grid` if the whole grid is waited for. The exchange waits
 * for the lanes of `mask`, gives each lane all their values (`from[lane]`), and returns the lanes
 * that came. block_active() returns the lanes of the warp that have come to the same place.
 * block_meet() is an exchange of the whole warp that begins an instruction of the warp. It takes no
 * time of its own, and only the first lane that goes on may look at the values.
 */
/*
 * Waits until all other threads of the block wait too, for anything: what a thread polls for has
 * then been done, or another one that polls will do it. block_moved() says that something was done;
 * without it the threads that poll are stuck, and the first one is reported. False if it should
 * give up.
 */
bool block_poll(bool again, uintptr_t pc);
void block_moved(void);

/* Called before a thread adds to this integer and gets the old value. A thread that does so again
 * may be asking for its next piece of work: the other lanes of its warp then get their turn first,
 * as on a GPU, where they run together. */
void block_take_turn(const void *at, uintptr_t pc);

/* The running thread ends at the return statement before `pc`. */
void block_return(uintptr_t pc);

int block_wait_at_barrier(int predicate, bool for_grid, int *threads, uintptr_t pc);
uint32_t block_exchange(uint32_t mask, uint64_t value, uint64_t from[LANES], uintptr_t pc);
uint32_t block_meet(uint64_t value, const uint64_t **from, uintptr_t pc);
uint32_t block_active(uintptr_t pc);

#endif
