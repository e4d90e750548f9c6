/*
 * fault.c: keeps faults and writes their records (fault.h). The number of times is kept per block:
 * the blocks after the one that ended the kernel do not count, though they may have run.
 */
#include "gpu/memory/fault.h"
#include "gpu/memory/obtain.h"

#include "gpu/memory/memory.h"
#include "trace/trace.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

enum { FAULTS_MAX = 256 };

/* How often a block has met it. An open hash table; count 0: free. */
struct times {
    uint32_t block, count;
};

struct gathered {
    struct fault fault;
    const char *file; /* of its place */
    int line;
    uint32_t first; /* linear index of the block that `fault` is of */
    uint64_t order; /* in which its block has met it, among other faults */
    struct times *times;
    uint32_t used, room; /* room is 0 or a power of 2 */
};

static struct {
    pthread_mutex_t lock;
    uint32_t grid[3];
    int count;
    uint64_t noted;
    struct gathered list[FAULTS_MAX];
} faults = {.lock = PTHREAD_MUTEX_INITIALIZER, .grid = {1, 1, 1}};

void fault_begin(const uint32_t grid[3])
{
    memcpy(faults.grid, grid, sizeof faults.grid);
}

static const char *location_of(const struct fault *fault, uint32_t location, int *line)
{
    *line = fault->line;
    if (fault->module == NULL) return fault->file;
    const struct ptx_location *one =
        location < fault->module->location_count ? &fault->module->locations[location] : NULL;
    *line = one != NULL ? one->line : 0;
    return one != NULL ? one->file : NULL;
}

