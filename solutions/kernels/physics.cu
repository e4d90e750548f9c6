/* physics.cu: what programs simulate: particles, fields on a grid, and a problem per thread. */
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

/* ---- particles ---- */

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

/* ---- fields on a grid ---- */

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

/* ---- a problem per thread ---- */

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

static void measure_all(void)
{
    particles();
    fields();
    problems_of_threads();
}
