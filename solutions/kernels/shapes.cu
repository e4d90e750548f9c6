/* shapes.cu: kernels with branches, in grids and blocks of many shapes, and with doubles. */
#include "kernels.h"

#include <math.h>

/* ---- branches
 * --------------------------------------------------------------------------------------- */

__device__ float chain(float x, float factor)
{
    float y = x;
    for (int k = 0; k < 64; k++)
        y = y * factor + x;
    return y;
}

__device__ float other_chain(float x, float factor)
{
    float y = 1;
    for (int k = 0; k < 64; k++)
        y = factor - y * x;
    return y;
}

/* Which side a thread takes changes every `width` threads. */
__global__ void two_sides(const float *a, float *b, int width, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (threadIdx.x / width % 2 == 0)
        b[i] = chain(a[i], 0.5f);
    else
        b[i] = other_chain(a[i], 0.25f);
}

__global__ void two_random_sides(const float *a, float *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (a[i] < 0.5f)
        b[i] = chain(a[i], 0.5f);
    else
        b[i] = other_chain(a[i], 0.25f);
}

__global__ void eight_sides(const float *a, float *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = a[i], y = x;
    switch (threadIdx.x % 8) {
    case 0:
        for (int k = 0; k < 32; k++)
            y = y * x + 0.5f;
        break;
    case 1:
        for (int k = 0; k < 32; k++)
            y = y * 0.5f - x;
        break;
    case 2:
        for (int k = 0; k < 32; k++)
            y = 0.3f - y * x;
        break;
    case 3:
        for (int k = 0; k < 32; k++)
            y = y + x * 0.7f;
        break;
    case 4:
        for (int k = 0; k < 32; k++)
            y = (y + x) * 0.4f;
        break;
    case 5:
        for (int k = 0; k < 32; k++)
            y = (y - 0.5f) * x;
        break;
    case 6:
        for (int k = 0; k < 32; k++)
            y = y * y - x;
        break;
    default:
        for (int k = 0; k < 32; k++)
            y = x - y * 0.1f;
        break;
    }
    b[i] = y;
}

/* Threads with a higher number in the warp take longer. */
__global__ void uneven_loops(float *b, int most)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i * 1e-6f, y = 0;
    for (int k = 0; k < most * (int)(threadIdx.x % 32) / 32; k++)
        y = y * x + 0.5f;
    b[i] = y;
}

/* One thread in 32 has work to do. */
__global__ void one_lane(float *b, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x % 32 != 0) return;
    float x = i * 1e-6f, y = 0;
    for (int k = 0; k < steps; k++)
        y = y * x + 0.5f;
    b[i / 32] = y;
}

/* Some blocks have much more work than others. */
__global__ void uneven_blocks(float *b, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i * 1e-6f, y = 0;
    for (int k = 0; k < (blockIdx.x % 16 == 0 ? 8 * steps : steps); k++)
        y = y * x + 0.5f;
    b[i] = y;
}

__global__ void loads_on_two_sides(const float *a, const float *c, float *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (threadIdx.x % 2 == 0)
        b[i] = a[i];
    else
        b[i] = c[i] * 2;
}

static void branches(void)
{
    static const int widths[] = {1, 16, 32};
    char name[40];
    int n = M;
    for (int width : widths) {
        const float *a = array<float>(n);
        float *b = array<float>(n);
        snprintf(name, sizeof name, "two sides, %d threads each", width);
        measure("branch", name, [&] { two_sides<<<n / 256, 256>>>(a, b, width, n); });
    }
    {
        const float *a = filled<float>(n, fraction);
        float *b = array<float>(n);
        measure("branch", "two sides, at random",
                [&] { two_random_sides<<<n / 256, 256>>>(a, b, n); });
    }
    {
        const float *a = array<float>(n);
        float *b = array<float>(n);
        measure("branch", "eight sides", [&] { eight_sides<<<n / 256, 256>>>(a, b, n); });
    }
    {
        float *b = array<float>(M / 2);
        measure("branch", "uneven loops", [&] { uneven_loops<<<2 * K, 256>>>(b, 256); });
    }
    {
        float *b = array<float>(M / 32);
        measure("branch", "one lane of each warp", [&] { one_lane<<<4 * K, 256>>>(b, 256); });
    }
    {
        float *b = array<float>(M / 2);
        measure("branch", "uneven blocks", [&] { uneven_blocks<<<2 * K, 256>>>(b, 64); });
    }
    {
        const float *a = array<float>(8 * n), *c = array<float>(8 * n);
        float *b = array<float>(8 * n);
        measure("branch", "loads on two sides",
                [&] { loads_on_two_sides<<<8 * n / 256, 256>>>(a, c, b, 8 * n); });
    }
}

/* ---- shapes: the same work for each thread, in different grids
 * ------------------------------------- */

__global__ void same_work(float *b, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i * 1e-7f, y = 0;
    for (int k = 0; k < steps; k++)
        y = y * x + 0.5f;
    b[i] = y;
}

