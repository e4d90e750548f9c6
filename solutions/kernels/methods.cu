/* methods.cu: small whole methods: stencils, softmax, products of matrices. */
#include "kernels.h"

#include <math.h>

/* ---- stencils
 * --------------------------------------------------------------------------------------- */

template <int RADIUS> __global__ void stencil_line(const float *a, float *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < RADIUS || i >= n - RADIUS) return;
    float sum = 0;
#pragma unroll
    for (int k = -RADIUS; k <= RADIUS; k++)
        sum += a[i + k];
    b[i] = sum / (2 * RADIUS + 1);
}

__global__ void stencil_line_shared(const float *a, float *b, int n)
{
    __shared__ float part[256 + 16];
    int i = blockIdx.x * 256 + threadIdx.x;
    part[threadIdx.x + 8] = a[i];
    if (threadIdx.x < 8) {
        part[threadIdx.x] = i >= 8 ? a[i - 8] : 0;
        part[threadIdx.x + 264] = i + 256 < n ? a[i + 256] : 0;
    }
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int k = 0; k <= 16; k++)
        sum += part[threadIdx.x + k];
    b[i] = sum;
}

__global__ void five_points(const float *a, float *b, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
        i = y * width + x;
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
    b[i] = 0.2f * (a[i] + a[i - 1] + a[i + 1] + a[i - width] + a[i + width]);
}

__global__ void nine_points(const float *a, float *b, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
    float sum = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            sum += a[(y + dy) * width + x + dx];
    b[y * width + x] = sum / 9;
}

__global__ void five_points_shared(const float *a, float *b, int width, int height)
{
    __shared__ float tile[18][34];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    tile[ty][tx] = a[y * width + x];
    if (tx == 1) tile[ty][0] = x > 0 ? a[y * width + x - 1] : 0;
    if (tx == 32) tile[ty][33] = x < width - 1 ? a[y * width + x + 1] : 0;
    if (ty == 1) tile[0][tx] = y > 0 ? a[(y - 1) * width + x] : 0;
    if (ty == 16) tile[17][tx] = y < height - 1 ? a[(y + 1) * width + x] : 0;
    __syncthreads();
    b[y * width + x] = 0.2f * (tile[ty][tx] + tile[ty][tx - 1] + tile[ty][tx + 1] +
                               tile[ty - 1][tx] + tile[ty + 1][tx]);
}

__global__ void seven_points(const float *a, float *b, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
        z = blockIdx.z;
    if (x < 1 || y < 1 || z < 1 || x >= n - 1 || y >= n - 1 || z >= n - 1) return;
    int i = (z * n + y) * n + x;
    b[i] = a[i - 1] + a[i + 1] + a[i - n] + a[i + n] + a[i - n * n] + a[i + n * n] - 6 * a[i];
}

/* Each cell lives on with two or three neighbours. */
__global__ void life(const unsigned char *a, unsigned char *b, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
        count = 0;
    if (x >= width || y >= height) return;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            if (dx == 0 && dy == 0) continue;
            int nx = (x + dx + width) % width, ny = (y + dy + height) % height;
            count += a[ny * width + nx];
        }
    b[y * width + x] = count == 3 || (count == 2 && a[y * width + x]);
}

__constant__ float weights[25];

__global__ void convolution(const float *a, float *b, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 2 || y < 2 || x >= width - 2 || y >= height - 2) return;
    float sum = 0;
#pragma unroll
    for (int dy = 0; dy < 5; dy++)
#pragma unroll
        for (int dx = 0; dx < 5; dx++)
            sum += weights[5 * dy + dx] * a[(y + dy - 2) * width + x + dx - 2];
    b[y * width + x] = sum;
}

__global__ void gray(const uchar4 *a, unsigned char *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uchar4 c = a[i];
    b[i] = (unsigned char)(0.299f * c.x + 0.587f * c.y + 0.114f * c.z);
}

template <typename Kernel> static void plane(const char *name, Kernel kernel, dim3 block)
{
    int width = 2048, height = 2048;
    dim3 grid(width / block.x, height / block.y);
    const float *a = array<float>((size_t)width * height);
    float *b = array<float>((size_t)width * height);
    measure("stencil", name, [&] { kernel<<<grid, block>>>(a, b, width, height); });
}

