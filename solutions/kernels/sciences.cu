/* sciences.cu: what programs compute: physics, graphs, text, and tables of data. */
#include "kernels.h"

#include <math.h>

/* A number that looks random, as scatter() but on the GPU */
__device__ unsigned mix(unsigned x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

/* ---- physics: particles */

/* Charged particles in a box whose sides are joined, in an electric and a magnetic field */
__global__ void push(float4 *position, float4 *velocity, int n, float dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 p = position[i], v = velocity[i];
    float ex = 0.1f * sinf(6.2831853f * p.x), ey = 0.1f * cosf(6.2831853f * p.y);
    v.x += 0.5f * dt * ex;
    v.y += 0.5f * dt * ey;
    float tz = 0.5f * dt * (1 + 0.5f * p.z), tx = 0.25f * dt;
    float s = 2 / (1 + tz * tz + tx * tx);
    float ax = v.x + v.y * tz, ay = v.y + v.z * tx - v.x * tz, az = v.z - v.y * tx;
    v.x += ay * tz * s;
    v.y += (az * tx - ax * tz) * s;
    v.z -= ay * tx * s;
    v.x += 0.5f * dt * ex;
    v.y += 0.5f * dt * ey;
    p.x += dt * v.x;
    p.y += dt * v.y;
    p.z += dt * v.z;
    p.x -= floorf(p.x);
    p.y -= floorf(p.y);
    p.z -= floorf(p.z);
    position[i] = p;
    velocity[i] = v;
}

/* Each block moves a chain of 256 masses. Its ends are tied to walls. */
__global__ void spring_chains(float *x, float *v, int steps, float stiffness, float dt)
{
    __shared__ float at[258];
    int i = blockIdx.x * 256 + threadIdx.x, t = threadIdx.x + 1;
    at[t] = x[i];
    if (t == 1) at[0] = at[257] = 0;
    float speed = v[i];
    __syncthreads();
    for (int step = 0; step < steps; step++) {
        speed += dt * stiffness * (at[t - 1] - 2 * at[t] + at[t + 1]);
        __syncthreads();
        at[t] += dt * speed;
        __syncthreads();
    }
    x[i] = at[t];
    v[i] = speed;
}

/* Particles sorted by their cells; each feels those of the 27 cells around it. */
__global__ void lennard_jones(const float4 *at, const int *start, float4 *force, int n, int side)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 p = at[i], sum = make_float4(0, 0, 0, 0);
    for (int dz = -1; dz <= 1; dz++)
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++) {
                int cx = ((int)p.x + dx + side) % side, cy = ((int)p.y + dy + side) % side,
                    cz = ((int)p.z + dz + side) % side, cell = (cz * side + cy) * side + cx;
                for (int j = start[cell]; j < start[cell + 1]; j++) {
                    float4 q = at[j];
                    float x = p.x - q.x, y = p.y - q.y, z = p.z - q.z;
                    x -= side * rintf(x / side);
                    y -= side * rintf(y / side);
                    z -= side * rintf(z / side);
                    float apart = x * x + y * y + z * z;
                    if (j == i || apart >= 1) continue;
                    apart = fmaxf(apart, 0.02f);
                    float s2 = 0.09f / apart, s6 = s2 * s2 * s2, f = 24 * s6 * (2 * s6 - 1) / apart;
                    sum.x += f * x;
                    sum.y += f * y;
                    sum.z += f * z;
                    sum.w += 4 * s6 * (s6 - 1);
                }
            }
    force[i] = sum;
}

/* The bodies' masses are in w. */
__global__ void gravity(const float4 *body, float4 *acceleration, int n)
{
    extern __shared__ float4 tile[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = body[i];
    float ax = 0, ay = 0, az = 0;
    for (int from = 0; from < n; from += blockDim.x) {
        tile[threadIdx.x] = body[from + threadIdx.x];
        __syncthreads();
#pragma unroll 8
        for (int j = 0; j < blockDim.x; j++) {
            float dx = tile[j].x - me.x, dy = tile[j].y - me.y, dz = tile[j].z - me.z;
            float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-3f);
            float pull = tile[j].w * inverse * inverse * inverse;
            ax += dx * pull;
            ay += dy * pull;
            az += dz * pull;
        }
        __syncthreads();
    }
    acceleration[i] = make_float4(ax, ay, az, 0);
}

/* Sums before each of some counts, one more than there are counts. The caller frees them. */
template <typename Count> static int *sums_before(int n, Count count)
{
    int *sums = (int *)malloc((n + 1) * sizeof *sums);
    if (sums == NULL) exit(EXIT_FAILURE);
    sums[0] = 0;
    for (int i = 0; i < n; i++)
        sums[i + 1] = sums[i] + count(i);
    return sums;
}

static float4 random_float4(size_t i)
{
    return make_float4(fraction(4 * i), fraction(4 * i + 1), fraction(4 * i + 2),
                       fraction(4 * i + 3));
}

static void molecules(void)
{
    int side = 16, cells = side * side * side, cell = 0;
    int *start = sums_before(cells, [](int i) { return 4 + scatter(i) % 9; }), n = start[cells];
    const int *starts = filled<int>(cells + 1, [&](size_t i) { return start[i]; });
    const float4 *at = filled<float4>(n, [&](size_t i) {
        while (start[cell + 1] <= (int)i)
            cell++;
        float4 part = random_float4(i);
        return make_float4(cell % side + 0.99f * part.x, cell / side % side + 0.99f * part.y,
                           cell / side / side + 0.99f * part.z, 0);
    });
    float4 *force = array<float4>(n);
    free(start);
    measure("physics", "Lennard-Jones, cell lists",
            [&] { lennard_jones<<<(n + 63) / 64, 64>>>(at, starts, force, n, side); });
}

