/*
 * memory.h: the simulated GPU's memory. All of it lies in one reserved range of addresses, so that
 * telling a device pointer from a host pointer is one subtraction. Each 4-byte word has a shadow
 * that remembers whether it was ever written and who touched it last (race.h). Device memory can
 * be touched only between memory_open() and memory_close(): host code that follows a device
 * pointer meets a closed page, and the fault is told with its line.
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
    uintptr_t allocated_at, freed_at; /* program counters of the host calls; 0 when none */
};

/* Takes `bytes` > 0 bytes, 256-byte aligned, not initialised. NULL when the device (or, for the
 * host's spaces, this machine) has not as much left. `pc` is the place of the call. */
struct allocation *memory_allocate(enum memory_space space, size_t bytes, uintptr_t pc);

/* Gives an allocation back. Its addresses are not used again, so that a later access is told as
 * use after free; its contents are gone. */
void memory_free(struct allocation *allocation, uintptr_t pc);

/* The allocation, live or freed, that `address` lies in or, in the gap behind one, just past.
 * NULL when the address is not the simulated GPU's. */
struct allocation *memory_find(const void *address);

/* The allocation, live or freed, that `address` lies in or is nearest to, in front of it or behind.
 * NULL when the address is not the simulated GPU's, or there is none. */
struct allocation *memory_nearest(const void *address);

/* True when `address` is in the simulated GPU's range, allocated or not. */
bool memory_owns(const void *address);

/* Notes that the host or a copy has written these bytes: they count as initialised. */
void memory_written(const void *address, size_t bytes);

/* True when all of these bytes, inside one allocation, were written. */
bool memory_is_written(const void *address, size_t bytes);

/* Copies the initialised state along with a device-to-device copy. */
void memory_written_as(const void *to, const void *from, size_t bytes);

/* Opens and closes device memory to the process; calls nest. The simulated GPU's own work calls
 * hazard_open() and hazard_close() (host_hazards.h), which do more. */
void memory_open(void);
void memory_close(void);

/* All allocations in order: memory_next(NULL) is the first, NULL follows the last. */
struct allocation *memory_next(const struct allocation *allocation);

/* Bytes of device memory still free, and in all. */
size_t memory_left(void);
size_t memory_total(void);

#endif
