/*
 * memory.h: the memory of the simulated GPU. All of it is in one reserved range of addresses, so
 * one subtraction tells whose a pointer is. The lower half of the range is device memory and the
 * variables of modules; only this process can access it. The upper half is memory that the host
 * shares (managed, pinned, registered): pages of one file, which the program maps at the same
 * addresses. No address is given out twice, so that use after free is noticed. What is known of
 * each word is in shadow.h.
 */
#ifndef WARPUP_MEMORY_H
#define WARPUP_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum memory_space { SPACE_DEVICE, SPACE_MANAGED, SPACE_PINNED, SPACE_REGISTERED };

struct allocation {
    uint64_t id; /* 1, 2, … in the order of allocation */
    enum memory_space space;
    char *base; /* in the range */
    size_t bytes;
    char *host; /* registered memory: the program's own address of it, which kernels may use; else
                   NULL */
    bool freed;
    bool touched;               /* managed: a kernel has used it since memory_settle() */
    bool on_gpu;                /* managed: it has moved there */
    const char *allocated_file; /* of the host's call; NULL if unknown; as long as the process */
    int allocated_line, freed_line;
};

/* Reserves exactly this range for the GPU's memory, and its shadow. False if that is not possible;
 * then nothing is reserved. May be called again with other numbers while nothing is allocated. */
bool memory_reserve(uint64_t base, uint64_t bytes);
uint64_t memory_base(void); /* 0: nothing is reserved */
uint64_t memory_extent(void);

/* Where the part begins that the host shares: bytes from the base. It is backed by the file, from
 * its start on. */
uint64_t memory_shared_from(void);
int memory_shared_file(void); /* -1: nothing of it has been used yet */

/* How much device memory the GPU has, in bytes; a quarter of this machine's memory is a limit, too.
 */
void memory_limit(uint64_t bytes);

/* The bytes of a page of this machine: 4096 on x86-64, up to 65536 on aarch64. */
size_t memory_page(void);

/* Allocates `bytes` > 0 bytes, 256-byte aligned, not initialised. NULL if the device, or this
 * machine, has not enough left. File and line are those of the host's call. */
struct allocation *memory_allocate(enum memory_space space, size_t bytes, const char *file,
                                   int line);

/* Memory that the program registers: `host` is its address there. The shared file gets as many
 * pages, which the program maps over its own; in this process they are mapped at `host` too. NULL:
 * there is no memory, or something else is at `host` in this process. */
struct allocation *memory_register(uint64_t host, size_t bytes, const char *file, int line);

/* Frees an allocation, by a call at this line. Its contents are lost. */
void memory_free(struct allocation *allocation, int line);

/* Room for a variable of a module, filled with zeros, with gaps on both sides. NULL: no room. */
void *memory_variable(size_t bytes, size_t align);
/* Kernels may not store to it. */
void memory_make_constant(const void *variable, size_t bytes);
/* A part of a variable is in other hands now: the heap's, given out by malloc() in a kernel. */
void memory_renew(const void *address, size_t bytes);
/* Are these bytes inside one variable? */
bool memory_holds_variable(const void *address, size_t bytes);

/* The allocation, live or freed, that contains `address` or ends before it. NULL if the address is
 * not the simulated GPU's, or in the part with the variables. */
struct allocation *memory_find(const void *address);

/* The allocation, live or freed, that contains `address` or is nearest to it. NULL if the address
 * is not the simulated GPU's, or if there is none. */
struct allocation *memory_nearest(const void *address);

/* Is it an address of the range, or of registered memory? */
bool memory_owns(const void *address);

/* How kernels reach host memory: managed memory moves to the GPU when a kernel first touches it,
 * pinned and registered memory is read and written over the bus each time. A managed allocation
 * becomes a touched one. */
enum memory_reach { REACH_LOCAL, REACH_MOVES, REACH_BUS };
enum memory_reach memory_reach(uint64_t offset);

/* Managed memory, as a copy or a prefetch leaves it; other memory stays where it is. */
void memory_fetch(const void *address, bool to_gpu);

/* A kernel has ended: what it has touched is on the GPU now. */
void memory_settle(void);

/* Notes that the host or a copy has written these bytes: they are initialised. */
void memory_written(const void *address, size_t bytes);

/* Were all of these bytes, inside one allocation, written? */
bool memory_is_written(const void *address, size_t bytes);

/* Copies the initialised state along with a device-to-device copy. */
void memory_written_as(const void *to, const void *from, size_t bytes);

/* The live allocations in order: memory_next(NULL) is the first, NULL follows the last. */
struct allocation *memory_next(const struct allocation *allocation);
#define EACH_ALLOCATION(one) for (struct allocation *one = NULL; (one = memory_next(one)) != NULL;)

/* The variables in order of addresses: sets both and returns true; *index begins with 0. */
bool memory_next_variable(size_t *index, char **base, size_t *bytes);

/* Bytes of device memory still free, and in all. */
size_t memory_left(void);
size_t memory_total(void);

#endif
