/*
 * runtime.h: what compiled programs need from libsimgpu.so besides the CUDA API. For C and C++.
 */
#ifndef WARPUP_RUNTIME_H
#define WARPUP_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#include "../driver_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One launch in the source, for one set of types. `thread` runs one CUDA thread in the image that
 * holds the site; `device` is the same function in the device image, once it was looked up. */
struct warpup_site {
    void (*thread)(void *call);
    const char *kernel, *file;
    int line;
    void (*device)(void *call);
};

/* Tells a site what it launches, and where it stands. */
void warpup_name(struct warpup_site *site, const char *kernel, const char *file, int line);

/* How a kernel is launched */
struct warpup_shape {
    uint3 grid, block;
    size_t shared;
    cudaStream_t stream;
    int cooperative;
};

/* Launches a kernel, with cudaLaunchKernel's answer. `call` holds the kernel, in its first
 * `kernel_bytes` bytes, and its arguments: `call_bytes` in all. */
cudaError_t warpup_launch(struct warpup_site *site, const struct warpup_shape *shape, void *call,
                          size_t call_bytes, size_t kernel_bytes);

/* Makes a kernel known that the program names by its bare address: the function launches it with
 * the arguments at those places. */
typedef cudaError_t warpup_launcher(const void *kernel, const struct warpup_shape *shape,
                                    void **arguments);
void warpup_know(const void *kernel, warpup_launcher *launcher);
cudaError_t warpup_launch_known(const void *function, const struct warpup_shape *shape,
                                void **arguments);

/* The shape that a configuration with attributes asks for */
cudaError_t warpup_shape_of(const cudaLaunchConfig_t *config, struct warpup_shape *shape);

/* The dynamic shared memory of the running block: the rewriter makes `extern __shared__` another
 * name for it. Only programs that use it have it (`compile` defines it), because it costs every
 * thread of the program its size. */
#define WARPUP_DYNAMIC_SHARED_BYTES 232448

/* __syncthreads(), and how many threads came to it with a predicate, or whether all did */
void warpup_barrier(void);
int warpup_barrier_count(int predicate);
int warpup_barrier_all(int predicate);

/* Called by a thread that ends with a return statement of its kernel. */
void warpup_return(void);

/* The whole grid waits, which only a cooperative launch can; and whether this is one */
void warpup_grid_barrier(void);
int warpup_grid_is_cooperative(void);

/* cuda::barrier uses this. A phase ends when all that are expected have come, and the next
 * one begins. Coming returns the phase; waiting for it takes that. Asynchronous copies that a
 * thread began before it came arrive before the phase ends. */
struct warpup_phases {
    uint32_t expected, missing;
    uint32_t phase, release; /* the number of the release after which the phase began */
};
void warpup_phases_init(struct warpup_phases *phases, uint32_t expected);
uint32_t warpup_phases_come(struct warpup_phases *phases, uint32_t count);
void warpup_phases_leave(struct warpup_phases *phases);
void warpup_phases_wait(struct warpup_phases *phases, uint32_t phase);
int warpup_phases_ask(struct warpup_phases *phases, uint32_t phase);

/* __threadfence(), __threadfence_system() */
void warpup_fence(void);
void warpup_fence_system(void);

/* The lanes of a warp together: each waits for those of its mask that have not ended, and gets
 * what they bring. warpup_active() waits for nobody: it gives the lanes that are at this place. */
enum warpup_direction { WARPUP_INDEX, WARPUP_UP, WARPUP_DOWN, WARPUP_XOR_LANE };
void warpup_syncwarp(uint32_t mask);
uint32_t warpup_active(void);
uint64_t warpup_shuffle(enum warpup_direction direction, uint32_t mask, uint64_t value, uint32_t by,
                        int width);
uint32_t warpup_ballot(uint32_t mask, int predicate);
uint32_t warpup_match(uint32_t mask, uint64_t value);
uint32_t warpup_match_all(uint32_t mask, uint64_t value);

/* Kernels' own clocks, in cycles and in nanoseconds */
long long warpup_cycles(void);
unsigned long long warpup_nanoseconds(void);

/* Ends the running thread, or the kernel as if by an illegal instruction. */
void warpup_trap(void);

/* Copies and fills inside a kernel */
void *warpup_memcpy(void *to, const void *from, size_t bytes);
void *warpup_memset(void *to, int value, size_t bytes);

/* Asynchronous copies to shared memory */
void warpup_copy_async(void *shared, const void *global, size_t bytes, size_t zeros);
void warpup_copy_commit(void);
void warpup_copy_wait(size_t prior);

/* Addresses in shared memory, counted from its begin */
uint64_t warpup_shared_offset(const void *address);
void *warpup_shared_address(uint64_t offset);

/* Atomics: the old value is returned. `compare` is for compare-and-swap alone. */
enum warpup_operation {
    WARPUP_ADD,
    WARPUP_EXCHANGE,
    WARPUP_MIN,
    WARPUP_MAX,
    WARPUP_AND,
    WARPUP_OR,
    WARPUP_XOR,
    WARPUP_SWAP,
    WARPUP_INCREMENT,
    WARPUP_DECREMENT,
    WARPUP_COUNT /* adds the constant 1 */
};
uint16_t warpup_atomic_u16(enum warpup_operation operation, void *at, uint16_t value,
                           uint16_t compare);
int32_t warpup_atomic_i32(enum warpup_operation operation, void *at, int32_t value);
uint32_t warpup_atomic_u32(enum warpup_operation operation, void *at, uint32_t value,
                           uint32_t compare);
int64_t warpup_atomic_i64(enum warpup_operation operation, void *at, int64_t value);
uint64_t warpup_atomic_u64(enum warpup_operation operation, void *at, uint64_t value,
                           uint64_t compare);
float warpup_atomic_float(void *at, float value);
double warpup_atomic_double(void *at, double value);
void warpup_atomic_floats(void *at, const float *values, float *old, int count);
uint16_t warpup_atomic_half(void *at, uint16_t value);
uint32_t warpup_atomic_half2(void *at, uint32_t pair); /* the first is in the lower 16 bits */

/* A half's bits from a number, and the number that they are; every half is a double. */
enum warpup_rounding { WARPUP_NEAREST, WARPUP_TO_ZERO, WARPUP_DOWN_ONLY, WARPUP_UP_ONLY };
uint16_t warpup_half(double value, enum warpup_rounding rounding) __attribute__((const));
double warpup_half_value(uint16_t half) __attribute__((const));

/* A sum, minimum, … over the lanes of the mask */
int64_t warpup_reduce(enum warpup_operation operation, uint32_t mask, int64_t value);

#ifdef __cplusplus
}
#endif

#endif
