/*
 * kernel_atomics.c: the atomics of C, C++ and OpenMP (std::atomic, #pragma omp atomic,
 * __atomic_fetch_add), which g++ hands to ThreadSanitizer's functions in the device image. Host
 * functions use them, and the device image has those too: without these functions it would not
 * load. In a kernel they count as CUDA's own atomics do.
 */
#include "sim/engine/access.h"

#include <stdbool.h>
#include <stdint.h>

#define CALLER ((uintptr_t)__builtin_return_address(0))

/* A function that compiled code calls. Each order of memory that it may ask for is at most the
 * strictest one. */
#define CALLBACK(RESULT, NAME, PARAMETERS, AT, KIND, ...)                                          \
    RESULT NAME PARAMETERS;                                                                        \
    RESULT NAME PARAMETERS                                                                         \
    {                                                                                              \
        access_announce((const void *)AT, sizeof *AT, KIND, CALLER);                               \
        __VA_ARGS__;                                                                               \
    }

#define FETCH(BITS, NAME)                                                                          \
    CALLBACK(uint##BITS##_t, __tsan_atomic##BITS##_fetch_##NAME,                                   \
             (volatile uint##BITS##_t * at, uint##BITS##_t value, int order), at, ACCESS_ATOMIC,   \
             (void)order;                                                                          \
             return __atomic_fetch_##NAME(at, value, __ATOMIC_SEQ_CST))

#define COMPARE_EXCHANGE(BITS, NAME)                                                               \
    CALLBACK(bool, __tsan_atomic##BITS##_compare_exchange_##NAME,                                  \
             (volatile uint##BITS##_t * at, uint##BITS##_t * expected, uint##BITS##_t value,       \
              int order, int failed_order),                                                        \
             at, ACCESS_SWAP, (void)order;                                                         \
             (void)failed_order; bool changes = *expected != value;                                \
             bool swaps = __atomic_compare_exchange_n(at, expected, value, false,                  \
                                                      __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);         \
             if (swaps && changes) access_note_swap((const void *)at); return swaps)

#define ATOMICS(BITS)                                                                              \
    CALLBACK(uint##BITS##_t, __tsan_atomic##BITS##_load,                                           \
             (const volatile uint##BITS##_t *at, int order), at, ACCESS_LOAD, (void)order;         \
             return __atomic_load_n(at, __ATOMIC_SEQ_CST))                                         \
    CALLBACK(void, __tsan_atomic##BITS##_store,                                                    \
             (volatile uint##BITS##_t * at, uint##BITS##_t value, int order), at, ACCESS_STORE,    \
             (void)order;                                                                          \
             __atomic_store_n(at, value, __ATOMIC_SEQ_CST))                                        \
    CALLBACK(uint##BITS##_t, __tsan_atomic##BITS##_exchange,                                       \
             (volatile uint##BITS##_t * at, uint##BITS##_t value, int order), at, ACCESS_EXCHANGE, \
             (void)order;                                                                          \
             return __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST))                              \
    FETCH(BITS, add)                                                                               \
    FETCH(BITS, sub)                                                                               \
    FETCH(BITS, and)                                                                               \
    FETCH(BITS, or)                                                                                \
    FETCH(BITS, xor)                                                                               \
    FETCH(BITS, nand)                                                                              \
    COMPARE_EXCHANGE(BITS, strong)                                                                 \
    COMPARE_EXCHANGE(BITS, weak)

ATOMICS(8)
ATOMICS(16)
ATOMICS(32)
ATOMICS(64)

void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_thread_fence(int order)
{
    (void)order;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

void __tsan_atomic_signal_fence(int order);
void __tsan_atomic_signal_fence(int order)
{
    (void)order;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
