/* samples.cu: kernels of chance, functions, particles, rays, graphs and dynamic programming. */
#include "kernels.h"

/* ---- chance ---- */

struct Generator {
    unsigned x, y, z, w, v, d;
};

__device__ Generator seeded(unsigned seed)
{
    seed = seed * 747796405u + 2891336453u;
    return {seed ^ 123456789u, seed * 362436069u | 1, seed ^ 521288629u, 88675123u,
            5783321u,          seed + 6615241u};
}

__device__ float uniform(Generator &g)
{
    unsigned t = g.x ^ g.x >> 2;
    g.x = g.y, g.y = g.z, g.z = g.w, g.w = g.v;
    g.v = g.v ^ g.v << 4 ^ t ^ t << 1;
    g.d += 362437;
    return (g.v + g.d) * 2.3283064e-10f;
}

__device__ float2 normals(Generator &g)
{
    float radius = sqrtf(-2 * logf(fmaxf(uniform(g), 1e-7f))), s, c;
    sincosf(6.2831853f * uniform(g), &s, &c);
    return make_float2(radius * c, radius * s);
}

/* The volume of a ball in five dimensions */
__global__ void ball_volume(unsigned *inside, int tries)
{
    Generator g = seeded(blockIdx.x * blockDim.x + threadIdx.x);
    unsigned count = 0;
    for (int i = 0; i < tries; i++) {
        float sum = 0;
        for (int d = 0; d < 5; d++) {
            float x = uniform(g);
            sum += x * x;
        }
        count += sum < 1;
    }
    atomicAdd(inside, count);
}

/* Prices whose variance is random as well; the mean of what an option pays */
__global__ void heston(float *pays, int steps, float price, float strike)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Generator g = seeded(i);
    float logs = logf(price), variance = 0.04f, dt = 1.0f / steps, root = sqrtf(dt);
    for (int s = 0; s < steps; s++) {
        float2 n = normals(g);
        float now = fmaxf(variance, 0), both = -0.7f * n.x + 0.714f * n.y;
        logs += -0.5f * now * dt + sqrtf(now) * root * n.x;
        variance += 1.5f * (0.04f - now) * dt + 0.3f * sqrtf(now) * root * both;
    }
    pays[i] = fmaxf(expf(logs) - strike, 0);
}

/* Numbers of a Sobol sequence: a block per dimension */
__global__ void sobol(const unsigned *direction, float *to, int n)
{
    __shared__ unsigned v[32];
    if (threadIdx.x < 32) v[threadIdx.x] = direction[blockIdx.y * 32 + threadIdx.x];
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned gray = i ^ i >> 1, x = 0;
        for (int k = 0; gray >> k != 0; k++)
            if (gray >> k & 1) x ^= v[k];
        to[blockIdx.y * n + i] = x * 2.3283064e-10f;
    }
}

/* Spins that point anywhere: half of them are turned, as their neighbours wish */
__global__ void turned_spins(float *angle, const float *chance, int width, int colour)
{
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + (y + colour) % 2, i = y * width + x;
    float now = angle[i], next = now + (chance[i] - 0.5f) * 3;
    const int apart[4] = {y * width + (x + 1) % width, y * width + (x + width - 1) % width,
                          (y + 1) % width * width + x, (y + width - 1) % width * width + x};
    float change = 0;
    for (int k = 0; k < 4; k++)
        change += cosf(now - angle[apart[k]]) - cosf(next - angle[apart[k]]);
    if (change < 0 || chance[i ^ 1] < expf(-1.1f * change)) angle[i] = next;
}

/* Samples of a distribution that is known up to a factor: one chain per thread */
__global__ void chains(double *mean, double *square, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Generator g = seeded(i);
    double x = 0, sum = 0, squares = 0, density = 1;
    for (int s = 0; s < steps; s++) {
        double y = x + 2 * (uniform(g) - 0.5);
        double other = exp(-0.5 * y * y) * (1 + 0.5 * y * y);
        if (uniform(g) * density < other) x = y, density = other;
        sum += x;
        squares += x * x;
    }
    mean[i] = sum / steps;
    square[i] = squares / steps;
}

