/* matrices.cu: kernels of dense and sparse matrices, and of the layers of networks. */
#include "kernels.h"

#include <cooperative_groups.h>
#include <cuda_fp16.h>
#include <mma.h>

namespace cg = cooperative_groups;

/* ---- dense matrices ---- */

/* A warp's lanes are in one column: the loads of A are apart. */
__global__ void product_by_columns(const float *a, const float *b, float *c, int m, int n, int k)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= m || column >= n) return;
    float sum = 0;
    for (int i = 0; i < k; i++)
        sum += a[row * k + i] * b[i * n + column];
    c[row * n + column] = sum;
}

/* 64 x 64 results per block of 256 threads, 4 x 4 per thread */
__global__ void product_4x4(const float *a, const float *b, float *c, int n, int k)
{
    __shared__ float ta[16][64], tb[16][64];
    int t = threadIdx.x, u = t % 16, v = t / 16, x0 = blockIdx.x * 64, y0 = blockIdx.y * 64;
    float sum[4][4] = {};
    for (int at = 0; at < k; at += 16) {
        for (int i = t; i < 16 * 64; i += 256) {
            ta[i % 16][i / 16] = a[(y0 + i / 16) * k + at + i % 16];
            tb[i / 64][i % 64] = b[(at + i / 64) * n + x0 + i % 64];
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 16; i++) {
            float p[4], q[4];
            for (int j = 0; j < 4; j++)
                p[j] = ta[i][v * 4 + j], q[j] = tb[i][u * 4 + j];
            for (int j = 0; j < 4; j++)
                for (int l = 0; l < 4; l++)
                    sum[j][l] += p[j] * q[l];
        }
        __syncthreads();
    }
    for (int j = 0; j < 4; j++)
        for (int l = 0; l < 4; l++)
            c[(y0 + v * 4 + j) * n + x0 + u * 4 + l] = sum[j][l];
}

/* 128 x 128 results per block of 256 threads, 8 x 8 per thread, with loads of 16 bytes */
__global__ void __launch_bounds__(256)
    product_8x8(const float *a, const float *b, float *c, int n, int k)
{
    __shared__ float ta[8][128], tb[8][128];
    int t = threadIdx.x, u = t % 16 * 8, v = t / 16 * 8;
    a += blockIdx.y * 128 * k;
    b += blockIdx.x * 128;
    c += blockIdx.y * 128 * n + blockIdx.x * 128;
    float sum[8][8] = {};
    for (int at = 0; at < k; at += 8) {
        float4 four = *(const float4 *)&a[t / 2 * k + at + t % 2 * 4];
        ta[t % 2 * 4][t / 2] = four.x;
        ta[t % 2 * 4 + 1][t / 2] = four.y;
        ta[t % 2 * 4 + 2][t / 2] = four.z;
        ta[t % 2 * 4 + 3][t / 2] = four.w;
        *(float4 *)&tb[t / 32][t % 32 * 4] = *(const float4 *)&b[(at + t / 32) * n + t % 32 * 4];
        __syncthreads();
        for (int i = 0; i < 8; i++) {
            float p[8], q[8];
            for (int j = 0; j < 8; j++)
                p[j] = ta[i][v + j], q[j] = tb[i][u + j];
            for (int j = 0; j < 8; j++)
                for (int l = 0; l < 8; l++)
                    sum[j][l] += p[j] * q[l];
        }
        __syncthreads();
    }
    for (int j = 0; j < 8; j++)
        for (int l = 0; l < 8; l += 4)
            *(float4 *)&c[(v + j) * n + u + l] =
                make_float4(sum[j][l], sum[j][l + 1], sum[j][l + 2], sum[j][l + 3]);
}

