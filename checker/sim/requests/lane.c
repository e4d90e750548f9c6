/*
 * lane.c: see lane.h. The running thread's indices have five names: warpup_lane for the simulated
 * GPU, which sets it, and CUDA's built-in variables for kernels, which read them as constants.
 */
#include "sim/requests/lane.h"

#include <stddef.h>
#include <string.h>

_Thread_local struct warpup_lane warpup_lane;
_Thread_local bool lane_runs;

_Static_assert(offsetof(struct warpup_lane, thread) == 0, "threadIdx");
_Static_assert(offsetof(struct warpup_lane, block) == 12, "blockIdx");
_Static_assert(offsetof(struct warpup_lane, block_shape) == 24, "blockDim");
_Static_assert(offsetof(struct warpup_lane, grid_shape) == 36, "gridDim");

#define NAME_PART(name, offset)                                                                    \
    __asm__(".globl " name "\n.type " name ", %tls_object\n.size " name ", 12\n.set " name         \
            ", warpup_lane + " offset)

NAME_PART("threadIdx", "0");
NAME_PART("blockIdx", "12");
NAME_PART("blockDim", "24");
NAME_PART("gridDim", "36");

/* Of the running launch. */
static uint32_t grid_shape[3], block_shape[3];

void lane_set_shape(const uint32_t grid[3], const uint32_t block[3])
{
    memcpy(grid_shape, grid, sizeof grid_shape);
    memcpy(block_shape, block, sizeof block_shape);
}

static void unfold(uint32_t index, const uint32_t shape[3], uint32_t at[3])
{
    at[0] = index % shape[0];
    at[1] = index / shape[0] % shape[1];
    at[2] = index / shape[0] / shape[1];
}

void lane_block(uint32_t index, uint32_t block[3])
{
    unfold(index, grid_shape, block);
}

void lane_thread(uint32_t index, uint32_t thread[3])
{
    unfold(index, block_shape, thread);
}
