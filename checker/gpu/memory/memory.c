/*
 * memory.c: allocations and variables (memory.h). Addresses are given out upwards and never twice:
 * device memory in the lower half of the range, shared memory in the upper half; variables
 * downwards from the middle. A gap follows each, so that an index past the end is never inside the
 * next one. A large gap is before the first, so that a negative index does not leave the range.
 */
#define _GNU_SOURCE
#include "gpu/memory/memory.h"
#include "gpu/memory/obtain.h"

#include "gpu/memory/shadow.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum { GAP = 4096 };

struct variable {
    uint64_t offset;
    size_t bytes;
};

static struct {
    struct allocation **list; /* in the order of allocation, ids from 1 */
    size_t count, room;
    struct variable *variables; /* addresses fall */
    size_t variable_count, variable_room;
    uint64_t half;        /* bytes of the range's halves */
    uint64_t device_used; /* bytes from the start of the range */
    uint64_t variables_from;
    uint64_t host_used; /* bytes of the upper half */
    size_t live;        /* bytes of live allocations */
    uint64_t limit;
    int file;
    pthread_mutex_t lock;
} memory = {.file = -1, .lock = PTHREAD_MUTEX_INITIALIZER};

size_t memory_page(void)
{
    static size_t bytes;
    if (bytes == 0) bytes = (size_t)sysconf(_SC_PAGESIZE);
    return bytes;
}

static uint64_t in_pages(uint64_t bytes)
{
    return (bytes + memory_page() - 1) / memory_page() * memory_page();
}

bool memory_reserve(uint64_t base, uint64_t bytes)
{
    if (memory.count > 0 || memory.variable_count > 0) return false;
    if (!shadow_reserve(base, bytes)) return false;
    memory.half = memory.variables_from = bytes / 2;
    memory.device_used = bytes / 16;
    memory.host_used = 0;
    return true;
}

/* For callers that do not negotiate the addresses with a program. */
static bool start(void)
{
    static const uint64_t bases[] = {UINT64_C(0x0a0000000000), UINT64_C(0x200000000000),
                                     UINT64_C(0x1000000000)};
    for (uint64_t gb = 256; shadow.extent == 0 && gb >= 1; gb /= 2)
        for (size_t i = 0; shadow.extent == 0 && i < sizeof bases / sizeof *bases; i++)
            memory_reserve(bases[i], gb << 30);
    return shadow.extent != 0;
}

uint64_t memory_base(void)
{
    return shadow.base;
}

uint64_t memory_extent(void)
{
    return shadow.extent;
}

uint64_t memory_shared_from(void)
{
    return memory.half;
}

int memory_shared_file(void)
{
    return memory.file;
}

void memory_limit(uint64_t bytes)
{
    memory.limit = bytes;
}

size_t memory_total(void)
{
    if (!start()) return 0;
    uint64_t total = (uint64_t)sysconf(_SC_PHYS_PAGES) * memory_page() / 4;
    if (memory.limit != 0 && total > memory.limit) total = memory.limit;
    uint64_t room = memory.half - shadow.extent / 16;
    return total < room ? total : room;
}

size_t memory_left(void)
{
    size_t total = memory_total();
    return total > memory.live ? total - memory.live : 0;
}

/* ---- the shared file ------------------------------------------------------------------------ */

/* A limit of the size of files holds for this one, too; reaching it must not end the process. */
static bool open_file(void)
{
    if (memory.file >= 0) return true;
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    signal(SIGXFSZ, SIG_IGN);
    memory.file = memfd_create("warpup-memory", MFD_CLOEXEC);
    if (memory.file < 0)
        fprintf(stderr, "warp-up: no memory to share with the program: %s\n", strerror(errno));
    return memory.file >= 0;
}

/* Makes the file large enough for its first `bytes` bytes. */
static bool grow_file(uint64_t bytes)
{
    static bool told;
    if (!open_file()) return false;
    if (ftruncate(memory.file, (off_t)bytes) == 0) return true;
    if (!told)
        fprintf(stderr, "warp-up: memory to share with the program cannot grow: %s\n",
                strerror(errno));
    told = true;
    return false;
}

static bool map_file(void *at, uint64_t bytes, uint64_t from, int flags)
{
    void *got =
        mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | flags, memory.file, (off_t)from);
    if (got == MAP_FAILED) return false;
    if (got == at) return true;
    munmap(got, bytes);
    return false;
}

/* ---- allocations ---------------------------------------------------------------------------- */

static struct allocation *append(void)
{
    if (memory.count == memory.room)
        memory.list = obtain_more(memory.list, &memory.room, 64, sizeof *memory.list);
    struct allocation *allocation = obtain(1, sizeof *allocation);
    memory.list[memory.count++] = allocation;
    allocation->id = memory.count;
    return allocation;
}

/* Opens `span` bytes of device memory; NULL if there is no room. */
static char *take_device(uint64_t span)
{
    if (span > memory.variables_from - memory.device_used) return NULL;
    char *base = (char *)(uintptr_t)shadow.base + memory.device_used;
    if (mprotect(base, span, PROT_READ | PROT_WRITE) != 0) return NULL;
    memory.device_used += span;
    return base;
}