/* A warp per tile of 16 x 16 on the tensor cores, straight from global memory */
__global__ void product_by_fragments(const __half *a, const __half *b, float *c, int n, int k)
{
    using namespace nvcuda;
    int column = (blockIdx.x * blockDim.y + threadIdx.y) * 16, row = blockIdx.y * 16;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> p;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> q;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int i = 0; i < k; i += 16) {
        wmma::load_matrix_sync(p, a + row * k + i, k);
        wmma::load_matrix_sync(q, b + i * n + column, n);
        wmma::mma_sync(sum, p, q, sum);
    }
    wmma::store_matrix_sync(c + row * n + column, sum, n, wmma::mem_row_major);
}

/* Small systems of 8 equations, one per thread: elimination with pivots */
__global__ void small_systems(const float *matrix, const float *right, float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float a[8][9];
    for (int r = 0; r < 8; r++) {
        for (int c = 0; c < 8; c++)
            a[r][c] = matrix[(r * 8 + c) * n + i];
        a[r][8] = right[r * n + i];
    }
    for (int k = 0; k < 8; k++) {
        int pivot = k;
        for (int r = k + 1; r < 8; r++)
            if (fabsf(a[r][k]) > fabsf(a[pivot][k])) pivot = r;
        for (int c = k; c < 9; c++) {
            float old = a[k][c];
            a[k][c] = a[pivot][c];
            a[pivot][c] = old;
        }
        for (int r = k + 1; r < 8; r++) {
            float factor = a[r][k] / a[k][k];
            for (int c = k; c < 9; c++)
                a[r][c] -= factor * a[k][c];
        }
    }
    for (int k = 7; k >= 0; k--) {
        float sum = a[k][8];
        for (int c = k + 1; c < 8; c++)
            sum -= a[k][c] * a[c][8];
        a[k][8] = sum / a[k][k];
        x[k * n + i] = a[k][8];
    }
}

/* A block per matrix of 32 x 32: its Cholesky factor, a column at a time */
__global__ void cholesky_blocks(const float *from, float *to)
{
    __shared__ float a[32][33];
    int r = threadIdx.y, c = threadIdx.x;
    a[r][c] = from[blockIdx.x * 1024 + r * 32 + c] + (r == c ? 32 : 0);
    __syncthreads();
    for (int k = 0; k < 32; k++) {
        if (r == k && c == k) a[k][k] = sqrtf(a[k][k]);
        __syncthreads();
        if (c == k && r > k) a[r][k] /= a[k][k];
        __syncthreads();
        if (c > k && r >= c) a[r][c] -= a[r][k] * a[c][k];
        __syncthreads();
    }
    to[blockIdx.x * 1024 + r * 32 + c] = c <= r ? a[r][c] : 0;
}

/* Every column is reflected: a block per column, two passes */
__global__ void householder(double *matrix, const double *v, int rows)
{
    __shared__ double part[8];
    double *column = matrix + (size_t)blockIdx.x * rows, sum = 0;
    for (int i = threadIdx.x; i < rows; i += blockDim.x)
        sum += v[i] * column[i];
    for (int apart = 16; apart > 0; apart /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, apart);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = 0;
    for (int w = 0; w < blockDim.x / 32; w++)
        sum += part[w];
    for (int i = threadIdx.x; i < rows; i += blockDim.x)
        column[i] -= 2 * sum * v[i];
}

/* The steps of conjugate gradients that touch vectors only: x and r move, and r times r is added
 * up. */
__global__ void gradient_step(double *x, double *r, const double *p, const double *q, double alpha,
                              double *square, int n)
{
    double sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        x[i] += alpha * p[i];
        double now = r[i] - alpha * q[i];
        r[i] = now;
        sum += now * now;
    }
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(cg::this_thread_block());
    for (int apart = 16; apart > 0; apart /= 2)
        sum += warp.shfl_down(sum, apart);
    if (warp.thread_rank() == 0) atomicAdd(square, sum);
}

