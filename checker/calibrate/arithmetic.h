/* arithmetic.h: how many operations one SM does per clock when it is full of threads. Each thread
 * has eight results in progress, which do not depend on each other. */
#ifndef ARITHMETIC_H
#define ARITHMETIC_H

#include "common.h"
#include "latencies.h"

#include <cuda_fp16.h>
#include <mma.h>

enum { SIDE_BY_SIDE = 8 };

struct multiply_add {
    template <typename T> static __device__ T of(T a, T b, T c)
    {
        return a * b + c;
    }
};

template <typename T, typename Operation>
__global__ void __launch_bounds__(BLOCK) compute(int steps, T b, T c, T *out)
{
    T a[SIDE_BY_SIDE], sum = 0;
    for (int j = 0; j < SIDE_BY_SIDE; j++)
        a[j] = (T)(threadIdx.x + j + 1);
    for (int i = 0; i < steps; i++)
#pragma unroll
        for (int j = 0; j < SIDE_BY_SIDE; j++)
            a[j] = Operation::of(a[j], b, c);
    for (int j = 0; j < SIDE_BY_SIDE; j++)
        sum += a[j];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/* How many of these operations one SM does per clock. */
template <typename T, typename Operation>
static double rate(const struct gpu *gpu, const char *what, double b, double c)
{
    int blocks = blocks_on_sms(gpu), steps = steps_of(gpu, 2 * K, 64);
    T *out = (T *)device_array((size_t)blocks * BLOCK * sizeof *out);
    double step_ns = slope(gpu, what, steps, 3 * steps, [&](double count) {
        compute<T, Operation><<<blocks, BLOCK>>>((int)count, (T)b, (T)c, out);
    });
    check(cudaFree(out), "freeing memory");
    return BLOCK * SIDE_BY_SIDE / (step_ns * gpu->clock_ghz);
}

/* Multiply-adds of floats, in a chain per thread: other warps fill the gaps. */
static double float_rate(const struct gpu *gpu)
{
    int blocks = blocks_on_sms(gpu), steps = steps_of(gpu, 64 * K, K);
    float *out = (float *)device_array((size_t)blocks * BLOCK * sizeof *out);
    double ns = slope(gpu, "float multiply-add", steps, 3 * steps,
                      [&](double count) { chain<<<blocks, BLOCK>>>(out, 0.5f, (int)count); });
    check(cudaFree(out), "freeing memory");
    return BLOCK / (ns * gpu->clock_ghz);
}

/* Products of 16 x 16 halves by the tensor cores, summed as floats. */
static __global__ void __launch_bounds__(BLOCK) tensor_products(int steps, float *out)
{
    using namespace nvcuda;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> c, d;
    wmma::fill_fragment(a, __float2half(0.5f));
    wmma::fill_fragment(b, __float2half(0.5f));
    wmma::fill_fragment(c, 0);
    wmma::fill_fragment(d, 1);
    for (int i = 0; i < steps; i++) {
        wmma::mma_sync(c, a, b, c);
        wmma::mma_sync(d, a, b, d);
    }
    if (c.x[0] + d.x[0] < 0) *out = c.x[0];
}

/* Operations of the tensor cores of one SM per clock, a product and a sum each. Every GPU since
 * Volta multiplies halves; those that multiply TF32 numbers do so at half that rate. */
static double tensor_rate(const struct gpu *gpu)
{
    const double flops = 2 * 2 * 16 * 16 * 16, warps = 16;
    int blocks = blocks_on_sms(gpu), steps = steps_of(gpu, 4 * K, 8);
    float *out = (float *)device_array(sizeof *out);
    double ns =
        slope(gpu, "products of halves by tensor cores", steps, 3 * steps, [&](double count) {
            tensor_products<<<blocks, (int)warps * WARP>>>((int)count, out);
        });
    check(cudaFree(out), "freeing memory");
    return flops * warps / (ns * gpu->clock_ghz) / 2;
}

static void measure_arithmetic(struct gpu *gpu)
{
    gpu->flops_per_clock = measured("flops_per_clock", 2 * float_rate(gpu));
    measured("doubles_per_clock",
             rate<double, multiply_add>(gpu, "double multiply-add", 0.5, 0.25));
    measured("tensor_flops_per_clock", tensor_rate(gpu));
}

#endif
