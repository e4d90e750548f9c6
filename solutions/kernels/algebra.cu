/* algebra.cu: what programs do to matrices and vectors, as textbooks have it. */
#include "kernels.h"

#include <math.h>

/* ---- sums and transposes of matrices ---- */

__global__ void add_matrices(const float *a, const float *b, float *c, int rows, int columns)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < columns && y < rows) c[y * columns + x] = a[y * columns + x] + b[y * columns + x];
}

__global__ void row_sums(const float *a, float *sums, int columns)
{
    __shared__ float part[128];
    float sum = 0;
    for (int j = threadIdx.x; j < columns; j += 128)
        sum += a[blockIdx.x * columns + j];
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int apart = 64; apart > 0; apart /= 2) {
        if (threadIdx.x < apart) part[threadIdx.x] += part[threadIdx.x + apart];
        __syncthreads();
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}

/* A thread per column of 64 rows */
__global__ void column_sums(const float *a, float *sums, int columns)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, first = blockIdx.y * 64;
    float sum = 0;
    for (int y = first; y < first + 64; y++)
        sum += a[y * columns + x];
    atomicAdd(&sums[x], sum);
}

__global__ void transpose(const double *a, double *b, int rows, int columns)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < columns && y < rows) b[x * rows + y] = a[y * columns + x];
}

__global__ void transpose_by_tiles(const float *a, float *b, int rows, int columns)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32;
    for (int j = threadIdx.y; j < 32; j += blockDim.y)
        tile[j][threadIdx.x] = a[(y + j) * columns + x];
    __syncthreads();
    x = blockIdx.x * 32;
    y = blockIdx.y * 32 + threadIdx.x;
    for (int j = threadIdx.y; j < 32; j += blockDim.y)
        b[(x + j) * rows + y] = tile[threadIdx.x][j];
}

static void whole_matrices(void)
{
    {
        const float *a = array<float>(8 * M), *b = array<float>(8 * M);
        float *c = array<float>(8 * M);
        measure("algebra", "sum of matrices",
                [&] { add_matrices<<<dim3(256, 128), dim3(16, 16)>>>(a, b, c, 2048, 4096); });
    }
    {
        const float *a = array<float>(8 * M);
        float *sums = array<float>(4 * K);
        measure("algebra", "row sums", [&] { row_sums<<<4 * K, 128>>>(a, sums, 2048); });
    }
    {
        const float *a = array<float>(8 * M);
        float *sums = array<float>(2048);
        measure("algebra", "column sums",
                [&] { column_sums<<<dim3(8, 64), 256>>>(a, sums, 2048); });
    }
    {
        const double *a = array<double>(2 * M);
        double *b = array<double>(2 * M);
        measure("algebra", "transpose of doubles",
                [&] { transpose<<<dim3(128, 64), dim3(16, 16)>>>(a, b, K, 2048); });
    }
    {
        const float *a = array<float>(8 * M);
        float *b = array<float>(8 * M);
        measure("algebra", "transpose by tiles",
                [&] { transpose_by_tiles<<<dim3(128, 64), dim3(32, 8)>>>(a, b, 2048, 4096); });
    }
}

/* ---- a matrix and a vector ---- */

__global__ void times_vector_by_warps(const float *a, const float *x, float *y, int rows,
                                      int columns)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    float sum = 0;
    for (int j = lane; j < columns; j += 32)
        sum += a[row * columns + j] * x[j];
    sum = warp_sum(sum);
    if (lane == 0) y[row] = sum;
}

/* The sum of the threads' values, in thread 0 */
__device__ float sum_in_block(float value)
{
    __shared__ float part[32];
    value = warp_sum(value);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x < 32) value = warp_sum(threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0);
    return value;
}

__global__ void times_vector_by_blocks(const float4 *a, const float4 *x, float *y, int quads)
{
    float sum = 0;
    for (int j = threadIdx.x; j < quads; j += blockDim.x) {
        float4 m = a[blockIdx.x * quads + j], v = x[j];
        sum += m.x * v.x + m.y * v.y + m.z * v.z + m.w * v.w;
    }
    sum = sum_in_block(sum);
    if (threadIdx.x == 0) y[blockIdx.x] = sum;
}

__global__ void jacobi(const float *a, const float *b, const float *x, float *next, int n)
{
    int row = blockIdx.x;
    float sum = 0;
    for (int j = threadIdx.x; j < n; j += blockDim.x)
        if (j != row) sum += a[row * n + j] * x[j];
    sum = sum_in_block(sum);
    if (threadIdx.x == 0) next[row] = (b[row] - sum) / a[row * n + row];
}

/* A thread per row of a sparse matrix */
__global__ void times_sparse(const int *starts, const int *columns, const float *values,
                             const float *x, float *y, int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0;
    for (int i = starts[row]; i < starts[row + 1]; i++)
        sum += values[i] * x[columns[i]];
    y[row] = sum;
}

