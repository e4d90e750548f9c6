/* library.cu: what libraries contain: moves of data, stencils, products, sparse matrices, graphs.
 */
#include "kernels.h"

#include <cuda_fp16.h>

/* ---- moves ---- */

__global__ void float4_strided(const float4 *a, float4 *b, int n, int stride)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] = a[(size_t)i * stride];
}

__global__ void float4_scattered(const float4 *a, float4 *b, const int *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[to[i]] = a[i];
}

__global__ void gather(const float *a, const int *from, float *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] = a[from[i]];
}

__global__ void gather_rows(const float *table, const int *row, float *out, int width)
{
    for (int j = threadIdx.x; j < width; j += blockDim.x)
        out[(size_t)blockIdx.x * width + j] = table[(size_t)row[blockIdx.x] * width + j];
}

__global__ void chase(const int *next, int *out, int steps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, at = i;
    if (i >= n) return;
    for (int s = 0; s < steps; s++)
        at = next[at];
    out[i] = at;
}

__global__ void transpose(const float *a, float *b, int n)
{
    __shared__ float s[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        s[threadIdx.y + k][threadIdx.x] = a[(y + k) * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        b[(y + k) * n + x] = s[threadIdx.x][threadIdx.y + k];
}

__global__ void columns_copied(const float *a, float *b, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    b[x * n + y] = a[x * n + y];
}

struct particle {
    float x, y, z, vx, vy, vz, mass;
};

__global__ void move_structures(particle *p, float dt, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    p[i].x += p[i].vx * dt;
    p[i].y += p[i].vy * dt;
    p[i].z += p[i].vz * dt;
}

__global__ void reversed(const double *a, double *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[n - 1 - i] = a[i];
}

__global__ void halves_scaled(const __half2 *a, __half2 *b, int n)
{
    __half2 two = __float2half2_rn(2.0f);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        b[i] = __hfma2(a[i], two, two);
}

static void moves(void)
{
    for (int stride : {2, 8}) {
        auto a = array<float4>(256 * K * stride), b = array<float4>(256 * K);
        measure("moves", stride == 2 ? "float4, every second" : "float4, every eighth",
                [&] { float4_strided<<<1024, 256>>>(a, b, 256 * K, stride); });
    }
    auto a4 = array<float4>(256 * K), b4 = array<float4>(256 * K);
    auto to = filled<int>(256 * K, [](size_t i) { return (int)(i * 40503 % (256 * K)); });
    measure("moves", "float4, scattered",
            [&] { float4_scattered<<<1024, 256>>>(a4, b4, to, 256 * K); });
    auto a = fractions(8 * M), b = array<float>(M);
    auto from = below(8 * M, M);
    measure("moves", "gather from 32 MB", [&] { gather<<<4096, 256>>>(a, from, b, M); });
    a = fractions(16 * K), b = array<float>(M), from = below(16 * K, M);
    measure("moves", "gather from 64 KB", [&] { gather<<<4096, 256>>>(a, from, b, M); });
    a = fractions(4 * M), b = array<float>(2 * M), from = below(16 * K, 8192);
    measure("moves", "rows of a table", [&] { gather_rows<<<8192, 64>>>(a, from, b, 256); });
    auto next = below(M, M), out = array<int>(64 * K);
    measure("moves", "pointers chased", [&] { chase<<<256, 256>>>(next, out, 16, 64 * K); });
    a = array<float>(M), b = array<float>(M);
    measure("moves", "transpose", [&] { transpose<<<dim3(32, 32), dim3(32, 8)>>>(a, b, 1024); });
    a = array<float>(M), b = array<float>(M);
    measure("moves", "by columns",
            [&] { columns_copied<<<dim3(32, 64), dim3(32, 16)>>>(a, b, 1024); });
    auto p = array<particle>(512 * K);
    measure("moves", "structures of seven",
            [&] { move_structures<<<2048, 256>>>(p, 0.1f, 512 * K); });
    auto d = array<double>(2 * M), e = array<double>(2 * M);
    measure("moves", "doubles reversed", [&] { reversed<<<8192, 256>>>(d, e, 2 * M); });
    auto h = array<__half2>(4 * M), g = array<__half2>(4 * M);
    measure("moves", "halves", [&] { halves_scaled<<<528, 256>>>(h, g, 4 * M); });
}

/* ---- stencils and images ---- */

__global__ void blur(const unsigned char *a, unsigned char *b, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int sum = 0, count = 0;
    for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++) {
            int u = x + dx, v = y + dy;
            if (u < 0 || v < 0 || u >= width || v >= height) continue;
            sum += a[v * width + u];
            count++;
        }
    b[y * width + x] = sum / count;
}

__constant__ float mask[49];

__global__ void convolution(const float *a, float *b, int width, int height)
{
    __shared__ float s[22][22];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    for (int v = threadIdx.y; v < 22; v += 16)
        for (int u = threadIdx.x; u < 22; u += 16) {
            int gx = (int)blockIdx.x * 16 + u - 3, gy = (int)blockIdx.y * 16 + v - 3;
            bool inside = gx >= 0 && gy >= 0 && gx < width && gy < height;
            s[v][u] = inside ? a[gy * width + gx] : 0;
        }
    __syncthreads();
    float sum = 0;
    for (int v = 0; v < 7; v++)
        for (int u = 0; u < 7; u++)
            sum += mask[v * 7 + u] * s[threadIdx.y + v][threadIdx.x + u];
    if (x < width && y < height) b[y * width + x] = sum;
}

__global__ void heat(const float *a, float *b, int nx, int ny, int nz)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1) return;
    for (int z = 1; z < nz - 1; z++) {
        size_t i = ((size_t)z * ny + y) * nx + x;
        b[i] = 0.4f * a[i] + 0.1f * (a[i - 1] + a[i + 1] + a[i - nx] + a[i + nx] + a[i - nx * ny] +
                                     a[i + nx * ny]);
    }
}