static void dense(void)
{
    auto a = fractions(256 * 256), b = fractions(256 * 256), c = array<float>(256 * 256);
    measure("dense", "product by columns", [&] {
        dim3 block(32, 8);
        product_by_columns<<<dim3(8, 32), block>>>(a, b, c, 256, 256, 256);
    });
    for (int n : {256, 640}) {
        a = fractions(n * n), b = fractions(n * n), c = array<float>(n * n);
        measure("dense", n == 256 ? "product by 4 x 4, 256" : "product by 4 x 4, 640",
                [&] { product_4x4<<<dim3(n / 64, n / 64), 256>>>(a, b, c, n, n); });
    }
    a = fractions(1024 * 256), b = fractions(256 * 1024), c = array<float>(1024 * 1024);
    measure("dense", "product by 8 x 8",
            [&] { product_8x8<<<dim3(8, 8), 256>>>(a, b, c, 1024, 256); });
    auto half = [](size_t i) { return __float2half(fraction(i)); };
    auto p = filled<__half>(512 * 512, half), q = filled<__half>(512 * 512, half);
    c = array<float>(512 * 512);
    measure("dense", "product by fragments",
            [&] { product_by_fragments<<<dim3(8, 32), dim3(32, 4)>>>(p, q, c, 512, 512); });
    auto matrix = fractions(64 * 32 * K), right = fractions(8 * 32 * K);
    auto x = array<float>(8 * 32 * K);
    measure("dense", "systems of 8 equations",
            [&] { small_systems<<<256, 128>>>(matrix, right, x, 32 * K); });
    a = fractions(512 * 1024), b = array<float>(512 * 1024);
    measure("dense", "Cholesky factors of 32 x 32",
            [&] { cholesky_blocks<<<256, dim3(32, 32)>>>(a, b); });
    auto columns = fractions<double>(512 * 2000), v = fractions<double>(2000);
    measure("dense", "columns reflected", [&] { householder<<<512, 256>>>(columns, v, 2000); });
    for (int n : {100 * 1000, 2000 * 1000}) {
        auto u = fractions<double>(n), r = fractions<double>(n), s = fractions<double>(n);
        auto t = fractions<double>(n), square = zeros<double>(1);
        measure("dense",
                n == 100000 ? "conjugate gradients, 100 000" : "conjugate gradients, 2 000 000",
                [&] { gradient_step<<<264, 256>>>(u, r, s, t, 1e-3, square, n); });
    }
}

/* ---- sparse matrices ---- */

/* Eight lanes per row */
__global__ void rows_by_eight(const int *start, const int *column, const float *value,
                              const float *x, float *y, int rows)
{
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 8;
    if (row >= rows) return;
    float sum = 0;
    for (int i = start[row] + tile.thread_rank(); i < start[row + 1]; i += 8)
        sum += value[i] * __ldg(&x[column[i]]);
    for (int apart = 4; apart > 0; apart /= 2)
        sum += tile.shfl_down(sum, apart);
    if (tile.thread_rank() == 0) y[row] = sum;
}

/* A matrix of nine diagonals */
__global__ void diagonals(const double *value, const int *offset, const double *x, double *y, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;
    double sum = 0;
    for (int d = 0; d < 9; d++) {
        int column = row + offset[d];
        if (column >= 0 && column < n) sum += value[d * n + row] * x[column];
    }
    y[row] = sum;
}

/* A sparse matrix times a dense one of 64 columns: a thread per result */
__global__ void sparse_times_dense(const int *start, const int *column, const float *value,
                                   const float *b, float *c, int rows)
{
    int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows) return;
    float sum = 0;
    for (int i = start[row]; i < start[row + 1]; i++)
        sum += value[i] * b[column[i] * 64 + threadIdx.x];
    c[row * 64 + threadIdx.x] = sum;
}

/* Values of a matrix in columns are added to rows by atomics. */
__global__ void columns_added(const int *start, const int *row, const float *value, const float *x,
                              float *y, int columns)
{
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (warp >= columns) return;
    float own = x[warp];
    for (int i = start[warp] + threadIdx.x % 32; i < start[warp + 1]; i += 32)
        atomicAdd(&y[row[i]], value[i] * own);
}

