/* orders.cu: sorts, merges, searches and walks through trees. */
#include "kernels.h"

/* ---- sorts ---- */

/* Eight bits of 1024 keys, one bit after another: zeros first, by a scan of ballots */
__global__ void split_sort(const unsigned *a, unsigned *b)
{
    __shared__ unsigned part[1024];
    __shared__ int zeros[32];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    part[t] = a[blockIdx.x * 1024 + t];
    for (int bit = 0; bit < 8; bit++) {
        __syncthreads();
        unsigned key = part[t], is_zero = __ballot_sync(~0u, !(key >> bit & 1));
        if (lane == 0) zeros[warp] = __popc(is_zero);
        __syncthreads();
        int before = __popc(is_zero & ((1u << lane) - 1)), all = 0;
        for (int w = 0; w < 32; w++) {
            if (w < warp) before += zeros[w];
            all += zeros[w];
        }
        part[key >> bit & 1 ? all + t - before : before] = key;
    }
    __syncthreads();
    b[blockIdx.x * 1024 + t] = part[t];
}

/* Pairs of key and value, 32 per warp, by shuffles of 64-bit numbers */
__global__ void sort_pairs_in_warp(const unsigned long long *a, unsigned long long *b)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    unsigned long long mine = a[i];
    for (int size = 2; size <= 32; size *= 2)
        for (int apart = size / 2; apart > 0; apart /= 2) {
            unsigned long long other = __shfl_xor_sync(~0u, mine, apart);
            bool keeps_less = ((lane & apart) == 0) == ((lane & size) == 0);
            if ((other < mine) == keeps_less) mine = other;
        }
    b[i] = mine;
}

/* Runs of 2, 4, 8 … 512 in shared memory: each thread finds the place of its key in the other run.
 */
__global__ void merge_sort_block(const int *a, int *b)
{
    __shared__ int part[2][512];
    int t = threadIdx.x, from = 0;
    part[0][t] = a[blockIdx.x * 512 + t];
    __syncthreads();
    for (int run = 1; run < 512; run *= 2, from ^= 1) {
        int key = part[from][t], first = t / (2 * run) * 2 * run;
        bool in_left = t - first < run;
        const int *other = &part[from][first + (in_left ? run : 0)];
        int low = 0, high = run;
        while (low < high) {
            int middle = (low + high) / 2;
            if (other[middle] < key || (!in_left && other[middle] == key))
                low = middle + 1;
            else
                high = middle;
        }
        part[from ^ 1][first + low + (t - first) % run] = key;
        __syncthreads();
    }
    b[blockIdx.x * 512 + t] = part[from][t];
}

__global__ void insertion_sort(const float *a, float *b, int threads)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, count = 24;
    float mine[24];
    for (int i = 0; i < count; i++) {
        float x = a[i * threads + t];
        int at = i;
        for (; at > 0 && mine[at - 1] > x; at--)
            mine[at] = mine[at - 1];
        mine[at] = x;
    }
    for (int i = 0; i < count; i++)
        b[i * threads + t] = mine[i];
}

__global__ void heap_sort(const int *a, int *b, int threads)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, heap[40];
    for (int i = 0; i < 40; i++) {
        int at = i, x = a[i * threads + t];
        for (; at > 0 && heap[(at - 1) / 2] < x; at = (at - 1) / 2)
            heap[at] = heap[(at - 1) / 2];
        heap[at] = x;
    }
    for (int n = 39; n >= 0; n--) {
        b[n * threads + t] = heap[0];
        int x = heap[n], at = 0;
        for (int child; (child = 2 * at + 1) < n; at = child) {
            if (child + 1 < n && heap[child + 1] > heap[child]) child++;
            if (heap[child] <= x) break;
            heap[at] = heap[child];
        }
        heap[at] = x;
    }
}