__global__ void life(const int *a, int *b, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int count = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dx != 0 || dy != 0) count += a[((y + dy + n) % n) * n + (x + dx + n) % n];
    int alive = a[y * n + x];
    b[y * n + x] = count == 3 || (alive && count == 2);
}

__global__ void to_grey(const uchar3 *a, unsigned char *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] = 0.299f * a[i].x + 0.587f * a[i].y + 0.114f * a[i].z;
}

__global__ void enlarge(const float *a, float *b, int width, int height, int factor)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float u = (float)x / factor, v = (float)y / factor;
    int iu = min((int)u, width - 2), iv = min((int)v, height - 2);
    float fu = u - iu, fv = v - iv;
    const float *p = a + iv * width + iu;
    b[y * width * factor + x] =
        (1 - fv) * ((1 - fu) * p[0] + fu * p[1]) + fv * ((1 - fu) * p[width] + fu * p[width + 1]);
}

static void stencils(void)
{
    dim3 block(16, 16);
    auto grey = below<unsigned char>(256, M), out = array<unsigned char>(M);
    measure("stencils", "blur with edges",
            [&] { blur<<<dim3(64, 64), block>>>(grey, out, 1024, 1024); });
    auto a = fractions(M), b = array<float>(M);
    measure("stencils", "convolution 7 x 7 in tiles",
            [&] { convolution<<<dim3(64, 64), block>>>(a, b, 1024, 1024); });
    a = fractions(2 * M), b = array<float>(2 * M);
    measure("stencils", "heat, planes in a loop",
            [&] { heat<<<dim3(8, 16), dim3(32, 16)>>>(a, b, 256, 256, 32); });
    auto n = below(2, M), m = array<int>(M);
    measure("stencils", "life with remainders", [&] { life<<<dim3(64, 64), block>>>(n, m, 1024); });
    auto rgb = array<uchar3>(2 * M);
    out = array<unsigned char>(2 * M);
    measure("stencils", "grey values", [&] { to_grey<<<8192, 256>>>(rgb, out, 2 * M); });
    a = fractions(256 * K), b = array<float>(2 * M);
    measure("stencils", "enlarged twice",
            [&] { enlarge<<<dim3(64, 64), block>>>(a, b, 512, 512, 2); });
}

/* ---- products, sparse matrices, graphs, others ---- */

