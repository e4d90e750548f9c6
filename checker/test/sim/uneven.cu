/*
 * uneven.cu: pairs of kernels for the time model. In each pair the second one makes the same result
 * as the first, or one of the same kind, and takes longer on a GPU: because of where its blocks
 * run, of which lanes work at the same time or go the same way, of where its array is, in which
 * banks of the L1 its words are, because data decide which word is next or whether a loop goes on,
 * because each number is made of the last one, because a GPU has no instruction for two of its
 * operations, or because threads want the same word.
 */
#include <cuda_runtime.h>

#include <stdlib.h>

enum { SMS = 132, BLOCKS = 16 * SMS, THREADS = 256, ROUNDS = 64, LANES = 32 };

__device__ static float busy(float x, int rounds)
{
    for (int i = 0; i < rounds; i++)
        x = x * 0.999f + 0.5f;
    return x;
}

/* The first quarter of the blocks works, or every fourth block. Four divides the number of SMs, so
 * every fourth block means every fourth SM, if all blocks run at the same time. */
__global__ static void first_blocks(float *out, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x < gridDim.x / 4) out[i] = busy(threadIdx.x, rounds);
}

__global__ static void fourth_blocks(float *out, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x % 4 == 0) out[i] = busy(threadIdx.x, rounds);
}

/* Each lane halves numbers as often as they are even: all lanes the same ones, or each its own. */
__device__ static int halvings(unsigned first, int count)
{
    int n = 0;
    for (unsigned i = 0; i < (unsigned)count; i++)
        for (unsigned x = (first + i) * 2654435761u | 1u << 31; (x & 1) == 0; x >>= 1)
            n++;
    return n;
}

__global__ static void halve_together(int *out, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = halvings(i / LANES, count);
}

__global__ static void halve_apart(int *out, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = halvings(i * 77, count);
}

/* Sums in a thread's own array: in the order of its elements, so that they are registers, or where
 * the data say. */
__global__ static void in_registers(const int *x, int *out, int count)
{
    int sum[8] = {0}, i = blockIdx.x * blockDim.x + threadIdx.x, all = 0;
    for (int k = 0; k < count; k++)
#pragma unroll
        for (int j = 0; j < 8; j++)
            sum[j] += x[k * 8 + j];
#pragma unroll
    for (int j = 0; j < 8; j++)
        all += sum[j];
    out[i] = all;
}

__global__ static void in_local_memory(const int *x, int *out, int count)
{
    int sum[8] = {0}, i = blockIdx.x * blockDim.x + threadIdx.x, all = 0;
    for (int k = 0; k < 8 * count; k++)
        sum[(x[k] + i) & 7] += x[k];
#pragma unroll
    for (int j = 0; j < 8; j++)
        all += sum[j];
    out[i] = all;
}

/* Lanes load words that are `apart`: 33 are in banks of their own, 32 all in one. */
__global__ static void loads_apart(const int *x, int *out, int apart, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    for (int k = 0; k < count; k++)
        sum += x[threadIdx.x % LANES * apart + k % 8];
    out[i] = sum;
}

/* Walks through an array, by a step that is always the same, or that the last word decides. */
__global__ static void walk(const int *x, int *out, int count)
{
    int sum = 0;
    for (int k = 0; k < count; k++)
        sum += x[k * 3] > 0 ? 1 : 2;
    out[threadIdx.x] = sum;
}

__global__ static void walk_by_data(const int *x, int *out, int count)
{
    int at = 0;
    for (int k = 0; k < count; k++)
        at += x[at] > 0 ? 1 : 2;
    out[threadIdx.x] = at;
}

__device__ static unsigned shifted(unsigned x)
{
    return x & 1 ? x >> 1 ^ 0xedb88320u : x >> 1;
}

/* Shifts the number of each round, which is known once the loop is unrolled, or each time the
 * number of the round before. */
__global__ static void shift_known(int *out)
{
    unsigned sum = blockIdx.x * blockDim.x + threadIdx.x;
    for (unsigned k = 0; k < 256; k++)
        sum ^= shifted(k);
    out[blockIdx.x * blockDim.x + threadIdx.x] = (int)sum;
}