/* Each key counts the keys before it: its place. */
__global__ void rank_sort(const float *a, float *b, int n)
{
    __shared__ float tile[256];
    int i = blockIdx.x * 256 + threadIdx.x, place = 0;
    float mine = a[i];
    for (int first = 0; first < n; first += 256) {
        __syncthreads();
        tile[threadIdx.x] = a[first + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 256; j++)
            place += tile[j] < mine || (tile[j] == mine && first + j < i);
    }
    b[place] = mine;
}

__global__ void quick_sort(const int *a, int *b, int threads)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, x[32], from[8], to[8], depth = 1;
    for (int i = 0; i < 32; i++)
        x[i] = a[i * threads + t];
    from[0] = 0, to[0] = 31;
    while (depth > 0) {
        int low = from[--depth], high = to[depth];
        while (low < high) {
            int pivot = x[(low + high) / 2], i = low - 1, j = high + 1;
            for (;;) {
                while (x[++i] < pivot)
                    ;
                while (x[--j] > pivot)
                    ;
                if (i >= j) break;
                int kept = x[i];
                x[i] = x[j];
                x[j] = kept;
            }
            if (j - low < high - j - 1) { /* the longer half waits on the stack */
                from[depth] = j + 1, to[depth++] = high;
                high = j;
            } else {
                from[depth] = low, to[depth++] = j;
                low = j + 1;
            }
        }
    }
    for (int i = 0; i < 32; i++)
        b[i * threads + t] = x[i];
}

static void sorts(void)
{
    {
        auto a = below<unsigned>(~0u, 64 * K), b = array<unsigned>(64 * K);
        measure("order", "splits by bits", [&] { split_sort<<<64, 1024>>>(a, b); });
    }
    for (int n : {64 * K, 2 * M}) {
        auto a = filled<unsigned long long>(
            n, [](size_t i) { return (unsigned long long)scatter(i) << 32 | i; });
        auto b = array<unsigned long long>(n);
        measure("order", n == 2 * M ? "pairs within warps, 2 M" : "pairs within warps, 64 K",
                [&] { sort_pairs_in_warp<<<n / 256, 256>>>(a, b); });
    }
    {
        auto a = below(1u << 30, 512 * K), b = array<int>(512 * K);
        measure("order", "merges in a block", [&] { merge_sort_block<<<1024, 512>>>(a, b); });
    }
    int threads = 32 * K;
    {
        auto a = fractions(24 * threads), b = array<float>(24 * threads);
        measure("order", "insertion, 24 each",
                [&] { insertion_sort<<<threads / 128, 128>>>(a, b, threads); });
    }
    {
        auto a = below(1u << 30, 40 * threads), b = array<int>(40 * threads);
        measure("order", "heap, 40 each", [&] { heap_sort<<<threads / 64, 64>>>(a, b, threads); });
    }
    {
        auto a = below(1000, 32 * threads), b = array<int>(32 * threads);
        measure("order", "quick sort, 32 each",
                [&] { quick_sort<<<threads / 256, 256>>>(a, b, threads); });
    }
    {
        auto a = fractions(6144), b = array<float>(6144);
        measure("order", "by ranks", [&] { rank_sort<<<24, 256>>>(a, b, 6144); });
    }
}

/* ---- moves ---- */

/* Merges two sorted arrays: each thread finds its diagonal, then merges eight. */
__global__ void merge_path(const int *a, const int *b, int *c, int n)
{
    int diagonal = (blockIdx.x * blockDim.x + threadIdx.x) * 8;
    int low = max(0, diagonal - n), high = min(diagonal, n);
    while (low < high) {
        int i = (low + high) / 2;
        if (a[i] <= b[diagonal - 1 - i])
            low = i + 1;
        else
            high = i;
    }
    int i = low, j = diagonal - low;
    for (int k = 0; k < 8; k++)
        c[diagonal + k] = j >= n || (i < n && a[i] <= b[j]) ? a[i++] : b[j++];
}