template <typename T> __global__ void product(const T *a, const T *b, T *c, int n)
{
    int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
    T sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[i * n + k] * b[k * n + j];
    c[i * n + j] = sum;
}

template <typename T, int TILE> __global__ void product_tiled(const T *a, const T *b, T *c, int n)
{
    __shared__ T p[TILE][TILE], q[TILE][TILE];
    int i = blockIdx.y * TILE + threadIdx.y, j = blockIdx.x * TILE + threadIdx.x;
    T sum = 0;
    for (int k = 0; k < n; k += TILE) {
        p[threadIdx.y][threadIdx.x] = a[i * n + k + threadIdx.x];
        q[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + j];
        __syncthreads();
        for (int l = 0; l < TILE; l++)
            sum += p[threadIdx.y][l] * q[l][threadIdx.x];
        __syncthreads();
    }
    c[i * n + j] = sum;
}

__global__ void sparse_by_threads(const int *start, const int *column, const float *value,
                                  const float *x, float *y, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    float sum = 0;
    for (int k = start[r]; k < start[r + 1]; k++)
        sum += value[k] * x[column[k]];
    y[r] = sum;
}

__global__ void sparse_by_warps(const int *start, const int *column, const float *value,
                                const float *x, float *y, int rows)
{
    int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (r >= rows) return;
    float sum = 0;
    for (int k = start[r] + lane; k < start[r + 1]; k += 32)
        sum += value[k] * x[column[k]];
    sum = warp_sum(sum);
    if (lane == 0) y[r] = sum;
}

__global__ void search_level(const int *start, const int *to, int *level, int depth, int vertices)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= vertices || level[v] != depth) return;
    for (int k = start[v]; k < start[v + 1]; k++)
        if (level[to[k]] < 0) level[to[k]] = depth + 1;
}

__global__ void nearest_centre(const float2 *point, const float2 *centre, int *nearest, int centres,
                               int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float best = 1e30f;
    int which = 0;
    for (int k = 0; k < centres; k++) {
        float dx = point[i].x - centre[k].x, dy = point[i].y - centre[k].y;
        float d = dx * dx + dy * dy;
        if (d < best) {
            best = d;
            which = k;
        }
    }
    nearest[i] = which;
}

__global__ void bisection(const float *sorted, const float *wanted, int *at, int count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int low = 0, high = count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (sorted[middle] < wanted[i])
            low = middle + 1;
        else
            high = middle;
    }
    at[i] = low;
}

__global__ void odd_even(int *a, int n, int odd)
{
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + odd;
    if (i + 1 >= n) return;
    int x = a[i], y = a[i + 1];
    if (x > y) {
        a[i] = y;
        a[i + 1] = x;
    }
}

__global__ void naive_search(const char *text, const char *word, int *found, int length, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n - length) return;
    int k = 0;
    while (k < length && text[i + k] == word[k])
        k++;
    if (k == length) atomicAdd(found, 1);
}

__global__ void table_insert(const unsigned *keys, unsigned *table, unsigned size, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned key = keys[i] | 1, at = (key * 2654435761u) % size;
    for (;;) {
        unsigned old = atomicCAS(&table[at], 0, key);
        if (old == 0 || old == key) return;
        at = (at + 1) % size;
    }
}

__global__ void softmax_by_threads(const float *a, float *b, int columns, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    float most = -1e30f, sum = 0;
    for (int j = 0; j < columns; j++)
        most = fmaxf(most, a[r * columns + j]);
    for (int j = 0; j < columns; j++)
        sum += expf(a[r * columns + j] - most);
    for (int j = 0; j < columns; j++)
        b[r * columns + j] = expf(a[r * columns + j] - most) / sum;
}

__global__ void all_pairs(const float4 *body, float3 *force, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = body[i];
    float3 f = {0, 0, 0};
    for (int j = 0; j < n; j++) {
        float4 other = body[j];
        float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
        float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
        float w = other.w * inverse * inverse * inverse;
        f.x += dx * w;
        f.y += dy * w;
        f.z += dz * w;
    }
    force[i] = f;
}