static void sparse(void)
{
    enum { ROWS = 64 * K };
    auto length = [](int i) { return (int)(scatter(i) % 24 + 4); };
    int *sums = sums_before(ROWS, length);
    int entries = sums[ROWS];
    auto start = filled<int>(ROWS + 1, [=](size_t i) { return sums[i]; });
    auto column = below(ROWS, entries);
    auto value = fractions(entries), x = fractions(ROWS), y = array<float>(ROWS);
    measure("sparse", "eight lanes per row",
            [&] { rows_by_eight<<<ROWS / 32, 256>>>(start, column, value, x, y, ROWS); });
    auto diagonal = fractions<double>(9 * 256 * K), u = fractions<double>(256 * K);
    auto v = array<double>(256 * K);
    auto offset =
        filled<int>(9, [](size_t i) { return (int)(i % 3) - 1 + 512 * ((int)i / 3 - 1); });
    measure("sparse", "nine diagonals",
            [&] { diagonals<<<1024, 256>>>(diagonal, offset, u, v, 256 * K); });
    start = filled<int>(8 * K + 1, [=](size_t i) { return sums[i]; });
    column = below(8 * K, sums[8 * K]), value = fractions(sums[8 * K]);
    x = fractions(64 * 8 * K), y = array<float>(64 * 8 * K);
    measure("sparse", "times 64 columns",
            [&] { sparse_times_dense<<<2 * K, dim3(64, 4)>>>(start, column, value, x, y, 8 * K); });
    start = filled<int>(8 * K + 1, [](size_t i) { return (int)i * 100; });
    auto row = below(8 * K, 800 * K);
    value = fractions(800 * K), x = fractions(8 * K), y = zeros<float>(8 * K);
    measure("sparse", "columns added to rows",
            [&] { columns_added<<<1024, 256>>>(start, row, value, x, y, 8 * K); });
    free(sums);
}

/* ---- layers ---- */

/* 64 queries per block, a thread each; keys and values of 64 numbers come by tiles of 32. */
__global__ void __launch_bounds__(64)
    attention(const float *query, const float *key, const float *value, float *out, int words)
{
    __shared__ float k[32][32], v[32][32];
    int i = blockIdx.x * 64 + threadIdx.x;
    size_t head = (size_t)blockIdx.y * words * 32;
    float q[32], sum[32], most = -1e30f, weights = 0;
#pragma unroll
    for (int d = 0; d < 32; d++)
        q[d] = query[head + i * 32 + d] * 0.177f, sum[d] = 0;
    for (int from = 0; from <= blockIdx.x * 64 + 63; from += 32) {
        for (int e = threadIdx.x; e < 1024; e += 64) {
            k[e / 32][e % 32] = key[head + from * 32 + e];
            v[e / 32][e % 32] = value[head + from * 32 + e];
        }
        __syncthreads();
        for (int j = 0; j < 32 && from + j <= i; j++) {
            float score = 0;
#pragma unroll
            for (int d = 0; d < 32; d++)
                score += q[d] * k[j][d];
            float larger = fmaxf(most, score), old = __expf(most - larger);
            float weight = __expf(score - larger);
            weights = weights * old + weight;
#pragma unroll
            for (int d = 0; d < 32; d++)
                sum[d] = sum[d] * old + weight * v[j][d];
            most = larger;
        }
        __syncthreads();
    }
#pragma unroll
    for (int d = 0; d < 32; d++)
        out[head + i * 32 + d] = sum[d] / weights;
}

/* A row of halves per warp, eight of them per load: divided by the root of its mean square */
__global__ void root_mean_square(const uint4 *from, const __half2 *gain, uint4 *to, int rows, int n)
{
    int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
    if (row >= rows) return;
    float sum = 0;
    for (int i = lane; i < n / 8; i += 32) {
        uint4 eight = from[row * (n / 8) + i];
        const __half2 *two = (const __half2 *)&eight;
        for (int k = 0; k < 4; k++) {
            float2 f = __half22float2(two[k]);
            sum += f.x * f.x + f.y * f.y;
        }
    }
    for (int apart = 16; apart > 0; apart /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, apart);
    __half2 scale = __float2half2_rn(rsqrtf(sum / n + 1e-5f));
    for (int i = lane; i < n / 8; i += 32) {
        uint4 eight = from[row * (n / 8) + i];
        __half2 *two = (__half2 *)&eight;
        for (int k = 0; k < 4; k++)
            two[k] = __hmul2(__hmul2(two[k], scale), gain[i * 4 + k]);
        to[row * (n / 8) + i] = eight;
    }
}

