/*
 * builtins.h: what every kernel has: where it runs (threadIdx …), barriers, fences, clocks, printf,
 * assert and memory of its own. __syncthreads() is the compiler's.
 */
#ifndef WARPUP_BUILTINS_H
#define WARPUP_BUILTINS_H

#include "../vector_types.h"

#include <stddef.h>

/* Reading a member reads a register of the GPU. */
#define WARPUP_MEMBER(name, sreg)                                                                  \
    __declspec(property(get = warpup_##name)) unsigned int name;                                   \
    static __device__ WARPUP_HIDDEN unsigned int warpup_##name() { return sreg(); }
#define WARPUP_PLACE(name, type, sreg)                                                             \
    struct type {                                                                                  \
        WARPUP_MEMBER(x, __nvvm_read_ptx_sreg_##sreg##_x)                                          \
        WARPUP_MEMBER(y, __nvvm_read_ptx_sreg_##sreg##_y)                                          \
        WARPUP_MEMBER(z, __nvvm_read_ptx_sreg_##sreg##_z)                                          \
        __device__ WARPUP_HIDDEN operator uint3() const                                            \
        {                                                                                          \
            return uint3{warpup_x(), warpup_y(), warpup_z()};                                      \
        }                                                                                          \
        __device__ WARPUP_HIDDEN operator dim3() const                                             \
        {                                                                                          \
            return dim3(warpup_x(), warpup_y(), warpup_z());                                       \
        }                                                                                          \
        void operator=(const type &) = delete;                                                     \
    };                                                                                             \
    extern const __device__ __attribute__((weak)) type name;
namespace warpup
{
WARPUP_PLACE(threadIdx, thread_index, tid)
WARPUP_PLACE(blockIdx, block_index, ctaid)
WARPUP_PLACE(blockDim, block_shape, ntid)
WARPUP_PLACE(gridDim, grid_shape, nctaid)
} // namespace warpup
#undef WARPUP_PLACE
#undef WARPUP_MEMBER
using warpup::blockDim;
using warpup::blockIdx;
using warpup::gridDim;
using warpup::threadIdx;
static constexpr int warpSize = 32;

/* Barriers of a block that also count or combine a predicate */
WARPUP_DEVICE int __syncthreads_count(int predicate)
{
    int result;
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; bar.red.popc.u32 %0, 0, p; }"
                 : "=r"(result)
                 : "r"(predicate)
                 : "memory");
    return result;
}
WARPUP_DEVICE int __syncthreads_and(int predicate)
{
    int result;
    asm volatile(
        "{ .reg .pred p, q; setp.ne.s32 p, %1, 0; bar.red.and.pred q, 0, p; selp.s32 %0, 1, 0, q; }"
        : "=r"(result)
        : "r"(predicate)
        : "memory");
    return result;
}
WARPUP_DEVICE int __syncthreads_or(int predicate)
{
    int result;
    asm volatile(
        "{ .reg .pred p, q; setp.ne.s32 p, %1, 0; bar.red.or.pred q, 0, p; selp.s32 %0, 1, 0, q; }"
        : "=r"(result)
        : "r"(predicate)
        : "memory");
    return result;
}
WARPUP_DEVICE void __barrier_sync(unsigned int barrier)
{
    asm volatile("barrier.sync %0;" ::"r"(barrier) : "memory");
}
WARPUP_DEVICE void __barrier_sync_count(unsigned int barrier, unsigned int threads)
{
    asm volatile("barrier.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

WARPUP_DEVICE void __threadfence_block() { __nvvm_membar_cta(); }
WARPUP_DEVICE void __threadfence() { __nvvm_membar_gl(); }
WARPUP_DEVICE void __threadfence_system() { __nvvm_membar_sys(); }

/* Clocks, in cycles and in nanoseconds. The host has a clock() of its own. */
WARPUP_DEVICE long clock()
{
    int value;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(value)::"memory");
    return value;
}
WARPUP_DEVICE long long clock64()
{
    long long value;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(value)::"memory");
    return value;
}
WARPUP_DEVICE unsigned long long __globaltimer()
{
    unsigned long long value;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(value)::"memory");
    return value;
}
WARPUP_DEVICE void __nanosleep(unsigned int nanoseconds)
{
    asm volatile("nanosleep.u32 %0;" ::"r"(nanoseconds) : "memory");
}

WARPUP_DEVICE void __trap() { asm volatile("trap;"); }
WARPUP_DEVICE void __brkpt() { asm volatile("brkpt;"); }

/* Functions of the GPU's process. clang makes a call of vprintf() of each printf(). */
extern "C" {
__device__ int vprintf(const char *format, const char *arguments);
__device__ int printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
__device__ void *malloc(size_t bytes) __attribute__((malloc));
__device__ void free(void *pointer);
__device__ void __assertfail(const char *condition, const char *file, unsigned int line,
                             const char *function, size_t char_bytes) __attribute__((noreturn));
}
WARPUP_DEVICE void __assert_fail(const char *condition, const char *file, unsigned int line,
                                 const char *function)
{
    __assertfail(condition, file, line, function, 1);
}
WARPUP_DEVICE void *memcpy(void *to, const void *from, size_t bytes)
{
    return __builtin_memcpy(to, from, bytes);
}
WARPUP_DEVICE void *memset(void *to, int value, size_t bytes)
{
    return __builtin_memset(to, value, bytes);
}

#endif