static void particles(void)
{
    {
        float4 *position = filled<float4>(M, random_float4);
        float4 *velocity = filled<float4>(M, [](size_t i) { return random_float4(i + M); });
        measure("physics", "particles in a field",
                [&] { push<<<M / 256, 256>>>(position, velocity, M, 0.01f); });
    }
    {
        int chains = 512;
        float *x = filled<float>(chains * 256, fraction), *v = array<float>(chains * 256);
        measure("physics", "spring chains",
                [&] { spring_chains<<<chains, 256>>>(x, v, 100, 4, 0.05f); });
    }
    molecules();
    {
        int n = 4 * K;
        const float4 *body = filled<float4>(n, random_float4);
        float4 *acceleration = array<float4>(n);
        measure("physics", "gravity, tiles of 128",
                [&] { gravity<<<n / 128, 128, 128 * sizeof *body>>>(body, acceleration, n); });
    }
}

/* ---- physics: fields on a grid */

/* The border keeps its temperature. */
__global__ void heat_plane(const double *a, double *b, int width, int height, double k)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int i = y * width + x;
    if (x == 0 || y == 0 || x == width - 1 || y == height - 1)
        b[i] = a[i];
    else
        b[i] = a[i] + k * (a[i - 1] + a[i + 1] + a[i - width] + a[i + width] - 4 * a[i]);
}

/* Each thread goes up through some planes and keeps those below and above in registers. */
__global__ void heat_space(const float *a, float *b, int width, int height, int planes, int each)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int plane = width * height, from = max(blockIdx.z * each, 1),
        to = min((int)(blockIdx.z + 1) * each, planes - 1);
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
    int i = from * plane + y * width + x;
    float below = a[i - plane], here = a[i];
    for (int z = from; z < to; z++) {
        float above = a[i + plane];
        b[i] = here + 0.1f * (a[i - 1] + a[i + 1] + a[i - width] + a[i + width] + below + above -
                              6 * here);
        below = here;
        here = above;
        i += plane;
    }
}

__global__ void wave(const float *before, const float *now, const float *speed, float *after,
                     int width, int height)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < width * height;
         i += gridDim.x * blockDim.x) {
        int x = i % width, y = i / width;
        float left = x > 0 ? now[i - 1] : 0, right = x < width - 1 ? now[i + 1] : 0;
        float up = y > 0 ? now[i - width] : 0, down = y < height - 1 ? now[i + width] : 0;
        float here = now[i], c = speed[i];
        after[i] = 2 * here - before[i] + 0.2f * c * c * (left + right + up + down - 4 * here);
    }
}

/* A step of the lattice Boltzmann method with nine directions */
__global__ void boltzmann(const float *from, float *to, int width, int height, float relax)
{
    const int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    const float w[9] = {4 / 9.f,  1 / 9.f,  1 / 9.f,  1 / 9.f, 1 / 9.f,
                        1 / 36.f, 1 / 36.f, 1 / 36.f, 1 / 36.f};
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, n = width * height;
    float f[9], mass = 0, ux = 0, uy = 0;
#pragma unroll
    for (int d = 0; d < 9; d++) {
        int fx = (x - cx[d] + width) % width, fy = (y - cy[d] + height) % height;
        f[d] = from[d * n + fy * width + fx];
        mass += f[d];
        ux += cx[d] * f[d];
        uy += cy[d] * f[d];
    }
    ux /= mass;
    uy /= mass;
#pragma unroll
    for (int d = 0; d < 9; d++) {
        float along = 3 * (cx[d] * ux + cy[d] * uy);
        float rest = w[d] * mass * (1 + along + 0.5f * along * along - 1.5f * (ux * ux + uy * uy));
        to[d * n + y * width + x] = f[d] + relax * (rest - f[d]);
    }
}

/* Turns spins of one colour of the checkerboard, by chance. */
__global__ void ising(signed char *spin, int width, int height, int colour, float beta,
                      unsigned seed)
{
    int half = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int x = 2 * half + (y + colour) % 2;
    if (x >= width || y >= height) return;
    int left = (x + width - 1) % width, right = (x + 1) % width;
    int up = (y + height - 1) % height, down = (y + 1) % height;
    int mine = spin[y * width + x];
    int around = spin[y * width + left] + spin[y * width + right] + spin[up * width + x] +
                 spin[down * width + x];
    float chance = expf(-2 * beta * mine * around);
    float random = mix(seed ^ (y * width + x)) * (1 / 4294967296.f);
    spin[y * width + x] = random < chance ? -mine : mine;
}

static void fields(void)
{
    {
        int width = 2 * K, height = K;
        const double *a = filled<double>(width * height, fraction);
        double *b = array<double>(width * height);
        dim3 block(16, 16), grid(width / 16, height / 16);
        measure("physics", "heat in a plane, double",
                [&] { heat_plane<<<grid, block>>>(a, b, width, height, 0.2); });
    }
    {
        const float *a = filled<float>(4 * M, fraction);
        float *b = array<float>(4 * M);
        measure("physics", "heat in space, 16 planes each",
                [&] { heat_space<<<dim3(8, 32, 4), dim3(32, 8)>>>(a, b, 256, 256, 64, 16); });
    }
    {
        int n = 2 * K;
        const float *before = array<float>(n * n), *now = filled<float>(n * n, fraction),
                    *speed = filled<float>(n * n, fraction);
        float *after = array<float>(n * n);
        measure("physics", "wave equation, loop over the grid",
                [&] { wave<<<528, 256>>>(before, now, speed, after, n, n); });
    }
    {
        int width = K, height = 512;
        const float *from = filled<float>(9 * width * height, fraction);
        float *to = array<float>(9 * width * height);
        measure("physics", "lattice Boltzmann", [&] {
            boltzmann<<<dim3(width / 128, height), 128>>>(from, to, width, height, 0.6f);
        });
    }
    {
        int n = 2 * K;
        signed char *spin = filled<signed char>(
            n * n, [](size_t i) { return (signed char)(scatter(i) >> 9 & 1 ? 1 : -1); });
        measure("physics", "Ising checkerboard",
                [&] { ising<<<dim3(n / 128, n / 4), dim3(64, 4)>>>(spin, n, n, 0, 0.44f, 77); });
    }
}

