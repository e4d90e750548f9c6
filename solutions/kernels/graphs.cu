/* graphs.cu: what programs do to graphs, by vertices and by edges. */
#include "kernels.h"

/* ---- a vertex per thread or per warp ---- */

/* Marks the neighbours that were not yet reached from vertices at a depth. */
__global__ void breadth_first(const int *start, const int *to, const int *level, unsigned *reached,
                              int n, int depth)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n || level[v] != depth) return;
    for (int e = start[v]; e < start[v + 1]; e++) {
        int other = to[e];
        if (level[other] < 0) atomicOr(&reached[other / 32], 1u << other % 32);
    }
}

/* Each vertex not yet reached looks for a neighbour that was. */
__global__ void breadth_first_back(const int *start, const int *to, const int *level, int *parent,
                                   int n, int depth)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n) return;
    int found = -1;
    if (level[v] < 0) {
        int e = start[v], end = start[v + 1];
        while (e < end && level[to[e]] != depth)
            e++;
        if (e < end) found = to[e];
    }
    parent[v] = found;
}

__global__ void page_rank(const int *start, const int *from, const float *rank, const int *degree,
                          float *next, int n)
{
    for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < n; v += gridDim.x * blockDim.x) {
        float sum = 0;
        for (int e = start[v]; e < start[v + 1]; e++)
            sum += rank[from[e]] / degree[from[e]];
        next[v] = 0.15f / n + 0.85f * sum;
    }
}

/* Each vertex, of a warp, takes the least label around it. */
__global__ void least_labels(const int *start, const int *to, const int *label, int *next, int n)
{
    int v = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (v >= n) return;
    int least = label[v];
    for (int e = start[v] + lane; e < start[v + 1]; e += 32)
        least = min(least, label[to[e]]);
    for (int apart = 16; apart > 0; apart /= 2)
        least = min(least, __shfl_xor_sync(0xffffffff, least, apart));
    if (lane == 0) next[v] = least;
}

/* Six neighbours of each vertex, one array after the other; -1 where there are fewer */
__global__ void free_colours(const int *neighbour, const unsigned char *colour,
                             unsigned char *free_one, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n) return;
    unsigned taken = 0;
    for (int k = 0; k < 6; k++) {
        int other = neighbour[k * n + v];
        if (other >= 0) taken |= 1u << colour[other];
    }
    free_one[v] = (unsigned char)(__ffs(~taken) - 1);
}

struct Graph {
    int vertices, edges;
    int *start, *to; /* on the GPU */
};

/* A graph whose vertices have these degrees; neighbour() gives the vertex at the end of an edge. */
template <typename Degree, typename Neighbour>
static Graph graph(int vertices, Degree degree, Neighbour neighbour)
{
    int *start = sums_before(vertices, degree);
    Graph g = {vertices, start[vertices]};
    g.start = filled<int>(vertices + 1, [&](size_t i) { return start[i]; });
    g.to = filled<int>(g.edges, neighbour);
    free(start);
    return g;
}

/* 2 to 14 neighbours anywhere */
static Graph random_graph(int vertices)
{
    return graph(
        vertices, [](int v) { return 2 + (int)(scatter(v) % 13); },
        [=](size_t e) { return (int)(scatter(e) % vertices); });
}

/* A quarter of the vertices each at depths 4 and 5, the others not reached */
static int level_of(size_t v)
{
    unsigned part = scatter(v) >> 20 & 3;
    return part < 2 ? 4 + (int)part : -1;
}

static void searches(void)
{
    {
        Graph g = random_graph(256 * K);
        const int *level = filled<int>(g.vertices, level_of);
        unsigned *reached = array<unsigned>(g.vertices / 32);
        measure("graph", "breadth first", [&] {
            breadth_first<<<g.vertices / 256, 256>>>(g.start, g.to, level, reached, g.vertices, 5);
        });
    }
    {
        Graph g = random_graph(256 * K);
        const int *level = filled<int>(g.vertices, level_of);
        int *parent = array<int>(g.vertices);
        measure("graph", "breadth first, from the far side", [&] {
            breadth_first_back<<<g.vertices / 512, 512>>>(g.start, g.to, level, parent, g.vertices,
                                                          5);
        });
    }
}

