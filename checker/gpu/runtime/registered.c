/*
 * registered.c: host memory that the program has registered. Its pages become shared ones, at the
 * addresses that they have in the program, so kernels can use them. Copies have the program itself
 * read and write them.
 */
#include "gpu/runtime/allocation.h"
#include "gpu/runtime/stream.h"

enum { FLAGS_MAX = 15 };

static uint64_t host_of(const struct allocation *allocation)
{
    return (uintptr_t)allocation->host;
}

/* The registered memory that these bytes of the program touch; NULL if there is none. */
static struct allocation *find(uint64_t host, uint64_t bytes)
{
    EACH_ALLOCATION (one)
        if (one->space == SPACE_REGISTERED && host < host_of(one) + one->bytes &&
            host_of(one) < host + bytes)
            return one;
    return NULL;
}

enum registered registered_how(uint64_t address, size_t bytes)
{
    const struct allocation *one = find(address, bytes);
    if (one == NULL) return REGISTERED_NOT;
    bool whole = address >= host_of(one) && bytes <= one->bytes - (address - host_of(one));
    return whole ? REGISTERED_WHOLE : REGISTERED_PARTLY;
}

int64_t registered_shift(const struct allocation *allocation)
{
    return allocation->space == SPACE_REGISTERED ? allocation->host - allocation->base : 0;
}

uint64_t gpu_address(uint64_t address)
{
    const struct allocation *one = memory_find(here(address));
    bool by_host =
        one != NULL && one->space == SPACE_REGISTERED && address - host_of(one) < one->bytes;
    return by_host ? address - (uint64_t)registered_shift(one) : address;
}

cudaError_t serve_cudaHostRegister(struct call *call)
{
    uint64_t host = argument(call, 0), bytes = argument(call, 1);
    if (host == 0 || bytes == 0 || host + bytes < host || argument_unsigned(call, 2) > FLAGS_MAX)
        return cudaErrorInvalidValue;
    if (find(host, bytes) != NULL || memory_owns(here(host)))
        return cudaErrorHostMemoryAlreadyRegistered;
    struct place place = call_place(call);
    struct allocation *allocation = memory_register(host, bytes, place.file, place.line);
    if (allocation == NULL) return cudaErrorMemoryAllocation;
    allocation_show(allocation);
    return cudaSuccess;
}

/* Waits, as freeing does. */
cudaError_t serve_cudaHostUnregister(struct call *call)
{
    struct allocation *allocation = find(argument(call, 0), 1);
    struct place place = call_place(call);
    if (allocation == NULL || host_of(allocation) != argument(call, 0))
        return cudaErrorHostMemoryNotRegistered;
    stream_wait_all();
    allocation_hide(allocation);
    memory_free(allocation, place.file, place.line);
    return cudaSuccess;
}

cudaError_t serve_cudaHostGetDevicePointer(struct call *call)
{
    uint64_t host = argument(call, 1);
    const struct allocation *allocation = memory_find(here(host));
    bool known = allocation != NULL && !allocation->freed &&
                 (allocation->space == SPACE_PINNED || allocation->space == SPACE_REGISTERED);
    if (argument_unsigned(call, 2) != 0 || !argument(call, 0) || !known)
        return cudaErrorInvalidValue;
    call->reply->result[0] = host;
    return cudaSuccess;
}
