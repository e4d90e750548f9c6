/* sparse.cu: sparse matrices in their formats, graphs and lists. */
#include "kernels.h"

/* ---- matrices ---- */

/* Groups of 8 lanes per row */
__global__ void rows_by_eight(const int *start, const int *column, const float *value,
                              const float *x, float *y, int rows)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 8, lane = threadIdx.x % 8;
    float sum = 0;
    if (row < rows)
        for (int e = start[row] + lane; e < start[row + 1]; e += 8)
            sum += value[e] * x[column[e]];
    for (int apart = 4; apart > 0; apart /= 2)
        sum += __shfl_down_sync(~0u, sum, apart, 8);
    if (row < rows && lane == 0) y[row] = sum;
}

/* A fixed number of entries per row, stored column by column */
__global__ void ellpack(const int *column, const float *value, const float *x, float *y, int rows,
                        int width)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0;
    for (int k = 0; k < width; k++) {
        int c = column[k * rows + row];
        if (c >= 0) sum += value[k * rows + row] * x[c];
    }
    y[row] = sum;
}

/* Sliced ELLPACK: slices of 32 rows each have a width of their own */
__global__ void sliced_ellpack(const int *start, const int *column, const float *value,
                               const float *x, float *y)
{
    int slice = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    float sum = 0;
    for (int e = start[slice] + lane; e < start[slice + 1]; e += 32)
        sum += value[e] * __ldg(&x[column[e]]);
    y[slice * 32 + lane] = sum;
}

__global__ void coordinates(const int2 *at, const float *value, const float *x, float *y, int n)
{
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e < n) atomicAdd(&y[at[e].x], value[e] * x[at[e].y]);
}

/* Blocks of 4 x 4, a group of 16 lanes per row of blocks */
__global__ void blocks_of_four(const int *start, const int *column, const float *value,
                               const float *x, float *y)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 16, lane = threadIdx.x % 16;
    float sum = 0;
    for (int e = start[row]; e < start[row + 1]; e++)
        sum += value[e * 16 + lane] * x[column[e] * 4 + lane % 4];
    sum += __shfl_xor_sync(~0u, sum, 1);
    sum += __shfl_xor_sync(~0u, sum, 2);
    if (lane % 4 == 0) y[row * 4 + lane / 4] = sum;
}

/* Times a matrix of 32 columns: a warp per row, a lane per column */
__global__ void times_dense(const int *start, const int *column, const float *value, const float *b,
                            float *c, int rows)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    float sum = 0;
    for (int e = start[row]; e < start[row + 1]; e++)
        sum += value[e] * b[column[e] * 32 + lane];
    c[row * 32 + lane] = sum;
}

/* Dot products of rows of two dense matrices, only where the sparse one has an entry */
__global__ void sampled_products(const int2 *at, const float4 *a, const float4 *b, float *out,
                                 int n)
{
    int e = (blockIdx.x * blockDim.x + threadIdx.x) / 16, lane = threadIdx.x % 16;
    if (e >= n) return;
    float4 p = a[at[e].x * 16 + lane], q = b[at[e].y * 16 + lane];
    float sum = p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w;
    for (int apart = 8; apart > 0; apart /= 2)
        sum += __shfl_down_sync(~0u, sum, apart, 16);
    if (lane == 0) out[e] = sum;
}

/* Each row of a product: how many columns do two rows share? Both lists are sorted. */
__global__ void rows_in_common(const int *start, const int *column, const int2 *pair, int *count,
                               int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int e = start[pair[i].x], f = start[pair[i].y], same = 0;
    int end_e = start[pair[i].x + 1], end_f = start[pair[i].y + 1];
    while (e < end_e && f < end_f) {
        int d = column[e] - column[f];
        same += d == 0;
        e += d <= 0;
        f += d >= 0;
    }
    count[i] = same;
}

struct Rows {
    int *start, *column;
    float *value;
    int entries;
};

/* Rows with a number of entries each, at sorted columns, at random or near the diagonal */
template <typename Count> static Rows sparse(int rows, Count count, bool near)
{
    int *sums = sums_before(rows, count), *row_of = (int *)malloc(sums[rows] * sizeof *row_of);
    if (row_of == NULL) exit(EXIT_FAILURE);
    for (int row = 0; row < rows; row++)
        for (int e = sums[row]; e < sums[row + 1]; e++)
            row_of[e] = row;
    Rows made = {filled<int>(rows + 1, [=](size_t i) { return sums[i]; }), NULL, NULL, sums[rows]};
    made.column = filled<int>(sums[rows], [=](size_t e) {
        int row = row_of[e], k = (int)e - sums[row], length = sums[row + 1] - sums[row];
        int wide = near ? 4 * length : rows, part = wide / length;
        int c = k * part + (int)(scatter(e) % part);
        return near ? (row + c) % rows : c;
    });
    made.value = fractions(sums[rows]);
    free(sums);
    free(row_of);
    return made;
}

