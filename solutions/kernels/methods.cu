/* methods.cu: small whole methods: stencils, softmax, products of matrices, n-body, sparse rows,
 * constants, chases. */
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

/* ---- bodies and other pairs
 * ------------------------------------------------------------------------- */

__device__ float3 pull(float3 sum, float4 here, float4 there)
{
    float dx = there.x - here.x, dy = there.y - here.y, dz = there.z - here.z;
    float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-6f),
          s = there.w * inverse * inverse * inverse;
    sum.x += dx * s;
    sum.y += dy * s;
    sum.z += dz * s;
    return sum;
}

__global__ void bodies(const float4 *body, float3 *force, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 here = body[i];
    float3 sum = {0, 0, 0};
    for (int j = 0; j < n; j++)
        sum = pull(sum, here, body[j]);
    force[i] = sum;
}

template <int THREADS> __global__ void bodies_in_tiles(const float4 *body, float3 *force, int n)
{
    __shared__ float4 tile[THREADS];
    int i = blockIdx.x * THREADS + threadIdx.x;
    float4 here = body[i];
    float3 sum = {0, 0, 0};
    for (int first = 0; first < n; first += THREADS) {
        tile[threadIdx.x] = body[first + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < THREADS; j++)
            sum = pull(sum, here, tile[j]);
        __syncthreads();
    }
    force[i] = sum;
}

/* The nearest of some points, by the squares of the distances */
__global__ void nearest(const float *x, const float *y, const float *cx, const float *cy,
                        int *which, int n, int centres)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, best = 0;
    if (i >= n) return;
    float least = 1e30f;
    for (int j = 0; j < centres; j++) {
        float dx = x[i] - cx[j], dy = y[i] - cy[j], distance = dx * dx + dy * dy;
        if (distance < least) {
            least = distance;
            best = j;
        }
    }
    which[i] = best;
}

__global__ void spheres(const float4 *sphere, int count, float *depth, int width)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float best = 1e30f, px = x * 2.0f / width - 1, py = y * 2.0f / width - 1;
    for (int j = 0; j < count; j++) {
        float4 s = sphere[j];
        float dx = px - s.x, dy = py - s.y, inside = s.w * s.w - dx * dx - dy * dy;
        if (inside > 0) best = fminf(best, s.z - sqrtf(inside));
    }
    depth[y * width + x] = best;
}

static float4 random_body(size_t i)
{
    return make_float4(2 * fraction(4 * i) - 1, 2 * fraction(4 * i + 1) - 1, fraction(4 * i + 2),
                       0.1f * fraction(4 * i + 3));
}

static void pairs(void)
{
    {
        const float4 *body = filled<float4>(4 * K, random_body);
        float3 *force = array<float3>(4 * K);
        measure("bodies", "from global memory", [&] { bodies<<<32, 128>>>(body, force, 4 * K); });
    }
    {
        const float4 *body = filled<float4>(4 * K, random_body);
        float3 *force = array<float3>(4 * K);
        measure("bodies", "tiles of 256",
                [&] { bodies_in_tiles<256><<<16, 256>>>(body, force, 4 * K); });
    }
    {
        const float4 *body = filled<float4>(4 * K, random_body);
        float3 *force = array<float3>(4 * K);
        measure("bodies", "tiles of 64",
                [&] { bodies_in_tiles<64><<<64, 64>>>(body, force, 4 * K); });
    }
    {
        int n = 256 * K, centres = 32;
        const float *x = filled<float>(n, fraction), *y = filled<float>(n, fraction);
        const float *cx = filled<float>(centres, fraction), *cy = filled<float>(centres, fraction);
        int *which = array<int>(n);
        measure("bodies", "nearest of 32 points",
                [&] { nearest<<<n / 256, 256>>>(x, y, cx, cy, which, n, centres); });
    }
    {
        const float4 *sphere = filled<float4>(64, random_body);
        float *depth = array<float>(512 * 512);
        measure("bodies", "64 spheres",
                [&] { spheres<<<dim3(16, 64), dim3(32, 8)>>>(sphere, 64, depth, 512); });
    }
}