__global__ static void shift_again(int *out)
{
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    for (unsigned k = 0; k < 256; k++) {
        x = shifted(x);
        sum ^= x;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = (int)sum;
}

/* Goes through an array to its end, or to the first negative number; there is none. */
__global__ static void count_all(const int *x, int *out, int count)
{
    int sum = 0;
    for (int k = 0; k < count; k++)
        if (x[k * 3] >= 0) sum += k;
    out[threadIdx.x] = sum;
}

__global__ static void count_until(const int *x, int *out, int count)
{
    int sum = 0;
    for (int k = 0; k < count; k++) {
        if (x[k * 3] < 0) break;
        sum += k;
    }
    out[threadIdx.x] = sum;
}

/* Stores the four members of a struct, or to members of four structs that are far apart. */
__global__ static void store_members(float *out, int apart)
{
    float *to = out + 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    for (int j = 0; j < 4; j++)
        to[j * apart] = (float)j;
}

/* In each round, the lanes of a warp take the same side of a branch, or each its own. */
__device__ static float sides(float *to, unsigned random, int count)
{
    float x = 1;
    for (int k = 0; k < count; k++) {
        random = random * 1664525 + 1013904223;
        if (random >> 31) {
            for (int j = 0; j < 12; j++)
                x = x * 0.999f + 0.5f;
            to[0] = x;
        } else {
            for (int j = 0; j < 12; j++)
                x = x * 0.5f - 0.25f;
            to[BLOCKS * THREADS] = x;
        }
    }
    return x;
}

__global__ static void same_side(float *out, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = sides(out + i, (unsigned)(i / LANES) * 2654435761u, count);
}

__global__ static void both_sides(float *out, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = sides(out + i, (unsigned)i * 2654435761u, count);
}

/* Puts numbers on a stack and takes them from it: all lanes of a warp alike, or each its own way.
 */
__device__ static int stacked(unsigned random, int count)
{
    int stack[16] = {0}, top = 8, sum = 0;
    for (int k = 0; k < count; k++) {
        random = random * 1664525 + 1013904223;
        if (random >> 31) {
            if (top < 15) stack[top++] = sum + k;
        } else {
            if (top > 0) sum += stack[--top];
        }
    }
    return sum + stack[top];
}

/* The lanes of a warp start with the same number, or each with its own. */
template <int work(unsigned, int)> __global__ static void together(int *out, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = work((unsigned)(i / LANES) * 2654435761u, count);
}

template <int work(unsigned, int)> __global__ static void apart(int *out, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = work((unsigned)i * 2654435761u, count);
}

/* Loads 16 words in each round: all of them at the same time, or half of them when the others are
 * there. */
__device__ static int eight(const int *x)
{
    return x[0] + 3 * x[1] + 5 * x[2] + 7 * x[3] + 9 * x[4] + 11 * x[5] + 13 * x[6] + 15 * x[7];
}

__global__ static void load_together(const int *x, int *out, int count)
{
    int sum = 0;
    for (int k = 0; k < count; k++)
        sum += eight(x + 16 * k) ^ eight(x + 16 * k + 8);
    out[threadIdx.x] = sum;
}

__global__ static void load_by_halves(const int *x, int *out, int count)
{
    int sum = 0;
    for (int k = 0; k < count; k++) {
        int first = eight(x + 16 * k);
        sum += first ^ eight(x + 16 * k + 8 + first);
    }
    out[threadIdx.x] = sum;
}

/* Two operations each time: a GPU has one instruction for both, or needs two. */
__global__ static void join_bits(int *out, unsigned a, int count)
{
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = ~x;
    for (int k = 0; k < count; k++) {
        x = (x ^ y) & a;
        y = (y ^ x) | a;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = (int)(x + y);
}

__global__ static void join_nothing(int *out, int count)
{
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = ~x;
    for (int k = 0; k < count; k++) {
        x = (x ^ y) >> 1;
        y = (y ^ x) >> 1;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = (int)(x + y);
}

/* In each round, the lanes of a warp come to the same case of a switch, or each to its own. */
__device__ static int cases(unsigned random, int count)
{
    int x = 0, y = 0;
    for (int k = 0; k < count; k++) {
        random = random * 1664525 + 1013904223;
        switch (random >> 30) {
        case 0: x++; break;
        case 1: x -= y; break;
        case 2: y += x; break;
        default: y--; break;
        }
    }
    return x + y;
}

/* Each thread adds 1 by compare and swap, to a word of its own or to one that many threads want. */
__global__ static void add_by_swaps(int *words, int count)
{
    int *word = &words[(blockIdx.x * blockDim.x + threadIdx.x) % count];
    int before = *(volatile int *)word, expected;
    do {
        expected = before;
        before = atomicCAS(word, expected, expected + 1);
    } while (before != expected);
}

int main(void)
{
    float *out;
    int *numbers, *results, *zeros, x[8 * ROUNDS];
    for (int i = 0; i < 8 * ROUNDS; i++)
        x[i] = i * 7 % 61;
    cudaMalloc((void **)&out, 8 * BLOCKS * THREADS * sizeof *out);
    cudaMalloc((void **)&numbers, sizeof x);
    cudaMalloc((void **)&zeros, 2 * LANES * LANES * sizeof *zeros);
    cudaMemset(zeros, 0, 2 * LANES * LANES * sizeof *zeros);
    cudaMalloc((void **)&results, BLOCKS * THREADS * sizeof *results);
    cudaMemcpy(numbers, x, sizeof x, cudaMemcpyHostToDevice);
    first_blocks<<<BLOCKS / 2, THREADS>>>(out, 1000);
    fourth_blocks<<<BLOCKS / 2, THREADS>>>(out, 1000);
    halve_together<<<SMS, THREADS>>>(results, ROUNDS);
    halve_apart<<<SMS, THREADS>>>(results, ROUNDS);
    in_registers<<<SMS, THREADS>>>(numbers, results, ROUNDS);
    in_local_memory<<<SMS, THREADS>>>(numbers, results, ROUNDS);
    loads_apart<<<SMS, 1024>>>(zeros, results, LANES + 1, 4 * ROUNDS);
    loads_apart<<<SMS, 1024>>>(zeros, results, LANES, 4 * ROUNDS);
    walk<<<1, LANES>>>(zeros, results, 8 * ROUNDS);
    walk_by_data<<<1, LANES>>>(zeros, results, 8 * ROUNDS);
    shift_known<<<BLOCKS, THREADS>>>(results);
    shift_again<<<BLOCKS, THREADS>>>(results);
    count_all<<<1, LANES>>>(zeros, results, 8 * ROUNDS);
    count_until<<<1, LANES>>>(zeros, results, 8 * ROUNDS);
    store_members<<<BLOCKS / 2, THREADS>>>(out, 1);
    store_members<<<BLOCKS / 2, THREADS>>>(out, 2 * BLOCKS * THREADS);
    same_side<<<SMS, THREADS>>>(out, 4 * ROUNDS);
    both_sides<<<SMS, THREADS>>>(out, 4 * ROUNDS);
    together<stacked><<<SMS, THREADS>>>(results, 4 * ROUNDS);
    apart<stacked><<<SMS, THREADS>>>(results, 4 * ROUNDS);
    load_together<<<1, LANES>>>(zeros, results, 2 * ROUNDS);
    load_by_halves<<<1, LANES>>>(zeros, results, 2 * ROUNDS);
    join_bits<<<BLOCKS, THREADS>>>(results, 0x55555555, 4 * ROUNDS);
    join_nothing<<<BLOCKS, THREADS>>>(results, 4 * ROUNDS);
    together<cases><<<SMS, THREADS>>>(results, 4 * ROUNDS);
    apart<cases><<<SMS, THREADS>>>(results, 4 * ROUNDS);
    add_by_swaps<<<BLOCKS, THREADS>>>(results, BLOCKS * THREADS);
    add_by_swaps<<<BLOCKS, THREADS>>>(results, 4096);
    cudaError_t error = cudaDeviceSynchronize();
    cudaFree(zeros);
    cudaFree(out);
    cudaFree(numbers);
    cudaFree(results);
    return error == cudaSuccess ? EXIT_SUCCESS : EXIT_FAILURE;
}
