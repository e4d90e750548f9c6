/*
 * cuda_pipeline_primitives.h: asynchronous copies from global to shared memory (cp.async). The data
 * is there only after the thread has waited for it.
 */
#ifndef WARPUP_CUDA_PIPELINE_PRIMITIVES_H
#define WARPUP_CUDA_PIPELINE_PRIMITIVES_H

#include "cuda_runtime.h"

#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 800

/* Copies 4, 8 or 16 bytes. The last `zfill` bytes are not read: they become zeros. */
WARPUP_DEVICE void __pipeline_memcpy_async(void *shared, const void *global, size_t bytes,
                                           size_t zfill = 0)
{
    unsigned int to = (unsigned int)__cvta_generic_to_shared(shared);
    unsigned int read = (unsigned int)(bytes - zfill);
    if (bytes == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(global),
                     "r"(read)
                     : "memory");
    else if (bytes == 8)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" ::"r"(to), "l"(global),
                     "r"(read)
                     : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(global),
                     "r"(read)
                     : "memory");
}

/* The copies since the last commit are one batch. */
WARPUP_DEVICE void __pipeline_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }

/* Waits for the calling thread's batches, except the last `prior` of them. */
WARPUP_DEVICE void __pipeline_wait_prior(size_t prior)
{
#    define WARPUP_WAIT(n)                                                                         \
        if (prior == n) {                                                                          \
            asm volatile("cp.async.wait_group " #n ";" ::: "memory");                              \
            return;                                                                                \
        }
    WARPUP_WAIT(0)
    WARPUP_WAIT(1)
    WARPUP_WAIT(2)
    WARPUP_WAIT(3)
    WARPUP_WAIT(4)
    WARPUP_WAIT(5)
    WARPUP_WAIT(6)
    WARPUP_WAIT(7)
    asm volatile("cp.async.wait_group 8;" ::: "memory");
#    undef WARPUP_WAIT
}

#else /* GPUs that have no such copies make them immediately. */

WARPUP_DEVICE void __pipeline_memcpy_async(void *shared, const void *global, size_t bytes,
                                           size_t zfill = 0)
{
    if (zfill > 0) {
        for (size_t i = 0; i < bytes; i++)
            ((char *)shared)[i] = i < bytes - zfill ? ((const char *)global)[i] : (char)0;
    } else if (bytes == 16) {
        *(uint4 *)shared = *(const uint4 *)global;
    } else if (bytes == 8) {
        *(uint2 *)shared = *(const uint2 *)global;
    } else {
        *(unsigned int *)shared = *(const unsigned int *)global;
    }
}
WARPUP_DEVICE void __pipeline_commit() {}
WARPUP_DEVICE void __pipeline_wait_prior(size_t) {}

#endif

#endif
