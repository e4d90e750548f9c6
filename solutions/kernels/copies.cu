/* copies.cu: kernels that move data: copies, fills, strides, gathers, scattered stores, transposes.
 */
#include "kernels.h"

/* ---- copies -------------------------------------------------------------------------------- */

template <typename T> __global__ void copy(const T *a, T *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] = a[i];
}

__global__ void copy_strided_grid(const float *a, float *b, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        b[i] = a[i];
}

/* Four per thread, a block apart */
__global__ void copy_four(const float *__restrict__ a, float *__restrict__ b, int n)
{
    int i = blockIdx.x * blockDim.x * 4 + threadIdx.x;
#pragma unroll
    for (int k = 0; k < 4; k++)
        if (i + k * (int)blockDim.x < n) b[i + k * blockDim.x] = a[i + k * blockDim.x];
}

__global__ void copy_reversed(const float *a, float *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] = a[n - 1 - i];
}

__global__ void copy_shifted(const float *a, float *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 1 < n) b[i] = a[i + 1];
}

__global__ void triad(const float *a, const float *b, float *c, float s, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + s * b[i];
}

__global__ void add_four_arrays(const float *a, const float *b, const float *c, const float *d,
                                float *e, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) e[i] = a[i] + b[i] + c[i] + d[i];
}

__global__ void scale_in_place(float *a, float s, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] *= s;
}

/* Stores nothing: no sum is negative. */
__global__ void read_only(const float4 *a, float *b, int n)
{
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float4 v = a[i];
        sum += v.x + v.y + v.z + v.w;
    }
    if (sum < 0) b[0] = sum;
}

static void copies(void)
{
    static const int blocks[] = {32, 64, 512, 1024};
    char name[40];
    for (int threads : blocks) {
        int n = 8 * M;
        const float *a = array<float>(n);
        float *b = array<float>(n);
        snprintf(name, sizeof name, "float, blocks of %d", threads);
        measure("copy", name, [&] { copy<<<n / threads, threads>>>(a, b, n); });
    }
    {
        int n = 12 * M;
        const float *a = array<float>(n);
        float *b = array<float>(n);
        measure("copy", "float", [&] { copy<<<n / 256, 256>>>(a, b, n); });
    }
    {
        int n = 8 * M;
        const float2 *a = array<float2>(n);
        float2 *b = array<float2>(n);
        measure("copy", "float2", [&] { copy<<<n / 256, 256>>>(a, b, n); });
    }
    {
        int n = 4 * M;
        const float4 *a = array<float4>(n);
        float4 *b = array<float4>(n);
        measure("copy", "float4", [&] { copy<<<n / 128, 128>>>(a, b, n); });
    }
    {
        int n = 8 * M;
        const char *a = array<char>(n);
        char *b = array<char>(n);
        measure("copy", "char", [&] { copy<<<n / 256, 256>>>(a, b, n); });
    }
    {
        int n = 8 * M;
        const short *a = array<short>(n);
        short *b = array<short>(n);
        measure("copy", "short", [&] { copy<<<n / 256, 256>>>(a, b, n); });
    }
    {
        int n = 6 * M;
        const double *a = array<double>(n);
        double *b = array<double>(n);
        measure("copy", "double", [&] { copy<<<n / 192, 192>>>(a, b, n); });
    }
    {
        int n = 2 * M;
        const float *a = array<float>(n);
        float *b = array<float>(n);
        measure("copy", "float, in the L2", [&] { copy<<<n / 256, 256>>>(a, b, n); });
    }
    {
        int n = 12 * M;
        const float *a = array<float>(n);
        float *b = array<float>(n);
        measure("copy", "loop over the grid", [&] { copy_strided_grid<<<1056, 256>>>(a, b, n); });
    }
    {
        int n = 12 * M;
        const float *a = array<float>(n);
        float *b = array<float>(n);
        measure("copy", "loop over a small grid",
                [&] { copy_strided_grid<<<132, 256>>>(a, b, n); });
    }
    {
        int n = 12 * M;
        const float *a = array<float>(n);
        float *b = array<float>(n);
        measure("copy", "four per thread", [&] { copy_four<<<n / 1024, 256>>>(a, b, n); });
    }
    {
        int n = 12 * M;
        const float *a = array<float>(n);
        float *b = array<float>(n);
        measure("copy", "backwards", [&] { copy_reversed<<<n / 256, 256>>>(a, b, n); });
    }
    {
        int n = 12 * M;
        const float *a = array<float>(n);
        float *b = array<float>(n);
        measure("copy", "shifted by one", [&] { copy_shifted<<<n / 256, 256>>>(a, b, n); });
    }
    {
        int n = 8 * M;
        const float *a = array<float>(n), *b = array<float>(n);
        float *c = array<float>(n);
        measure("copy", "triad", [&] { triad<<<n / 256, 256>>>(a, b, c, 3, n); });
    }
    {
        int n = 6 * M;
        const float *a = array<float>(n), *b = array<float>(n), *c = array<float>(n),
                    *d = array<float>(n);
        float *e = array<float>(n);
        measure("copy", "sum of four arrays",
                [&] { add_four_arrays<<<n / 512, 512>>>(a, b, c, d, e, n); });
    }
    {
        int n = 16 * M;
        float *a = array<float>(n);
        measure("copy", "in place", [&] { scale_in_place<<<n / 256, 256>>>(a, 1.25f, n); });
    }
    {
        int n = 6 * M;
        const float4 *a = array<float4>(n);
        float *b = array<float>(1);
        measure("copy", "only reads", [&] { read_only<<<2112, 256>>>(a, b, n); });
    }
}

