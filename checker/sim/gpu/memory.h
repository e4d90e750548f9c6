/*
 * memory.h: the simulated GPU's memory. All of it is in one reserved range of addresses, so that
 * one subtraction is enough to know device pointers. Each 4-byte word has a shadow, which knows
 * whether the word was ever written and who accessed it last (race.h). Device memory is accessible
 * only between memory_open() and memory_close(). Host code that uses a device pointer meets a
 * closed page, and the fault is reported with its line.
 */
#ifndef WARPUP_MEMORY_H
#define WARPUP_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum memory_space { SPACE_DEVICE, SPACE_MANAGED, SPACE_PINNED };

struct allocation {
    uint64_t id; /* 1, 2, … in the order of allocation */
    enum memory_space space;
    char *base;
    size_t bytes;
    bool freed;
    bool touched;                     /* managed: a kernel has used it since memory_settle() */
    bool on_gpu;                      /* managed: it has moved there */
    uintptr_t allocated_at, freed_at; /* program counters of the host calls; 0 when none */
};

/* The bytes of a page of this machine: 4096 on x86-64, up to 65536 on aarch64. */
size_t memory_page(void);

/* Allocates `bytes` > 0 bytes, 256-byte aligned, not initialised. NULL if the device (or, for the
 * host's spaces, this machine) has not enough left. `pc` is the place of the call. */
struct allocation *memory_allocate(enum memory_space space, size_t bytes, uintptr_t pc);

/* Frees an allocation. Its contents are lost. Its addresses are not used again, so that a later
 * access can be reported as use after free. */
void memory_free(struct allocation *allocation, uintptr_t pc);

/* The allocation, live or freed, that contains `address` or ends before it. NULL if the address is
 * not the simulated GPU's. */
struct allocation *memory_find(const void *address);

/* The allocation, live or freed, that contains `address` or is nearest to it. NULL if the address
 * is not the simulated GPU's, or if there is none. */
struct allocation *memory_nearest(const void *address);

/* True when `address` is in the simulated GPU's range, allocated or not. */
bool memory_owns(const void *address);

/* How kernels reach host memory: managed memory moves to the GPU when a kernel first touches it,
 * pinned memory is read and written over the bus each time. `offset` is in the simulated GPU's
 * range; a managed allocation becomes a touched one. */
enum memory_reach { REACH_LOCAL, REACH_MOVES, REACH_BUS };
enum memory_reach memory_reach(uint64_t offset);

/* Managed memory, as a copy or a prefetch leaves it; other memory stays where it is. */
void memory_fetch(const void *address, bool to_gpu);

/* A kernel has ended: what it has touched is on the GPU now. */
void memory_settle(void);

/* Notes that the host or a copy has written these bytes: they are initialised. */
void memory_written(const void *address, size_t bytes);

/* True when all of these bytes, inside one allocation, were written. */
bool memory_is_written(const void *address, size_t bytes);

/* Copies the initialised state along with a device-to-device copy. */
void memory_written_as(const void *to, const void *from, size_t bytes);

/* Opens and closes device memory to the process; calls nest. The simulated GPU's own work calls
 * hazard_open() and hazard_close() (host_hazards.h), which do more. */
void memory_open(void);
void memory_close(void);

/* The live allocations in order: memory_next(NULL) is the first, NULL follows the last. */
struct allocation *memory_next(const struct allocation *allocation);
#define EACH_ALLOCATION(one) for (struct allocation *one = NULL; (one = memory_next(one)) != NULL;)

/* Bytes of device memory still free, and in all. */
size_t memory_left(void);
size_t memory_total(void);

#endif
