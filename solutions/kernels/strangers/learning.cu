/* learning.cu: layers of neural networks and products of matrices. */
#include "kernels.h"

#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>

/* ---- layers ---- */

__global__ void layer_norm(const float4 *a, float4 *b, int rows)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    float4 v[6];
    float sum = 0, squares = 0;
    for (int k = 0; k < 6; k++) {
        v[k] = a[row * 192 + k * 32 + lane];
        sum += v[k].x + v[k].y + v[k].z + v[k].w;
        squares += v[k].x * v[k].x + v[k].y * v[k].y + v[k].z * v[k].z + v[k].w * v[k].w;
    }
    for (int apart = 16; apart > 0; apart /= 2) {
        sum += __shfl_xor_sync(~0u, sum, apart);
        squares += __shfl_xor_sync(~0u, squares, apart);
    }
    float mean = sum / 768, scale = rsqrtf(squares / 768 - mean * mean + 1e-5f);
    for (int k = 0; k < 6; k++)
        b[row * 192 + k * 32 + lane] =
            make_float4((v[k].x - mean) * scale, (v[k].y - mean) * scale, (v[k].z - mean) * scale,
                        (v[k].w - mean) * scale);
}

/* Maximum and sum of a softmax in one pass over each row, a block per row */
__global__ void online_softmax(const float *a, float *b, int n)
{
    __shared__ float most[128], sum[128];
    int t = threadIdx.x;
    const float *row = a + (size_t)blockIdx.x * n;
    float m = -1e30f, s = 0;
    for (int i = t; i < n; i += 128) {
        float x = row[i], higher = fmaxf(m, x);
        s = s * __expf(m - higher) + __expf(x - higher);
        m = higher;
    }
    most[t] = m, sum[t] = s;
    for (int half = 64; half > 0; half /= 2) {
        __syncthreads();
        if (t < half) {
            float higher = fmaxf(most[t], most[t + half]);
            sum[t] =
                sum[t] * __expf(most[t] - higher) + sum[t + half] * __expf(most[t + half] - higher);
            most[t] = higher;
        }
    }
    __syncthreads();
    for (int i = t; i < n; i += 128)
        b[(size_t)blockIdx.x * n + i] = __expf(row[i] - most[0]) / sum[0];
}

/* One query per warp, 64 wide: keys and values pass by once. */
__global__ void attention(const float2 *q, const float2 *k, const float2 *v, float2 *out, int keys)
{
    int query = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    float2 mine = q[query * 32 + lane], sum = {0, 0};
    float most = -1e30f, weight = 0;
    for (int j = 0; j < keys; j++) {
        float2 key = k[j * 32 + lane], value = v[j * 32 + lane];
        float score = mine.x * key.x + mine.y * key.y;
        for (int apart = 16; apart > 0; apart /= 2)
            score += __shfl_xor_sync(~0u, score, apart);
        float higher = fmaxf(most, score * 0.125f), keep = __expf(most - higher);
        float add = __expf(score * 0.125f - higher);
        sum.x = sum.x * keep + add * value.x, sum.y = sum.y * keep + add * value.y;
        weight = weight * keep + add;
        most = higher;
    }
    out[query * 32 + lane] = make_float2(sum.x / weight, sum.y / weight);
}

__global__ void gelu_halves(const half2 *a, half2 *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float2 x = __half22float2(a[i]);
    x.x *= 0.5f * (1 + tanhf(0.79788456f * (x.x + 0.044715f * x.x * x.x * x.x)));
    x.y *= 0.5f * (1 + tanhf(0.79788456f * (x.y + 0.044715f * x.y * x.y * x.y)));
    b[i] = __float22half2_rn(x);
}

/* Means of channels of 16 images of 32 x 32: a block per channel */
__global__ void batch_means(const float *a, float2 *out, int channels)
{
    __shared__ float sums[2][8];
    float sum = 0, squares = 0;
    for (int i = threadIdx.x; i < 16 * 1024; i += 256) {
        float x = a[(i / 1024 * channels + blockIdx.x) * 1024 + i % 1024];
        sum += x;
        squares += x * x;
    }
    sum = warp_sum(sum), squares = warp_sum(squares);
    if (threadIdx.x % 32 == 0) sums[0][threadIdx.x / 32] = sum, sums[1][threadIdx.x / 32] = squares;
    __syncthreads();
    if (threadIdx.x != 0) return;
    for (int w = 1; w < 8; w++)
        sum += sums[0][w], squares += sums[1][w];
    out[blockIdx.x] = make_float2(sum, squares);
}