static void matrices_and_vectors(void)
{
    {
        const float *a = array<float>(8 * M), *x = array<float>(2048);
        float *y = array<float>(4 * K);
        measure("algebra", "matrix and vector, by warps",
                [&] { times_vector_by_warps<<<512, 256>>>(a, x, y, 4 * K, 2048); });
    }
    {
        const float4 *a = array<float4>(2 * M), *x = array<float4>(4 * K);
        float *y = array<float>(512);
        measure("algebra", "matrix and vector, by blocks",
                [&] { times_vector_by_blocks<<<512, 256>>>(a, x, y, 4 * K); });
    }
    {
        const float *a = array<float>(4 * M), *b = array<float>(2048), *x = array<float>(2048);
        float *next = array<float>(2048);
        measure("algebra", "jacobi iteration", [&] { jacobi<<<2048, 64>>>(a, b, x, next, 2048); });
    }
    {
        int rows = 256 * K, total = 0;
        const int *starts = filled<int>(rows + 1, [&](size_t i) {
            int start = total;
            total += 2 + scatter(i) % 13;
            return start;
        });
        const int *columns =
            filled<int>(total, [=](size_t i) { return (int)(scatter(i) % (unsigned)rows); });
        const float *values = array<float>(total), *x = array<float>(rows);
        float *y = array<float>(rows);
        measure("algebra", "sparse matrix and vector",
                [&] { times_sparse<<<2 * K, 128>>>(starts, columns, values, x, y, rows); });
    }
}

/* ---- equations ---- */

/* A thread per right side; the sides' values of the same row are neighbours. */
__global__ void solve_lower(const float *lower, const float *b, float *x, int count)
{
    __shared__ float l[32][32];
    int side = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = threadIdx.x; i < 1024; i += blockDim.x)
        l[i / 32][i % 32] = lower[i];
    __syncthreads();
    if (side >= count) return;
    for (int i = 0; i < 32; i++) {
        float rest = b[i * count + side];
        for (int j = 0; j < i; j++)
            rest -= l[i][j] * x[j * count + side];
        x[i * count + side] = rest / l[i][i];
    }
}

/* Takes a multiple of row k from each row below. */
__global__ void eliminate(float *a, int n, int k)
{
    int x = k + 1 + blockIdx.x * blockDim.x + threadIdx.x,
        y = k + 1 + blockIdx.y * blockDim.y + threadIdx.y;
    if (x < n && y < n) a[y * n + x] -= a[y * n + k] / a[k * n + k] * a[k * n + x];
}

__global__ void invert_four(const float4 *in, float4 *out, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    float4 a = in[4 * i], b = in[4 * i + 1], c = in[4 * i + 2], d = in[4 * i + 3];
    float s0 = a.x * b.y - b.x * a.y, s1 = a.x * b.z - b.x * a.z, s2 = a.x * b.w - b.x * a.w,
          s3 = a.y * b.z - b.y * a.z, s4 = a.y * b.w - b.y * a.w, s5 = a.z * b.w - b.z * a.w;
    float t0 = c.x * d.y - d.x * c.y, t1 = c.x * d.z - d.x * c.z, t2 = c.x * d.w - d.x * c.w,
          t3 = c.y * d.z - d.y * c.z, t4 = c.y * d.w - d.y * c.w, t5 = c.z * d.w - d.z * c.w;
    float f = 1 / (s0 * t5 - s1 * t4 + s2 * t3 + s3 * t2 - s4 * t1 + s5 * t0);
    out[4 * i] =
        make_float4((b.y * t5 - b.z * t4 + b.w * t3) * f, (a.z * t4 - a.y * t5 - a.w * t3) * f,
                    (d.y * s5 - d.z * s4 + d.w * s3) * f, (c.z * s4 - c.y * s5 - c.w * s3) * f);
    out[4 * i + 1] =
        make_float4((b.z * t2 - b.x * t5 - b.w * t1) * f, (a.x * t5 - a.z * t2 + a.w * t1) * f,
                    (d.z * s2 - d.x * s5 - d.w * s1) * f, (c.x * s5 - c.z * s2 + c.w * s1) * f);
    out[4 * i + 2] =
        make_float4((b.x * t4 - b.y * t2 + b.w * t0) * f, (a.y * t2 - a.x * t4 - a.w * t0) * f,
                    (d.x * s4 - d.y * s2 + d.w * s0) * f, (c.y * s2 - c.x * s4 - c.w * s0) * f);
    out[4 * i + 3] =
        make_float4((b.y * t1 - b.x * t3 - b.z * t0) * f, (a.x * t3 - a.y * t1 + a.z * t0) * f,
                    (d.y * s1 - d.x * s3 - d.z * s0) * f, (c.x * s3 - c.y * s1 + c.z * s0) * f);
}

/* A thread per matrix of 6 x 6, of which only the 21 elements of the lower half are stored */
__global__ void cholesky(const float *in, float *out, int count)
{
    int which = blockIdx.x * blockDim.x + threadIdx.x;
    if (which >= count) return;
    float l[6][6];
#pragma unroll
    for (int i = 0; i < 6; i++)
#pragma unroll
        for (int j = 0; j <= i; j++) {
            float rest = in[(i * (i + 1) / 2 + j) * count + which];
#pragma unroll
            for (int k = 0; k < j; k++)
                rest -= l[i][k] * l[j][k];
            l[i][j] = i == j ? sqrtf(rest) : rest / l[j][j];
            out[(i * (i + 1) / 2 + j) * count + which] = l[i][j];
        }
}

