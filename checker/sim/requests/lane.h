/*
 * lane.h: the CUDA thread that the calling OS thread runs: whether there is one, and its indices.
 * Blocks and threads of the running launch are also numbered one after another, by linear indices.
 */
#ifndef WARPUP_LANE_H
#define WARPUP_LANE_H

#include <stdbool.h>
#include <stdint.h>

/* One per OS thread; the built-in variables of kernels read it. */
struct warpup_lane {
    uint32_t thread[3], block[3];           /* threadIdx, blockIdx */
    uint32_t block_shape[3], grid_shape[3]; /* blockDim, gridDim */
};
extern _Thread_local struct warpup_lane warpup_lane;

/* True while the calling OS thread runs a CUDA thread. */
extern _Thread_local bool lane_runs;

/* The shape of the launch that begins. */
void lane_set_shape(const uint32_t grid[3], const uint32_t block[3]);

/* blockIdx of a linear block index, threadIdx of a linear thread index. */
void lane_block(uint32_t index, uint32_t block[3]);
void lane_thread(uint32_t index, uint32_t thread[3]);

#endif