/* ---- fills ---------------------------------------------------------------------------------- */

template <typename T> __global__ void fill(T *a, T value, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = value;
}

__global__ void number(int *a, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        a[i] = i;
}

static void fills(void)
{
    {
        int n = 24 * M;
        float *a = array<float>(n);
        measure("fill", "float", [&] { fill<<<n / 256, 256>>>(a, 1.0f, n); });
    }
    {
        int n = 24 * M;
        float *a = array<float>(n);
        measure("fill", "float, blocks of 1024", [&] { fill<<<n / 1024, 1024>>>(a, 1.0f, n); });
    }
    {
        int n = 6 * M;
        float4 *a = array<float4>(n);
        float4 value = {1, 2, 3, 4};
        measure("fill", "float4", [&] { fill<<<n / 256, 256>>>(a, value, n); });
    }
    {
        int n = 16 * M;
        char *a = array<char>(n);
        measure("fill", "char", [&] { fill<<<n / 256, 256>>>(a, (char)1, n); });
    }
    {
        int n = 4 * M;
        float *a = array<float>(n);
        measure("fill", "float, in the L2", [&] { fill<<<n / 512, 512>>>(a, 1.0f, n); });
    }
    {
        int n = 16 * M;
        int *a = array<int>(n);
        measure("fill", "numbers, loop over the grid", [&] { number<<<1056, 256>>>(a, n); });
    }
}

/* ---- strides -------------------------------------------------------------------------------- */

__global__ void load_strided(const float *a, float *b, int stride, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] = a[(size_t)i * stride];
}

__global__ void store_strided(const float *a, float *b, int stride, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[(size_t)i * stride] = a[i];
}

struct particle {
    float x, y, z, mass;
};

__global__ void move_x(particle *p, float dx, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i].x += dx;
}

struct triple {
    float x, y, z;
};

__global__ void lengths(const triple *v, float *length, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) length[i] = v[i].x * v[i].x + v[i].y * v[i].y + v[i].z * v[i].z;
}

static void strides(void)
{
    static const int loads[] = {2, 4, 8, 16, 32}, stores[] = {2, 4, 8, 32};
    char name[40];
    for (int stride : loads) {
        int n = stride < 8 ? 6 * M : 2 * M;
        const float *a = array<float>((size_t)n * stride);
        float *b = array<float>(n);
        snprintf(name, sizeof name, "loads %d apart", stride);
        measure("stride", name, [&] { load_strided<<<n / 256, 256>>>(a, b, stride, n); });
    }
    for (int stride : stores) {
        int n = stride < 8 ? 6 * M : 2 * M;
        const float *a = array<float>(n);
        float *b = array<float>((size_t)n * stride);
        snprintf(name, sizeof name, "stores %d apart", stride);
        measure("stride", name, [&] { store_strided<<<n / 256, 256>>>(a, b, stride, n); });
    }
    {
        int n = 6 * M;
        particle *p = array<particle>(n);
        measure("stride", "a member of a struct of four",
                [&] { move_x<<<n / 256, 256>>>(p, 1, n); });
    }
    {
        int n = 6 * M;
        const triple *v = array<triple>(n);
        float *length = array<float>(n);
        measure("stride", "structs of three floats",
                [&] { lengths<<<n / 256, 256>>>(v, length, n); });
    }
}