__global__ void largest_of_nine(const float *a, float *b, unsigned char *which, int width)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, out = width / 2 - 1, best = 0;
    if (x >= out) return;
    const float *p = a + ((size_t)blockIdx.z * width + 2 * y) * width + 2 * x;
    for (int k = 1; k < 9; k++)
        if (p[k / 3 * width + k % 3] > p[best / 3 * width + best % 3]) best = k;
    size_t i = ((size_t)blockIdx.z * out + y) * out + x;
    b[i] = p[best / 3 * width + best % 3];
    which[i] = (unsigned char)best;
}

/* Patches of 3 x 3 become columns of a matrix. */
__global__ void patches(const float *a, float *columns, int channels, int size)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = channels * 9 * size * size;
    if (i >= n) return;
    int x = i % size, y = i / size % size, k = i / (size * size) % 9, c = i / (9 * size * size);
    int from_x = x + k % 3 - 1, from_y = y + k / 3 - 1;
    bool inside = from_x >= 0 && from_y >= 0 && from_x < size && from_y < size;
    columns[i] = inside ? a[(c * size + from_y) * size + from_x] : 0;
}

/* To bytes, with a scale per row of 256 */
__global__ void quantise(const float4 *a, char4 *b, float *scale)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    float4 p = a[row * 64 + lane], q = a[row * 64 + 32 + lane];
    float most = fmaxf(fmaxf(fabsf(p.x), fabsf(p.y)), fmaxf(fabsf(p.z), fabsf(p.w)));
    most = fmaxf(most, fmaxf(fmaxf(fabsf(q.x), fabsf(q.y)), fmaxf(fabsf(q.z), fabsf(q.w))));
    for (int apart = 16; apart > 0; apart /= 2)
        most = fmaxf(most, __shfl_xor_sync(~0u, most, apart));
    float s = 127 / most;
    auto narrow = [=](float4 x) {
        return make_char4(__float2int_rn(x.x * s), __float2int_rn(x.y * s), __float2int_rn(x.z * s),
                          __float2int_rn(x.w * s));
    };
    b[row * 64 + lane] = narrow(p);
    b[row * 64 + 32 + lane] = narrow(q);
    if (lane == 0) scale[row] = most / 127;
}

/* Rotary positions: sine and cosine of each pair */
__global__ void rotary(float2 *a, int heads, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int pair = i % 32, position = i / 32 / heads;
    float angle = position * powf(10000.f, -pair / 32.f), s, c;
    sincosf(angle, &s, &c);
    float2 v = a[i];
    a[i] = make_float2(v.x * c - v.y * s, v.x * s + v.y * c);
}

/* The nearest of 16 centres in 8 dimensions, and sums for the new centres in shared memory */
__global__ void cluster(const float4 *point, const float *centre, float *sum, int *count, int n)
{
    __shared__ float c[16][8], mine[16][8];
    __shared__ int members[16];
    if (threadIdx.x < 128) {
        c[threadIdx.x / 8][threadIdx.x % 8] = centre[threadIdx.x];
        mine[threadIdx.x / 8][threadIdx.x % 8] = 0;
    }
    if (threadIdx.x < 16) members[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float4 a = point[2 * i], b = point[2 * i + 1];
        float x[8] = {a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w}, least = 1e30f;
        int best = 0;
        for (int k = 0; k < 16; k++) {
            float d = 0;
            for (int j = 0; j < 8; j++)
                d += (x[j] - c[k][j]) * (x[j] - c[k][j]);
            if (d < least) least = d, best = k;
        }
        for (int j = 0; j < 8; j++)
            atomicAdd(&mine[best][j], x[j]);
        atomicAdd(&members[best], 1);
    }
    __syncthreads();
    if (threadIdx.x < 128) atomicAdd(&sum[threadIdx.x], mine[threadIdx.x / 8][threadIdx.x % 8]);
    if (threadIdx.x < 16) atomicAdd(&count[threadIdx.x], members[threadIdx.x]);
}