/* ---- physics: a problem per thread */

__global__ void monte_carlo_pi(unsigned long long *inside, int tries)
{
    unsigned state = mix(blockIdx.x * blockDim.x + threadIdx.x + 1), count = 0;
    for (int i = 0; i < tries; i++) {
        state = state * 1664525u + 1013904223u;
        float x = (state >> 8) * (1 / 16777216.f);
        state = state * 1664525u + 1013904223u;
        float y = (state >> 8) * (1 / 16777216.f);
        if (x * x + y * y < 1) count++;
    }
    for (int apart = 16; apart > 0; apart /= 2)
        count += __shfl_down_sync(0xffffffff, count, apart);
    if (threadIdx.x % 32 == 0) atomicAdd(inside, (unsigned long long)count);
}

/* Walks over a map of n x n places (a power of two), around its walls. */
__global__ void random_walks(const unsigned char *wall, int2 *end, int n, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % n, y = i / n % n;
    unsigned state = mix(i + 1);
    for (int step = 0; step < steps; step++) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        int nx = x, ny = y;
        switch (state >> 30) {
        case 0: nx++; break;
        case 1: nx--; break;
        case 2: ny++; break;
        default: ny--; break;
        }
        nx &= n - 1;
        ny &= n - 1;
        if (wall[ny * n + nx]) continue;
        x = nx;
        y = ny;
    }
    end[i] = make_int2(x, y);
}

__device__ float2 pendulum_slope(float2 s, float time)
{
    return make_float2(s.y, -sinf(s.x) - 0.2f * s.y + 0.5f * cosf(0.66f * time));
}

/* A driven pendulum per thread, by the Runge-Kutta method of fourth order */
__global__ void runge_kutta(const float2 *from, float2 *to, int n, int steps, float h)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float2 s = from[i];
    for (int step = 0; step < steps; step++) {
        float t = step * h;
        float2 k1 = pendulum_slope(s, t);
        float2 k2 = pendulum_slope(make_float2(s.x + h / 2 * k1.x, s.y + h / 2 * k1.y), t + h / 2);
        float2 k3 = pendulum_slope(make_float2(s.x + h / 2 * k2.x, s.y + h / 2 * k2.y), t + h / 2);
        float2 k4 = pendulum_slope(make_float2(s.x + h * k3.x, s.y + h * k3.y), t + h);
        s.x += h / 6 * (k1.x + 2 * k2.x + 2 * k3.x + k4.x);
        s.y += h / 6 * (k1.y + 2 * k2.y + 2 * k3.y + k4.y);
    }
    to[i] = s;
}

/* Which root of z^3 = 1 is found from each point, and after how many steps */
__global__ void newton_fractal(uchar2 *found, int width, int height)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= width || py >= height) return;
    float x = (px + 0.5f) * 3 / width - 1.5f, y = (py + 0.5f) * 3 / height - 1.5f, moved = 1;
    int steps = 0;
    while (moved > 1e-6f && steps < 64) {
        float x2 = x * x - y * y, y2 = 2 * x * y, scale = 3 * (x2 * x2 + y2 * y2);
        float fx = x * x2 - y * y2 - 1, fy = x * y2 + y * x2;
        float dx = (fx * x2 + fy * y2) / scale, dy = (fy * x2 - fx * y2) / scale;
        x -= dx;
        y -= dy;
        moved = dx * dx + dy * dy;
        steps++;
    }
    int root = x > 0 ? 0 : y > 0 ? 1 : 2;
    found[py * width + px] = make_uchar2(root, steps);
}

/* A ray per pixel, which is reflected up to three times. The spheres' radii are in w. */
__global__ void rays(const float4 *spheres, int count, uchar4 *image, int width, int height)
{
    __shared__ float4 sphere[64];
    for (int k = threadIdx.y * blockDim.x + threadIdx.x; k < count; k += blockDim.x * blockDim.y)
        sphere[k] = spheres[k];
    __syncthreads();
    int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= width || py >= height) return;
    float x = 0, y = 0, z = 0, dx = (px - 0.5f * width) / width, dy = (py - 0.5f * height) / width;
    float length = sqrtf(dx * dx + dy * dy + 1), dz = 1 / length, light = 1;
    dx /= length;
    dy /= length;
    for (int bounce = 0; bounce < 3; bounce++) {
        float nearest = 1e30f;
        int hit = -1;
        for (int k = 0; k < count; k++) {
            float cx = sphere[k].x - x, cy = sphere[k].y - y, cz = sphere[k].z - z;
            float b = cx * dx + cy * dy + cz * dz;
            float d = b * b - cx * cx - cy * cy - cz * cz + sphere[k].w * sphere[k].w;
            if (d < 0) continue;
            float t = b - sqrtf(d);
            if (t > 1e-3f && t < nearest) {
                nearest = t;
                hit = k;
            }
        }
        if (hit < 0) break;
        x += nearest * dx;
        y += nearest * dy;
        z += nearest * dz;
        float4 s = sphere[hit];
        float nx = (x - s.x) / s.w, ny = (y - s.y) / s.w, nz = (z - s.z) / s.w;
        float along = 2 * (dx * nx + dy * ny + dz * nz);
        dx -= along * nx;
        dy -= along * ny;
        dz -= along * nz;
        light *= 0.7f;
    }
    unsigned char grey = (unsigned char)(255 * light * (0.5f + 0.5f * fabsf(dy)));
    image[py * width + px] = make_uchar4(grey, grey, grey / 2, 255);
}

