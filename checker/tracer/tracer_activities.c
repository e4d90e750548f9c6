/*
 * tracer_activities.c: CUPTI's records of kernels, copies and sets. CUPTI asks for empty buffers
 * and returns them full.
 */
#include "tracer/tracer_activities.h"
#include "tracer/tracer_events.h"
#include "trace/trace.h"

#include <cupti.h>

#include <stdlib.h>

enum { BUFFER_BYTES = 1 << 20 };

static void CUPTIAPI give_buffer(uint8_t **buffer, size_t *bytes, size_t *records)
{
    *buffer = aligned_alloc(8, BUFFER_BYTES);
    *bytes = *buffer == NULL ? 0 : BUFFER_BYTES;
    *records = 0; /* no limit but the buffer */
}

/* Ignores a kernel that never ended because of a fault. */
static void add_kernel(const CUpti_ActivityKernel4 *kernel)
{
    if (kernel->end == 0) return;
    struct activity activity = {
        .kind = ACTIVITY_KERNEL,
        .correlation = kernel->correlationId,
        .start = kernel->start,
        .end = kernel->end,
        .name = interned(kernel->name),
        .grid = {(uint32_t)kernel->gridX, (uint32_t)kernel->gridY, (uint32_t)kernel->gridZ},
        .block = {(uint32_t)kernel->blockX, (uint32_t)kernel->blockY, (uint32_t)kernel->blockZ},
        .registers = kernel->registersPerThread,
        .static_shared = (uint32_t)kernel->staticSharedMemory,
        .dynamic_shared = (uint32_t)kernel->dynamicSharedMemory,
        .stream = kernel->streamId};
    activity_add(&activity);
}

/* The structures are those of an older toolkit on purpose: the structures of each later toolkit
 * begin with the same fields, so one source works with all of them. */
static void add_record(CUpti_Activity *record)
{
    switch (record->kind) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
        add_kernel((const CUpti_ActivityKernel4 *)(void *)record);
        break;
    case CUPTI_ACTIVITY_KIND_MEMCPY: {
        const CUpti_ActivityMemcpy *copy = (const CUpti_ActivityMemcpy *)(void *)record;
        activity_add(&(struct activity){ACTIVITY_COPY, copy->correlationId, copy->start, copy->end,
                                        copy->bytes, .stream = copy->streamId});
        break;
    }
    case CUPTI_ACTIVITY_KIND_MEMSET: {
        const CUpti_ActivityMemset *set = (const CUpti_ActivityMemset *)(void *)record;
        activity_add(&(struct activity){ACTIVITY_SET, set->correlationId, set->start, set->end,
                                        set->bytes, .stream = set->streamId});
        break;
    }
    default: break;
    }
}

static void CUPTIAPI take_buffer(CUcontext context, uint32_t stream, uint8_t *buffer, size_t bytes,
                                 size_t used)
{
    (void)bytes;
    CUpti_Activity *record = NULL;
    while (cuptiActivityGetNextRecord(buffer, used, &record) == CUPTI_SUCCESS)
        add_record(record);
    size_t dropped = 0;
    if (cuptiActivityGetNumDroppedRecords(context, stream, &dropped) == CUPTI_SUCCESS)
        trace_dropped((long long)dropped);
    free(buffer);
}

int activities_begin(const char **asked)
{
    static const struct {
        CUpti_ActivityKind kind;
        const char *name;
    } kinds[] = {{CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, "kernels"},
                 {CUPTI_ACTIVITY_KIND_MEMCPY, "copies"},
                 {CUPTI_ACTIVITY_KIND_MEMSET, "sets"}};
    *asked = "buffers";
    CUptiResult result = cuptiActivityRegisterCallbacks(give_buffer, take_buffer);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0] && result == CUPTI_SUCCESS; i++) {
        *asked = kinds[i].name;
        result = cuptiActivityEnable(kinds[i].kind);
    }
    return (int)result;
}

void activities_collect(void)
{
    cuptiActivityFlushAll(0);
    cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
}