/* ---- gathers and scattered stores ------------------------------------------------------------ */

__global__ void gather(const float *a, const int *index, float *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] = a[index[i]];
}

__global__ void scattered_store(const float *a, const int *index, float *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[index[i]] = a[i];
}

/* The index is computed, not loaded. */
__global__ void gather_computed(const float *a, float *b, unsigned mask, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] = a[(unsigned)i * 0x9e3779b1u >> 7 & mask];
}

__global__ void scatter_computed(const float *a, float *b, unsigned mask, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[(unsigned)i * 2654435769u & mask] = a[i];
}

__global__ void gather_two_steps(const int *index, const int *second, const float *a, float *b,
                                 int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] = a[second[index[i]]];
}

static void gathers(void)
{
    int n = 2 * M;
    {
        const int *index =
            filled<int>(n, [](size_t i) { return (int)(scatter(i) & (16 * M - 1)); });
        const float *a = array<float>(16 * M);
        float *b = array<float>(n);
        measure("gather", "anywhere in 64 MB", [&] { gather<<<n / 256, 256>>>(a, index, b, n); });
    }
    {
        const int *index = filled<int>(n, [](size_t i) { return (int)(scatter(i) & (M / 4 - 1)); });
        const float *a = array<float>(M / 4);
        float *b = array<float>(n);
        measure("gather", "anywhere in 1 MB", [&] { gather<<<n / 256, 256>>>(a, index, b, n); });
    }
    {
        const int *index = filled<int>(n, [](size_t i) { return (int)(scatter(i) & (4 * K - 1)); });
        const float *a = array<float>(4 * K);
        float *b = array<float>(n);
        measure("gather", "anywhere in 16 KB", [&] { gather<<<n / 256, 256>>>(a, index, b, n); });
    }
    {
        const int *index =
            filled<int>(n, [](size_t i) { return (int)(i ^ (scatter(i / 32) & 31)); });
        const float *a = array<float>(n);
        float *b = array<float>(n);
        measure("gather", "in another order within a warp",
                [&] { gather<<<n / 256, 256>>>(a, index, b, n); });
    }
    {
        const int *index =
            filled<int>(n, [](size_t i) { return (int)(scatter(i / 32) & (M - 1)); });
        const float *a = array<float>(M);
        float *b = array<float>(n);
        measure("gather", "one element per warp",
                [&] { gather<<<n / 256, 256>>>(a, index, b, n); });
    }
    {
        const float *a = array<float>(16 * M);
        float *b = array<float>(n);
        measure("gather", "computed index",
                [&] { gather_computed<<<n / 256, 256>>>(a, b, 16 * M - 1, n); });
    }
    {
        const int *index = filled<int>(M, [](size_t i) { return (int)(scatter(i) & (M - 1)); });
        const int *second =
            filled<int>(M, [](size_t i) { return (int)(scatter(i + 7) & (M - 1)); });
        const float *a = array<float>(M);
        float *b = array<float>(M);
        measure("gather", "two steps",
                [&] { gather_two_steps<<<M / 256, 256>>>(index, second, a, b, M); });
    }
    {
        const int *index =
            filled<int>(n, [](size_t i) { return (int)(i * 2654435769u & (16 * M - 1)); });
        const float *a = array<float>(n);
        float *b = array<float>(16 * M);
        measure("scatter", "anywhere in 64 MB",
                [&] { scattered_store<<<n / 256, 256>>>(a, index, b, n); });
    }
    {
        const int *index =
            filled<int>(n, [](size_t i) { return (int)(i * 2654435769u & (2 * M - 1)); });
        const float *a = array<float>(n);
        float *b = array<float>(2 * M);
        measure("scatter", "anywhere in 8 MB",
                [&] { scattered_store<<<n / 128, 128>>>(a, index, b, n); });
    }
    {
        const int *index =
            filled<int>(n, [](size_t i) { return (int)(i ^ (scatter(i / 256) & 255)); });
        const float *a = array<float>(n);
        float *b = array<float>(n);
        measure("scatter", "in another order within a block",
                [&] { scattered_store<<<n / 256, 256>>>(a, index, b, n); });
    }
    {
        const float *a = array<float>(n);
        float *b = array<float>(8 * M);
        measure("scatter", "computed index",
                [&] { scatter_computed<<<n / 512, 512>>>(a, b, 8 * M - 1, n); });
    }
}