static void problems_of_threads(void)
{
    {
        unsigned long long *inside = array<unsigned long long>(1);
        measure("physics", "pi by chance", [&] { monte_carlo_pi<<<132 * 8, 128>>>(inside, 256); });
    }
    {
        const unsigned char *wall = filled<unsigned char>(
            M, [](size_t i) { return (unsigned char)(scatter(i) % 10 == 0); });
        int2 *end = array<int2>(64 * K);
        measure("physics", "random walks", [&] { random_walks<<<128, 512>>>(wall, end, K, 100); });
    }
    {
        int n = 100000;
        const float2 *from = filled<float2>(
            n, [](size_t i) { return make_float2(3 * fraction(i), fraction(i + M) - 0.5f); });
        float2 *to = array<float2>(n);
        measure("physics", "pendulums, Runge-Kutta",
                [&] { runge_kutta<<<(n + 191) / 192, 192>>>(from, to, n, 20, 0.05f); });
    }
    {
        int n = K;
        uchar2 *found = array<uchar2>(n * n);
        measure("physics", "Newton fractal",
                [&] { newton_fractal<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(found, n, n); });
    }
    {
        int count = 24, width = 640, height = 480;
        const float4 *spheres = filled<float4>(count, [](size_t i) {
            float4 r = random_float4(i);
            return make_float4(6 * r.x - 3, 6 * r.y - 3, 4 + 6 * r.z, 0.3f + 0.6f * r.w);
        });
        uchar4 *image = array<uchar4>(width * height);
        measure("physics", "rays and 24 spheres", [&] {
            rays<<<dim3(width / 8, height / 8), dim3(8, 8)>>>(spheres, count, image, width, height);
        });
    }
}

/* ---- graphs: a vertex per thread or per warp */

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

/* Of some degrees; neighbour() gives the vertex at the end of an edge. */
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

/* ---- graphs: an edge per thread */

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

/* ---- text: letters */

__global__ void count_letters(const uchar4 *text, unsigned *total, int n)
{
    __shared__ unsigned count[26];
    if (threadIdx.x < 26) count[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        uchar4 c = text[i];
        if (c.x >= 'a' && c.x <= 'z') atomicAdd(&count[c.x - 'a'], 1);
        if (c.y >= 'a' && c.y <= 'z') atomicAdd(&count[c.y - 'a'], 1);
        if (c.z >= 'a' && c.z <= 'z') atomicAdd(&count[c.z - 'a'], 1);
        if (c.w >= 'a' && c.w <= 'z') atomicAdd(&count[c.w - 'a'], 1);
    }
    __syncthreads();
    if (threadIdx.x < 26) atomicAdd(&total[threadIdx.x], count[threadIdx.x]);
}

/* Not 0 when one of the four bytes of a word is 0 */
__device__ unsigned zero_bytes(unsigned word)
{
    return (word - 0x01010101u) & ~word & 0x80808080u;
}

/* The first place, in steps of 16 bytes, of a byte */
__global__ void find_byte(const uint4 *text, int n, unsigned byte, int *first)
{
    unsigned pattern = byte * 0x01010101u;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        uint4 w = text[i];
        if (zero_bytes(w.x ^ pattern) || zero_bytes(w.y ^ pattern) || zero_bytes(w.z ^ pattern) ||
            zero_bytes(w.w ^ pattern))
            atomicMin(first, i);
    }
}

__global__ void upper_case(const char *text, char *upper, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    char c = text[i];
    upper[i] = c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c;
}

/* Lists the places after the ends of lines, in a ring of n places, with an atomic per warp. */
__global__ void line_starts(const char *text, int n, int *start, unsigned *count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    bool starts = i < n && (i == 0 || text[i - 1] == '\n');
    unsigned those = __ballot_sync(0xffffffff, starts), at = 0;
    if (those == 0) return;
    if (lane == 0) at = atomicAdd(count, __popc(those));
    at = __shfl_sync(0xffffffff, at, 0) + __popc(those & ((1u << lane) - 1));
    if (starts) start[at % n] = i;
}

__constant__ char base64_digits[65] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

__global__ void base64(const unsigned char *bytes, char *text, int triples)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= triples) return;
    unsigned bits = bytes[3 * i] << 16 | bytes[3 * i + 1] << 8 | bytes[3 * i + 2];
    text[4 * i] = base64_digits[bits >> 18];
    text[4 * i + 1] = base64_digits[bits >> 12 & 63];
    text[4 * i + 2] = base64_digits[bits >> 6 & 63];
    text[4 * i + 3] = base64_digits[bits & 63];
}

/* Some letters are more frequent than others. */
static char letter(size_t i)
{
    const char *all = " etaoinshrdlu,cmwfgypbvk.\njxqz";
    float f = fraction(i);
    return all[(int)(f * f * 30)];
}

static void letters(void)
{
    {
        int n = 2 * M;
        const uchar4 *text = filled<uchar4>(n, [](size_t i) {
            return make_uchar4(letter(4 * i), letter(4 * i + 1), letter(4 * i + 2),
                               letter(4 * i + 3));
        });
        unsigned *total = array<unsigned>(26);
        measure("text", "letters counted", [&] { count_letters<<<264, 256>>>(text, total, n); });
    }
    {
        int n = 8 * M;
        const uint4 *text = filled<uint4>(n, [](size_t i) {
            unsigned rare = scatter(i) % 50000 == 0 ? 0x3f0a3f3fu : 0x3f3f3f3fu;
            return make_uint4(0x20202020u, 0x61626364u, rare, 0x7a7a7a7au);
        });
        int *first = array<int>(1);
        measure("text", "byte found", [&] { find_byte<<<132 * 4, 512>>>(text, n, '\n', first); });
    }
    {
        int n = 32 * M;
        const char *text = filled<char>(n, letter);
        char *upper = array<char>(n);
        measure("text", "upper case", [&] { upper_case<<<n / 1024, 1024>>>(text, upper, n); });
    }
    {
        int n = 4 * M;
        const char *text = filled<char>(n, letter);
        int *start = array<int>(n);
        unsigned *count = filled<unsigned>(1, [](size_t) { return 0; });
        measure("text", "line starts",
                [&] { line_starts<<<n / 256, 256>>>(text, n, start, count); });
    }
    {
        int triples = 4000000;
        const unsigned char *bytes =
            filled<unsigned char>(3 * triples, [](size_t i) { return (unsigned char)scatter(i); });
        char *text = array<char>(4 * triples);
        measure("text", "base64",
                [&] { base64<<<(triples + 127) / 128, 128>>>(bytes, text, triples); });
    }
}