/* Small numbers first, large ones after them, within each block of 512 */
__global__ void stable_partition(const float *a, float *b)
{
    __shared__ int counts[16];
    int t = threadIdx.x, lane = t % 32, warp = t / 32, before = 0, all = 0;
    float mine = a[blockIdx.x * 512 + t];
    unsigned small = __ballot_sync(~0u, mine < 0.3f);
    if (lane == 0) counts[warp] = __popc(small);
    __syncthreads();
    for (int w = 0; w < 16; w++) {
        before += w < warp ? counts[w] : 0;
        all += counts[w];
    }
    before += __popc(small & ((1u << lane) - 1));
    b[blockIdx.x * 512 + (mine < 0.3f ? before : all + t - before)] = mine;
}

struct Record {
    int key, kind;
    double value;
    int rest[4];
};

__global__ void records_gathered(const Record *a, const int *index, Record *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] = a[index[i]];
}

static void moves(void)
{
    {
        auto a = filled<int>(M, [](size_t i) { return (int)(2 * i + scatter(i) % 2); });
        auto b = filled<int>(M, [](size_t i) { return (int)(2 * i + scatter(i + 5) % 2); });
        auto c = array<int>(2 * M);
        measure("move", "merge path", [&] { merge_path<<<1024, 256>>>(a, b, c, M); });
    }
    {
        auto a = fractions(2 * M), b = array<float>(2 * M);
        measure("move", "stable partition", [&] { stable_partition<<<4096, 512>>>(a, b); });
    }
    for (bool near : {false, true}) {
        auto a = zeros<Record>(256 * K), b = array<Record>(256 * K);
        auto index = filled<int>(256 * K, [=](size_t i) {
            return (int)(near ? i ^ scatter(i / 64) % 64 : scatter(i) % (256 * K));
        });
        measure("move", near ? "records, nearby" : "records, from anywhere",
                [&] { records_gathered<<<1024, 256>>>(a, index, b, 256 * K); });
    }
}

/* ---- searches and trees ---- */

/* A sorted array stored as a tree by levels */
__global__ void search_by_levels(const int *tree, const int *key, int *place, int levels, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int k = key[i];
    unsigned at = 1;
    for (int level = 0; level < levels; level++)
        at = 2 * at + (tree[at] < k);
    place[i] = at >> __ffs(~at);
}

/* Nodes of 32 keys, a warp per search: a ballot chooses the child. */
__global__ void search_nodes(const int *node, const int *key, int *place, int depth, int n)
{
    int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (i >= n) return;
    int k = key[i], at = 0;
    for (int d = 0; d < depth; d++) {
        int child = __popc(__ballot_sync(~0u, node[at * 32 + lane] < k));
        at = at * 33 + child + 1;
    }
    if (lane == 0) place[i] = at;
}

/* A k-d tree by levels: down, and back up where the other side can be nearer */
__global__ void nearest_in_tree(const float2 *tree, const float2 *point, int *nearest, int nodes)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, stack[16], top = 0, best = 0;
    float2 p = point[i];
    float least = 1e30f;
    stack[top++] = 1;
    while (top > 0) {
        int at = stack[--top];
        if (at >= nodes) continue;
        float2 q = tree[at];
        float dx = p.x - q.x, dy = p.y - q.y, d = dx * dx + dy * dy;
        if (d < least) least = d, best = at;
        float side = 31 - __clz(at) & 1 ? dy : dx;
        int near = 2 * at + (side > 0);
        if (side * side < least) stack[top++] = near ^ 1;
        stack[top++] = near;
    }
    nearest[i] = best;
}

__device__ static bool hits(const float *box, float3 from, float3 inverse, float reach)
{
    float enter = 0, leave = reach;
    for (int k = 0; k < 3; k++) {
        float o = k == 0 ? from.x : k == 1 ? from.y : from.z;
        float r = k == 0 ? inverse.x : k == 1 ? inverse.y : inverse.z;
        float one = (box[k] - o) * r, two = (box[k + 3] - o) * r;
        enter = fmaxf(enter, fminf(one, two));
        leave = fminf(leave, fmaxf(one, two));
    }
    return enter <= leave;
}