__global__ void lstm_cell(const float *gates, float *cell, float *hidden, int width, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float *g = gates + (size_t)(i / width) * 4 * width + i % width;
    auto sigmoid = [](float x) { return 1 / (1 + expf(-x)); };
    float c = sigmoid(g[width]) * cell[i] + sigmoid(g[0]) * tanhf(g[2 * width]);
    cell[i] = c;
    hidden[i] = sigmoid(g[3 * width]) * tanhf(c);
}

static void layers(void)
{
    {
        int rows = 4096;
        auto a = (float4 *)fractions(768 * rows), b = array<float4>(192 * rows);
        measure("layer", "norm", [&] { layer_norm<<<rows / 4, 128>>>(a, b, rows); });
    }
    {
        auto a = fractions(512 * 4000), b = array<float>(512 * 4000);
        measure("layer", "softmax in one pass", [&] { online_softmax<<<512, 128>>>(a, b, 4000); });
    }
    for (int queries : {64, 1024}) {
        auto q = (float2 *)fractions(64 * queries), k = (float2 *)fractions(64 * 256);
        auto v = (float2 *)fractions(64 * 256), out = array<float2>(32 * queries);
        measure("layer", queries == 64 ? "attention, 64 queries" : "attention, 1024 queries",
                [&] { attention<<<queries / 4, 128>>>(q, k, v, out, 256); });
    }
    {
        auto a = array<half2>(M), b = array<half2>(M);
        measure("layer", "GELU of halves", [&] { gelu_halves<<<4096, 256>>>(a, b, M); });
    }
    {
        auto a = fractions(16 * 96 * 1024);
        auto out = array<float2>(96);
        measure("layer", "means of channels", [&] { batch_means<<<96, 256>>>(a, out, 96); });
    }
    {
        auto a = fractions(32 * 256 * 256), b = array<float>(32 * 128 * 128);
        auto which = array<unsigned char>(32 * 128 * 128);
        measure("layer", "largest of nine",
                [&] { largest_of_nine<<<dim3(1, 127, 32), 128>>>(a, b, which, 256); });
    }
    {
        auto a = fractions(16 * 128 * 128), columns = array<float>(16 * 9 * 128 * 128);
        measure("layer", "patches as columns",
                [&] { patches<<<16 * 9 * 64, 256>>>(a, columns, 16, 128); });
    }
    {
        auto a = (float4 *)fractions(256 * 16 * K);
        auto b = array<char4>(64 * 16 * K);
        auto scale = array<float>(16 * K);
        measure("layer", "to bytes", [&] { quantise<<<2048, 256>>>(a, b, scale); });
    }
    {
        auto a = (float2 *)fractions(2 * 512 * K);
        measure("layer", "rotary positions", [&] { rotary<<<2048, 256>>>(a, 8, 512 * K); });
    }
    {
        auto point = (float4 *)fractions(8 * 128 * K);
        auto centre = fractions(128), sum = zeros<float>(128);
        auto count = zeros<int>(16);
        measure("layer", "clusters",
                [&] { cluster<<<132, 256>>>(point, centre, sum, count, 128 * K); });
    }
    {
        auto gates = fractions(4 * 512 * K), cell = zeros<float>(512 * K);
        auto hidden = array<float>(512 * K);
        measure("layer", "LSTM cell",
                [&] { lstm_cell<<<4096, 128>>>(gates, cell, hidden, 512, 512 * K); });
    }
}

/* ---- products ---- */