/* ---- matrices times vectors, dense and sparse
 * ------------------------------------------------------ */

__global__ void vector_by_threads(const float *a, const float *x, float *y, int rows, int columns)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0;
    for (int j = 0; j < columns; j++)
        sum += a[(size_t)row * columns + j] * x[j];
    y[row] = sum;
}

__global__ void vector_by_warps(const float4 *a, const float4 *x, float *y, int columns)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    float sum = 0;
    for (int j = lane; j < columns / 4; j += 32) {
        float4 p = a[(size_t)row * (columns / 4) + j], q = x[j];
        sum += p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w;
    }
    for (int apart = 16; apart > 0; apart /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, apart);
    if (lane == 0) y[row] = sum;
}

__global__ void sparse_by_threads(const int *first, const int *column, const float *value,
                                  const float *x, float *y, int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0;
    for (int j = first[row]; j < first[row + 1]; j++)
        sum += value[j] * x[column[j]];
    y[row] = sum;
}

__global__ void sparse_by_warps(const int *first, const int *column, const float *value,
                                const float *x, float *y)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    float sum = 0;
    for (int j = first[row] + lane; j < first[row + 1]; j += 32)
        sum += value[j] * x[column[j]];
    for (int apart = 16; apart > 0; apart /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, apart);
    if (lane == 0) y[row] = sum;
}

static void vectors(void)
{
    {
        const float *a = array<float>(4 * M), *x = array<float>(K);
        float *y = array<float>(4 * K);
        measure("vector", "a thread per row",
                [&] { vector_by_threads<<<64, 64>>>(a, x, y, 4 * K, K); });
    }
    {
        const float4 *a = array<float4>(4 * M), *x = array<float4>(K);
        float *y = array<float>(4 * K);
        measure("vector", "a warp per row", [&] { vector_by_warps<<<512, 256>>>(a, x, y, 4 * K); });
    }
    {
        int rows = 128 * K, each = 16;
        const int *first = filled<int>(rows + 1, [=](size_t i) { return (int)i * each; });
        const int *column =
            filled<int>(rows * each, [=](size_t i) { return (int)(scatter(i) & (rows - 1)); });
        const float *value = array<float>(rows * each), *x = array<float>(rows);
        float *y = array<float>(rows);
        measure("vector", "sparse, a thread per row",
                [&] { sparse_by_threads<<<rows / 256, 256>>>(first, column, value, x, y, rows); });
    }
    {
        int rows = 32 * K, each = 64;
        const int *first = filled<int>(rows + 1, [=](size_t i) { return (int)i * each; });
        const int *column =
            filled<int>(rows * each, [=](size_t i) { return (int)(scatter(i) & (rows - 1)); });
        const float *value = array<float>(rows * each), *x = array<float>(rows);
        float *y = array<float>(rows);
        measure("vector", "sparse, a warp per row",
                [&] { sparse_by_warps<<<rows / 8, 256>>>(first, column, value, x, y); });
    }
}

/* ---- constants
 * --------------------------------------------------------------------------------------- */

__constant__ float table[256];

__global__ void constant_polynomial(const float *a, float *b, int degree, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = a[i], y = 0;
    for (int k = 0; k < degree; k++)
        y = y * x + table[k];
    b[i] = y;
}

__global__ void global_polynomial(const float *a, const float *coefficient, float *b, int degree,
                                  int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = a[i], y = 0;
    for (int k = 0; k < degree; k++)
        y = y * x + coefficient[k];
    b[i] = y;
}

