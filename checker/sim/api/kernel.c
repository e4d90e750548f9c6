/*
 * kernel.c: functions that kernels call: atomics, copies, clocks, assert. Each access is announced
 * to the engine with its place in the kernel, and then done on the CPU.
 */
#define _GNU_SOURCE
#include "sim/api/api_call.h"
#include "sim/engine/access.h"
#include "sim/engine/block.h"
#include "sim/engine/running.h"
#include "sim/gpu/profile.h"
#include "sim/requests/fault.h"
#include "sim/requests/lane.h"
#include "warpup/runtime.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CALLER ((uintptr_t)__builtin_return_address(0))

/* One integer atomic: computes the new value and swaps it in, until no other thread interfered. */
#define DEFINE_ATOMIC(T, name)                                                                     \
    static T apply_##name(enum warpup_operation operation, T old, T value, T compare)              \
    {                                                                                              \
        switch (operation) {                                                                       \
        case WARPUP_COUNT:                                                                         \
        case WARPUP_ADD: return old + value;                                                       \
        case WARPUP_EXCHANGE: return value;                                                        \
        case WARPUP_MIN: return value < old ? value : old;                                         \
        case WARPUP_MAX: return value > old ? value : old;                                         \
        case WARPUP_AND: return old & value;                                                       \
        case WARPUP_OR: return old | value;                                                        \
        case WARPUP_XOR: return old ^ value;                                                       \
        case WARPUP_SWAP: return old == compare ? value : old;                                     \
        case WARPUP_INCREMENT: return old >= value ? 0 : old + 1;                                  \
        case WARPUP_DECREMENT: return old == 0 || old > value ? value : old - 1;                   \
        }                                                                                          \
        return old;                                                                                \
    }                                                                                              \
                                                                                                   \
    static T atomic_##name(enum warpup_operation operation, T *at, T value, T compare,             \
                           uintptr_t pc)                                                           \
    {                                                                                              \
        bool adds = operation == WARPUP_ADD || operation == WARPUP_COUNT ||                        \
                    operation == WARPUP_INCREMENT || operation == WARPUP_DECREMENT;                \
        if (adds && lane_runs) block_take_turn(at, pc);                                            \
        access_announce(at, sizeof *at,                                                            \
                        operation == WARPUP_EXCHANGE ? ACCESS_EXCHANGE                             \
                        : operation == WARPUP_COUNT  ? ACCESS_INCREMENT                            \
                        : operation == WARPUP_SWAP   ? ACCESS_SWAP                                 \
                                                     : ACCESS_ATOMIC,                                \
                        pc);                                                                       \
        T old = __atomic_load_n(at, __ATOMIC_RELAXED);                                             \
        while (!__atomic_compare_exchange_n(at, &old,                                              \
                                            apply_##name(operation, old, value, compare), true,    \
                                            __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))                   \
            continue;                                                                              \
        if (operation == WARPUP_SWAP && old == compare && value != compare) access_note_swap(at);  \
        return old;                                                                                \
    }

/* Signed sums are computed as unsigned ones, which have the same bits and may wrap around. */
DEFINE_ATOMIC(uint16_t, u16)
DEFINE_ATOMIC(uint32_t, u32)
DEFINE_ATOMIC(uint64_t, u64)
DEFINE_ATOMIC(int32_t, i32)
DEFINE_ATOMIC(int64_t, i64)

#define UNSIGNED_ATOMIC(bits)                                                                      \
    uint##bits##_t warpup_atomic_u##bits(enum warpup_operation operation, void *at,                \
                                         uint##bits##_t value, uint##bits##_t compare)             \
    {                                                                                              \
        return atomic_u##bits(operation, at, value, compare, CALLER);                              \
    }

UNSIGNED_ATOMIC(16)
UNSIGNED_ATOMIC(32)
UNSIGNED_ATOMIC(64)