/* 64 x 64 per block, 4 x 4 per thread */
__global__ void product_4x4(const float *a, const float *b, float *c, int n)
{
    __shared__ float left[16][64], top[16][64];
    int tx = threadIdx.x % 16, ty = threadIdx.x / 16, row = blockIdx.y * 64,
        column = blockIdx.x * 64;
    float sum[4][4] = {};
    for (int k0 = 0; k0 < n; k0 += 16) {
        for (int i = threadIdx.x; i < 16 * 64; i += 256) {
            left[i % 16][i / 16] = a[(row + i / 16) * n + k0 + i % 16];
            top[i / 64][i % 64] = b[(k0 + i / 64) * n + column + i % 64];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; k++)
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++)
                    sum[i][j] += left[k][ty * 4 + i] * top[k][tx * 4 + j];
        __syncthreads();
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            c[(row + ty * 4 + i) * n + column + tx * 4 + j] = sum[i][j];
}

/* Tiles come by asynchronous copies, one ahead. */
__global__ void product_ahead(const float *a, const float *b, float *c, int n)
{
    __shared__ float left[2][32][32], top[2][32][32];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 32, column = blockIdx.x * 32 + x;
    float sum[4] = {};
    auto fetch = [&](int part, int k0) {
        for (int r = y; r < 32; r += 8) {
            __pipeline_memcpy_async(&left[part][r][x], &a[(row + r) * n + k0 + x], 4);
            __pipeline_memcpy_async(&top[part][r][x], &b[(k0 + r) * n + column], 4);
        }
        __pipeline_commit();
    };
    fetch(0, 0);
    for (int k0 = 0, part = 0; k0 < n; k0 += 32, part ^= 1) {
        if (k0 + 32 < n) fetch(part ^ 1, k0 + 32);
        __pipeline_wait_prior(k0 + 32 < n ? 1 : 0);
        __syncthreads();
        for (int k = 0; k < 32; k++)
            for (int r = 0; r < 4; r++)
                sum[r] += left[part][y + 8 * r][k] * top[part][k][x];
        __syncthreads();
    }
    for (int r = 0; r < 4; r++)
        c[(row + y + 8 * r) * n + column] = sum[r];
}

/* Tensor cores straight from global memory, one 16 x 16 tile per warp */
__global__ void product_wmma(const half *a, const half *b, float *c, int n)
{
    using namespace nvcuda;
    int warp = threadIdx.x / 32, row = blockIdx.y * 32 + warp / 2 * 16;
    int column = blockIdx.x * 32 + warp % 2 * 16;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.f);
    for (int k = 0; k < n; k += 16) {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> top;
        wmma::load_matrix_sync(left, a + row * n + k, n);
        wmma::load_matrix_sync(top, b + k * n + column, n);
        wmma::mma_sync(sum, left, top, sum);
    }
    wmma::store_matrix_sync(c + row * n + column, sum, n, wmma::mem_row_major);
}

/* Through shared memory: 64 x 64 per block of four warps, 32 x 32 per warp */
__global__ void product_wmma_shared(const half *a, const half *b, half *c, int n)
{
    using namespace nvcuda;
    __shared__ __align__(16) half left[64][40], top[32][72];
    int warp = threadIdx.x / 32, row = blockIdx.y * 64, column = blockIdx.x * 64;
    int wy = warp / 2 * 32, wx = warp % 2 * 32;
    wmma::fragment<wmma::accumulator, 16, 16, 16, half> sum[2][2];
    for (int i = 0; i < 4; i++)
        wmma::fill_fragment(sum[i / 2][i % 2], __float2half(0.f));
    for (int k0 = 0; k0 < n; k0 += 32) {
        for (int i = threadIdx.x; i < 256; i += 128) {
            *(float4 *)&left[i / 4][i % 4 * 8] =
                *(const float4 *)&a[(row + i / 4) * n + k0 + i % 4 * 8];
            *(float4 *)&top[i / 8][i % 8 * 8] =
                *(const float4 *)&b[(k0 + i / 8) * n + column + i % 8 * 8];
        }
        __syncthreads();
        for (int k = 0; k < 32; k += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> l[2];
            wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> t[2];
            for (int i = 0; i < 2; i++) {
                wmma::load_matrix_sync(l[i], &left[wy + 16 * i][k], 40);
                wmma::load_matrix_sync(t[i], &top[k][wx + 16 * i], 72);
            }
            for (int i = 0; i < 4; i++)
                wmma::mma_sync(sum[i / 2][i % 2], l[i / 2], t[i % 2], sum[i / 2][i % 2]);
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; i++)
        wmma::store_matrix_sync(c + (row + wy + i / 2 * 16) * n + column + wx + i % 2 * 16,
                                sum[i / 2][i % 2], n, wmma::mem_row_major);
}

/* Bytes, four at a time: each thread has an element, rows of both matrices in shared memory */
__global__ void product_of_bytes(const int *a, const int *b, int *c, int n)
{
    __shared__ int left[16][17], top[16][17];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16, column = blockIdx.x * 16, sum = 0;
    for (int k0 = 0; k0 < n / 4; k0 += 16) {
        left[y][x] = a[(row + y) * (n / 4) + k0 + x];
        top[y][x] = b[(column + y) * (n / 4) + k0 + x];
        __syncthreads();
        for (int k = 0; k < 16; k++)
            sum = __dp4a(left[y][k], top[x][k], sum);
        __syncthreads();
    }
    c[(row + y) * n + column + x] = sum;
}

/* A matrix of halves times a vector, a block per row */
__global__ void vector_of_halves(const half2 *a, const half2 *x, float *y, int n)
{
    __shared__ float part[4];
    float sum = 0;
    for (int i = threadIdx.x; i < n / 2; i += 128) {
        float2 p = __half22float2(a[(size_t)blockIdx.x * (n / 2) + i]), q = __half22float2(x[i]);
        sum += p.x * q.x + p.y * q.y;
    }
    sum = warp_sum(sum);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) y[blockIdx.x] = part[0] + part[1] + part[2] + part[3];
}