/* ---- text: words and blocks of bytes */

__global__ void compare_words(const char *a, const char *b, int *order, int n, int length)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const char *p = a + i * length, *q = b + i * length;
    int k = 0;
    while (k < length && p[k] == q[k])
        k++;
    order[i] = k == length ? 0 : p[k] < q[k] ? -1 : 1;
}

__global__ void hash_words(const unsigned char *text, unsigned *bucket, int n, int length,
                           unsigned buckets)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned hash = 2166136261u;
    for (int k = 0; k < length; k++)
        hash = (hash ^ text[i * length + k]) * 16777619u;
    bucket[i] = hash % buckets;
}

/* Of two strings of 16 letters per thread */
__global__ void edit_distance(const char *a, const char *b, unsigned char *distance, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, row[17];
    if (i >= n) return;
    char q[16];
#pragma unroll
    for (int k = 0; k < 16; k++)
        q[k] = b[i * 16 + k];
#pragma unroll
    for (int k = 0; k <= 16; k++)
        row[k] = k;
    for (int j = 0; j < 16; j++) {
        char c = a[i * 16 + j];
        int corner = row[0];
        row[0] = j + 1;
#pragma unroll
        for (int k = 1; k <= 16; k++) {
            int swapped = corner + (c != q[k - 1]);
            corner = row[k];
            row[k] = min(swapped, min(row[k], row[k - 1]) + 1);
        }
    }
    distance[i] = row[16];
}

/* Of a block of some words per thread */
__global__ void crc(const unsigned *data, const unsigned *table, unsigned *sum, int n, int words)
{
    __shared__ unsigned step[256];
    for (int k = threadIdx.x; k < 256; k += blockDim.x)
        step[k] = table[k];
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned state = ~0u;
    for (int k = 0; k < words; k++) {
        unsigned word = data[i * words + k];
        for (int byte = 0; byte < 4; byte++) {
            state = step[(state ^ word) & 255] ^ state >> 8;
            word >>= 8;
        }
    }
    sum[i] = ~state;
}

/* Fields of ten characters: blanks, perhaps a sign, digits */
__global__ void parse_numbers(const char *text, int *number, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const char *field = text + 10 * i;
    int k = 0, value = 0;
    while (k < 10 && field[k] == ' ')
        k++;
    bool negative = k < 10 && field[k] == '-';
    if (negative) k++;
    for (; k < 10; k++)
        value = 10 * value + (field[k] - '0');
    number[i] = negative ? -value : value;
}

static char digit_of_field(size_t i)
{
    int field = i / 10, place = i % 10, blanks = 2 + scatter(field) % 6;
    if (place < blanks) return ' ';
    if (place == blanks && field % 3 == 0) return '-';
    return '0' + scatter(i) % 10;
}

static unsigned crc_of_byte(size_t i)
{
    unsigned state = i;
    for (int bit = 0; bit < 8; bit++)
        state = state & 1 ? state >> 1 ^ 0xedb88320u : state >> 1;
    return state;
}

static void words(void)
{
    {
        int n = 512 * K, length = 16;
        const char *a = filled<char>(n * length, letter);
        const char *b = filled<char>(
            n * length, [](size_t i) { return scatter(i / 16) % 24 == i % 16 ? '#' : letter(i); });
        int *order = array<int>(n);
        measure("text", "words compared",
                [&] { compare_words<<<n / 256, 256>>>(a, b, order, n, length); });
    }
    {
        int n = 500000, length = 20;
        const unsigned char *text = filled<unsigned char>(n * length, letter);
        unsigned *bucket = array<unsigned>(n);
        measure("text", "hashes of words",
                [&] { hash_words<<<(n + 127) / 128, 128>>>(text, bucket, n, length, 99991); });
    }
    {
        int n = 128 * K;
        const char *a = filled<char>(n * 16, letter);
        const char *b = filled<char>(n * 16, [](size_t i) { return letter(i + scatter(i) % 2); });
        unsigned char *distance = array<unsigned char>(n);
        measure("text", "edit distances",
                [&] { edit_distance<<<n / 64, 64>>>(a, b, distance, n); });
    }
    {
        int n = 16 * K, words = 64;
        const unsigned *data = filled<unsigned>(n * words, scatter);
        const unsigned *table = filled<unsigned>(256, crc_of_byte);
        unsigned *sum = array<unsigned>(n);
        measure("text", "CRC of blocks of 256 bytes",
                [&] { crc<<<n / 128, 128>>>(data, table, sum, n, words); });
    }
    {
        int n = 1000000;
        const char *text = filled<char>(10 * n, digit_of_field);
        int *number = array<int>(n);
        measure("text", "numbers parsed",
                [&] { parse_numbers<<<(n + 511) / 512, 512>>>(text, number, n); });
    }
}

/* ---- data: filters and sorting */

/* Keeps what is above a limit, in a ring of n places, with an atomic per block of 512 threads. */
__global__ void filter(const float *a, float *kept, unsigned *count, int n, float limit)
{
    __shared__ unsigned before[17];
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float value = i < n ? a[i] : limit;
    unsigned those = __ballot_sync(0xffffffff, value > limit);
    if (lane == 0) before[warp] = __popc(those);
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned sum = 0;
        for (int w = 0; w < 16; w++) {
            unsigned mine = before[w];
            before[w] = sum;
            sum += mine;
        }
        before[16] = atomicAdd(count, sum);
    }
    __syncthreads();
    if (value > limit)
        kept[(before[16] + before[warp] + __popc(those & ((1u << lane) - 1))) % n] = value;
}

