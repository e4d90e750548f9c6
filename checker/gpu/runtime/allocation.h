/*
 * allocation.h: the program's allocations, as other calls see them.
 */
#ifndef WARPUP_ALLOCATION_H
#define WARPUP_ALLOCATION_H

#include "gpu/memory/memory.h"
#include "gpu/runtime/runtime.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* cudaMallocPitch and cudaFree, for other calls that allocate. */
cudaError_t allocate_rows(const struct call *call, uint64_t *pointer, size_t *pitch, size_t width,
                          size_t height);
cudaError_t allocation_free(const struct call *call, uint64_t pointer);

/* Writes the final records of all live allocations, and frees none. `leaked`: they are leaks. */
void allocations_report(bool leaked);

/* Frees all of them without a record: cudaDeviceReset. */
void allocations_free_all(const struct call *call);

/* registered.c: how much of these bytes of the host the program has registered: nothing, all of it
 * in one piece, or a part, which CUDA copies neither to nor from. */
enum registered { REGISTERED_NOT, REGISTERED_WHOLE, REGISTERED_PARTLY };
enum registered registered_how(uint64_t address, size_t bytes);

/* Forgets all registered memory. */
void registered_reset(void);

/* The memory of a __managed__ variable: the pages of its shadow in the program, shared from now on.
 * NULL: that is not possible. */
void *registered_variable(uint64_t shadow, size_t bytes);

/* Work is going to use the GPU's side of memory that may be registered. False: that is not
 * possible, and a line on stderr has said so. */
bool registered_share(const struct call *call, uint64_t address);

/* Kernels will find registered memory at these arguments of a launch. False: that is not possible,
 * and a line on stderr has said so. */
bool registered_reach(const struct call *call, const unsigned char *arguments, size_t bytes);

/* The host's address minus the GPU's of an allocation: not 0 for registered memory, which has both.
 */
int64_t registered_shift(const struct allocation *allocation);

/* The address in the GPU's range of a byte that may be one of registered memory, whose pages are
 * shared from now on. */
uint64_t gpu_address(uint64_t address);

/* Memory that copies reach in this process. Registered memory is not: the program itself copies it.
 */
bool is_ours(uint64_t address);

/* Maps an allocation's pages in the program; takes them away again. */
void allocation_show(const struct allocation *allocation);
void allocation_hide(const struct allocation *allocation);

#endif