static void others(void)
{
    auto a = fractions(256 * K), b = fractions(256 * K), c = array<float>(256 * K);
    measure("others", "product",
            [&] { product<float><<<dim3(16, 32), dim3(32, 16)>>>(a, b, c, 512); });
    auto d = fractions<double>(64 * K), e = fractions<double>(64 * K), f = array<double>(64 * K);
    measure("others", "product in double",
            [&] { product<double><<<dim3(16, 16), dim3(16, 16)>>>(d, e, f, 256); });
    auto i = below(100, 64 * K), j = below(100, 64 * K), k = array<int>(64 * K);
    measure("others", "product of integers",
            [&] { product<int><<<dim3(8, 32), dim3(32, 8)>>>(i, j, k, 256); });
    a = fractions(256 * K), b = fractions(256 * K), c = array<float>(256 * K);
    measure("others", "product in tiles of 16",
            [&] { product_tiled<float, 16><<<dim3(32, 32), dim3(16, 16)>>>(a, b, c, 512); });
    d = fractions<double>(64 * K), e = fractions<double>(64 * K), f = array<double>(64 * K);
    measure("others", "product in tiles, double",
            [&] { product_tiled<double, 16><<<dim3(16, 16), dim3(16, 16)>>>(d, e, f, 256); });
    for (int by_warps : {0, 1}) {
        int rows = 32 * K, *sums = sums_before(rows, [](int r) { return 4 + scatter(r) % 29; });
        auto start = filled<int>(rows + 1, [=](size_t r) { return sums[r]; });
        auto column = below(rows, sums[rows]);
        auto value = fractions(sums[rows]), x = fractions(rows), y = array<float>(rows);
        measure("others", by_warps ? "sparse, a warp per row" : "sparse, a thread per row", [&] {
            if (by_warps)
                sparse_by_warps<<<4096, 256>>>(start, column, value, x, y, rows);
            else
                sparse_by_threads<<<128, 256>>>(start, column, value, x, y, rows);
        });
        free(sums);
    }
    {
        int vertices = 64 * K;
        auto start = filled<int>(vertices + 1, [](size_t v) { return (int)v * 8; });
        auto to = below(vertices, vertices * 8);
        auto level = filled<int>(vertices, [](size_t v) { return scatter(v) % 4 == 0 ? 3 : 2; });
        measure("others", "level of a search",
                [&] { search_level<<<256, 256>>>(start, to, level, 3, vertices); });
    }
    auto point = array<float2>(128 * K), centre = array<float2>(64);
    auto nearest = array<int>(128 * K);
    measure("others", "nearest of 64 centres",
            [&] { nearest_centre<<<512, 256>>>(point, centre, nearest, 64, 128 * K); });
    a = filled<float>(M, [](size_t n) { return n / (float)M; }), b = fractions(256 * K);
    nearest = array<int>(256 * K);
    measure("others", "bisection", [&] { bisection<<<1024, 256>>>(a, b, nearest, M, 256 * K); });
    auto sorted = below(1000, 2 * M);
    measure("others", "odd and even", [&] { odd_even<<<4096, 256>>>(sorted, 2 * M, 1); });
    auto text = filled<char>(M, [](size_t n) { return 'a' + scatter(n) % 3; });
    auto word = filled<char>(8, [](size_t n) { return 'a' + n % 3; });
    auto found = zeros<int>(1);
    measure("others", "a word in a text",
            [&] { naive_search<<<4096, 256>>>(text, word, found, 8, M); });
    auto keys = below<unsigned>(1u << 30, 128 * K), table = zeros<unsigned>(512 * K);
    measure("others", "insertion in a table", [&] {
        cudaMemsetAsync(table, 0, 512 * K * 4);
        table_insert<<<512, 256>>>(keys, table, 512 * K, 128 * K);
    });
    a = fractions(M), b = array<float>(M);
    measure("others", "softmax, a thread per row",
            [&] { softmax_by_threads<<<128, 128>>>(a, b, 64, 16 * K); });
    auto body = filled<float4>(4 * K, random_float4);
    auto force = array<float3>(4 * K);
    measure("others", "all pairs", [&] { all_pairs<<<16, 256>>>(body, force, 4 * K); });
}

static void measure_all(void)
{
    moves();
    stencils();
    others();
}
