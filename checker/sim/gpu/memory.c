/*
 * memory.c: allocations of the simulated GPU. Addresses are given out upwards and never twice:
 * device memory in the lower half of the range, managed and pinned memory, which the host may
 * access at any time, in the upper half. A gap follows each allocation, so that an index past the
 * end is never inside the next one. A larger gap is before the first allocation, so that a negative
 * index does not leave the range.
 */
#define _GNU_SOURCE
#include "sim/gpu/memory.h"
#include "sim/gpu/profile.h"
#include "sim/image/program.h"
#include "sim/gpu/shadow.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { GAP = 4096 };

/* The size of the range; no machine that runs the simulated GPU has this much memory. Where it
 * cannot be reserved (ulimit -v, valgrind), the range is as large as possible. */
enum { EXTENT_GB = 256, LEAST_GB = 1 };

static struct {
    struct allocation **list; /* in the order of allocation, ids from 1 */
    size_t count, room;
    uint64_t half;                   /* bytes of the range's halves */
    uint64_t first;                  /* bytes before the first device allocation */
    uint64_t device_used, host_used; /* of each half, given out */
    size_t live;                     /* bytes of live device allocations */
    size_t total;
    int open;
    pthread_mutex_t lock;
} memory = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* What WARPUP_ADDRESSES_GB says, from 1 to 256. */
static uint64_t wanted_gb(void)
{
    const char *text = getenv("WARPUP_ADDRESSES_GB");
    long gb = text != NULL ? strtol(text, NULL, 10) : 0;
    return gb >= LEAST_GB && gb < EXTENT_GB ? (uint64_t)gb : EXTENT_GB;
}

size_t memory_page(void)
{
    static size_t bytes;
    if (bytes == 0) bytes = (size_t)sysconf(_SC_PAGESIZE);
    return bytes;
}

/* `bytes`, rounded up to whole pages */
static uint64_t in_pages(uint64_t bytes)
{
    return (bytes + memory_page() - 1) / memory_page() * memory_page();
}

/* As much as the GPU has, but not more than this machine can simulate: because of its shadow, a
 * word of device memory needs three words here. */
static size_t device_bytes(void)
{
    double host = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    double bytes = fmin(profile()->memory_gb * 1e9, host / 4);
    return (size_t)fmin(bytes, (double)(memory.half - memory.first));
}

/* From the device image's first variable to its last, in whole pages. */
static uint64_t find_variables(char **low)
{
    uintptr_t first = UINTPTR_MAX, end = 0;
    char *section;
    size_t bytes;
    for (size_t index = 0; program_next_variables(&index, &section, &bytes);) {
        uintptr_t begin = (uintptr_t)section;
        if (begin < first) first = begin;
        if (begin + bytes > end) end = begin + bytes;
    }
    if (end == 0) first = 0;
    *low = (char *)(first / memory_page() * memory_page());
    return in_pages(end - (uintptr_t)*low);
}

/* They count as written from the start. */
static void take_variables(char *low, uint64_t span)
{
    shadow.variables = low;
    shadow.variables_bytes = span;
    shadow_mark_range(0, span);
}

static void start(void)
{
    if (shadow.base != NULL) return;
    char *low;
    uint64_t gb = wanted_gb(), span = find_variables(&low);
    while (!shadow_reserve((gb << 30) + 2 * span)) {
        if (gb == LEAST_GB) {
            fprintf(stderr, "warp-up: the simulated GPU cannot reserve %d GB of addresses: %s\n",
                    3 * LEAST_GB, strerror(errno));
            exit(2);
        }
        gb /= 2;
    }
    memory.half = shadow.extent / 2;
    memory.first = memory.device_used = span + (gb << 30) / 16;
    memory.total = device_bytes();
    take_variables(low, span);
}

/* Notes in the shadow that the allocation's bytes are there, or no longer. */
static void set_valid(const struct allocation *allocation, bool valid)
{
    uint64_t first = shadow_offset(allocation->base) / GRANULE;
    uint64_t whole = allocation->bytes / GRANULE;
    for (uint64_t i = 0; i < whole; i++)
        shadow.valid[first + i] = valid ? GRANULE : 0;
    shadow.valid[first + whole] = valid ? (uint16_t)(allocation->bytes % GRANULE) : 0;
}

static bool protect(char *base, size_t bytes, int protection)
{
    return bytes == 0 || mprotect(base, bytes, protection) == 0;
}

static void protect_device(int protection)
{
    protect(shadow.base + memory.first, memory.device_used - memory.first, protection);
}

static struct allocation *append(void)
{
    if (memory.count == memory.room) {
        size_t room = memory.room == 0 ? 64 : 2 * memory.room;
        struct allocation **list = realloc(memory.list, room * sizeof *list);
        if (list == NULL) return NULL;
        memory.list = list;
        memory.room = room;
    }
    struct allocation *allocation = calloc(1, sizeof *allocation);
    if (allocation == NULL) return NULL;
    memory.list[memory.count++] = allocation;
    allocation->id = memory.count;
    return allocation;
}

static struct allocation *allocate(enum memory_space space, size_t bytes, uintptr_t pc)
{
    start();
    bool device = space == SPACE_DEVICE;
    uint64_t *used = device ? &memory.device_used : &memory.host_used;
    if (bytes == 0 || bytes > memory.total - memory.live) return NULL;
    uint64_t span = in_pages(bytes + GAP);
    if (span > memory.half - *used) return NULL;

