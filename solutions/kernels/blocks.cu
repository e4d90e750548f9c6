/* blocks.cu: kernels whose threads work together: rows, reductions, scans. */
#include "kernels.h"

/* ---- rows: sums of the rows of a matrix, by a thread, a warp or a block each
 * --------------------- */

__global__ void rows_by_threads(const float *a, float *sum, int rows, int columns)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float total = 0;
    for (int j = 0; j < columns; j++)
        total += a[(size_t)row * columns + j];
    sum[row] = total;
}

__global__ void columns_by_threads(const float *a, float *sum, int rows, int columns)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= columns) return;
    float total = 0;
    for (int i = 0; i < rows; i++)
        total += a[(size_t)i * columns + column];
    sum[column] = total;
}

__global__ void rows_by_warps(const float *a, float *sum, int rows, int columns)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    float total = 0;
    for (int j = lane; j < columns; j += 32)
        total += a[(size_t)row * columns + j];
    total = warp_sum(total);
    if (lane == 0) sum[row] = total;
}

__global__ void rows_by_blocks(const float *a, float *sum, int columns)
{
    __shared__ float part[32];
    float total = 0;
    for (int j = threadIdx.x; j < columns; j += blockDim.x)
        total += a[(size_t)blockIdx.x * columns + j];
    total = warp_sum(total);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = total;
    __syncthreads();
    if (threadIdx.x >= 32) return;
    total = warp_sum(threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0);
    if (threadIdx.x == 0) sum[blockIdx.x] = total;
}

static void rows(void)
{
    static const int lengths[] = {32, 256, 2048};
    char name[40];
    for (int columns : lengths) {
        int count = 8 * M / columns;
        const float *a = array<float>(8 * M);
        float *sum = array<float>(count);
        snprintf(name, sizeof name, "a thread each, %d long", columns);
        measure("rows", name,
                [&] { rows_by_threads<<<(count + 127) / 128, 128>>>(a, sum, count, columns); });
    }
    for (int columns : lengths) {
        int count = 8 * M / columns;
        const float *a = array<float>(8 * M);
        float *sum = array<float>(count);
        snprintf(name, sizeof name, "a warp each, %d long", columns);
        measure("rows", name, [&] { rows_by_warps<<<count / 8, 256>>>(a, sum, count, columns); });
    }
    {
        const float *a = array<float>(8 * M);
        float *sum = array<float>(8 * K);
        measure("rows", "a block each, 1024 long",
                [&] { rows_by_blocks<<<8 * K, 256>>>(a, sum, K); });
    }
    {
        const float *a = array<float>(8 * M);
        float *sum = array<float>(8 * K);
        measure("rows", "columns, a thread each",
                [&] { columns_by_threads<<<64, 128>>>(a, sum, K, 8 * K); });
    }
    {
        const float *a = array<float>(8 * M);
        float *sum = array<float>(64 * K);
        measure("rows", "short columns, a thread each",
                [&] { columns_by_threads<<<256, 256>>>(a, sum, 128, 64 * K); });
    }
}

/* ---- reductions: one sum per block -------------------------------------------------------------
 */

__global__ void tree_by_remainder(const float *a, float *sum)
{
    __shared__ float part[256];
    part[threadIdx.x] = a[blockIdx.x * 256 + threadIdx.x];
    __syncthreads();
    for (int apart = 1; apart < 256; apart *= 2) {
        if (threadIdx.x % (2 * apart) == 0) part[threadIdx.x] += part[threadIdx.x + apart];
        __syncthreads();
    }
    if (threadIdx.x == 0) sum[blockIdx.x] = part[0];
}

/* The busy threads are neighbours, their words are not. */
__global__ void tree_with_conflicts(const float *a, float *sum)
{
    __shared__ float part[256];
    part[threadIdx.x] = a[blockIdx.x * 256 + threadIdx.x];
    __syncthreads();
    for (int apart = 1; apart < 256; apart *= 2) {
        int i = 2 * apart * threadIdx.x;
        if (i < 256) part[i] += part[i + apart];
        __syncthreads();
    }
    if (threadIdx.x == 0) sum[blockIdx.x] = part[0];
}