/* A step of a bitonic sort: a thread per pair */
__global__ void bitonic_step(int *a, int apart, int run)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int i = t / apart * 2 * apart + t % apart, j = i + apart;
    int low = min(a[i], a[j]), high = max(a[i], a[j]);
    bool up = (i & run) == 0;
    a[i] = up ? low : high;
    a[j] = up ? high : low;
}

/* 512 threads sort 1024 numbers. */
__global__ void bitonic_sort(const unsigned *a, unsigned *sorted)
{
    __shared__ unsigned part[1024];
    int from = blockIdx.x * 1024, t = threadIdx.x;
    part[t] = a[from + t];
    part[t + 512] = a[from + t + 512];
    for (int run = 2; run <= 1024; run *= 2)
        for (int apart = run / 2; apart > 0; apart /= 2) {
            __syncthreads();
            int i = 2 * t - (t & (apart - 1)), j = i + apart;
            unsigned x = part[i], y = part[j];
            if (x > y == ((i & run) == 0)) {
                part[i] = y;
                part[j] = x;
            }
        }
    __syncthreads();
    sorted[from + t] = part[t];
    sorted[from + t + 512] = part[t + 512];
}

/* Each thread has a pair of neighbours. */
__global__ void odd_even_sort(const short *a, short *sorted)
{
    extern __shared__ short row[];
    int count = 2 * blockDim.x, from = blockIdx.x * count, t = threadIdx.x;
    row[t] = a[from + t];
    row[t + blockDim.x] = a[from + t + blockDim.x];
    __syncthreads();
    for (int pass = 0; pass < count; pass++) {
        int i = 2 * t + pass % 2;
        if (i + 1 < count && row[i] > row[i + 1]) {
            short kept = row[i];
            row[i] = row[i + 1];
            row[i + 1] = kept;
        }
        __syncthreads();
    }
    sorted[from + t] = row[t];
    sorted[from + t + blockDim.x] = row[t + blockDim.x];
}

/* How often each block has each digit of eight bits */
__global__ void radix_counts(const unsigned *a, unsigned *counts, int each, int shift)
{
    __shared__ unsigned count[256];
    count[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < each; i += 256)
        atomicAdd(&count[a[blockIdx.x * each + i] >> shift & 255], 1);
    __syncthreads();
    counts[threadIdx.x * gridDim.x + blockIdx.x] = count[threadIdx.x];
}

/* Merges two sorted runs. Each thread finds where its part begins, and writes it. */
__global__ void merge_runs(const int *a, int a_count, const int *b, int b_count, int *merged,
                           int each)
{
    int from = (blockIdx.x * blockDim.x + threadIdx.x) * each, all = a_count + b_count;
    if (from >= all) return;
    int low = max(0, from - b_count), high = min(from, a_count);
    while (low < high) {
        int middle = (low + high) / 2;
        if (a[middle] <= b[from - 1 - middle])
            low = middle + 1;
        else
            high = middle;
    }
    int i = low, j = from - low;
    for (int k = from; k < min(from + each, all); k++) {
        if (j >= b_count || (i < a_count && a[i] <= b[j]))
            merged[k] = a[i++];
        else
            merged[k] = b[j++];
    }
}

static void sorts(void)
{
    {
        int n = 4 * M;
        const float *a = filled<float>(n, fraction);
        float *kept = array<float>(n);
        unsigned *count = filled<unsigned>(1, [](size_t) { return 0; });
        measure("data", "filter, an atomic per block",
                [&] { filter<<<n / 512, 512>>>(a, kept, count, n, 0.6f); });
    }
    {
        int n = 16 * M;
        int *a = filled<int>(n, [](size_t i) { return scatter(i) >> 1; });
        measure("data", "bitonic step, 1024 apart",
                [&] { bitonic_step<<<n / 2 / 256, 256>>>(a, 1024, 16 * K); });
    }
}

static void sorts_of_blocks(void)
{
    {
        int blocks = 300;
        const unsigned *a = filled<unsigned>(blocks * 1024, scatter);
        unsigned *sorted = array<unsigned>(blocks * 1024);
        measure("data", "bitonic sort of 1024", [&] { bitonic_sort<<<blocks, 512>>>(a, sorted); });
    }
    {
        int blocks = 200, count = 256;
        const short *a = filled<short>(blocks * count, [](size_t i) { return (short)scatter(i); });
        short *sorted = array<short>(blocks * count);
        measure("data", "odd-even sort of 256",
                [&] { odd_even_sort<<<blocks, count / 2, count * sizeof *a>>>(a, sorted); });
    }
    {
        int blocks = 256, each = 16 * K;
        const unsigned *a = filled<unsigned>(blocks * each, scatter);
        unsigned *counts = array<unsigned>(blocks * 256);
        measure("data", "radix counts", [&] { radix_counts<<<blocks, 256>>>(a, counts, each, 8); });
    }
    {
        int n = M, each = 8;
        const int *a = filled<int>(n, [](size_t i) { return 3 * i + scatter(i) % 3; });
        const int *b = filled<int>(n, [](size_t i) { return 3 * i + scatter(i + M) % 3; });
        int *merged = array<int>(2 * n);
        measure("data", "merge of two runs",
                [&] { merge_runs<<<2 * n / each / 256, 256>>>(a, n, b, n, merged, each); });
    }
}

/* ---- data: keys and groups */

/* The first place in a sorted table that is not below each key */
__global__ void search_keys(const long long *table, int count, const long long *key, int *place,
                            int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int low = 0, high = count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (table[middle] < key[i])
            low = middle + 1;
        else
            high = middle;
    }
    place[i] = low;
}

enum { SLOT_BITS = 20, SLOTS = 1 << SLOT_BITS };
const unsigned EMPTY = 0xffffffffu;