/* ---- transposes -------------------------------------------------------------------------------
 */

__global__ void transpose_stores_apart(const float *a, float *b, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < n && y < n) b[(size_t)x * n + y] = a[(size_t)y * n + x];
}

__global__ void transpose_loads_apart(const float *a, float *b, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < n && y < n) b[(size_t)y * n + x] = a[(size_t)x * n + y];
}

template <int TILE, int PADDING> __global__ void transpose_tile(const float *a, float *b, int n)
{
    __shared__ float tile[TILE][TILE + PADDING];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = a[(size_t)y * n + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    b[(size_t)y * n + x] = tile[threadIdx.x][threadIdx.y];
}

/* Four rows of the tile per thread */
__global__ void transpose_rows(const float *a, float *b, int n)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        tile[threadIdx.y + j][threadIdx.x] = a[(size_t)(y + j) * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        b[(size_t)(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}

static void transposes(void)
{
    int n = 2048;
    size_t count = (size_t)n * n;
    dim3 wide(n / 32, n / 8), tiles(n / 32, n / 32), small(n / 16, n / 16);
    {
        const float *a = array<float>(count);
        float *b = array<float>(count);
        measure("transpose", "stores apart, 32 x 8",
                [&] { transpose_stores_apart<<<wide, dim3(32, 8)>>>(a, b, n); });
    }
    {
        const float *a = array<float>(count);
        float *b = array<float>(count);
        measure("transpose", "stores apart, 16 x 16",
                [&] { transpose_stores_apart<<<small, dim3(16, 16)>>>(a, b, n); });
    }
    {
        const float *a = array<float>(count);
        float *b = array<float>(count);
        measure("transpose", "stores apart, 32 x 32",
                [&] { transpose_stores_apart<<<tiles, dim3(32, 32)>>>(a, b, n); });
    }
    {
        const float *a = array<float>(count);
        float *b = array<float>(count);
        measure("transpose", "loads apart, 32 x 8",
                [&] { transpose_loads_apart<<<wide, dim3(32, 8)>>>(a, b, n); });
    }
    {
        const float *a = array<float>(count);
        float *b = array<float>(count);
        measure("transpose", "loads apart, 32 x 32",
                [&] { transpose_loads_apart<<<tiles, dim3(32, 32)>>>(a, b, n); });
    }
    {
        const float *a = array<float>(count);
        float *b = array<float>(count);
        measure("transpose", "tile of 32, conflicts",
                [&] { transpose_tile<32, 0><<<tiles, dim3(32, 32)>>>(a, b, n); });
    }
    {
        const float *a = array<float>(count);
        float *b = array<float>(count);
        measure("transpose", "tile of 32, padded",
                [&] { transpose_tile<32, 1><<<tiles, dim3(32, 32)>>>(a, b, n); });
    }
    {
        const float *a = array<float>(count);
        float *b = array<float>(count);
        measure("transpose", "tile of 16, padded",
                [&] { transpose_tile<16, 1><<<small, dim3(16, 16)>>>(a, b, n); });
    }
    {
        const float *a = array<float>(count);
        float *b = array<float>(count);
        measure("transpose", "four rows per thread",
                [&] { transpose_rows<<<tiles, dim3(32, 8)>>>(a, b, n); });
    }
}

static void measure_all(void)
{
    copies();
    fills();
    strides();
    gathers();
    transposes();
}