#define SIGNED_ATOMIC(bits)                                                                        \
    int##bits##_t warpup_atomic_i##bits(enum warpup_operation operation, void *at,                 \
                                        int##bits##_t value)                                       \
    {                                                                                              \
        if (operation == WARPUP_MIN || operation == WARPUP_MAX)                                    \
            return atomic_i##bits(operation, at, value, 0, CALLER);                                \
        return (int##bits##_t)atomic_u##bits(operation, at, (uint##bits##_t)value, 0, CALLER);     \
    }

SIGNED_ATOMIC(32)
SIGNED_ATOMIC(64)

#define DEFINE_ADD(T)                                                                              \
    static T add_##T(T *at, T value)                                                               \
    {                                                                                              \
        T old, sum;                                                                                \
        __atomic_load(at, &old, __ATOMIC_RELAXED);                                                 \
        do                                                                                         \
            sum = old + value;                                                                     \
        while (                                                                                    \
            !__atomic_compare_exchange(at, &old, &sum, true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)); \
        return old;                                                                                \
    }

DEFINE_ADD(float)
DEFINE_ADD(double)

float warpup_atomic_float(void *at, float value)
{
    access_announce(at, sizeof value, ACCESS_ADD_REAL, CALLER);
    return add_float(at, value);
}

void warpup_atomic_floats(void *at, const float *values, float *old, int count)
{
    access_announce(at, (size_t)count * sizeof *values, ACCESS_ADD_REAL, CALLER);
    for (int i = 0; i < count; i++)
        old[i] = add_float((float *)at + i, values[i]);
}

double warpup_atomic_double(void *at, double value)
{
    access_announce(at, sizeof value, ACCESS_ADD_REAL, CALLER);
    return add_double(at, value);
}

void *warpup_memcpy(void *to, const void *from, size_t bytes)
{
    access_announce(from, bytes, ACCESS_LOAD, CALLER);
    access_announce(to, bytes, ACCESS_STORE, CALLER);
    return memcpy(to, from, bytes);
}

void *warpup_memset(void *to, int value, size_t bytes)
{
    access_announce(to, bytes, ACCESS_STORE, CALLER);
    return memset(to, value, bytes);
}

long long warpup_cycles(void)
{
#if defined __x86_64__
    return (long long)__builtin_ia32_rdtsc();
#else
    uint64_t ticks, hertz;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    __asm__("mrs %0, cntfrq_el0" : "=r"(hertz));
    return (long long)((double)ticks * (profile()->clock_ghz * 1e9 / (double)hertz));
#endif
}

unsigned long long warpup_nanoseconds(void)
{
    return (unsigned long long)((double)warpup_cycles() / profile()->clock_ghz);
}

void warpup_trap(void)
{
    fault_here("assert-failed", CALLER, NULL, 0, NULL, "__trap() was called");
    running_abort(cudaErrorLaunchFailure);
}

/* On aarch64 the processor divides integers by zero: arithmetic.awk has this called before it does.
 * It does not return in a kernel, which ends as by the processor's signal on x86-64 (crash.c). */
void warpup_divided_by_zero(void);
void warpup_divided_by_zero(void)
{
    if (!lane_runs) abort();
    fault_here("assert-failed", CALLER, NULL, 0, NULL, "an integer is divided by zero");
    running_abort(cudaErrorLaunchFailure);
}

/* malloc and new in a kernel: the device image is linked with these functions instead of the
 * library's. They end the kernel. */
static _Noreturn void end_without_heap(const char *what, uintptr_t pc)
{
    api_unknown(what, pc);
    running_abort(cudaErrorNotSupported);
}

#define HEAP_CALL(wrapper, what)                                                                   \
    _Noreturn void wrapper(void);                                                                  \
    _Noreturn void wrapper(void)                                                                   \
    {                                                                                              \
        end_without_heap(what, CALLER);                                                            \
    }

HEAP_CALL(__wrap_malloc, "malloc in a kernel")
HEAP_CALL(__wrap_calloc, "calloc in a kernel")
HEAP_CALL(__wrap__Znwm, "new in a kernel")
HEAP_CALL(__wrap__Znam, "new[] in a kernel")

/* assert() calls this. In a kernel it ends the kernel, not the program. */
void __assert_fail(const char *expression, const char *file, unsigned int line,
                   const char *function)
{
    if (!lane_runs) {
        void (*real)(const char *, const char *, unsigned int, const char *);
        *(void **)&real = dlsym(RTLD_NEXT, "__assert_fail");
        real(expression, file, line, function);
        abort();
    }
    char text[400];
    const uint32_t *block = warpup_lane.block, *thread = warpup_lane.thread;
    int length = snprintf(text, sizeof text,
                          "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` "
                          "failed.\n",
                          file, line, function, block[0], block[1], block[2], thread[0], thread[1],
                          thread[2], expression);
    if (length >= (int)sizeof text) length = sizeof text - 1;
    if (write(STDERR_FILENO, text, (size_t)length) < 0) length = 0;
    snprintf(text, sizeof text, "assert(%s) is false", expression);
    fault_here("assert-failed", CALLER, NULL, 0, NULL, text);
    running_abort(cudaErrorAssert);
}