static void matrices(void)
{
    int rows = 64 * K;
    auto length = [](int row) { return 4 + (int)(scatter(row) % 25); };
    for (bool near : {false, true}) {
        Rows a = sparse(rows, length, near);
        auto x = fractions(rows), y = array<float>(rows);
        measure("matrix", near ? "8 lanes per row, near the diagonal" : "8 lanes per row",
                [&] { rows_by_eight<<<rows / 32, 256>>>(a.start, a.column, a.value, x, y, rows); });
    }
    {
        int width = 32;
        auto column = filled<int>(width * rows, [=](size_t i) {
            return scatter(i) % 10 ? (int)(scatter(i) % rows) : -1;
        });
        auto value = fractions(width * rows), x = fractions(rows), y = array<float>(rows);
        measure("matrix", "ELL",
                [&] { ellpack<<<rows / 256, 256>>>(column, value, x, y, rows, width); });
    }
    {
        auto start = filled<int>(rows / 32 + 1, [](size_t i) { return (int)(i * 32 * 11); });
        auto column = below(rows, rows * 11);
        auto value = fractions(rows * 11), x = fractions(rows), y = array<float>(rows);
        measure("matrix", "slices of 32 rows",
                [&] { sliced_ellpack<<<rows / 128, 128>>>(start, column, value, x, y); });
    }
    {
        auto at = (int2 *)below(rows, 2 * M);
        auto value = fractions(M), x = fractions(rows), y = zeros<float>(rows);
        measure("matrix", "coordinates", [&] { coordinates<<<4096, 256>>>(at, value, x, y, M); });
    }
    {
        Rows a = sparse(
            16 * K, [](int row) { return 2 + (int)(scatter(row) % 9); }, false);
        auto value = fractions(16 * a.entries), x = fractions(64 * K), y = array<float>(64 * K);
        measure("matrix", "blocks of 4 x 4",
                [&] { blocks_of_four<<<1024, 256>>>(a.start, a.column, value, x, y); });
    }
    {
        Rows a = sparse(32 * K, length, false);
        auto b = fractions(32 * 32 * K), c = array<float>(32 * 32 * K);
        measure("matrix", "times 32 columns",
                [&] { times_dense<<<4096, 256>>>(a.start, a.column, a.value, b, c, 32 * K); });
    }
    {
        auto at = (int2 *)below(16 * K, 2 * 128 * K);
        auto a = (float4 *)fractions(64 * 16 * K), b = (float4 *)fractions(64 * 16 * K);
        auto out = array<float>(128 * K);
        measure("matrix", "sampled products",
                [&] { sampled_products<<<8192, 256>>>(at, a, b, out, 128 * K); });
    }
    {
        Rows a = sparse(16 * K, length, false);
        auto pair = (int2 *)below(16 * K, 512 * K);
        auto count = array<int>(256 * K);
        measure("matrix", "columns in common",
                [&] { rows_in_common<<<2048, 128>>>(a.start, a.column, pair, count, 256 * K); });
    }
}

/* ---- graphs ---- */

/* The next frontier: vertices reached for the first time, through a queue in shared memory */
__global__ void frontier(const int *start, const int *to, const int *queue, int count,
                         int *distance, int *next, int *next_count)
{
    __shared__ int found[2048], size, base;
    if (threadIdx.x == 0) size = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        for (int e = start[queue[i]]; e < start[queue[i] + 1]; e++)
            if (atomicCAS(&distance[to[e]], -1, 7) == -1) {
                int at = atomicAdd(&size, 1);
                if (at < 2048) found[at] = to[e];
            }
    __syncthreads();
    if (threadIdx.x == 0) base = atomicAdd(next_count, min(size, 2048));
    __syncthreads();
    for (int k = threadIdx.x; k < min(size, 2048); k += blockDim.x)
        next[base + k] = found[k];
}

__global__ void relax_edges(const int2 *edge, const int *weight, const int *before, int *distance,
                            int n)
{
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= n) return;
    int reach = before[edge[e].x] + weight[e];
    if (reach < before[edge[e].y]) atomicMin(&distance[edge[e].y], reach);
}

