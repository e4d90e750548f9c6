/*
 * cuda_pipeline_primitives.h: asynchronous copies from global to shared memory (cp.async on a GPU).
 * The data is there only after the thread has waited for it.
 */
#ifndef WARPUP_CUDA_PIPELINE_PRIMITIVES_H
#define WARPUP_CUDA_PIPELINE_PRIMITIVES_H

#include "warpup/device.h"

/* Copies 4, 8 or 16 bytes. The last `zfill` bytes are not read: they become zeros. */
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

/* Waits for the calling thread's batches, except the last `prior` of them. */
WARPUP_INLINE void __pipeline_wait_prior(size_t prior)
{
    warpup_copy_wait(prior);
}

#endif