    char *base = shadow.base + (device ? 0 : memory.half) + *used;
    int protection = device && memory.open == 0 ? PROT_NONE : PROT_READ | PROT_WRITE;
    struct allocation *allocation = NULL;
    if (!protect(base, span, protection) || (allocation = append()) == NULL) return NULL;
    *used += span;
    memory.live += bytes;
    allocation->space = space;
    allocation->base = base;
    allocation->bytes = bytes;
    allocation->allocated_at = pc;
    set_valid(allocation, true);
    /* The host may write its own memory unseen: all of it counts as written. */
    if (!device) shadow_mark_range(shadow_offset(base), bytes);
    return allocation;
}

struct allocation *memory_allocate(enum memory_space space, size_t bytes, uintptr_t pc)
{
    pthread_mutex_lock(&memory.lock);
    struct allocation *allocation = allocate(space, bytes, pc);
    pthread_mutex_unlock(&memory.lock);
    return allocation;
}

void memory_free(struct allocation *allocation, uintptr_t pc)
{
    pthread_mutex_lock(&memory.lock);
    set_valid(allocation, false);
    allocation->freed = true;
    allocation->freed_at = pc;
    memory.live -= allocation->bytes;
    size_t span = in_pages(allocation->bytes);
    madvise(allocation->base, span, MADV_DONTNEED);
    if (allocation->space != SPACE_DEVICE) protect(allocation->base, span, PROT_NONE);
    pthread_mutex_unlock(&memory.lock);
}

bool memory_owns(const void *address)
{
    return shadow.base != NULL && shadow_offset(address) < shadow.extent;
}

/* The last allocation that begins at or before the address, because each half is given out upwards.
 */
struct allocation *memory_find(const void *address)
{
    if (!memory_owns(address)) return NULL;
    bool upper = shadow_offset(address) >= memory.half;
    struct allocation *found = NULL;
    pthread_mutex_lock(&memory.lock);
    for (size_t i = 0; i < memory.count; i++) {
        struct allocation *one = memory.list[i];
        bool same_half = (one->space != SPACE_DEVICE) == upper;
        if (same_half && one->base <= (const char *)address) found = one;
    }
    pthread_mutex_unlock(&memory.lock);
    return found;
}

enum memory_reach memory_reach(uint64_t offset)
{
    if (offset < memory.half) return REACH_LOCAL;
    struct allocation *allocation = memory_find(shadow.base + offset);
    if (allocation == NULL) return REACH_LOCAL;
    if (allocation->space == SPACE_PINNED) return REACH_BUS;
    __atomic_store_n(&allocation->touched, true, __ATOMIC_RELAXED);
    return allocation->on_gpu ? REACH_LOCAL : REACH_MOVES;
}

void memory_fetch(const void *address, bool to_gpu)
{
    struct allocation *allocation = memory_find(address);
    if (allocation != NULL) allocation->on_gpu = to_gpu;
}

void memory_settle(void)
{
    for (size_t i = 0; i < memory.count; i++)
        if (memory.list[i]->touched) memory.list[i]->on_gpu = true;
}

/* 0 inside. */
static uint64_t distance(const struct allocation *allocation, const char *address)
{
    const char *end = allocation->base + allocation->bytes;
    if (address < allocation->base) return (uint64_t)(allocation->base - address);
    return address < end ? 0 : (uint64_t)(address - end) + 1;
}

struct allocation *memory_nearest(const void *address)
{
    struct allocation *nearest = NULL;
    if (!memory_owns(address)) return NULL;
    pthread_mutex_lock(&memory.lock);
    for (size_t i = 0; i < memory.count; i++)
        if (nearest == NULL || distance(memory.list[i], address) < distance(nearest, address))
            nearest = memory.list[i];
    pthread_mutex_unlock(&memory.lock);
    return nearest;
}

void memory_written(const void *address, size_t bytes)
{
    if (memory_owns(address)) shadow_mark_range(shadow_offset(address), bytes);
}

bool memory_is_written(const void *address, size_t bytes)
{
    return shadow_is_written_range(shadow_offset(address), bytes);
}

void memory_written_as(const void *to, const void *from, size_t bytes)
{
    if (!memory_owns(to) || !memory_owns(from)) {
        memory_written(to, bytes);
        return;
    }
    for (size_t i = 0; i < bytes; i += 4)
        if (shadow_is_written(shadow_offset((const char *)from + i)))
            memory_written((const char *)to + i, bytes - i < 4 ? bytes - i : 4);
}

static void change_open(int by)
{
    pthread_mutex_lock(&memory.lock);
    bool was_open = memory.open > 0, is_open = (memory.open += by) > 0;
    if (is_open != was_open) protect_device(is_open ? PROT_READ | PROT_WRITE : PROT_NONE);
    pthread_mutex_unlock(&memory.lock);
}

void memory_open(void)
{
    change_open(1);
}

void memory_close(void)
{
    change_open(-1);
}

struct allocation *memory_next(const struct allocation *allocation)
{
    size_t index = allocation == NULL ? 0 : allocation->id;
    while (index < memory.count && memory.list[index]->freed)
        index++;
    return index < memory.count ? memory.list[index] : NULL;
}

size_t memory_left(void)
{
    pthread_mutex_lock(&memory.lock);
    start();
    size_t left = memory.total - memory.live;
    pthread_mutex_unlock(&memory.lock);
    return left;
}

size_t memory_total(void)
{
    pthread_mutex_lock(&memory.lock);
    start();
    pthread_mutex_unlock(&memory.lock);
    return memory.total;
}