/* Opens `span` bytes of the shared half, of which `bytes` are in the file; NULL if there is no
 * room. */
static char *take_shared(uint64_t span, uint64_t bytes)
{
    if (span > memory.half - memory.host_used || !grow_file(memory.host_used + bytes)) return NULL;
    char *base = (char *)(uintptr_t)shadow.base + memory.half + memory.host_used;
    if (!map_file(base, bytes, memory.host_used, MAP_FIXED)) return NULL;
    memory.host_used += span;
    return base;
}

static struct allocation *allocate(enum memory_space space, uint64_t skipped, size_t bytes)
{
    if (bytes == 0 || !start() || bytes > memory_left()) return NULL;
    uint64_t span = in_pages(skipped + bytes + GAP);
    char *base =
        space == SPACE_DEVICE ? take_device(span) : take_shared(span, in_pages(skipped + bytes));
    if (base == NULL) return NULL;
    struct allocation *allocation = append();
    memory.live += bytes;
    allocation->space = space;
    allocation->base = base + skipped;
    allocation->bytes = bytes;
    return allocation;
}

/* Registered memory may begin inside a granule: its first bytes then count as part of it. */
static void set_valid(const struct allocation *allocation, bool valid)
{
    uint64_t from = shadow_offset(allocation->base), start = from / GRANULE * GRANULE;
    uint64_t bytes = from - start + allocation->bytes;
    shadow_set_valid(start, bytes, valid ? bytes : 0, 0);
}

struct allocation *memory_allocate(enum memory_space space, size_t bytes, const char *file,
                                   int line)
{
    pthread_mutex_lock(&memory.lock);
    struct allocation *allocation = allocate(space, 0, bytes);
    if (allocation != NULL) {
        allocation->allocated_file = file;
        allocation->allocated_line = line;
        set_valid(allocation, true);
        /* The host may write its own memory unseen: all of it counts as written. */
        if (space != SPACE_DEVICE) shadow_mark_range(shadow_offset(allocation->base), bytes);
    }
    pthread_mutex_unlock(&memory.lock);
    return allocation;
}

struct allocation *memory_register(uint64_t host, size_t bytes, const char *file, int line)
{
    uint64_t skipped = host % memory_page();
    pthread_mutex_lock(&memory.lock);
    struct allocation *allocation = allocate(SPACE_REGISTERED, skipped, bytes);
    if (allocation != NULL) {
        allocation->allocated_file = file;
        allocation->allocated_line = line;
        allocation->host = (char *)(uintptr_t)host;
        set_valid(allocation, true);
        uint64_t from = shadow_offset(allocation->base) - memory.half - skipped;
        shadow_mark_range(shadow_offset(allocation->base), bytes);
        if (!map_file(allocation->host - skipped, in_pages(skipped + bytes), from,
                      0x100000 /* MAP_FIXED_NOREPLACE */)) {
            set_valid(allocation, false);
            allocation->freed = true;
            memory.live -= bytes;
            allocation = NULL;
        }
    }
    pthread_mutex_unlock(&memory.lock);
    return allocation;
}

/* Gives the pages back to this machine. The program takes back what it registered. */
static void drop_pages(const struct allocation *allocation)
{
    uint64_t skipped = (uint64_t)(uintptr_t)allocation->base % memory_page();
    uint64_t span = in_pages(skipped + allocation->bytes);
    if (allocation->space == SPACE_REGISTERED)
        munmap(allocation->host - skipped, span);
    else
        madvise(allocation->base, span,
                allocation->space == SPACE_DEVICE ? MADV_DONTNEED : MADV_REMOVE);
}

void memory_free(struct allocation *allocation, int line)
{
    pthread_mutex_lock(&memory.lock);
    set_valid(allocation, false);
    allocation->freed = true;
    allocation->freed_line = line;
    memory.live -= allocation->bytes;
    drop_pages(allocation);
    pthread_mutex_unlock(&memory.lock);
}

/* ---- variables ------------------------------------------------------------------------------ */

/* Variables share pages: a gap of at least a granule is between two of them. */
static void *location_variable(size_t bytes, size_t align)
{
    if (!start()) return NULL;
    if (align < GRANULE) align = GRANULE;
    uint64_t span = (bytes + 2 * GRANULE - 1) / GRANULE * GRANULE, old = memory.variables_from;
    if (span + align > old - memory.device_used) return NULL;
    uint64_t offset = (old - span) / align * align, page = memory_page();
    uint64_t from = offset / page * page, to = in_pages(old);
    if (mprotect((char *)(uintptr_t)shadow.base + from, to - from, PROT_READ | PROT_WRITE) != 0)
        return NULL;
    if (memory.variable_count == memory.variable_room)
        memory.variables =
            obtain_more(memory.variables, &memory.variable_room, 64, sizeof *memory.variables);
    memory.variables[memory.variable_count++] = (struct variable){offset, bytes};
    memory.variables_from = offset;
    shadow_set_valid(offset, bytes, bytes, 0);
    shadow_mark_range(offset, bytes);
    return (char *)(uintptr_t)shadow.base + offset;
}