template <int THREADS> __global__ void tree_of_neighbours(const float *a, float *sum)
{
    __shared__ float part[THREADS];
    part[threadIdx.x] = a[blockIdx.x * THREADS + threadIdx.x];
    __syncthreads();
    for (int apart = THREADS / 2; apart > 0; apart /= 2) {
        if (threadIdx.x < apart) part[threadIdx.x] += part[threadIdx.x + apart];
        __syncthreads();
    }
    if (threadIdx.x == 0) sum[blockIdx.x] = part[0];
}

__global__ void tree_after_loop(const float *a, float *sum, int n)
{
    __shared__ float part[256];
    float total = 0;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256)
        total += a[i];
    part[threadIdx.x] = total;
    __syncthreads();
    for (int apart = 128; apart > 0; apart /= 2) {
        if (threadIdx.x < apart) part[threadIdx.x] += part[threadIdx.x + apart];
        __syncthreads();
    }
    if (threadIdx.x == 0) sum[blockIdx.x] = part[0];
}

__global__ void shuffles_after_loop(const float4 *a, float *sum, int n)
{
    float total = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float4 v = a[i];
        total += (v.x + v.y) + (v.z + v.w);
    }
    total = warp_sum(total);
    if (threadIdx.x % 32 == 0) atomicAdd(sum, total);
}

__global__ void shuffles_of_one(const float *a, float *sum, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float total = warp_sum(i < n ? a[i] : 0);
    if (threadIdx.x % 32 == 0) sum[i / 32] = total;
}

__global__ void largest(const float *a, float *most, int n)
{
    __shared__ float part[8];
    float best = -1e30f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        best = fmaxf(best, a[i]);
    for (int apart = 16; apart > 0; apart /= 2)
        best = fmaxf(best, __shfl_xor_sync(0xffffffff, best, apart));
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = best;
    __syncthreads();
    if (threadIdx.x > 0) return;
    for (int i = 0; i < 8; i++)
        best = fmaxf(best, part[i]);
    most[blockIdx.x] = best;
}

__global__ void dot(const float *a, const float *b, float *sum, int n)
{
    __shared__ float part[128];
    float total = 0;
    for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128)
        total += a[i] * b[i];
    part[threadIdx.x] = total;
    __syncthreads();
    for (int apart = 64; apart > 0; apart /= 2) {
        if (threadIdx.x < apart) part[threadIdx.x] += part[threadIdx.x + apart];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(sum, part[0]);
}

static void reductions(void)
{
    int n = 4 * M;
    {
        const float *a = array<float>(n);
        float *sum = array<float>(n / 256);
        measure("reduction", "tree, by the remainder",
                [&] { tree_by_remainder<<<n / 256, 256>>>(a, sum); });
    }
    {
        const float *a = array<float>(n);
        float *sum = array<float>(n / 256);
        measure("reduction", "tree, with conflicts",
                [&] { tree_with_conflicts<<<n / 256, 256>>>(a, sum); });
    }
    {
        const float *a = array<float>(n);
        float *sum = array<float>(n / 128);
        measure("reduction", "tree of neighbours, 128",
                [&] { tree_of_neighbours<128><<<n / 128, 128>>>(a, sum); });
    }
    {
        const float *a = array<float>(n);
        float *sum = array<float>(n / 256);
        measure("reduction", "tree of neighbours, 256",
                [&] { tree_of_neighbours<256><<<n / 256, 256>>>(a, sum); });
    }
    {
        const float *a = array<float>(n);
        float *sum = array<float>(n / 1024);
        measure("reduction", "tree of neighbours, 1024",
                [&] { tree_of_neighbours<1024><<<n / 1024, 1024>>>(a, sum); });
    }
    {
        const float *a = array<float>(16 * M);
        float *sum = array<float>(1056);
        measure("reduction", "loop, then a tree",
                [&] { tree_after_loop<<<1056, 256>>>(a, sum, 16 * M); });
    }
    {
        const float4 *a = array<float4>(4 * M);
        float *sum = array<float>(1);
        measure("reduction", "loop of float4, then shuffles",
                [&] { shuffles_after_loop<<<1056, 256>>>(a, sum, 4 * M); });
    }
    {
        const float *a = array<float>(n);
        float *sum = array<float>(n / 32);
        measure("reduction", "shuffles of one element each",
                [&] { shuffles_of_one<<<n / 256, 256>>>(a, sum, n); });
    }
    {
        const float *a = array<float>(8 * M);
        float *most = array<float>(528);
        measure("reduction", "the largest", [&] { largest<<<528, 256>>>(a, most, 8 * M); });
    }
    {
        const float *a = array<float>(6 * M), *b = array<float>(6 * M);
        float *sum = array<float>(1);
        measure("reduction", "dot product", [&] { dot<<<2112, 128>>>(a, b, sum, 6 * M); });
    }
}