static void stencils(void)
{
    int n = 4 * M;
    {
        const float *a = array<float>(n);
        float *b = array<float>(n);
        measure("stencil", "3 of a line", [&] { stencil_line<1><<<n / 256, 256>>>(a, b, n); });
    }
    {
        const float *a = array<float>(n);
        float *b = array<float>(n);
        measure("stencil", "17 of a line", [&] { stencil_line<8><<<n / 256, 256>>>(a, b, n); });
    }
    {
        const float *a = array<float>(n);
        float *b = array<float>(n);
        measure("stencil", "17 of a line, shared",
                [&] { stencil_line_shared<<<n / 256, 256>>>(a, b, n); });
    }
    plane("five points", five_points, dim3(32, 8));
    plane("five points, 16 x 16", five_points, dim3(16, 16));
    plane("nine points", nine_points, dim3(32, 8));
    plane("five points, shared", five_points_shared, dim3(32, 16));
    plane("25 points", convolution, dim3(32, 4));
    {
        const float *a = array<float>(160 * 160 * 160);
        float *b = array<float>(160 * 160 * 160);
        measure("stencil", "seven points",
                [&] { seven_points<<<dim3(5, 20, 160), dim3(32, 8)>>>(a, b, 160); });
    }
    {
        const unsigned char *a =
            filled<unsigned char>(M, [](size_t i) { return (unsigned char)(scatter(i) & 1); });
        unsigned char *b = array<unsigned char>(M);
        measure("stencil", "game of life",
                [&] { life<<<dim3(32, 128), dim3(32, 8)>>>(a, b, K, K); });
    }
    {
        const uchar4 *a = array<uchar4>(8 * M);
        unsigned char *b = array<unsigned char>(8 * M);
        measure("stencil", "gray from colours", [&] { gray<<<8 * M / 256, 256>>>(a, b, 8 * M); });
    }
}

/* ---- softmax and others that need a whole row
 * ------------------------------------------------------ */

__device__ float block_sum(float value, float *part)
{
    for (int apart = 16; apart > 0; apart /= 2)
        value += __shfl_xor_sync(0xffffffff, value, apart);
    __syncthreads();
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = value;
    __syncthreads();
    value = 0;
    for (int w = 0; w < (int)blockDim.x / 32; w++)
        value += part[w];
    return value;
}

__device__ float block_largest(float value, float *part)
{
    for (int apart = 16; apart > 0; apart /= 2)
        value = fmaxf(value, __shfl_xor_sync(0xffffffff, value, apart));
    __syncthreads();
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = value;
    __syncthreads();
    for (int w = 0; w < (int)blockDim.x / 32; w++)
        value = fmaxf(value, part[w]);
    return value;
}

__global__ void softmax_by_blocks(const float *a, float *b, int columns)
{
    __shared__ float part[32];
    const float *row = a + (size_t)blockIdx.x * columns;
    float most = -1e30f, sum = 0;
    for (int j = threadIdx.x; j < columns; j += blockDim.x)
        most = fmaxf(most, row[j]);
    most = block_largest(most, part);
    for (int j = threadIdx.x; j < columns; j += blockDim.x)
        sum += expf(row[j] - most);
    sum = block_sum(sum, part);
    for (int j = threadIdx.x; j < columns; j += blockDim.x)
        b[(size_t)blockIdx.x * columns + j] = expf(row[j] - most) / sum;
}

__global__ void softmax_by_warps(const float *a, float *b, int columns)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    const float *from = a + (size_t)row * columns;
    float most = -1e30f, sum = 0;
    for (int j = lane; j < columns; j += 32)
        most = fmaxf(most, from[j]);
    for (int apart = 16; apart > 0; apart /= 2)
        most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, apart));
    for (int j = lane; j < columns; j += 32)
        sum += expf(from[j] - most);
    for (int apart = 16; apart > 0; apart /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, apart);
    for (int j = lane; j < columns; j += 32)
        b[(size_t)row * columns + j] = expf(from[j] - most) / sum;
}

__global__ void softmax_by_threads(const float *a, float *b, int rows, int columns)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    const float *from = a + (size_t)row * columns;
    float *to = b + (size_t)row * columns, most = -1e30f, sum = 0;
    for (int j = 0; j < columns; j++)
        most = fmaxf(most, from[j]);
    for (int j = 0; j < columns; j++) {
        to[j] = expf(from[j] - most);
        sum += to[j];
    }
    for (int j = 0; j < columns; j++)
        to[j] /= sum;
}

