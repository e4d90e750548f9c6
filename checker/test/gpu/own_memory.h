/*
 * own_memory.h: for tests of instructions that access memory: what the room gives them in a launch,
 * without one.
 */
#ifndef WARPUP_OWN_MEMORY_H
#define WARPUP_OWN_MEMORY_H

#include "gpu/warp/warp.h"

#include <string.h>

/* Memory of the test itself: addresses are those of its own arrays, whatever the state space. */
uint32_t access_values(struct warp *warp, const struct ptx_instruction *instruction, bool store,
                       enum ptx_space space, uint32_t mask, const uint64_t address[LANES],
                       uint32_t bytes, void *data)
{
    (void)warp, (void)instruction, (void)space;
    EACH_LANE (l, mask) {
        void *memory = (void *)(uintptr_t)address[l];
        char *values = (char *)data + (size_t)l * bytes;
        memcpy(store ? memory : values, store ? values : memory, bytes);
    }
    return mask;
}

void warp_count_tensor(struct warp *warp, uint64_t flops)
{
    (void)warp, (void)flops;
}

#endif