/* Rays through a hierarchy of boxes: a complete binary tree, 6 floats a box */
__global__ void rays_through_boxes(const float *boxes, int *count, int width, int leaves)
{
    int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    float3 from = make_float3((float)x / width, (float)y / width, -1);
    float3 inverse = make_float3(1 / (0.3f - 0.1f * from.x), 1 / (0.2f + 0.1f * from.y), 1);
    int stack[24], top = 0, found = 0;
    stack[top++] = 1;
    while (top > 0) {
        int at = stack[--top];
        if (!hits(boxes + 6 * at, from, inverse, 3)) continue;
        if (at >= leaves) {
            found++;
        } else {
            stack[top++] = 2 * at;
            stack[top++] = 2 * at + 1;
        }
    }
    count[y * width + x] = found;
}

__global__ void depths(const int *parent, int *depth, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, steps = 0;
    if (i >= n) return;
    for (int at = i; at != 0; at = parent[at])
        steps++;
    depth[i] = steps;
}

static void trees(void)
{
    for (int levels : {12, 20}) {
        auto tree = below(1u << 30, 1u << levels), key = below(1u << 30, M), place = array<int>(M);
        measure("tree", levels == 12 ? "by levels, 4 K keys" : "by levels, 1 M keys",
                [&] { search_by_levels<<<4096, 256>>>(tree, key, place, levels, M); });
    }
    {
        auto node = below(1u << 30, 32 * 40000), key = below(1u << 30, 64 * K);
        auto place = array<int>(64 * K);
        measure("tree", "nodes of 32 keys",
                [&] { search_nodes<<<8192, 256>>>(node, key, place, 3, 64 * K); });
    }
    {
        /* Each level halves its cells: x and y of a node are the middle of its cell, shaken. */
        int nodes = 16 * K;
        auto tree = filled<float2>(nodes, [](size_t at) {
            float2 low = {0, 0}, size = {1, 1};
            int depth = 0;
            while (at >> (depth + 1) > 0)
                depth++;
            for (int d = 0; d < depth; d++) {
                float &length = d % 2 ? size.y : size.x, &start = d % 2 ? low.y : low.x;
                length /= 2;
                if (at >> (depth - 1 - d) & 1) start += length;
            }
            return make_float2(low.x + size.x / 2, low.y + size.y / 2);
        });
        auto point = (float2 *)fractions(2 * 64 * K);
        auto nearest = array<int>(64 * K);
        measure("tree", "nearest point",
                [&] { nearest_in_tree<<<512, 128>>>(tree, point, nearest, nodes); });
    }
    {
        int leaves = 1024, width = 256;
        auto boxes = filled<float>(6 * 2 * leaves, [](size_t i) {
            size_t at = i / 6, depth = 0;
            while (at >> (depth + 1) > 0)
                depth++;
            float size = 1.2f / (1 + depth / 3), low = fraction(at * 3 + i % 3) * (1 - size / 1.2f);
            return i % 6 < 3 ? low : low + size;
        });
        auto count = array<int>(width * width);
        measure("tree", "rays through boxes", [&] {
            rays_through_boxes<<<dim3(width / 8, width / 8), dim3(8, 8)>>>(boxes, count, width,
                                                                           leaves);
        });
    }
    {
        auto parent = filled<int>(512 * K, [](size_t i) { return (int)(i * (size_t)7 / 10); });
        auto depth = array<int>(512 * K);
        measure("tree", "depths", [&] { depths<<<2048, 256>>>(parent, depth, 512 * K); });
    }
}

static void measure_all(void)
{
    sorts();
    moves();
    trees();
}