static void constants(void)
{
    int n = M;
    {
        const float *a = array<float>(n);
        float *b = array<float>(n);
        measure("constant", "coefficients in constant memory",
                [&] { constant_polynomial<<<n / 256, 256>>>(a, b, 64, n); });
    }
    {
        const float *a = array<float>(n), *coefficient = array<float>(64);
        float *b = array<float>(n);
        measure("constant", "coefficients in global memory",
                [&] { global_polynomial<<<n / 256, 256>>>(a, coefficient, b, 64, n); });
    }
}

/* ---- chases: each step needs the one before
 * ---------------------------------------------------------- */

__global__ void chase(const int *next, int *out, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, at = i;
    for (int k = 0; k < steps; k++)
        at = next[at];
    out[i] = at;
}

__global__ void chase_shared(int *out, int steps)
{
    __shared__ int next[1024];
    for (int i = threadIdx.x; i < 1024; i += blockDim.x)
        next[i] = (i * 5 + 3) & 1023;
    __syncthreads();
    int at = threadIdx.x;
    for (int k = 0; k < steps; k++)
        at = next[at];
    out[blockIdx.x * blockDim.x + threadIdx.x] = at;
}

/* Sorts eight numbers of each thread. */
__global__ void sort_eight(const float *a, float *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x[8];
#pragma unroll
    for (int k = 0; k < 8; k++)
        x[k] = a[k * n + i];
#pragma unroll
    for (int round = 0; round < 8; round++)
#pragma unroll
        for (int k = round % 2; k < 7; k += 2) {
            float low = fminf(x[k], x[k + 1]);
            x[k + 1] = fmaxf(x[k], x[k + 1]);
            x[k] = low;
        }
#pragma unroll
    for (int k = 0; k < 8; k++)
        b[k * n + i] = x[k];
}

/* Points inside a circle, by random numbers */
__global__ void circle(int *inside, int steps)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, state = i * 747796405u + 1;
    int count = 0;
    for (int k = 0; k < steps; k++) {
        state = state * 1664525u + 1013904223u;
        float x = (state >> 8) * (1.0f / (1 << 24));
        state = state * 1664525u + 1013904223u;
        float y = (state >> 8) * (1.0f / (1 << 24));
        if (x * x + y * y < 1) count++;
    }
    inside[i] = count;
}

static void chases(void)
{
    auto far = [](size_t i) { return (int)((i * 40503 + 12289) & (4 * M - 1)); };
    auto near = [](size_t i) { return (int)((i * 5 + 3) & (4 * K - 1)); };
    {
        const int *next = filled<int>(4 * M, far);
        int *out = array<int>(32);
        measure("chase", "one thread, 16 MB", [&] { chase<<<1, 1>>>(next, out, 500); });
    }
    {
        const int *next = filled<int>(4 * M, far);
        int *out = array<int>(64 * K);
        measure("chase", "64 K threads, 16 MB", [&] { chase<<<256, 256>>>(next, out, 32); });
    }
    {
        const int *next = filled<int>(4 * K, near);
        int *out = array<int>(32);
        measure("chase", "one warp, 16 KB", [&] { chase<<<1, 32>>>(next, out, 1000); });
    }
    {
        int *out = array<int>(32);
        measure("chase", "one warp, shared", [&] { chase_shared<<<1, 32>>>(out, 4000); });
    }
    {
        int *out = array<int>(256 * K);
        measure("chase", "many warps, shared", [&] { chase_shared<<<K, 256>>>(out, 128); });
    }
    {
        const float *a = filled<float>(4 * M, fraction);
        float *b = array<float>(4 * M);
        measure("chase", "sorts eight numbers",
                [&] { sort_eight<<<M / 2 / 128, 128>>>(a, b, M / 2); });
    }
    {
        int *inside = array<int>(M / 2);
        measure("chase", "points in a circle", [&] { circle<<<2 * K, 256>>>(inside, 64); });
    }
}

static void measure_all(void)
{
    stencils();
    softmaxes();
    products();
    pairs();
    vectors();
    constants();
    chases();
}
