/*
 * async.h: what cuda/barrier, cuda/pipeline and cooperative_groups/memcpy_async.h share: scopes,
 * copies of any size from global to shared memory, and barriers of a block that are objects in its
 * shared memory (mbarrier).
 */
#ifndef WARPUP_ASYNC_H
#define WARPUP_ASYNC_H

#include "../cuda_pipeline_primitives.h"

namespace cuda
{

enum thread_scope {
    thread_scope_system,
    thread_scope_device,
    thread_scope_block,
    thread_scope_thread
};

/* A size that is a multiple of an alignment: wider copies */
template <size_t alignment> struct aligned_size_t {
    static constexpr size_t align = alignment;
    size_t value;
    __host__ __device__ WARPUP_HIDDEN explicit constexpr aligned_size_t(size_t bytes) : value(bytes)
    {
    }
    __host__ __device__ WARPUP_HIDDEN constexpr operator size_t() const { return value; }
};

} // namespace cuda

namespace warpup
{

/* How much of a size's alignment its type tells */
template <class Bytes> struct alignment_of_size {
    static constexpr size_t value = 1;
};
template <size_t alignment> struct alignment_of_size<::cuda::aligned_size_t<alignment>> {
    static constexpr size_t value = alignment;
};

/* The chunks of `rank` of `count` threads */
template <int chunk>
WARPUP_DEVICE void copy_chunks(char *to, const char *from, size_t bytes, unsigned int rank,
                               unsigned int count)
{
    for (size_t i = (size_t)rank * chunk; i < bytes; i += (size_t)count * chunk)
        __pipeline_memcpy_async(to + i, from + i, chunk);
}

/* The share of one of `count` threads: chunks of 16, 8 or 4 bytes, as both addresses and the size
 * allow. Others are copied synchronously, as libcu++ does it. */
template <size_t multiple>
WARPUP_DEVICE void copy_async(void *to, const void *from, size_t bytes, unsigned int rank,
                              unsigned int count)
{
    char *in = (char *)to;
    const char *out = (const char *)from;
    size_t all = (size_t)to | (size_t)from | bytes;
    if (multiple % 16 == 0 || all % 16 == 0)
        copy_chunks<16>(in, out, bytes, rank, count);
    else if (multiple % 8 == 0 || all % 8 == 0)
        copy_chunks<8>(in, out, bytes, rank, count);
    else if (multiple % 4 == 0 || all % 4 == 0)
        copy_chunks<4>(in, out, bytes, rank, count);
    else
        for (size_t i = rank; i < bytes; i += count)
            in[i] = out[i];
}

/* A barrier in shared memory. A phase ends when all that are expected have arrived, and the next
 * one begins. */
struct phases {
    unsigned long long word;

    __device__ WARPUP_HIDDEN unsigned int at() const
    {
        return (unsigned int)__cvta_generic_to_shared(&word);
    }
    __device__ WARPUP_HIDDEN void init(unsigned int expected)
    {
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at()), "r"(expected) : "memory");
    }
    __device__ WARPUP_HIDDEN unsigned long long come()
    {
        unsigned long long token;
        asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(at()) : "memory");
        return token;
    }
    __device__ WARPUP_HIDDEN unsigned long long come(unsigned int count)
    {
        unsigned long long token;
        if (count == 1) return come();
        asm volatile("mbarrier.arrive.shared.b64 %0, [%1], %2;"
                     : "=l"(token)
                     : "r"(at()), "r"(count)
                     : "memory");
        return token;
    }
    __device__ WARPUP_HIDDEN void leave()
    {
        unsigned long long token;
        asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];"
                     : "=l"(token)
                     : "r"(at())
                     : "memory");
    }
    /* The phase that runs does not end before this thread's copies have arrived. */
    __device__ WARPUP_HIDDEN void expect_copies()
    {
        asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(at()) : "memory");
    }
    __device__ WARPUP_HIDDEN bool has_ended(unsigned long long token) const
    {
        unsigned int ended;
        asm volatile(
            "{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
            : "=r"(ended)
            : "r"(at()), "l"(token)
            : "memory");
        return ended != 0;
    }
    /* Waits for the end of the token's phase, or of the last one whose number is even or odd. The
     * loop is in assembly: past a loop in C++, clang moves computations that are written before it.
     */
    __device__ WARPUP_HIDDEN void wait(unsigned long long token) const
    {
        asm volatile("{ .reg .pred p;\n"
                     "AGAIN: mbarrier.test_wait.shared.b64 p, [%0], %1;\n"
                     "@!p bra AGAIN; }" ::"r"(at()),
                     "l"(token)
                     : "memory");
    }
    __device__ WARPUP_HIDDEN void wait_parity(unsigned int phase) const
    {
        asm volatile("{ .reg .pred p;\n"
                     "AGAIN: mbarrier.test_wait.parity.shared.b64 p, [%0], %1;\n"
                     "@!p bra AGAIN; }" ::"r"(at()),
                     "r"(phase & 1)
                     : "memory");
    }
};

} // namespace warpup

#endif