/* Mean and variance of each row by Welford's updates, merged across a block; then normalised */
__global__ void layer_norm(const float *from, const float *gain, const float *shift, float *to,
                           int n)
{
    __shared__ float means[8], squares[8];
    const float *row = from + blockIdx.x * n;
    float mean = 0, square = 0, count = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        count++;
        float d = row[i] - mean;
        mean += d / count;
        square += d * (row[i] - mean);
    }
    for (int apart = 16; apart > 0; apart /= 2) {
        float other = __shfl_xor_sync(0xffffffff, mean, apart), d = other - mean;
        square += __shfl_xor_sync(0xffffffff, square, apart) + 0.5f * count * d * d;
        mean += 0.5f * d;
        count *= 2;
    }
    if (threadIdx.x % 32 == 0) {
        means[threadIdx.x / 32] = mean;
        squares[threadIdx.x / 32] = square;
    }
    __syncthreads();
    int warps = blockDim.x / 32;
    float total = 0, spread = 0;
    for (int w = 0; w < warps; w++)
        total += means[w] / warps;
    for (int w = 0; w < warps; w++)
        spread += squares[w] + count * (means[w] - total) * (means[w] - total);
    float scale = rsqrtf(spread / n + 1e-5f);
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        to[blockIdx.x * n + i] = (row[i] - total) * scale * gain[i] + shift[i];
}

/* Bytes times bytes, four at a time, from 16 x 16 tiles of words */
__global__ void byte_product(const int *a, const int *b, int *c, int n, int words)
{
    __shared__ int ta[16][17], tb[16][17];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
    int sum = 0;
    for (int at = 0; at < words; at += 16) {
        ta[y][x] = a[row * words + at + x];
        tb[y][x] = b[(blockIdx.x * 16 + y) * words + at + x];
        __syncthreads();
        for (int i = 0; i < 16; i++)
            sum = __dp4a(ta[y][i], tb[x][i], sum);
        __syncthreads();
    }
    c[row * n + column] = sum;
}

/* Weights of four bits to halves: 32 of them share a scale. */
__global__ void unpacked_weights(const unsigned *packed, const __half *scale, __half2 *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned eight = packed[i];
    __half2 s = __half2half2(scale[i / 4]);
    for (int k = 0; k < 4; k++) {
        int low = (int)(eight >> 8 * k & 15) - 8, high = (int)(eight >> (8 * k + 4) & 15) - 8;
        to[i * 4 + k] = __hmul2(__halves2half2(__int2half_rn(low), __int2half_rn(high)), s);
    }
}

/* 3 x 3 over all channels: a thread per pixel and output channel */
__global__ void convolved(const float *from, const float *weight, float *to, int channels, int size)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int out = blockIdx.z;
    if (x >= size || y >= size) return;
    float sum = 0;
    for (int c = 0; c < channels; c++)
        for (int v = -1; v <= 1; v++)
            for (int u = -1; u <= 1; u++) {
                if (x + u < 0 || y + v < 0 || x + u >= size || y + v >= size) continue;
                sum += from[(c * size + y + v) * size + x + u] *
                       weight[((out * channels + c) * 3 + v + 1) * 3 + u + 1];
            }
    to[(out * size + y) * size + x] = fmaxf(sum, 0);
}

