/*
 * cuda_pipeline_primitives.h: copies from global to shared memory that a thread does not wait for
 * until it says so (cp.async on a GPU). Until then there is nothing to be read there.
 */
#ifndef WARPUP_CUDA_PIPELINE_PRIMITIVES_H
#define WARPUP_CUDA_PIPELINE_PRIMITIVES_H

#include "warpup/device.h"

/* Copies 4, 8 or 16 bytes, of which the last `zfill` are not read but become zeros. */
WARPUP_INLINE void __pipeline_memcpy_async(void *shared, const void *global, size_t bytes,
                                           size_t zfill = 0)
{
    warpup_copy_async(shared, global, bytes, zfill);
}

/* The copies since the last commit are one batch. */
WARPUP_INLINE void __pipeline_commit()
{
    warpup_copy_commit();
}

/* Waits for the calling thread's batches, but for the last `prior` of them. */
WARPUP_INLINE void __pipeline_wait_prior(size_t prior)
{
    warpup_copy_wait(prior);
}

#endif