static void equations(void)
{
    {
        int count = 32 * K;
        const float *lower = array<float>(K), *b = array<float>(32 * count);
        float *x = array<float>(32 * count);
        measure("algebra", "triangular solves",
                [&] { solve_lower<<<count / 128, 128>>>(lower, b, x, count); });
    }
    {
        float *a = array<float>(4 * M);
        dim3 block(32, 8), grid = blocks_of(1947, 1947, block);
        measure("algebra", "step of an elimination",
                [&] { eliminate<<<grid, block>>>(a, 2048, 100); });
    }
    {
        int count = 256 * K;
        const float4 *in = filled<float4>(4 * count, [](size_t i) {
            float row[4] = {fraction(i), fraction(i + 1), fraction(i + 2), fraction(i + 3)};
            row[i % 4] += 4;
            return make_float4(row[0], row[1], row[2], row[3]);
        });
        float4 *out = array<float4>(4 * count);
        measure("algebra", "inverses of 4 x 4",
                [&] { invert_four<<<count / 64, 64>>>(in, out, count); });
    }
    {
        int count = 128 * K;
        const float *in = filled<float>(21 * count, [=](size_t i) {
            size_t e = i / count;
            bool diagonal = e == 0 || e == 2 || e == 5 || e == 9 || e == 14 || e == 20;
            return fraction(i) + (diagonal ? 6 : 0);
        });
        float *out = array<float>(21 * count);
        measure("algebra", "cholesky of 6 x 6",
                [&] { cholesky<<<count / 256, 256>>>(in, out, count); });
    }
}

/* ---- lengths and products ---- */

__global__ void squares(const float4 *x, float *sums, int n)
{
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float4 v = x[i];
        sum += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
    }
    sum = sum_in_block(sum);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

/* Takes from each vector its part along q and makes the rest one long; a block per vector */
__global__ void gram_schmidt(const float *vectors, const float *q, float *out, int n)
{
    __shared__ float along, factor;
    const float *v = vectors + blockIdx.x * n;
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        sum += v[i] * q[i];
    sum = sum_in_block(sum);
    if (threadIdx.x == 0) along = sum;
    __syncthreads();
    sum = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        float rest = v[i] - along * q[i];
        sum += rest * rest;
    }
    sum = sum_in_block(sum);
    if (threadIdx.x == 0) factor = rsqrtf(sum);
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        out[blockIdx.x * n + i] = (v[i] - along * q[i]) * factor;
}

__global__ void double_triad(double *a, const double *b, const double *c, double factor, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        a[i] = b[i] + factor * c[i];
}

__global__ void dot_by_tree(const float *a, const float *b, float *result, int n)
{
    __shared__ float part[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    part[threadIdx.x] = i < n ? a[i] * b[i] : 0;
    __syncthreads();
    for (int apart = 128; apart > 0; apart /= 2) {
        if (threadIdx.x < apart) part[threadIdx.x] += part[threadIdx.x + apart];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(result, part[0]);
}

/* The values of a polynomial at 0, 1, 2 ..., by Horner, modulo a prime less than 2^16 */
__global__ void horner_modulo(const unsigned *factors, int degree, unsigned prime, unsigned *values,
                              int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned x = i % prime, value = 0;
    for (int k = degree; k >= 0; k--)
        value = (value * x + factors[k]) % prime;
    values[i] = value;
}

static void lengths_and_products(void)
{
    {
        const float4 *x = array<float4>(4 * M);
        float *sums = array<float>(264);
        measure("algebra", "norm by shuffles", [&] { squares<<<264, 512>>>(x, sums, 4 * M); });
    }
    {
        const float *vectors = filled<float>(2 * M, fraction), *q = array<float>(2048);
        float *out = array<float>(2 * M);
        measure("algebra", "gram-schmidt step",
                [&] { gram_schmidt<<<K, 256>>>(vectors, q, out, 2048); });
    }
    {
        double *a = array<double>(4 * M);
        const double *b = array<double>(4 * M), *c = array<double>(4 * M);
        measure("algebra", "triad of doubles",
                [&] { double_triad<<<K, 256>>>(a, b, c, 3, 4 * M); });
    }
    {
        const float *a = array<float>(4 * M), *b = array<float>(4 * M);
        float *result = array<float>(1);
        measure("algebra", "dot product, atomics",
                [&] { dot_by_tree<<<16 * K, 256>>>(a, b, result, 4 * M); });
    }
    {
        const unsigned *factors = filled<unsigned>(25, [](size_t i) { return scatter(i) % 65521; });
        unsigned *values = array<unsigned>(512 * K);
        measure("algebra", "polynomial modulo a prime",
                [&] { horner_modulo<<<K, 512>>>(factors, 24, 65521, values, 512 * K); });
    }
}

static void measure_all(void)
{
    whole_matrices();
    matrices_and_vectors();
    equations();
    lengths_and_products();
}