void *memory_variable(size_t bytes, size_t align)
{
    pthread_mutex_lock(&memory.lock);
    void *variable = location_variable(bytes > 0 ? bytes : 1, align);
    pthread_mutex_unlock(&memory.lock);
    return variable;
}

void memory_make_constant(const void *variable, size_t bytes)
{
    shadow_set_valid(shadow_offset(variable), bytes, bytes, READ_ONLY);
}

bool memory_next_variable(size_t *index, char **base, size_t *bytes)
{
    if (*index >= memory.variable_count) return false;
    const struct variable *variable = &memory.variables[memory.variable_count - 1 - (*index)++];
    *base = (char *)(uintptr_t)shadow.base + variable->offset;
    *bytes = variable->bytes;
    return true;
}

bool memory_holds_variable(const void *address, size_t bytes)
{
    uint64_t offset = shadow_offset(address);
    for (size_t i = 0; i < memory.variable_count; i++) {
        const struct variable *one = &memory.variables[i];
        if (offset >= one->offset && offset - one->offset <= one->bytes &&
            bytes <= one->bytes - (offset - one->offset))
            return true;
    }
    return false;
}

/* ---- questions ------------------------------------------------------------------------------ */

uint64_t memory_alias(uint64_t address)
{
    uint64_t offset = UINT64_MAX;
    pthread_mutex_lock(&memory.lock);
    for (size_t i = 0; i < memory.count && offset == UINT64_MAX; i++) {
        const struct allocation *one = memory.list[i];
        if (one->host != NULL && !one->freed &&
            address - (uint64_t)(uintptr_t)one->host < one->bytes)
            offset = shadow_offset(one->base) + (address - (uint64_t)(uintptr_t)one->host);
    }
    pthread_mutex_unlock(&memory.lock);
    return offset;
}

/* An address of the range as it is; of registered memory, the one in the range. NULL for all
 * others. */
static const char *in_range(const void *address)
{
    if (shadow.extent == 0) return NULL;
    uint64_t offset = shadow_offset(address);
    if (offset >= shadow.extent) offset = memory_alias((uint64_t)(uintptr_t)address);
    return offset == UINT64_MAX ? NULL : (const char *)(uintptr_t)shadow.base + offset;
}

bool memory_owns(const void *address)
{
    return in_range(address) != NULL;
}

/* The last allocation that begins at or before the address, because each half is given out upwards.
 */
struct allocation *memory_find(const void *address)
{
    const char *at = in_range(address);
    if (at == NULL) return NULL;
    uint64_t offset = shadow_offset(at);
    bool upper = offset >= memory.half;
    if (!upper && offset >= memory.variables_from) return NULL;
    struct allocation *found = NULL;
    pthread_mutex_lock(&memory.lock);
    for (size_t i = memory.count; i-- > 0 && found == NULL;) {
        struct allocation *one = memory.list[i];
        if ((one->space != SPACE_DEVICE) == upper && one->base <= at) found = one;
    }
    pthread_mutex_unlock(&memory.lock);
    return found;
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
    const char *at = in_range(address);
    struct allocation *nearest = NULL;
    if (at == NULL ||
        (shadow_offset(at) >= memory.variables_from && shadow_offset(at) < memory.half))
        return NULL;
    pthread_mutex_lock(&memory.lock);
    for (size_t i = 0; i < memory.count; i++)
        if (nearest == NULL || distance(memory.list[i], at) < distance(nearest, at))
            nearest = memory.list[i];
    pthread_mutex_unlock(&memory.lock);
    return nearest;
}

enum memory_reach memory_reach(uint64_t offset)
{
    if (offset < memory.half) return REACH_LOCAL;
    struct allocation *allocation = memory_find((const char *)(uintptr_t)shadow.base + offset);
    if (allocation == NULL) return REACH_LOCAL;
    if (allocation->space != SPACE_MANAGED) return REACH_BUS;
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

void memory_written(const void *address, size_t bytes)
{
    const char *at = in_range(address);
    if (at != NULL) shadow_mark_range(shadow_offset(at), bytes);
}

bool memory_is_written(const void *address, size_t bytes)
{
    const char *at = in_range(address);
    return at == NULL || shadow_is_written_range(shadow_offset(at), bytes);
}

void memory_written_as(const void *to, const void *from, size_t bytes)
{
    const char *target = in_range(to), *source = in_range(from);
    if (target == NULL || source == NULL || shadow_is_written_range(shadow_offset(source), bytes)) {
        memory_written(to, bytes);
        return;
    }
    for (size_t i = 0; i < bytes; i += 4)
        if (shadow_is_written(shadow_offset(source + i)))
            memory_written(target + i, bytes - i < 4 ? bytes - i : 4);
}

struct allocation *memory_next(const struct allocation *allocation)
{
    size_t index = allocation == NULL ? 0 : allocation->id;
    while (index < memory.count && memory.list[index]->freed)
        index++;
    return index < memory.count ? memory.list[index] : NULL;
}