/* The sum over k is split among blocks, which add to the result. */
__global__ void product_split(const double *a, const double *b, double *c, int n, int depth)
{
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    double sum = 0;
    for (int k = blockIdx.z * depth; k < (blockIdx.z + 1) * depth; k++)
        sum += a[y * n + k] * b[k * n + x];
    atomicAdd(&c[y * n + x], sum);
}

static void products(void)
{
    for (int n : {256, 512}) {
        auto a = fractions(n * n), b = fractions(n * n), c = array<float>(n * n);
        measure("gemm", n == 256 ? "4 x 4 per thread, 256" : "4 x 4 per thread, 512",
                [&] { product_4x4<<<dim3(n / 64, n / 64), 256>>>(a, b, c, n); });
    }
    {
        int n = 384;
        auto a = fractions(n * n), b = fractions(n * n), c = array<float>(n * n);
        measure("gemm", "tiles fetched ahead",
                [&] { product_ahead<<<dim3(n / 32, n / 32), dim3(32, 8)>>>(a, b, c, n); });
    }
    for (int n : {256, 512}) {
        auto a = array<half>(n * n), b = array<half>(n * n);
        auto c = array<float>(n * n);
        measure("gemm", n == 256 ? "tensor cores, 256" : "tensor cores, 512",
                [&] { product_wmma<<<dim3(n / 32, n / 32), 128>>>(a, b, c, n); });
    }
    {
        int n = 512;
        auto a = array<half>(n * n), b = array<half>(n * n), c = array<half>(n * n);
        measure("gemm", "tensor cores, shared memory",
                [&] { product_wmma_shared<<<dim3(n / 64, n / 64), 128>>>(a, b, c, n); });
    }
    {
        int n = 512;
        auto a = below(~0u, n * n / 4), b = below(~0u, n * n / 4), c = array<int>(n * n);
        measure("gemm", "bytes",
                [&] { product_of_bytes<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(a, b, c, n); });
    }
    {
        auto a = array<half2>(2048 * 1024), x = array<half2>(1024);
        auto y = array<float>(2048);
        measure("gemm", "halves times a vector",
                [&] { vector_of_halves<<<2048, 128>>>(a, x, y, 2048); });
    }
    {
        int n = 128;
        auto a = fractions<double>(n * n), b = fractions<double>(n * n), c = zeros<double>(n * n);
        measure("gemm", "doubles, split sum", [&] {
            product_split<<<dim3(n / 16, n / 16, 8), dim3(16, 16)>>>(a, b, c, n, n / 8);
        });
    }
}

static void measure_all(void)
{
    layers();
    products();
}