__host__ __device__ unsigned slot_of(unsigned key)
{
    return key * 0x9e3779b9u >> (32 - SLOT_BITS);
}

/* In x the keys, in y the values; after a slot that is taken comes the next one. */
__global__ void probe(const uint2 *slots, const unsigned *key, unsigned *value, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned wanted_key = key[i], slot = slot_of(wanted_key);
        uint2 pair = slots[slot];
        while (pair.x != wanted_key && pair.x != EMPTY) {
            slot = (slot + 1) % SLOTS;
            pair = slots[slot];
        }
        value[i] = pair.x == EMPTY ? 0 : pair.y;
    }
}

__global__ void group_sums(const unsigned char *group, const float *value, float *sum, int n)
{
    __shared__ float part[64];
    if (threadIdx.x < 64) part[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&part[group[i]], value[i]);
    __syncthreads();
    if (threadIdx.x < 64) atomicAdd(&sum[threadIdx.x], part[threadIdx.x]);
}

/* The k-th value of group g is at k * groups + g. */
__global__ void top_four(const float *value, float4 *top, int groups, int each)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    if (g >= groups) return;
    float4 t = make_float4(-1, -1, -1, -1);
    for (int k = 0; k < each; k++) {
        float v = value[k * groups + g];
        if (v <= t.w) continue;
        if (v > t.x)
            t = make_float4(v, t.x, t.y, t.z);
        else if (v > t.y)
            t = make_float4(t.x, v, t.y, t.z);
        else if (v > t.z)
            t = make_float4(t.x, t.y, v, t.z);
        else
            t.w = v;
    }
    top[g] = t;
}

/* Points of eight numbers, and up to 64 centres */
__global__ void nearest_centres(const float4 *point, const float4 *centres, int count,
                                unsigned char *nearest, int n)
{
    __shared__ float4 centre[128];
    for (int k = threadIdx.x; k < 2 * count; k += blockDim.x)
        centre[k] = centres[k];
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x, best = 0;
    if (i >= n) return;
    float4 p = point[2 * i], q = point[2 * i + 1];
    float least = 1e30f;
    for (int k = 0; k < count; k++) {
        float4 c = centre[2 * k], d = centre[2 * k + 1];
        c = make_float4(c.x - p.x, c.y - p.y, c.z - p.z, c.w - p.w);
        d = make_float4(d.x - q.x, d.y - q.y, d.z - q.z, d.w - q.w);
        float apart = c.x * c.x + c.y * c.y + c.z * c.z + c.w * c.w + d.x * d.x + d.y * d.y +
                      d.z * d.z + d.w * d.w;
        if (apart < least) {
            least = apart;
            best = k;
        }
    }
    nearest[i] = best;
}

static void look_up_keys(void)
{
    int keys = 600000, n = 600000;
    uint2 *host = (uint2 *)malloc(SLOTS * sizeof *host);
    if (host == NULL) exit(EXIT_FAILURE);
    for (int s = 0; s < SLOTS; s++)
        host[s] = make_uint2(EMPTY, 0);
    for (int i = 0; i < keys; i++) {
        unsigned slot = slot_of(scatter(i));
        while (host[slot].x != EMPTY)
            slot = (slot + 1) % SLOTS;
        host[slot] = make_uint2(scatter(i), i);
    }
    const uint2 *slots = filled<uint2>(SLOTS, [&](size_t i) { return host[i]; });
    const unsigned *key =
        filled<unsigned>(n, [=](size_t i) { return scatter(scatter(i) % (2 * keys)); });
    unsigned *value = array<unsigned>(n);
    free(host);
    measure("data", "hash table", [&] { probe<<<264, 256>>>(slots, key, value, n); });
}

static void keys(void)
{
    {
        int count = 512 * K, n = 512 * K;
        const long long *table = filled<long long>(count, [](size_t i) { return 1000LL * i; });
        const long long *key =
            filled<long long>(n, [=](size_t i) { return scatter(i) % (1000LL * count); });
        int *place = array<int>(n);
        measure("data", "keys in a sorted table",
                [&] { search_keys<<<n / 128, 128>>>(table, count, key, place, n); });
    }
    look_up_keys();
    {
        int n = 4 * M;
        const unsigned char *group = filled<unsigned char>(
            n, [](size_t i) { return (unsigned char)(64 * fraction(i) * fraction(i + M)); });
        const float *value = filled<float>(n, fraction);
        float *sum = array<float>(64);
        measure("data", "sums of 64 groups",
                [&] { group_sums<<<132 * 2, 512>>>(group, value, sum, n); });
    }
    {
        int groups = 48 * K, each = 64;
        const float *value = filled<float>(groups * each, fraction);
        float4 *top = array<float4>(groups);
        measure("data", "top four of each group",
                [&] { top_four<<<groups / 96, 96>>>(value, top, groups, each); });
    }
    {
        int n = 300000, count = 40;
        const float4 *point = filled<float4>(2 * n, random_float4);
        const float4 *centres =
            filled<float4>(2 * count, [](size_t i) { return random_float4(i + M); });
        unsigned char *nearest = array<unsigned char>(n);
        measure("data", "nearest of 40 centres", [&] {
            nearest_centres<<<(n + 255) / 256, 256>>>(point, centres, count, nearest, n);
        });
    }
}

/* ---- data: tables of numbers */

