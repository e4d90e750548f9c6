/*
 * host_defines.h: what CUDA adds to the language, as clang's CUDA mode spells it, and the marks of
 * the lab's own functions. The GPU's process, which is C, includes it too: there the marks are
 * empty.
 */
#ifndef __HOST_DEFINES_H__
#define __HOST_DEFINES_H__

#define WARPUP_MANAGED_ALIGN 4096

#ifdef __CUDA__
#    define __host__     __attribute__((host))
#    define __device__   __attribute__((device))
#    define __global__   __attribute__((global))
#    define __constant__ __attribute__((constant))
/* The host and kernels use the same variable. It has pages of its own, and is known by that. */
#    define __managed__ __device__ __attribute__((aligned(WARPUP_MANAGED_ALIGN)))
/* With this alignment clang loads and stores a float4 of a shared array in one piece, as nvcc does.
 * build/cc takes it back (cc/device.c). */
#    define __shared__ __attribute__((shared, aligned(16)))
/* clang knows at most two arguments before version 18; the third is the size of a cluster. */
#    if __clang_major__ < 18
#        define WARPUP_BOUNDS_(threads, blocks, ...) __attribute__((launch_bounds(threads, blocks)))
#        define __launch_bounds__(...)               WARPUP_BOUNDS_(__VA_ARGS__, 0, 0)
#    else
#        define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#    endif
#else
#    define __host__
#    define __device__
#    define __global__
#    define __constant__
#    define __shared__
#    define __launch_bounds__(...)
#endif

#define __grid_constant__
#define __maxnreg__(...)
#define __cluster_dims__(...)                                                                      \
    __attribute__((unavailable("the simulated GPU does not know __cluster_dims__")))
#define __forceinline__ inline __attribute__((always_inline))
#define __inline_hint__
#define __align__(n)         __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __thread__           __thread
#define __nv_pure__          __attribute__((pure))
#define __device_builtin__
#define __cudart_builtin__
#define CUDARTAPI
#define CUDART_CB

/* The lab's own functions leave no line in the PTX: their code is that of the line that calls them.
 */
#define WARPUP_HIDDEN inline __attribute__((always_inline, nodebug, artificial))
#define WARPUP_DEVICE static __device__ WARPUP_HIDDEN
#define WARPUP_BOTH   static __host__ __device__ WARPUP_HIDDEN
#define WARPUP_HOST   static __host__ WARPUP_HIDDEN

#endif