/* ---- scans -------------------------------------------------------------------------------------
 */

__global__ void scan_steps(const float *a, float *b)
{
    __shared__ float part[2][512];
    int i = blockIdx.x * 512 + threadIdx.x, from = 0;
    part[0][threadIdx.x] = a[i];
    __syncthreads();
    for (int apart = 1; apart < 512; apart *= 2) {
        float value = part[from][threadIdx.x];
        if (threadIdx.x >= apart) value += part[from][threadIdx.x - apart];
        part[1 - from][threadIdx.x] = value;
        from = 1 - from;
        __syncthreads();
    }
    b[i] = part[from][threadIdx.x];
}

__global__ void scan_tree(const float *a, float *b)
{
    __shared__ float part[512];
    int i = blockIdx.x * 512 + threadIdx.x, t = threadIdx.x;
    part[t] = a[i];
    part[t + 256] = a[i + 256];
    for (int apart = 1; apart < 512; apart *= 2) {
        __syncthreads();
        int right = (t + 1) * 2 * apart - 1;
        if (right < 512) part[right] += part[right - apart];
    }
    for (int apart = 128; apart > 0; apart /= 2) {
        __syncthreads();
        int left = (t + 1) * 2 * apart - 1;
        if (left + apart < 512) part[left + apart] += part[left];
    }
    __syncthreads();
    b[i] = part[t];
    b[i + 256] = part[t + 256];
}

__global__ void scan_shuffles(const float *a, float *b)
{
    __shared__ float part[8];
    int i = blockIdx.x * 256 + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float value = a[i];
    for (int apart = 1; apart < 32; apart *= 2) {
        float other = __shfl_up_sync(0xffffffff, value, apart);
        if (lane >= apart) value += other;
    }
    if (lane == 31) part[warp] = value;
    __syncthreads();
    for (int w = 0; w < warp; w++)
        value += part[w];
    b[i] = value;
}

__global__ void scan_serial(const float *a, float *b, int each, int n)
{
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * each;
    float total = 0;
    for (int j = i; j < i + each && j < n; j++) {
        total += a[j];
        b[j] = total;
    }
}

static void scans(void)
{
    int n = 2 * M;
    {
        const float *a = array<float>(n);
        float *b = array<float>(n);
        measure("scan", "in steps", [&] { scan_steps<<<n / 512, 512>>>(a, b); });
    }
    {
        const float *a = array<float>(n);
        float *b = array<float>(n);
        measure("scan", "tree", [&] { scan_tree<<<n / 512, 256>>>(a, b); });
    }
    {
        const float *a = array<float>(n);
        float *b = array<float>(n);
        measure("scan", "shuffles", [&] { scan_shuffles<<<n / 256, 256>>>(a, b); });
    }
    {
        const float *a = array<float>(n);
        float *b = array<float>(n);
        measure("scan", "32 elements per thread",
                [&] { scan_serial<<<n / 32 / 64, 64>>>(a, b, 32, n); });
    }
}

static void measure_all(void)
{
    rows();
    reductions();
    scans();
}