static void chance(void)
{
    auto inside = zeros<unsigned>(1);
    measure("random", "ball in five dimensions", [&] {
        check(cudaMemset(inside, 0, sizeof *inside), "cudaMemset");
        ball_volume<<<264, 256>>>(inside, 64);
    });
    for (int blocks : {16, 256}) {
        auto pays = array<float>(blocks * 128);
        measure("random", blocks == 16 ? "Heston, 2 K paths" : "Heston, 32 K paths",
                [&] { heston<<<blocks, 128>>>(pays, 64, 100, 105); });
    }
    auto direction = below<unsigned>(1u << 28, 16 * 32);
    auto to = array<float>(16 * 64 * K);
    measure("random", "Sobol", [&] { sobol<<<dim3(32, 16), 128>>>(direction, to, 64 * K); });
    auto angle = array<float>(M), chance = fractions(M), first = fractions(M);
    measure("random", "spins in a plane", [&] {
        check(cudaMemcpy(angle, first, M * sizeof *angle, cudaMemcpyDeviceToDevice), "cudaMemcpy");
        turned_spins<<<dim3(16, 128), dim3(32, 8)>>>(angle, chance, 1024, 0);
    });
    auto mean = array<double>(8 * K), square = array<double>(8 * K);
    measure("random", "Metropolis chains", [&] { chains<<<64, 128>>>(mean, square, 64); });
}

/* ---- functions ---- */

__global__ void errors_and_gammas(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = erff(x[i]) + lgammaf(x[i] + 1) + tgammaf(x[i] + 0.5f) + erfcf(x[i]);
}

__global__ void bessel(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = j0f(20 * x[i]) + j1f(20 * x[i]);
}

/* Distances on the earth, in double */
__global__ void haversine(const double2 *a, const double2 *b, double *apart, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double2 p = a[i], q = b[i];
    double s = sin(0.5 * (q.x - p.x)), t = sin(0.5 * (q.y - p.y));
    apart[i] = 2 * 6371.0 * asin(sqrt(s * s + cos(p.x) * cos(q.x) * t * t));
}

/* The volatility that explains a price, by Newton's method until it fits */
__global__ void implied(const float *price, float *volatility, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float wanted_price = 5 + 10 * price[i], v = 0.3f, spot = 100, strike = 102;
    for (int k = 0; k < 20; k++) {
        float d = (logf(spot / strike) + 0.5f * v * v) / v, e = d - v;
        float now = spot * normcdff(d) - strike * normcdff(e);
        float slope = spot * 0.39894228f * expf(-0.5f * d * d);
        float off = now - wanted_price;
        if (fabsf(off) < 1e-3f) break;
        v = fmaxf(v - off / slope, 1e-3f);
    }
    volatility[i] = v;
}

/* Kepler's equation in double */
__global__ void kepler(const double *mean, const double *shape, double *place, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double m = 6.28 * mean[i], e = 0.9 * shape[i], x = m;
    for (int k = 0; k < 8; k++) {
        double s, c;
        sincos(x, &s, &c);
        x -= (x - e * s - m) / (1 - e * c);
    }
    place[i] = x;
}

__device__ float2 oscillation(float2 s)
{
    return make_float2(s.y, 3 * (1 - s.x * s.x) * s.y - s.x);
}

/* Runge and Kutta's steps of an oscillator per thread */
__global__ void oscillators(float2 *state, int steps, float h)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float2 s = state[i];
    for (int k = 0; k < steps; k++) {
        float2 a = oscillation(s);
        float2 b = oscillation(make_float2(s.x + 0.5f * h * a.x, s.y + 0.5f * h * a.y));
        float2 c = oscillation(make_float2(s.x + 0.5f * h * b.x, s.y + 0.5f * h * b.y));
        float2 d = oscillation(make_float2(s.x + h * c.x, s.y + h * c.y));
        s.x += h / 6 * (a.x + 2 * b.x + 2 * c.x + d.x);
        s.y += h / 6 * (a.y + 2 * b.y + 2 * c.y + d.y);
    }
    state[i] = s;
}