__global__ void layer_norm(const float *a, const float *scale, const float *shift, float *b,
                           int columns)
{
    __shared__ float part[32];
    const float *row = a + (size_t)blockIdx.x * columns;
    float sum = 0, squares = 0;
    for (int j = threadIdx.x; j < columns; j += blockDim.x) {
        sum += row[j];
        squares += row[j] * row[j];
    }
    sum = block_sum(sum, part);
    squares = block_sum(squares, part);
    float mean = sum / columns, factor = rsqrtf(squares / columns - mean * mean + 1e-5f);
    for (int j = threadIdx.x; j < columns; j += blockDim.x)
        b[(size_t)blockIdx.x * columns + j] = (row[j] - mean) * factor * scale[j] + shift[j];
}

static void softmaxes(void)
{
    {
        const float *a = array<float>(4 * M);
        float *b = array<float>(4 * M);
        measure("softmax", "a block per row, 1024 long",
                [&] { softmax_by_blocks<<<4 * K, 256>>>(a, b, K); });
    }
    {
        const float *a = array<float>(4 * M);
        float *b = array<float>(4 * M);
        measure("softmax", "a block per row, 8192 long",
                [&] { softmax_by_blocks<<<512, 512>>>(a, b, 8 * K); });
    }
    {
        const float *a = array<float>(4 * M);
        float *b = array<float>(4 * M);
        measure("softmax", "a warp per row, 256 long",
                [&] { softmax_by_warps<<<2 * K, 256>>>(a, b, 256); });
    }
    {
        const float *a = array<float>(M);
        float *b = array<float>(M);
        measure("softmax", "a thread per row, 64 long",
                [&] { softmax_by_threads<<<128, 128>>>(a, b, 16 * K, 64); });
    }
    {
        const float *a = array<float>(4 * M), *scale = array<float>(K), *shift = array<float>(K);
        float *b = array<float>(4 * M);
        measure("softmax", "normalised rows",
                [&] { layer_norm<<<4 * K, 128>>>(a, scale, shift, b, K); });
    }
}

/* ---- products of matrices
 * --------------------------------------------------------------------------- */

__global__ void product(const float *a, const float *b, float *c, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}

/* b is stored by columns. */
__global__ void product_of_rows(const float *a, const float *b, float *c, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[y * n + k] * b[x * n + k];
    c[y * n + x] = sum;
}

template <int TILE>
__global__ void product_of_tiles(const float *a, const float *b, float *c, int n)
{
    __shared__ float ta[TILE][TILE], tb[TILE][TILE];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    float sum = 0;
    for (int tile = 0; tile < n; tile += TILE) {
        ta[threadIdx.y][threadIdx.x] = a[y * n + tile + threadIdx.x];
        tb[threadIdx.y][threadIdx.x] = b[(tile + threadIdx.y) * n + x];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += ta[threadIdx.y][k] * tb[k][threadIdx.x];
        __syncthreads();
    }
    c[y * n + x] = sum;
}

/* Each thread computes a column of four elements. */
__global__ void product_four_each(const float *a, const float *b, float *c, int n)
{
    __shared__ float ta[32][32], tb[32][32];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y * 4;
    float sum[4] = {0};
    for (int tile = 0; tile < n; tile += 32) {
        for (int j = 0; j < 4; j++) {
            ta[threadIdx.y * 4 + j][threadIdx.x] = a[(y + j) * n + tile + threadIdx.x];
            tb[threadIdx.y * 4 + j][threadIdx.x] = b[(tile + threadIdx.y * 4 + j) * n + x];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 32; k++) {
            float right = tb[k][threadIdx.x];
#pragma unroll
            for (int j = 0; j < 4; j++)
                sum[j] += ta[threadIdx.y * 4 + j][k] * right;
        }
        __syncthreads();
    }
    for (int j = 0; j < 4; j++)
        c[(y + j) * n + x] = sum[j];
}

