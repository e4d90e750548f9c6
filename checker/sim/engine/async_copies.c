/*
 * async_copies.c: see async_copies.h. Kernels call these functions through
 * include/cuda_pipeline_primitives.h.
 */
#include "sim/engine/async_copies.h"

#include "sim/engine/access.h"
#include "sim/engine/running.h"
#include "sim/requests/fault.h"
#include "sim/requests/lane.h"
#include "warpup/runtime.h"

#include <stdlib.h>
#include <string.h>

#define CALLER ((uintptr_t)__builtin_return_address(0))

void async_copies_reset(struct async_copies *copies, struct shared_shadow *shadow)
{
    if (copies->count == 0) return;
    for (uint32_t i = 1; i <= copies->count; i++)
        shared_forget_copy(shadow, copies->pool[i].to, copies->pool[i].bytes);
    copies->count = copies->free = 0;
    memset(copies->thread, 0, sizeof copies->thread);
}

static uint32_t take_copy(struct async_copies *copies)
{
    uint32_t index = copies->free;
    if (index != NO_COPY) {
        copies->free = copies->pool[index].next;
        return index;
    }
    if (copies->count + 1 >= copies->room) {
        copies->room = 2 * copies->room + 64;
        copies->pool = realloc(copies->pool, copies->room * sizeof *copies->pool);
        if (copies->pool == NULL) abort();
    }
    return ++copies->count;
}

/* Appends a copy to those of the running thread. */
static struct async_copy *add_copy(struct async_copies *copies, uint32_t thread)
{
    uint32_t index = take_copy(copies), last = copies->thread[thread].last;
    if (last == NO_COPY)
        copies->thread[thread].first = index;
    else
        copies->pool[last].next = index;
    copies->thread[thread].last = index;
    copies->pool[index] =
        (struct async_copy){.batch = copies->thread[thread].batch, .next = NO_COPY};
    return &copies->pool[index];
}

static uint32_t running_thread(void)
{
    return running_worker->running_warp->first_thread + running_lane();
}

void async_copies_start(void *shared, const void *global, size_t bytes, size_t zeros, uintptr_t pc)
{
    if ((bytes != 4 && bytes != 8 && bytes != COPY_BYTES_MAX) || zeros > bytes) {
        fault_here("misaligned-access", pc, NULL, bytes, "copy",
                   "__pipeline_memcpy_async copies 4, 8 or 16 bytes");
        running_abort(cudaErrorIllegalInstruction);
    }
    if ((uintptr_t)global % bytes != 0) {
        fault_here("misaligned-access", pc, global, bytes, "load", NULL);
        running_abort(cudaErrorMisalignedAddress);
    }
    if (zeros < bytes) access_announce(global, bytes - zeros, ACCESS_LOAD, pc);
    access_announce_copy(shared, bytes, false, pc);
    struct async_copy *copy = add_copy(&running_worker->copies, running_thread());
    copy->to = shared;
    copy->bytes = (unsigned)bytes;
    memcpy(copy->data, global, bytes - zeros);
}

void async_copies_wait(size_t prior, uintptr_t pc)
{
    if (running_worker->copies.count == 0) return;
    struct async_copies *copies = &running_worker->copies;
    uint32_t thread = running_thread(), committed = copies->thread[thread].batch;
    while (copies->thread[thread].first != NO_COPY) {
        uint32_t index = copies->thread[thread].first;
        const struct async_copy copy = copies->pool[index];
        if (copy.batch + prior >= committed) return;
        copies->thread[thread].first = copy.next;
        if (copy.next == NO_COPY) copies->thread[thread].last = NO_COPY;
        copies->pool[index].next = copies->free;
        copies->free = index;
        access_announce_copy(copy.to, copy.bytes, true, pc);
        memcpy(copy.to, copy.data, copy.bytes);
    }
}

void warpup_copy_async(void *shared, const void *global, size_t bytes, size_t zeros)
{
    if (lane_runs) async_copies_start(shared, global, bytes, zeros, CALLER);
}

void warpup_copy_commit(void)
{
    if (!lane_runs || running_worker->copies.count == 0) return;
    running_worker->copies.thread[running_thread()].batch++;
}

void warpup_copy_wait(size_t prior)
{
    if (lane_runs) async_copies_wait(prior, CALLER);
}

void async_copies_promise(void)
{
    if (running_worker->copies.count > 0)
        running_worker->copies.thread[running_thread()].arrived = true;
}

/* Lets all copies of a thread arrive, as written by it. */
static void land(struct async_copies *copies, const struct warp *warps, uint32_t thread)
{
    const struct warp *warp = &warps[thread / LANES];
    uint32_t lane = thread % LANES;
    for (uint32_t index = copies->thread[thread].first; index != NO_COPY;) {
        struct async_copy *copy = &copies->pool[index];
        uint32_t next = copy->next;
        uint64_t offset[LANES] = {0};
        offset[lane] = (uint64_t)(copy->to - warp->shared->base);
        memcpy(copy->to, copy->data, copy->bytes);
        shared_arrive(warp, offset, 1u << lane, copy->bytes);
        copy->next = copies->free;
        copies->free = index;
        index = next;
    }
    copies->thread[thread].first = copies->thread[thread].last = NO_COPY;
}

void async_copies_land(struct async_copies *copies, const struct warp *warps)
{
    if (copies->count == 0) return;
    for (uint32_t thread = 0; thread < THREADS_MAX; thread++) {
        if (!copies->thread[thread].arrived) continue;
        land(copies, warps, thread);
        copies->thread[thread].arrived = false;
    }
}