static void vertices(void)
{
    {
        Graph g = random_graph(200000);
        const int *degree = filled<int>(g.vertices, [](size_t v) { return 1 + scatter(v) % 20; });
        const float *rank = filled<float>(g.vertices, fraction);
        float *next = array<float>(g.vertices);
        measure("graph", "page rank",
                [&] { page_rank<<<264, 128>>>(g.start, g.to, rank, degree, next, g.vertices); });
    }
    {
        int n = 32 * K;
        Graph g = graph(
            n, [](int v) { return 16 + (int)(scatter(v) % 64); },
            [=](size_t e) { return (int)(scatter(e) % n); });
        const int *label = filled<int>(n, [](size_t v) { return scatter(v) >> 1; });
        int *next = array<int>(n);
        measure("graph", "least labels, a warp per vertex",
                [&] { least_labels<<<n / 8, 256>>>(g.start, g.to, label, next, n); });
    }
    {
        int n = M;
        const int *neighbour = filled<int>(6 * n, [=](size_t i) {
            int v = i % n, other = v + (int)(scatter(i) % 2001) - 1000;
            return other < 0 || other >= n ? -1 : other;
        });
        const unsigned char *colour =
            filled<unsigned char>(n, [](size_t v) { return (unsigned char)(scatter(v) % 7); });
        unsigned char *free_one = array<unsigned char>(n);
        measure("graph", "free colours",
                [&] { free_colours<<<n / 256, 256>>>(neighbour, colour, free_one, n); });
    }
}

/* ---- an edge per thread ---- */

__global__ void degrees(const int2 *edge, int *degree, int count)
{
    for (int e = blockIdx.x * blockDim.x + threadIdx.x; e < count; e += gridDim.x * blockDim.x) {
        atomicAdd(&degree[edge[e].x], 1);
        atomicAdd(&degree[edge[e].y], 1);
    }
}

/* The neighbours of each vertex are sorted. Those that both ends of an edge have are counted. */
__global__ void triangles(const int *start, const int *to, const int *from, int edges,
                          unsigned long long *total)
{
    __shared__ unsigned sum;
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned count = 0;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    if (e < edges) {
        int i = start[from[e]], i_end = start[from[e] + 1], j = start[to[e]],
            j_end = start[to[e] + 1];
        while (i < i_end && j < j_end) {
            int a = to[i], b = to[j];
            if (a == b) count++;
            if (a <= b) i++;
            if (b <= a) j++;
        }
    }
    if (count > 0) atomicAdd(&sum, count);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(total, (unsigned long long)sum);
}

struct Road {
    int from, to, length;
};

__global__ void relax(const Road *road, const int *distance, int *next, int count)
{
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= count) return;
    Road r = road[e];
    atomicMin(&next[r.to], distance[r.from] + r.length);
}

static void count_triangles(void)
{
    int n = 16 * K;
    int *start = sums_before(n + 256, [=](int v) { return v < n ? 8 + scatter(v) % 17 : 0; });
    int edges = start[n], v = 0, u = 0;
    const int *starts = filled<int>(n + 257, [&](size_t i) { return start[i]; });
    const int *to = filled<int>(edges, [&](size_t e) {
        while (start[v + 1] <= (int)e)
            v++;
        return (int)(v + 1 + ((int)e - start[v]) * 8 + scatter(e) % 8);
    });
    const int *from = filled<int>(edges, [&](size_t e) {
        while (start[u + 1] <= (int)e)
            u++;
        return u;
    });
    unsigned long long *total = array<unsigned long long>(1);
    free(start);
    measure("graph", "triangles",
            [&] { triangles<<<(edges + 127) / 128, 128>>>(starts, to, from, edges, total); });
}

static void edges(void)
{
    {
        int n = 256 * K, count = 2 * M;
        const int2 *edge = filled<int2>(count, [=](size_t e) {
            float hub = fraction(e);
            return make_int2((int)(hub * hub * hub * n), (int)(scatter(e + count) % n));
        });
        int *degree = array<int>(n);
        measure("graph", "degrees", [&] { degrees<<<528, 256>>>(edge, degree, count); });
    }
    count_triangles();
    {
        int n = 256 * K, count = 2 * M;
        const Road *road = filled<Road>(count, [=](size_t e) {
            int near = (int)(e / 8);
            Road r = {near, (int)(near + scatter(e) % 512) % n, 1 + (int)(scatter(e + 5) % 100)};
            return r;
        });
        const int *distance = filled<int>(n, [](size_t v) { return scatter(v) % 10000; });
        int *next = array<int>(n);
        measure("graph", "shorter ways",
                [&] { relax<<<count / 1024, 1024>>>(road, distance, next, count); });
    }
}

static void measure_all(void)
{
    searches();
    vertices();
    edges();
}