/* Each thread computes 4 x 4 elements of a tile of 64 x 64. */
__global__ void product_of_register_tiles(const float *a, const float *b, float *c, int n)
{
    __shared__ float ta[16][64], tb[16][64];
    int t = threadIdx.x, tx = t % 16 * 4, ty = t / 16 * 4, x = blockIdx.x * 64, y = blockIdx.y * 64;
    float sum[4][4] = {{0}};
    for (int tile = 0; tile < n; tile += 16) {
        for (int i = t; i < 1024; i += 256) {
            ta[i % 16][i / 16] = a[(y + i / 16) * n + tile + i % 16];
            tb[i / 64][i % 64] = b[(tile + i / 64) * n + x + i % 64];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; k++) {
            float left[4], right[4];
#pragma unroll
            for (int j = 0; j < 4; j++) {
                left[j] = ta[k][ty + j];
                right[j] = tb[k][tx + j];
            }
#pragma unroll
            for (int i = 0; i < 4; i++)
#pragma unroll
                for (int j = 0; j < 4; j++)
                    sum[i][j] += left[i] * right[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            c[(y + ty + i) * n + x + tx + j] = sum[i][j];
}

__global__ void outer_product(const float *a, const float *b, float *c, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < n && y < n) c[(size_t)y * n + x] += a[y] * b[x];
}

/* Many products of 8 x 8, one per 64 threads */
__global__ void small_products(const float *a, const float *b, float *c, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, which = i / 64, row = i % 64 / 8, column = i % 8;
    if (which >= count) return;
    float sum = 0;
    for (int k = 0; k < 8; k++)
        sum += a[which * 64 + row * 8 + k] * b[which * 64 + k * 8 + column];
    c[i] = sum;
}

__global__ void double_product(const double *a, const double *b, double *c, int n)
{
    __shared__ double ta[16][16], tb[16][16];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    double sum = 0;
    for (int tile = 0; tile < n; tile += 16) {
        ta[threadIdx.y][threadIdx.x] = a[y * n + tile + threadIdx.x];
        tb[threadIdx.y][threadIdx.x] = b[(tile + threadIdx.y) * n + x];
        __syncthreads();
        for (int k = 0; k < 16; k++)
            sum += ta[threadIdx.y][k] * tb[k][threadIdx.x];
        __syncthreads();
    }
    c[y * n + x] = sum;
}

template <typename T, typename Kernel>
static void multiply(const char *name, Kernel kernel, int n, dim3 tile, dim3 block)
{
    const T *a = array<T>(n * n), *b = array<T>(n * n);
    T *c = array<T>(n * n);
    measure("product", name, [&] { kernel<<<dim3(n / tile.x, n / tile.y), block>>>(a, b, c, n); });
}

static void products(void)
{
    int n = 256;
    multiply<float>("an element per thread, 16 x 16", product, n, dim3(16, 16), dim3(16, 16));
    multiply<float>("an element per thread, 32 x 32", product, n, dim3(32, 32), dim3(32, 32));
    multiply<float>("an element per thread, 32 x 8", product, n, dim3(32, 8), dim3(32, 8));
    multiply<float>("an element per thread, 384", product, 384, dim3(32, 8), dim3(32, 8));
    multiply<float>("by rows of both", product_of_rows, n, dim3(16, 16), dim3(16, 16));
    multiply<float>("tiles of 8", product_of_tiles<8>, n, dim3(8, 8), dim3(8, 8));
    multiply<float>("tiles of 16", product_of_tiles<16>, 384, dim3(16, 16), dim3(16, 16));
    multiply<float>("tiles of 32", product_of_tiles<32>, 384, dim3(32, 32), dim3(32, 32));
    multiply<float>("four elements per thread", product_four_each, 512, dim3(32, 32), dim3(32, 8));
    multiply<float>("4 x 4 elements per thread", product_of_register_tiles, 768, dim3(64, 64),
                    dim3(256));
    multiply<float>("outer product", outer_product, 2048, dim3(32, 8), dim3(32, 8));
    multiply<double>("doubles, tiles of 16", double_product, n, dim3(16, 16), dim3(16, 16));
    {
        int count = 16 * K;
        const float *a = array<float>(count * 64), *b = array<float>(count * 64);
        float *c = array<float>(count * 64);
        measure("product", "many of 8 x 8",
                [&] { small_products<<<count / 4, 256>>>(a, b, c, count); });
    }
}

static void measure_all(void)
{
    stencils();
    softmaxes();
    products();
}
