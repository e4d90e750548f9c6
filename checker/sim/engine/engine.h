/*
 * engine.h: running a kernel on the simulated GPU. The engine runs every CUDA thread of a grid on
 * the CPU's cores, and sees each access to memory through the compiler's callbacks (access.c). It
 * puts the lanes of a warp back together (requests/). It returns what the kernel did, and how long
 * the GPU of the profile would have taken.
 */
#ifndef WARPUP_ENGINE_H
#define WARPUP_ENGINE_H

#include "sim/engine/model.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kernel_launch {
    uint64_t id;      /* of its launch record */
    const char *name; /* as the student would write it */
    uint32_t grid[3], block[3];
    const void *kernel;             /* its function in the device image; NULL if it is not known */
    size_t static_shared;           /* bytes that the kernel declares */
    size_t dynamic_shared;          /* bytes that it was launched with */
    bool cooperative;               /* its blocks may wait for each other */
    void (*thread)(void *argument); /* runs one CUDA thread to its end */
    void *argument;
};

/* The place where the kernel of a launch begins, which is found by starting it; 0 if there is none.
 * Uses only `thread` and `argument` of the launch. */
uintptr_t engine_entry(const struct kernel_launch *launch);

/* Runs the kernel of a valid launch. Device memory must be open. Writes the `access` and `fault`
 * records of this kernel; the caller writes `launch` before and `kernel` after it. */
void engine_run(const struct kernel_launch *launch, struct kernel_outcome *outcome);

/* Writes the records of accesses and arithmetic of the last launch once more, for this one. */
void engine_repeat(const struct kernel_launch *launch);

#endif
