/* fault.c: see fault.h. */
#include "sim/requests/fault.h"

#include "trace/trace.h"
#include "sim/gpu/memory.h"
#include "sim/image/device_image.h"
#include "sim/image/source_line.h"
#include "sim/requests/lane.h"
#include "sim/requests/request.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { FAULTS_MAX = 64 };

static struct {
    pthread_mutex_t lock;
    int count;
    struct gathered {
        struct fault fault;
        long long times;
        struct source_place place, other; /* found when the faults are reported */
    } list[FAULTS_MAX];
} faults = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool is_same(const struct fault *one, const struct fault *other)
{
    return one->pc == other->pc && one->line == other->line && strcmp(one->name, other->name) == 0;
}

void fault_note(const struct fault *fault)
{
    pthread_mutex_lock(&faults.lock);
    int i = 0;
    while (i < faults.count && !is_same(&faults.list[i].fault, fault))
        i++;
    if (i < FAULTS_MAX) {
        if (i == faults.count) {
            faults.count++;
            faults.list[i] = (struct gathered){.fault = *fault};
        }
        faults.list[i].times++;
    }
    pthread_mutex_unlock(&faults.lock);
}

struct fault fault_of_thread(const char *name, uintptr_t pc, uint32_t block, uint32_t thread)
{
    struct fault fault = {.name = name, .pc = pc, .in_kernel = true};
    lane_block(block, fault.block);
    lane_thread(thread, fault.thread);
    return fault;
}

struct fault fault_of_lane(const struct warp *warp, const struct request *request, uint32_t lane,
                           const char *name)
{
    struct fault fault = fault_of_thread(name, image_pc(event_place(request->site->event)),
                                         warp->segment->block, warp->first_thread + lane);
    if (!request->site->shared) fault.address = shadow_address(request->offset[lane]);
    fault.shared = request->site->shared;
    fault.bytes = request->size;
    fault.kind = access_name(request->kind);
    return fault;
}

void fault_set_other(struct fault *fault, uint32_t block, uint32_t thread)
{
    fault->has_other = true;
    lane_block(block, fault->other_block);
    lane_thread(thread, fault->other_thread);
}

void fault_here(const char *name, uintptr_t pc, const void *address, size_t bytes, const char *kind,
                const char *detail)
{
    struct fault fault = {.name = name, .pc = pc, .address = address, .bytes = bytes, .kind = kind};
    if (detail != NULL) snprintf(fault.detail, sizeof fault.detail, "%s", detail);
    if (lane_runs) {
        fault.in_kernel = true;
        memcpy(fault.block, warpup_lane.block, sizeof fault.block);
        memcpy(fault.thread, warpup_lane.thread, sizeof fault.thread);
    }
    fault_note(&fault);
}

static void write_record(const struct gathered *gathered, uint64_t launch, const char *kernel)
{
    const struct fault *fault = &gathered->fault;
    const struct allocation *allocation = memory_nearest(fault->address);
    trace_begin("fault");
    trace_string("name", fault->name);
    if (launch != 0) trace_fields("kernel:%lu kernel_name:%s", launch, kernel);
    if (fault->in_kernel) {
        trace_triple("block", fault->block[0], fault->block[1], fault->block[2]);
        trace_triple("thread", fault->thread[0], fault->thread[1], fault->thread[2]);
    }
    if (fault->has_other) {
        trace_triple("other_block", fault->other_block[0], fault->other_block[1],
                     fault->other_block[2]);
        trace_triple("other_thread", fault->other_thread[0], fault->other_thread[1],
                     fault->other_thread[2]);
    }
    if (fault->other_kind != NULL) trace_string("other_kind", fault->other_kind);
    if (fault->shared) trace_string("space", "shared");
    if (fault->address != NULL) trace_fields("address:%lu", (uintptr_t)fault->address);
    if (allocation != NULL)
        trace_fields("alloc:%lu offset:%ld alloc_bytes:%zu", allocation->id,
                     (const char *)fault->address - allocation->base, allocation->bytes);
    if (fault->bytes != 0) trace_fields("bytes:%zu", fault->bytes);
    if (fault->kind != NULL) trace_string("kind", fault->kind);
    if (fault->detail[0] != '\0') trace_string("detail", fault->detail);
    if (gathered->other.line > 0) trace_integer("other_line", gathered->other.line);
    trace_integer("count", gathered->times);
    trace_source(gathered->place.file, gathered->place.line);
    trace_end();
}

static void find_place(struct gathered *gathered)
{
    const struct fault *fault = &gathered->fault;
    if (fault->file != NULL)
        gathered->place = (struct source_place){fault->file, fault->line};
    else
        source_line_of(fault->pc, &gathered->place);
    if (fault->other_pc != 0) source_line_of(fault->other_pc, &gathered->other);
}

/* One source line has several instructions: its faults with one name become one. */
static void join_same_line(int index)
{
    struct gathered *one = &faults.list[index];
    for (int i = 0; i < index; i++) {
        struct gathered *earlier = &faults.list[i];
        if (strcmp(earlier->fault.name, one->fault.name) != 0 || earlier->place.file == NULL ||
            one->place.file == NULL || earlier->place.line != one->place.line ||
            strcmp(earlier->place.file, one->place.file) != 0)
            continue;
        earlier->times += one->times;
        one->times = 0;
        return;
    }
}

void fault_report(uint64_t launch, const char *kernel)
{
    pthread_mutex_lock(&faults.lock);
    for (int i = 0; i < faults.count; i++) {
        find_place(&faults.list[i]);
        join_same_line(i);
    }
    for (int i = 0; i < faults.count; i++)
        if (faults.list[i].times > 0) write_record(&faults.list[i], launch, kernel);
    faults.count = 0;
    pthread_mutex_unlock(&faults.lock);
}