static bool equal(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool is_same(const struct gathered *one, const struct fault *fault, const char *file,
                    int line)
{
    return one->line == line && strcmp(one->fault.name, fault->name) == 0 && equal(one->file, file);
}

/* ---- counts per block ----------------------------------------------------------------------- */

static struct times *slot_of(struct times *table, uint32_t room, uint32_t block)
{
    uint32_t at = block * 0x9e3779b1u & (room - 1);
    while (table[at].count != 0 && table[at].block != block)
        at = (at + 1) & (room - 1);
    return &table[at];
}

static void grow(struct gathered *one)
{
    uint32_t room = one->room == 0 ? 4 : 2 * one->room;
    struct times *table = obtain(room, sizeof *table);
    for (uint32_t i = 0; i < one->room; i++)
        if (one->times[i].count != 0) *slot_of(table, room, one->times[i].block) = one->times[i];
    free(one->times);
    one->times = table;
    one->room = room;
}

static void count_once(struct gathered *one, uint32_t block)
{
    if (2 * one->used >= one->room) grow(one);
    struct times *slot = slot_of(one->times, one->room, block);
    one->used += slot->count == 0;
    slot->block = block;
    slot->count++;
}

static long long sum_of(const struct gathered *one)
{
    long long sum = 0;
    for (uint32_t i = 0; i < one->room; i++)
        sum += one->times[i].count;
    return sum;
}

/* ---- noting --------------------------------------------------------------------------------- */

static uint32_t index_of(const uint32_t block[3])
{
    return block[0] + faults.grid[0] * (block[1] + faults.grid[1] * block[2]);
}

static void note(const struct fault *fault)
{
    int line, i = 0;
    const char *file = location_of(fault, fault->location, &line);
    uint32_t block = fault->in_kernel ? index_of(fault->block) : 0;
    while (i < faults.count && !is_same(&faults.list[i], fault, file, line))
        i++;
    if (i == FAULTS_MAX) return;
    struct gathered *one = &faults.list[i];
    if (i == faults.count) {
        faults.count++;
        *one = (struct gathered){.fault = *fault, .file = file, .line = line, .first = block};
        one->order = faults.noted++;
    } else if (block < one->first) {
        one->fault = *fault;
        one->first = block;
        one->order = faults.noted++;
    } else if (block == one->first && one->fault.same_warp && !fault->same_warp) {
        one->fault = *fault; /* a barrier for the warp would not be enough */
    }
    count_once(one, block);
}

void fault_note(const struct fault *fault)
{
    pthread_mutex_lock(&faults.lock);
    note(fault);
    pthread_mutex_unlock(&faults.lock);
}

static void forget(int index)
{
    free(faults.list[index].times);
    faults.list[index] = faults.list[--faults.count];
}

void fault_forget_after(uint32_t block)
{
    pthread_mutex_lock(&faults.lock);
    for (int i = faults.count; i-- > 0;) {
        struct gathered *one = &faults.list[i];
        if (!one->fault.in_kernel) continue;
        if (one->first > block) {
            forget(i);
            continue;
        }
        for (uint32_t k = 0; k < one->room; k++) /* counts only: the table stays a table */
            if (one->times[k].block > block && one->times[k].count > 0) one->times[k].count = 0;
    }
    pthread_mutex_unlock(&faults.lock);
}

void fault_forget_kernel(void)
{
    pthread_mutex_lock(&faults.lock);
    for (int i = faults.count; i-- > 0;)
        if (faults.list[i].fault.in_kernel) forget(i);
    pthread_mutex_unlock(&faults.lock);
}

const struct fault *fault_look(int index, long long *times, int *line)
{
    if (index >= faults.count) return NULL;
    *times = sum_of(&faults.list[index]);
    *line = faults.list[index].line;
    return &faults.list[index].fault;
}

/* ---- records -------------------------------------------------------------------------------- */

static void write_threads(const struct fault *fault)
{
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
    if (fault->same_warp) trace_flag("same_warp", true);
    if (fault->other_kind != NULL) trace_string("other_kind", fault->other_kind);
}

static void write_address(const struct fault *fault)
{
    const struct allocation *allocation = memory_nearest(fault->address);
    uint64_t address = (uint64_t)(uintptr_t)fault->address;
    if (fault->shared) trace_string("space", "shared");
    if (fault->address != NULL) trace_fields("address:%lu", address);
    if (allocation == NULL) return;
    bool own = allocation->host != NULL &&
               address - (uint64_t)(uintptr_t)allocation->host < allocation->bytes;
    uint64_t base = (uint64_t)(uintptr_t)(own ? allocation->host : allocation->base);
    trace_fields("alloc:%lu offset:%ld alloc_bytes:%zu", allocation->id, (long)(address - base),
                 allocation->bytes);
}

static void write_record(const struct gathered *one, uint64_t launch, const char *kernel)
{
    const struct fault *fault = &one->fault;
    int other_line = 0;
    const char *other_file =
        fault->other_location != 0 ? location_of(fault, fault->other_location, &other_line) : NULL;
    trace_begin("fault");
    trace_string("name", fault->name);
    if (launch != 0) trace_fields("kernel:%lu kernel_name:%s", launch, kernel);
    write_threads(fault);
    write_address(fault);
    if (fault->bytes != 0) trace_fields("bytes:%zu", fault->bytes);
    if (fault->kind != NULL) trace_string("kind", fault->kind);
    if (fault->detail[0] != '\0') trace_string("detail", fault->detail);
    if (other_line > 0) trace_integer("other_line", other_line);
    if (other_line > 0 && other_file != NULL && !equal(other_file, one->file))
        trace_string("other_file", other_file);
    trace_integer("count", sum_of(one));
    trace_source(one->file, one->line);
    trace_end();
}

/* By block, then as the block has met them: workers note the faults of several blocks in any order.
 */
static int compare(const void *a, const void *b)
{
    const struct gathered *one = a, *other = b;
    if (one->first != other->first) return one->first < other->first ? -1 : 1;
    return (one->order > other->order) - (one->order < other->order);
}

void fault_report(uint64_t launch, const char *kernel)
{
    pthread_mutex_lock(&faults.lock);
    if (launch != 0) qsort(faults.list, (size_t)faults.count, sizeof *faults.list, compare);
    for (int i = 0; i < faults.count; i++)
        write_record(&faults.list[i], launch, kernel);
    while (faults.count > 0)
        forget(faults.count - 1);
    pthread_mutex_unlock(&faults.lock);
}

/* ---- the variable of a module that an address belongs to ------------------------------------ */

/* 0 inside. */
static uint64_t distance(uint64_t from, uint64_t bytes, uint64_t at)
{
    if (at < from) return from - at;
    return at - from < bytes ? 0 : at - from - bytes + 1;
}

const struct ptx_variable *name_of_global(const struct ptx_module *module, uint64_t address,
                                          uint64_t near)
{
    const struct ptx_variable *nearest = NULL;
    uint64_t best = near;
    for (uint32_t i = 0; module != NULL && i < module->variable_count; i++) {
        const struct ptx_variable *one = module->variables[i];
        if (one->space == SPACE_SHARED || one->address == 0) continue;
        uint64_t apart = distance(one->address, one->bytes, address);
        if (apart > best || (nearest != NULL && apart == best)) continue;
        nearest = one;
        best = apart;
    }
    return nearest;
}

const struct ptx_variable *name_of_shared(const struct ptx_module *module,
                                          const struct ptx_function *kernel, uint64_t offset,
                                          uint64_t dynamic)
{
    const struct ptx_variable *nearest = NULL;
    uint64_t best = 0;
    for (uint32_t i = 0; kernel != NULL && i < kernel->shared_used_count; i++) {
        const struct ptx_variable *one = module->variables[kernel->shared_used[i]];
        uint64_t apart = distance(one->address, one->external ? dynamic : one->bytes, offset);
        if (nearest != NULL && apart >= best) continue;
        nearest = one;
        best = apart;
    }
    return nearest;
}

const char *name_in_words(const struct ptx_variable *variable)
{
    if (variable->external) return "the dynamic shared memory";
    return variable->plain_name != NULL ? variable->plain_name : variable->name;
}

void name_address(char *detail, size_t room, const char *name, uint64_t at, uint64_t from,
                  uint64_t bytes)
{
    if ((int64_t)at < (int64_t)from)
        snprintf(detail, room, "%llu bytes before the start of %s", (unsigned long long)(from - at),
                 name);
    else
        snprintf(detail, room, "byte %llu of %s, which has %llu bytes",
                 (unsigned long long)(at - from), name, (unsigned long long)bytes);
}
