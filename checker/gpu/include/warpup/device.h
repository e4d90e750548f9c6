/*
 * device.h: what every kernel has: built-in variables, loads with a hint, fences, clocks. The
 * built-in variables are names for parts of the running lane (launch.c defines them): constants, so
 * that reading one is not counted as an access to memory.
 */
#ifndef WARPUP_DEVICE_H
#define WARPUP_DEVICE_H

#include "runtime.h"

extern "C" {
extern const __thread uint3 threadIdx, blockIdx, blockDim, gridDim;
}
static const int warpSize = 32;

#define WARPUP_INLINE static inline __attribute__((always_inline))

#ifndef __CUDA__ /* an editor's clang has its own */
WARPUP_INLINE void __syncthreads()
{
    warpup_barrier();
}
#endif

WARPUP_INLINE void __threadfence_block()
{
    warpup_fence();
}
WARPUP_INLINE void __threadfence()
{
    warpup_fence();
}
WARPUP_INLINE void __threadfence_system()
{
    warpup_fence_system();
}

/* Loads and stores with a hint for the caches, which the time model does not use. */
#define WARPUP_LOAD(name)                                                                          \
    template <class T> WARPUP_INLINE T name(const T *at)                                           \
    {                                                                                              \
        return *at;                                                                                \
    }
WARPUP_LOAD(__ldg)
WARPUP_LOAD(__ldca)
WARPUP_LOAD(__ldcg)
WARPUP_LOAD(__ldcs)
WARPUP_LOAD(__ldcv)
WARPUP_LOAD(__ldlu)
#undef WARPUP_LOAD

#define WARPUP_STORE(name)                                                                         \
    template <class T, class V> WARPUP_INLINE void name(T *at, V value)                            \
    {                                                                                              \
        *at = value;                                                                               \
    }
WARPUP_STORE(__stwb)
WARPUP_STORE(__stcg)
WARPUP_STORE(__stcs)
WARPUP_STORE(__stwt)
#undef WARPUP_STORE

/* Between the addresses of C++ and those of shared memory in PTX. Global memory has the same in
 * both. */
WARPUP_INLINE size_t __cvta_generic_to_shared(const void *at)
{
    return warpup_shared_offset(at);
}
WARPUP_INLINE void *__cvta_shared_to_generic(size_t offset)
{
    return warpup_shared_address(offset);
}
WARPUP_INLINE size_t __cvta_generic_to_global(const void *at)
{
    return (size_t)at;
}
WARPUP_INLINE void *__cvta_global_to_generic(size_t at)
{
    return (void *)at;
}

WARPUP_INLINE long long clock64()
{
    return warpup_cycles();
}
WARPUP_INLINE unsigned long long __globaltimer()
{
    return warpup_nanoseconds();
}
WARPUP_INLINE void __nanosleep(unsigned int)
{
}
WARPUP_INLINE void __trap()
{
    warpup_trap();
}

#ifdef __CUDA_ARCH__
/* In kernels these are the GPU's own; the library's would not be seen. */
namespace std
{
using ::warpup_memcpy;
using ::warpup_memset;
} // namespace std
#    define memcpy(...) warpup_memcpy(__VA_ARGS__)
#    define memset(...) warpup_memset(__VA_ARGS__)
#    define clock()     warpup_cycles()
#endif

#endif