__global__ void same_work_side_by_side(float *b, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = i * 1e-7f, y[8] = {0, 1, 2, 3, 4, 5, 6, 7}, sum = 0;
    for (int k = 0; k < steps; k++)
#pragma unroll
        for (int j = 0; j < 8; j++)
            y[j] = y[j] * x + 0.5f;
    for (int j = 0; j < 8; j++)
        sum += y[j];
    b[i] = sum;
}

__global__ void barriers(float *b, int steps)
{
    __shared__ float part[1024];
    part[threadIdx.x] = threadIdx.x;
    for (int k = 0; k < steps; k++) {
        __syncthreads();
        float next = part[(threadIdx.x + 1) % blockDim.x];
        __syncthreads();
        part[threadIdx.x] = next * 0.5f;
    }
    b[blockIdx.x * blockDim.x + threadIdx.x] = part[threadIdx.x];
}

static void shapes(void)
{
    static const struct {
        int blocks, threads, steps;
    } shape[] = {{1, 1, 4096},     {1, 32, 4096},    {1, 1024, 2048},  {8, 128, 4096},
                 {66, 256, 2048},  {132, 128, 4096}, {133, 1024, 512}, {264, 512, 1024},
                 {300, 1024, 512}, {4096, 32, 512},  {4096, 96, 256},  {1024, 640, 128}};
    static const struct {
        int threads, steps;
    } barrier[] = {{64, 128}, {256, 64}, {1024, 32}};
    char name[60];
    for (auto s : shape) {
        float *b = array<float>(s.blocks * s.threads);
        snprintf(name, sizeof name, "%d blocks of %d", s.blocks, s.threads);
        measure("shape", name, [&] { same_work<<<s.blocks, s.threads>>>(b, s.steps); });
    }
    {
        float *b = array<float>(132 * 128);
        measure("shape", "132 blocks of 128, side by side",
                [&] { same_work_side_by_side<<<132, 128>>>(b, 1024); });
    }
    {
        float *b = array<float>(2048);
        measure("shape", "16 blocks of 128, side by side",
                [&] { same_work_side_by_side<<<16, 128>>>(b, 2048); });
    }
    for (auto s : barrier) {
        float *b = array<float>(128 * K);
        snprintf(name, sizeof name, "barriers, blocks of %d", s.threads);
        measure("barrier", name, [&] { barriers<<<128 * K / s.threads, s.threads>>>(b, s.steps); });
    }
    {
        float *b = array<float>(256);
        measure("barrier", "barriers, one block of 256", [&] { barriers<<<1, 256>>>(b, 512); });
    }
}

/* ---- doubles
 * ---------------------------------------------------------------------------------------- */

__global__ void double_axpy(double a, const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += a * x[i];
}

__global__ void double_polynomial(const double *a, double *b, int degree, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double x = a[i], y = 1;
    for (int k = 0; k < degree; k++)
        y = y * x + 0.5;
    b[i] = y;
}

__global__ void double_quotients(const double *a, double *b, int steps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double x = a[i] + 1, y = 1;
    for (int k = 0; k < steps; k++)
        y = 1 + x / y;
    b[i] = y;
}

__global__ void double_exponentials(const double *a, double *b, int steps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double x = a[i], sum = 0;
    for (int k = 0; k < steps; k++) {
        sum += exp(x);
        x += 0.01;
    }
    b[i] = sum;
}

/* Constants without an f: floats become doubles and floats again. */
__global__ void float_by_mistake(const float *a, float *b, int steps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = a[i];
    for (int k = 0; k < steps; k++)
        x = 0.9 * x + 0.1;
    b[i] = x;
}

__global__ void double_sums(const float *a, double *sum, int n)
{
    double total = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        total += a[i];
    sum[blockIdx.x * blockDim.x + threadIdx.x] = total;
}

static void doubles(void)
{
    {
        int n = 4 * M;
        const double *x = array<double>(n);
        double *y = array<double>(n);
        measure("double", "axpy", [&] { double_axpy<<<n / 256, 256>>>(2, x, y, n); });
    }
    {
        int n = M;
        const double *a = array<double>(n);
        double *b = array<double>(n);
        measure("double", "polynomial", [&] { double_polynomial<<<n / 256, 256>>>(a, b, 128, n); });
    }
    {
        int n = M / 2;
        const double *a = array<double>(n);
        double *b = array<double>(n);
        measure("double", "divisions", [&] { double_quotients<<<n / 256, 256>>>(a, b, 16, n); });
    }
    {
        int n = M / 2;
        const double *a = array<double>(n);
        double *b = array<double>(n);
        measure("double", "exp", [&] { double_exponentials<<<n / 256, 256>>>(a, b, 16, n); });
    }
    {
        int n = M;
        const float *a = array<float>(n);
        float *b = array<float>(n);
        measure("double", "constants in float code",
                [&] { float_by_mistake<<<n / 256, 256>>>(a, b, 32, n); });
    }
    {
        int n = 8 * M;
        const float *a = array<float>(n);
        double *sum = array<double>(528 * 256);
        measure("double", "sums of floats", [&] { double_sums<<<528, 256>>>(a, sum, n); });
    }
}

static void measure_all(void)
{
    branches();
    shapes();
    doubles();
}