__device__ float faded(float t)
{
    return t * t * t * (t * (t * 6 - 15) + 10);
}

__device__ float sloped(int hash, float x, float y)
{
    return ((hash & 1) ? x : -x) + ((hash & 2) ? y : -y);
}

/* Noise of four octaves from a table of 256 numbers */
__global__ void noise(const int *table, float *to, int width)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float sum = 0, size = 1;
    for (int octave = 0; octave < 4; octave++) {
        float u = x / (64.0f * size), v = y / (64.0f * size);
        int i = (int)floorf(u), j = (int)floorf(v);
        u -= i, v -= j;
        int a = table[i & 255] + j, b = table[(i + 1) & 255] + j;
        float p = sloped(table[a & 255], u, v), q = sloped(table[b & 255], u - 1, v);
        float r = sloped(table[(a + 1) & 255], u, v - 1);
        float s = sloped(table[(b + 1) & 255], u - 1, v - 1);
        float f = faded(u), g = faded(v), top = p + f * (q - p), bottom = r + f * (s - r);
        sum += size * (top + g * (bottom - top));
        size *= 0.5f;
    }
    to[y * width + x] = sum;
}

static void functions(void)
{
    auto x = fractions(256 * K), y = array<float>(256 * K);
    measure("function", "errors and gammas",
            [&] { errors_and_gammas<<<1024, 256>>>(x, y, 256 * K); });
    x = fractions(256 * K), y = array<float>(256 * K);
    measure("function", "Bessel", [&] { bessel<<<1024, 256>>>(x, y, 256 * K); });
    auto a = (double2 *)fractions<double>(128 * K), b = (double2 *)fractions<double>(128 * K);
    auto apart = array<double>(64 * K);
    measure("function", "distances on the earth",
            [&] { haversine<<<256, 256>>>(a, b, apart, 64 * K); });
    x = fractions(128 * K), y = array<float>(128 * K);
    measure("function", "implied volatility", [&] { implied<<<1024, 128>>>(x, y, 128 * K); });
    auto m = fractions<double>(32 * K), e = fractions<double>(32 * K),
         place = array<double>(32 * K);
    measure("function", "Kepler's equation", [&] { kepler<<<256, 128>>>(m, e, place, 32 * K); });
    for (int blocks : {4, 256}) {
        auto state = fractions(2 * blocks * 256);
        measure("function", blocks == 4 ? "oscillators, 1 K" : "oscillators, 64 K",
                [&] { oscillators<<<blocks, 256>>>((float2 *)state, 64, 1e-3f); });
    }
    auto table = below(256, 256);
    y = array<float>(512 * 512);
    measure("function", "noise of four octaves",
            [&] { noise<<<dim3(32, 32), dim3(16, 16)>>>(table, y, 512); });
}

/* ---- particles and rays ---- */

/* Each body takes bodies by tiles of a block. */
__global__ void flock(const float4 *place, const float4 *speed, float4 *to, int n)
{
    __shared__ float4 p[128], v[128];
    int i = blockIdx.x * 128 + threadIdx.x, near = 0;
    float4 own = place[i];
    float3 away = make_float3(0, 0, 0), with = away, centre = away;
    for (int at = 0; at < n; at += 128) {
        p[threadIdx.x] = place[at + threadIdx.x];
        v[threadIdx.x] = speed[at + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 128; j++) {
            float dx = p[j].x - own.x, dy = p[j].y - own.y, dz = p[j].z - own.z;
            float square = dx * dx + dy * dy + dz * dz;
            if (square > 0.04f || square == 0) continue;
            float closer = 1 / (square + 1e-3f);
            away.x -= dx * closer, away.y -= dy * closer, away.z -= dz * closer;
            with.x += v[j].x, with.y += v[j].y, with.z += v[j].z;
            centre.x += dx, centre.y += dy, centre.z += dz;
            near++;
        }
        __syncthreads();
    }
    float share = near > 0 ? 1.0f / near : 0;
    to[i] = make_float4(0.01f * away.x + share * (with.x + centre.x),
                        0.01f * away.y + share * (with.y + centre.y),
                        0.01f * away.z + share * (with.z + centre.z), near);
}

