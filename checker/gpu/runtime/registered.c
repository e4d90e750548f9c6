/*
 * registered.c: host memory that the program has registered. Copies have the program itself read
 * and write it. When a kernel may use it (its address is an argument of a launch, or the program
 * has asked for it), its pages become shared ones, at the addresses that they have in the program.
 * Ranges that have a page in common are shared together.
 */
#include "gpu/runtime/allocation.h"
#include "gpu/runtime/stream.h"

#include <stdlib.h>
#include <string.h>

enum { FLAGS_MAX = 15 };

static struct host_range {
    uint64_t host, bytes;
    struct allocation *shared; /* NULL: its pages are the program's alone */
    bool variable;             /* a __managed__ one: it stays */
    struct host_range *next;
} * ranges;

/* The range that these bytes of the program touch; NULL if there is none. */
static struct host_range *find(uint64_t host, uint64_t bytes)
{
    struct host_range *one = ranges;
    while (one != NULL && !(host < one->host + one->bytes && one->host < host + bytes))
        one = one->next;
    return one;
}

enum registered registered_how(uint64_t address, size_t bytes)
{
    const struct host_range *one = find(address, bytes);
    if (one == NULL) return REGISTERED_NOT;
    bool whole = address >= one->host && bytes <= one->bytes - (address - one->host);
    return whole ? REGISTERED_WHOLE : REGISTERED_PARTLY;
}

int64_t registered_shift(const struct allocation *allocation)
{
    return allocation->space == SPACE_REGISTERED ? allocation->host - allocation->base : 0;
}

/* ---- sharing the pages ---------------------------------------------------------------------- */

static uint64_t page_of(uint64_t address)
{
    return address / memory_page() * memory_page();
}

/* The pages become the program's own again, those of all ranges that are shared as one. */
static void unshare(struct allocation *allocation)
{
    for (struct host_range *one = ranges; one != NULL; one = one->next)
        if (one->shared == allocation) one->shared = NULL;
    allocation_hide(allocation);
    memory_free(allocation, 0);
}

/* Grows the range until it holds every range with which it has a page in common. */
static void grow(uint64_t *low, uint64_t *high)
{
    bool grown = true;
    while (grown) {
        grown = false;
        for (const struct host_range *one = ranges; one != NULL; one = one->next) {
            uint64_t end = one->host + one->bytes;
            if (page_of(one->host) > page_of(*high - 1) || page_of(end - 1) < page_of(*low))
                continue;
            grown = grown || one->host < *low || end > *high;
            if (one->host < *low) *low = one->host;
            if (end > *high) *high = end;
        }
    }
}

static bool share(struct host_range *range)
{
    uint64_t low = range->host, high = low + range->bytes;
    if (range->shared != NULL) return true;
    grow(&low, &high);
    for (struct host_range *one = ranges; one != NULL; one = one->next)
        if (one->shared != NULL && one->host >= low && one->host < high) unshare(one->shared);
    struct allocation *allocation = memory_register(low, high - low, NULL, 0);
    if (allocation == NULL) return false;
    allocation_show(allocation);
    call_flush(); /* a kernel may follow in the same call */
    for (struct host_range *one = ranges; one != NULL; one = one->next)
        if (one->host >= low && one->host < high) one->shared = allocation;
    return true;
}

bool registered_share(const struct call *call, uint64_t address)
{
    struct host_range *range = find(address, 1);
    if (range == NULL || share(range)) return true;
    call_unknown(call, "kernels that use registered memory here; use cudaHostAlloc");
    return false;
}

bool registered_reach(const struct call *call, const unsigned char *arguments, size_t bytes)
{
    uint64_t address;
    for (size_t at = 0; ranges != NULL && at + sizeof address <= bytes; at += sizeof address) {
        memcpy(&address, arguments + at, sizeof address);
        if (!registered_share(call, address)) return false;
    }
    return true;
}

uint64_t gpu_address(uint64_t address)
{
    struct host_range *range = find(address, 1);
    if (range == NULL || !share(range)) return address;
    return address - (uint64_t)registered_shift(range->shared);
}

static struct host_range *append(uint64_t host, uint64_t bytes)
{
    struct host_range *new = malloc(sizeof *new);
    if (new == NULL) return NULL;
    *new = (struct host_range){.host = host, .bytes = bytes, .next = ranges};
    return ranges = new;
}

void *registered_variable(uint64_t shadow, size_t bytes)
{
    struct host_range *range = append(shadow, bytes);
    if (range == NULL || !share(range)) return NULL;
    range->variable = true;
    return here(shadow);
}

/* ---- calls ---------------------------------------------------------------------------------- */

cudaError_t serve_cudaHostRegister(struct call *call, uint64_t host, size_t bytes,
                                   unsigned int flags)
{
    if (host == 0 || bytes == 0 || host + bytes < host || flags > FLAGS_MAX)
        return cudaErrorInvalidValue;
    if (find(host, bytes) != NULL || memory_owns(here(host)))
        return cudaErrorHostMemoryAlreadyRegistered;
    return append(host, bytes) == NULL ? cudaErrorMemoryAllocation : cudaSuccess;
}

static void drop(struct host_range *range)
{
    struct host_range **link = &ranges;
    if (range->shared != NULL) unshare(range->shared);
    while (*link != range)
        link = &(*link)->next;
    *link = range->next;
    free(range);
}

/* Waits, as freeing does. */
cudaError_t serve_cudaHostUnregister(struct call *call, uint64_t host)
{
    struct host_range *range = find(host, 1);
    if (range == NULL || range->host != host) return cudaErrorHostMemoryNotRegistered;
    stream_wait_all();
    drop(range);
    return cudaSuccess;
}

void registered_reset(void)
{
    for (struct host_range *one = ranges, *next; one != NULL; one = next) {
        next = one->next;
        if (!one->variable) drop(one);
    }
}

cudaError_t serve_cudaHostGetDevicePointer(struct call *call, uint64_t *device, uint64_t host,
                                           unsigned int flags)
{
    const struct allocation *allocation = memory_find(here(host));
    bool pinned = allocation != NULL && !allocation->freed && allocation->space == SPACE_PINNED;
    if (flags != 0 || (!pinned && find(host, 1) == NULL)) return cudaErrorInvalidValue;
    if (!registered_share(call, host)) return cudaErrorNotSupported;
    *device = host;
    return cudaSuccess;
}
