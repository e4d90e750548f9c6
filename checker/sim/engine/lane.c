/*
 * lane.c: where the running CUDA thread is, under five names: warpup_lane for the engine, which
 * sets it, and CUDA's built-in variables for kernels, which read them as constants.
 */
#include "sim/engine/engine.h"

#include <stddef.h>

_Thread_local struct warpup_lane warpup_lane;

_Static_assert(offsetof(struct warpup_lane, thread) == 0, "threadIdx");
_Static_assert(offsetof(struct warpup_lane, block) == 12, "blockIdx");
_Static_assert(offsetof(struct warpup_lane, block_shape) == 24, "blockDim");
_Static_assert(offsetof(struct warpup_lane, grid_shape) == 36, "gridDim");

#define NAME_PART(name, offset)                                                                    \
    __asm__(".globl " name "\n.type " name ", @tls_object\n.size " name ", 12\n.set " name         \
            ", warpup_lane + " offset)

NAME_PART("threadIdx", "0");
NAME_PART("blockIdx", "12");
NAME_PART("blockDim", "24");
NAME_PART("gridDim", "36");