/* The energy of charges, with a complementary error function */
__global__ void charges(const float4 *body, float *energy, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 own = body[i];
    float sum = 0;
    for (int j = 0; j < n; j++) {
        if (j == i) continue;
        float dx = body[j].x - own.x, dy = body[j].y - own.y, dz = body[j].z - own.z;
        float r = sqrtf(dx * dx + dy * dy + dz * dz);
        sum += own.w * body[j].w * erfcf(3 * r) / (r + 1e-4f);
    }
    energy[i] = sum;
}

/* Rays that meet triangles: the nearest of them */
__global__ void ray_triangles(const float4 *corner, float *depth, int triangles, int width)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float3 d = make_float3((float)x / width, (float)y / width, 1);
    float nearest = 1e30f;
    for (int t = 0; t < triangles; t++) {
        float4 a = corner[3 * t], e = corner[3 * t + 1], f = corner[3 * t + 2];
        float3 p = make_float3(d.y * f.z - d.z * f.y, d.z * f.x - d.x * f.z, d.x * f.y - d.y * f.x);
        float det = e.x * p.x + e.y * p.y + e.z * p.z;
        if (fabsf(det) < 1e-6f) continue;
        float u = -(a.x * p.x + a.y * p.y + a.z * p.z) / det;
        if (u < 0 || u > 1) continue;
        float3 q = make_float3(a.z * e.y - a.y * e.z, a.x * e.z - a.z * e.x, a.y * e.x - a.x * e.y);
        float v = (d.x * q.x + d.y * q.y + d.z * q.z) / det;
        if (v < 0 || u + v > 1) continue;
        float away = (f.x * q.x + f.y * q.y + f.z * q.z) / det;
        if (away > 0 && away < nearest) nearest = away;
    }
    depth[y * width + x] = nearest;
}

__device__ float distance_to_scene(float x, float y, float z)
{
    float u = x - floorf(x) - 0.5f, v = z - floorf(z) - 0.5f;
    float ball = sqrtf(u * u + y * y + v * v) - 0.3f;
    return fminf(ball, y + 0.5f);
}

/* A ray goes on as far as nothing can be met, until it meets something. */
__global__ void marched(float *image, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float dx = (x - 0.5f * width) / width, dy = (0.5f * height - y) / width, dz = 1, t = 0;
    float scale = rsqrtf(dx * dx + dy * dy + dz * dz);
    dx *= scale, dy *= scale, dz *= scale;
    int step = 0;
    for (; step < 96 && t < 20; step++) {
        float free_way = distance_to_scene(t * dx, 0.4f + t * dy, t * dz);
        if (free_way < 1e-3f) break;
        t += free_way;
    }
    image[y * width + x] = t < 20 ? 1 / (1 + t * t) : 0.1f;
}

static void scenes(void)
{
    for (int n : {512, 4096}) {
        auto place = filled<float4>(n, random_float4), to = array<float4>(n);
        auto speed = filled<float4>(n, [](size_t i) { return random_float4(i + 9999); });
        measure("scene", n == 512 ? "flock of 512" : "flock of 4096",
                [&] { flock<<<n / 128, 128>>>(place, speed, to, n); });
    }
    auto body = filled<float4>(2048, random_float4);
    auto energy = array<float>(2048);
    measure("scene", "charges", [&] { charges<<<32, 64>>>(body, energy, 2048); });
    auto corner = filled<float4>(3 * 64, [](size_t i) {
        float4 p = random_float4(i);
        return i % 3 == 0 ? make_float4(p.x, p.y, 1 + p.z, 0)
                          : make_float4(p.x - 0.5f, p.y - 0.5f, p.z - 0.5f, 0);
    });
    auto depth = array<float>(256 * 256);
    measure("scene", "rays and triangles",
            [&] { ray_triangles<<<dim3(16, 32), dim3(16, 8)>>>(corner, depth, 64, 256); });
    auto image = array<float>(640 * 360);
    measure("scene", "rays to a far scene", [&] {
        dim3 block(16, 16);
        marched<<<blocks_of(640, 360, block), block>>>(image, 640, 360);
    });
}