/* Pointers jump to the pointer's pointer. */
__global__ void jump(const int *next, const int *rank, int *next_out, int *rank_out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int other = next[i];
    rank_out[i] = rank[i] + rank[other];
    next_out[i] = next[other];
}

/* Luby's independent set: who has the largest number among its neighbours? */
__global__ void independent_set(const int *start, const int *to, const unsigned *number,
                                unsigned char *chosen, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n) return;
    unsigned mine = number[v];
    bool wins = true;
    for (int e = start[v]; wins && e < start[v + 1]; e++)
        wins = number[to[e]] < mine || to[e] == v;
    chosen[v] = wins;
}

__global__ void random_walks(const int *start, const int *to, int *end, int steps, int walks,
                             int vertices)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= walks) return;
    unsigned state = i * 2891336453u + 1;
    int v = i % vertices;
    for (int s = 0; s < steps; s++) {
        state = state * 1664525u + 1013904223u;
        int first = start[v], degree = start[v + 1] - first;
        v = to[first + (state >> 8) % degree];
    }
    end[i] = v;
}

/* A vertex gives its rank to its neighbours. */
__global__ void push_ranks(const int *start, const int *to, const float *rank, float *next, int n)
{
    int v = (blockIdx.x * blockDim.x + threadIdx.x) / 4, lane = threadIdx.x % 4;
    if (v >= n) return;
    int first = start[v], end = start[v + 1];
    float share = rank[v] / (end - first);
    for (int e = first + lane; e < end; e += 4)
        atomicAdd(&next[to[e]], share);
}

/* Is a pair of neighbours of a vertex an edge too? Rows of a bit matrix, a warp per edge */
__global__ void triangles_by_bits(const unsigned *row, const int2 *edge, unsigned *count, int words,
                                  int n)
{
    int e = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (e >= n) return;
    unsigned same = 0;
    for (int w = lane; w < words; w += 32)
        same += __popc(row[edge[e].x * words + w] & row[edge[e].y * words + w]);
    same = __reduce_add_sync(~0u, same);
    if (lane == 0) atomicAdd(count, same);
}

static void graphs(void)
{
    int n = 64 * K;
    auto degree = [](int v) { return 1 + (int)(scatter(v) % 15); };
    {
        Rows g = sparse(n, degree, false);
        auto queue = below(n, 16 * K), distance = array<int>(n), next = array<int>(n);
        auto count = zeros<int>(1);
        measure("vertex", "frontier", [&] {
            cudaMemset(count, 0, sizeof *count);
            cudaMemset(distance, 0xff, n * sizeof *distance);
            frontier<<<64, 256>>>(g.start, g.column, queue, 16 * K, distance, next, count);
        });
    }
    {
        auto edge = (int2 *)below(n, 2 * M);
        auto weight = below(100, M), before = below(1000, n), distance = below(1000, n);
        measure("vertex", "edges relaxed",
                [&] { relax_edges<<<4096, 256>>>(edge, weight, before, distance, M); });
    }
    for (int size : {32 * K, 2048 * K}) {
        auto next = below(size, size), rank = below(9, size);
        auto next_out = array<int>(size), rank_out = array<int>(size);
        measure("vertex", size == 32 * K ? "pointers jump, 32 K" : "pointers jump, 2 M",
                [&] { jump<<<size / 256, 256>>>(next, rank, next_out, rank_out, size); });
    }
    {
        Rows g = sparse(n, degree, false);
        auto number = below<unsigned>(~0u, n);
        auto chosen = array<unsigned char>(n);
        measure("vertex", "independent set",
                [&] { independent_set<<<n / 128, 128>>>(g.start, g.column, number, chosen, n); });
    }
    {
        Rows g = sparse(n, degree, false);
        auto end = array<int>(32 * K);
        measure("vertex", "random walks",
                [&] { random_walks<<<256, 128>>>(g.start, g.column, end, 32, 32 * K, n); });
    }
    {
        Rows g = sparse(n, degree, true);
        auto rank = fractions(n), next = zeros<float>(n);
        measure("vertex", "ranks pushed",
                [&] { push_ranks<<<n / 64, 256>>>(g.start, g.column, rank, next, n); });
    }
    {
        auto row = below<unsigned>(~0u, 2048 * 64);
        auto edge = (int2 *)below(2048, 2 * 32 * K);
        auto count = zeros<unsigned>(1);
        measure("vertex", "triangles by bits",
                [&] { triangles_by_bits<<<4096, 256>>>(row, edge, count, 64, 32 * K); });
    }
}

static void measure_all(void)
{
    matrices();
    graphs();
}