/* The probability of a value below x of the normal distribution */
__device__ float normal_below(float x)
{
    float k = 1 / (1 + 0.2316419f * fabsf(x));
    float tail = 0.39894228f * expf(-0.5f * x * x) * k *
                 (0.31938153f + k * (-0.356563782f +
                                     k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    return x > 0 ? 1 - tail : tail;
}

__global__ void calls_and_puts(const float *price, const float *strike, const float *years,
                               float *call, float *put, int n, float rate, float volatility)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = price[i], k = strike[i], t = years[i], root = sqrtf(t);
    float d1 = (logf(s / k) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
    float d2 = d1 - volatility * root, later = k * expf(-rate * t);
    float below1 = normal_below(d1), below2 = normal_below(d2);
    call[i] = s * below1 - later * below2;
    put[i] = later * (1 - below2) - s * (1 - below1);
}

/* Savings whose rate wanders from month to month */
__global__ void interest(const double *from, double *to, int n, int months)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned long long state = i + 1;
    double rate = 0.03, money = from[i];
    for (int month = 0; month < months; month++) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        double shock = (double)(state >> 11) / 9007199254740992.0 - 0.5;
        rate += 0.2 * (0.03 - rate) / 12 + 0.004 * shock;
        money += money * rate / 12 + 10;
    }
    to[i] = money;
}

/* From [image][channel][row][column] to [row][column][channel][image] */
__global__ void permute(const short *a, short *b, int images, int channels, int rows, int columns)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= images * channels * rows * columns) return;
    int column = i % columns, row = i / columns % rows, channel = i / (columns * rows) % channels,
        image = i / (columns * rows * channels);
    b[((row * columns + column) * channels + channel) * images + image] = a[i];
}

__global__ void count_bits(const ulonglong2 *a, unsigned long long *total, int n)
{
    unsigned count = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        ulonglong2 words = a[i];
        count += __popcll(words.x) + __popcll(words.y);
    }
    count = __reduce_add_sync(0xffffffff, count);
    if (threadIdx.x % 32 == 0) atomicAdd(total, (unsigned long long)count);
}

/* Each block strikes out multiples among 65536 numbers, a bit each. */
__global__ void sieve(const int *primes, int count, unsigned *composite)
{
    __shared__ unsigned bits[2048];
    int first = blockIdx.x * 65536;
    for (int w = threadIdx.x; w < 2048; w += blockDim.x)
        bits[w] = 0;
    __syncthreads();
    for (int k = 0; k < count; k++) {
        int p = primes[k], from = max(p * p, (first + p - 1) / p * p) - first;
        for (int m = from + threadIdx.x * p; m < 65536; m += blockDim.x * p)
            atomicOr(&bits[m / 32], 1u << m % 32);
    }
    __syncthreads();
    for (int w = threadIdx.x; w < 2048; w += blockDim.x)
        composite[blockIdx.x * 2048 + w] = bits[w];
}

struct Ball {
    float x, y, z, vx, vy, vz, mass, charge;
};

__global__ void move_structs(Ball *ball, int n, float dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    ball[i].vy -= 0.1f * dt * ball[i].mass;
    ball[i].x += dt * ball[i].vx;
    ball[i].y += dt * ball[i].vy;
    ball[i].z += dt * ball[i].vz;
}

__global__ void move_arrays(float *x, float *y, float *z, const float *vx, float *vy,
                            const float *vz, const float *mass, int n, float dt)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    vy[i] -= 0.1f * dt * mass[i];
    x[i] += dt * vx[i];
    y[i] += dt * vy[i];
    z[i] += dt * vz[i];
}

static bool is_prime(int p)
{
    for (int d = 2; d * d <= p; d++)
        if (p % d == 0) return false;
    return true;
}

static void strike_out(void)
{
    int count = 309, p = 1; /* the primes below 2048 */
    const int *primes = filled<int>(count, [&](size_t) {
        do
            p++;
        while (!is_prime(p));
        return p;
    });
    unsigned *composite = array<unsigned>(64 * 2048);
    measure("data", "sieve of primes", [&] { sieve<<<64, 256>>>(primes, count, composite); });
}

static void tables(void)
{
    {
        int n = 2 * M;
        const float *price = filled<float>(n, [](size_t i) { return 10 + 90 * fraction(i); }),
                    *strike = filled<float>(n, [](size_t i) { return 10 + 90 * fraction(i + 7); }),
                    *years = filled<float>(n, [](size_t i) { return 0.2f + fraction(i + 9); });
        float *call = array<float>(n), *put = array<float>(n);
        measure("data", "calls and puts", [&] {
            calls_and_puts<<<n / 128, 128>>>(price, strike, years, call, put, n, 0.02f, 0.3f);
        });
    }
    {
        int n = 32 * K;
        const double *from = filled<double>(n, [](size_t i) { return 1000.0 * fraction(i); });
        double *to = array<double>(n);
        measure("data", "interest, double", [&] { interest<<<n / 256, 256>>>(from, to, n, 240); });
    }
    {
        int images = 6, channels = 10, rows = 300, columns = 400, n = 6 * 10 * 300 * 400;
        const short *a = filled<short>(n, [](size_t i) { return (short)i; });
        short *b = array<short>(n);
        measure("data", "axes permuted",
                [&] { permute<<<(n + 255) / 256, 256>>>(a, b, images, channels, rows, columns); });
    }
    {
        int n = 4 * M;
        const ulonglong2 *a = filled<ulonglong2>(
            n, [](size_t i) { return make_ulonglong2(i * 0x9e3779b97f4a7c15ULL, ~i); });
        unsigned long long *total = array<unsigned long long>(1);
        measure("data", "bits counted", [&] { count_bits<<<528, 512>>>(a, total, n); });
    }
    strike_out();
    {
        Ball *ball = array<Ball>(M);
        measure("data", "structs moved", [&] { move_structs<<<M / 256, 256>>>(ball, M, 0.01f); });
    }
    {
        int n = M;
        float *x = array<float>(n), *y = array<float>(n), *z = array<float>(n),
              *vy = array<float>(n);
        const float *vx = array<float>(n), *vz = array<float>(n), *mass = array<float>(n);
        measure("data", "arrays moved",
                [&] { move_arrays<<<n / 256, 256>>>(x, y, z, vx, vy, vz, mass, n, 0.01f); });
    }
}

static void measure_all(void)
{
    particles();
    fields();
    problems_of_threads();
    searches();
    vertices();
    edges();
    letters();
    words();
    sorts();
    sorts_of_blocks();
    keys();
    tables();
}