/* The gradient of a table of words: rows that many words share are added up. */
__global__ void word_gradient(const int *word, const float4 *gradient, float *table, int words)
{
    int i = blockIdx.x * blockDim.y + threadIdx.y;
    if (i >= words) return;
    float4 g = gradient[i * 32 + threadIdx.x];
    float *to = table + word[i] * 128 + threadIdx.x * 4;
    atomicAdd(to, g.x);
    atomicAdd(to + 1, g.y);
    atomicAdd(to + 2, g.z);
    atomicAdd(to + 3, g.w);
}

/* The place of the largest of a row, as a network picks the next word */
__global__ void picked_words(const float *score, int *word, int n)
{
    __shared__ float values[256];
    __shared__ int places[256];
    const float *row = score + (size_t)blockIdx.x * n;
    float most = -1e30f;
    int place = 0;
    for (int i = threadIdx.x; i < n; i += 256)
        if (row[i] > most) most = row[i], place = i;
    values[threadIdx.x] = most;
    places[threadIdx.x] = place;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (threadIdx.x < half && values[threadIdx.x + half] > values[threadIdx.x]) {
            values[threadIdx.x] = values[threadIdx.x + half];
            places[threadIdx.x] = places[threadIdx.x + half];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) word[blockIdx.x] = places[0];
}

static void layers(void)
{
    for (int heads : {4, 16}) {
        int n = heads * 512 * 32;
        auto q = fractions(n), k = fractions(n), v = fractions(n), out = array<float>(n);
        measure("layers", heads == 4 ? "attention of 4 heads" : "attention of 16 heads",
                [&] { attention<<<dim3(8, heads), 64>>>(q, k, v, out, 512); });
    }
    auto half = [](size_t i) { return __float2half(fraction(i)); };
    auto gain = filled<__half>(1024, half);
    auto from = filled<__half>(4 * M, half), to = array<__half>(4 * M);
    measure("layers", "root mean square", [&] {
        root_mean_square<<<K, dim3(32, 4)>>>((uint4 *)from, (__half2 *)gain, (uint4 *)to, 4 * K,
                                             1024);
    });
    for (int n : {256, 4096}) {
        auto x = fractions(M), y = array<float>(M), g = fractions(n), s = fractions(n);
        measure("layers", n == 256 ? "rows of 256 by Welford" : "rows of 4096 by Welford",
                [&] { layer_norm<<<M / n, n == 256 ? 64 : 256>>>(x, g, s, y, n); });
    }
    auto a = below(1u << 28, 512 * 128), b = below(1u << 28, 512 * 128), c = array<int>(512 * 512);
    measure("layers", "product of bytes",
            [&] { byte_product<<<dim3(32, 32), dim3(16, 16)>>>(a, b, c, 512, 128); });
    auto packed = below<unsigned>(1u << 28, 512 * K);
    auto scale = filled<__half>(128 * K, half), weight = array<__half>(8 * 512 * K);
    measure("layers", "weights of four bits",
            [&] { unpacked_weights<<<2 * K, 256>>>(packed, scale, (__half2 *)weight, 512 * K); });
    for (int size : {14, 56}) {
        auto image = fractions(32 * size * size), w = fractions(32 * 32 * 9);
        auto out = array<float>(32 * size * size);
        measure("layers", size == 14 ? "convolution of 14 x 14" : "convolution of 56 x 56", [&] {
            dim3 grid((size + 15) / 16, (size + 15) / 16, 32);
            convolved<<<grid, dim3(16, 16)>>>(image, w, out, 32, size);
        });
    }
    auto word = filled<int>(8 * K, [](size_t i) { return (int)(scatter(i) % 64 * (i % 64)); });
    auto gradient = fractions(128 * 8 * K), table = zeros<float>(4 * K * 128);
    measure("layers", "gradient of words",
            [&] { word_gradient<<<1024, dim3(32, 8)>>>(word, (float4 *)gradient, table, 8 * K); });
    auto score = fractions(64 * 32000);
    auto picked = array<int>(64);
    measure("layers", "words picked", [&] { picked_words<<<64, 256>>>(score, picked, 32000); });
}

static void measure_all(void)
{
    dense();
    sparse();
    layers();
}