/* ---- graphs and tables of steps ---- */

/* Paths get shorter along all edges: one round of Bellman and Ford */
__global__ void relaxed_edges(const int *from, const int *to, const int *cost, const int *before,
                              int *distance, int edges)
{
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= edges) return;
    int through = before[from[e]] + cost[e];
    if (through < before[to[e]]) atomicMin(&distance[to[e]], through);
}

/* The next frontier of a search, by a queue per block */
__global__ void next_frontier(const int *start, const int *edge, const int *frontier, int count,
                              int *level, int *next, int *next_count)
{
    __shared__ int queue[2048], here, base;
    if (threadIdx.x == 0) here = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        for (int k = start[frontier[i]]; k < start[frontier[i] + 1]; k++) {
            int u = edge[k];
            if (atomicCAS(&level[u], 0, 1) == 0) queue[atomicAdd(&here, 1)] = u;
        }
    __syncthreads();
    if (threadIdx.x == 0) base = atomicAdd(next_count, here);
    __syncthreads();
    for (int k = threadIdx.x; k < here; k += blockDim.x)
        next[base + k] = queue[k];
}

/* The commonest label of the neighbours */
__global__ void labels(const int *start, const int *edge, const int *label, int *to, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n) return;
    int best = label[v], most = 0;
    for (int i = start[v]; i < start[v + 1]; i++) {
        int own = label[edge[i]], count = 0;
        for (int j = start[v]; j < start[v + 1]; j++)
            count += label[edge[j]] == own;
        if (count > most || (count == most && own < best)) best = own, most = count;
    }
    to[v] = best;
}

/* A tile of 32 x 32 of the table that aligns two words, a diagonal at a time */
__global__ void aligned(int *table, const int *alike, int width, int diagonal, int penalty)
{
    __shared__ int cell[33][33], fits[32][32];
    int t = threadIdx.x, x0 = blockIdx.x * 32, y0 = (diagonal - blockIdx.x) * 32;
    for (int y = 0; y < 32; y++)
        fits[y][t] = alike[(y0 + y + 1) * width + x0 + t + 1];
    cell[t + 1][0] = table[(y0 + t + 1) * width + x0];
    cell[0][t + 1] = table[y0 * width + x0 + t + 1];
    if (t == 0) cell[0][0] = table[y0 * width + x0];
    __syncthreads();
    for (int d = 0; d < 63; d++) {
        int x = t, y = d - t;
        if (y >= 0 && y < 32)
            cell[y + 1][x + 1] =
                max(cell[y][x] + fits[y][x], max(cell[y][x + 1], cell[y + 1][x]) - penalty);
        __syncthreads();
    }
    for (int y = 0; y < 32; y++)
        table[(y0 + y + 1) * width + x0 + t + 1] = cell[y + 1][t + 1];
}

/* The distance between a word of 24 letters and each of a list: a row of the table per thread */
__global__ void spelled(const char *word, const char *list, int *distance, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, row[25];
    if (i >= n) return;
    for (int k = 0; k <= 24; k++)
        row[k] = k;
    for (int j = 0; j < 24; j++) {
        char letter = list[j * n + i];
        int corner = row[0];
        row[0] = j + 1;
        for (int k = 1; k <= 24; k++) {
            int best = min(min(row[k], row[k - 1]) + 1, corner + (word[k - 1] != letter));
            corner = row[k];
            row[k] = best;
        }
    }
    distance[i] = row[24];
}

/* In how many ways coins of a kind pay each sum: one block, as sums depend on smaller ones */
__global__ void coins(unsigned *ways, const int *coin, int kinds, int sums)
{
    for (int k = 0; k < kinds; k++) {
        int c = coin[k];
        for (int base = 0; base < c; base += blockDim.x)
            if (base + threadIdx.x < c)
                for (int s = base + threadIdx.x + c; s < sums; s += c)
                    ways[s] += ways[s - c];
        __syncthreads();
    }
}

/* Prices on the leaves of a tree of 256 steps, brought back to its root: a block per option */
__global__ void binomial(const float *strike, float *price)
{
    __shared__ float value[257];
    float k = 80 + 40 * strike[blockIdx.x];
    int t = threadIdx.x;
    for (int i = t; i <= 256; i += blockDim.x)
        value[i] = fmaxf(k - 100 * expf(0.0125f * (2 * i - 256)), 0);
    __syncthreads();
    for (int step = 255; step >= 0; step--) {
        float now = t <= step ? 0.9998f * (0.501f * value[t + 1] + 0.499f * value[t]) : 0;
        float at_once = k - 100 * __expf(0.0125f * (2 * t - step));
        __syncthreads();
        if (t <= step) value[t] = fmaxf(now, at_once);
        __syncthreads();
    }
    if (t == 0) price[blockIdx.x] = value[0];
}

static void graphs(void)
{
    enum { VERTICES = 64 * K, EDGES = 8 * VERTICES };
    auto from = below(VERTICES, EDGES), cost = below(100, EDGES);
    auto to = filled<int>(EDGES, [](size_t i) { return (int)(scatter(i + 5) % VERTICES); });
    auto distance = array<int>(VERTICES), fresh = below(100000, VERTICES);
    measure("graphs", "edges of shorter paths", [&] {
        check(cudaMemcpy(distance, fresh, VERTICES * sizeof *distance, cudaMemcpyDeviceToDevice),
              "cudaMemcpy");
        relaxed_edges<<<EDGES / 256, 256>>>(from, to, cost, fresh, distance, EDGES);
    });
    auto start = filled<int>(VERTICES + 1, [](size_t i) { return (int)i * 8; });
    auto edge = below(VERTICES, EDGES), frontier = below(VERTICES, 16 * K);
    auto level = zeros<int>(VERTICES), next = array<int>(VERTICES), count = zeros<int>(1);
    measure("graphs", "next frontier", [&] {
        check(cudaMemset(level, 0, VERTICES * sizeof *level), "cudaMemset");
        check(cudaMemset(count, 0, sizeof *count), "cudaMemset");
        next_frontier<<<64, 256>>>(start, edge, frontier, 16 * K, level, next, count);
    });
    auto degree = [](int i) { return (int)(4 + scatter(i) % 16); };
    int *sums = sums_before(32 * K, degree), edges = sums[32 * K];
    start = filled<int>(32 * K + 1, [=](size_t i) { return sums[i]; });
    free(sums);
    edge = below(32 * K, edges);
    auto label = below(50, 32 * K), labelled = array<int>(32 * K);
    measure("graphs", "commonest labels",
            [&] { labels<<<256, 128>>>(start, edge, label, labelled, 32 * K); });
    for (int tiles : {8, 64}) {
        int width = 32 * tiles + 1;
        auto table = below(10, width * width), alike = below(10, width * width);
        measure("graphs", tiles == 8 ? "8 tiles aligned" : "64 tiles aligned",
                [&] { aligned<<<tiles, 32>>>(table, alike, width, tiles - 1, 3); });
    }
    auto word = below<char>(26, 24), list = below<char>(26, 24 * 64 * K);
    auto apart = array<int>(64 * K);
    measure("graphs", "words spelled alike",
            [&] { spelled<<<512, 128>>>(word, list, apart, 64 * K); });
    auto ways = zeros<unsigned>(20000);
    auto coin = filled<int>(6, [](size_t i) { return 200 << i; });
    measure("graphs", "coins", [&] { coins<<<1, 1024>>>(ways, coin, 6, 20000); });
    auto strike = fractions(512), price = array<float>(512);
    measure("graphs", "binomial trees", [&] { binomial<<<512, 256>>>(strike, price); });
}

static void measure_all(void)
{
    chance();
    functions();
    scenes();
    graphs();
}
