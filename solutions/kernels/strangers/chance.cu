/* chance.cu: random numbers, Monte Carlo methods and particles. */
#include "kernels.h"

/* ---- generators ---- */

__device__ static uint4 philox(uint4 counter, uint2 key)
{
    for (int round = 0; round < 10; round++) {
        unsigned high0 = __umulhi(0xd2511f53u, counter.x), low0 = 0xd2511f53u * counter.x;
        unsigned high1 = __umulhi(0xcd9e8d57u, counter.z), low1 = 0xcd9e8d57u * counter.z;
        counter = make_uint4(high1 ^ counter.y ^ key.x, low1, high0 ^ counter.w ^ key.y, low0);
        key.x += 0x9e3779b9u;
        key.y += 0xbb67ae85u;
    }
    return counter;
}

__global__ void philox_numbers(uint4 *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = philox(make_uint4(i, 0, 0, 0), make_uint2(1, 2));
}

/* L'Ecuyer's combined generator, in doubles */
__global__ void combined_generator(float *out, int per_thread)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    double a[3] = {1.0 + t, 12345, 54321}, b[3] = {7.0 + t, 12345, 99999};
    const double m1 = 4294967087.0, m2 = 4294944443.0;
    float sum = 0;
    for (int i = 0; i < per_thread; i++) {
        double p = 1403580.0 * a[1] - 810728.0 * a[0];
        p -= floor(p / m1) * m1;
        a[0] = a[1], a[1] = a[2], a[2] = p;
        double q = 527612.0 * b[2] - 1370589.0 * b[0];
        q -= floor(q / m2) * m2;
        b[0] = b[1], b[1] = b[2], b[2] = q;
        sum += (float)((p > q ? p - q : p - q + m1) / m1);
    }
    out[t] = sum;
}

/* A lagged generator whose state is an array of each thread's own */
__global__ void lagged_generator(unsigned *out, int rounds)
{
    unsigned state[17], t = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < 17; i++)
        state[i] = (t + i) * 0x9e3779b1u;
    int p = 16, q = 4;
    for (int i = 0; i < rounds; i++) {
        unsigned x = state[p];
        state[p] = (state[q] << 9 | state[q] >> 23) + (x << 13 | x >> 19);
        p = p == 0 ? 16 : p - 1;
        q = q == 0 ? 16 : q - 1;
    }
    out[t] = state[p];
}

__device__ static float uniform(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) * (1.f / (1 << 24));
}

__global__ void normal_numbers(float2 *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned state = i * 747796405u + 1;
    for (; i < n; i += gridDim.x * blockDim.x) {
        float radius = sqrtf(-2 * logf(uniform(&state) + 1e-8f)), c, s;
        sincospif(2 * uniform(&state), &s, &c);
        out[i] = make_float2(radius * c, radius * s);
    }
}

/* Marsaglia's gamma numbers: some lanes are refused again and again. */
__global__ void gamma_numbers(float *out, int per_thread)
{
    unsigned state = (blockIdx.x * blockDim.x + threadIdx.x) * 747796405u + 1;
    float sum = 0, d = 1.5f - 1 / 3.f, c = rsqrtf(9 * d);
    for (int accepted = 0; accepted < per_thread;) {
        float x = 2 * (uniform(&state) + uniform(&state) + uniform(&state)) - 3;
        float v = 1 + c * x, u = uniform(&state);
        v = v * v * v;
        if (v <= 0 || logf(u + 1e-9f) > 0.5f * x * x + d - d * v + d * logf(v)) continue;
        sum += d * v;
        accepted++;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

static void generators(void)
{
    {
        int n = M;
        auto out = array<uint4>(n);
        measure("random", "Philox", [&] { philox_numbers<<<n / 256, 256>>>(out, n); });
    }
    {
        auto out = array<float>(64 * K);
        measure("random", "combined, double", [&] { combined_generator<<<512, 128>>>(out, 20); });
    }
    {
        auto out = array<unsigned>(64 * K);
        measure("random", "lagged, state in an array",
                [&] { lagged_generator<<<256, 256>>>(out, 100); });
    }
    {
        auto out = array<float2>(2 * M);
        measure("random", "normal", [&] { normal_numbers<<<528, 256>>>(out, 2 * M); });
    }
    {
        auto out = array<float>(64 * K);
        measure("random", "gamma, by rejection", [&] { gamma_numbers<<<512, 128>>>(out, 20); });
    }
}

/* ---- Monte Carlo ---- */

/* The mean price along a path decides what an option is worth. */
__global__ void asian_options(float *payoff, int steps)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned state = t * 747796405u + 1;
    float price = 100, sum = 0;
    for (int i = 0; i < steps; i++) {
        float z = (uniform(&state) + uniform(&state) + uniform(&state) - 1.5f) * 2;
        price *= expf(0.0001f + 0.02f * z);
        sum += price;
    }
    payoff[t] = fmaxf(sum / steps - 100, 0);
}

/* Photons in a slab: each is scattered until it is absorbed or leaves. */
__global__ void photons(unsigned *absorbed, int *left, int per_thread)
{
    unsigned state = (blockIdx.x * blockDim.x + threadIdx.x) * 2891336453u + 1;
    int out = 0;
    for (int i = 0; i < per_thread; i++) {
        float depth = 0, down = 1;
        for (;;) {
            depth -= down * __logf(uniform(&state) + 1e-7f);
            if (depth < 0 || depth >= 8) {
                out++;
                break;
            }
            if (uniform(&state) < 0.1f) {
                atomicAdd(&absorbed[(int)(depth * 32)], 1u);
                break;
            }
            down = 2 * uniform(&state) - 1;
        }
    }
    atomicAdd(left, out);
}

__global__ void walks_with_switch(int *cell, int steps)
{
    unsigned state = (blockIdx.x * blockDim.x + threadIdx.x) * 2891336453u + 1;
    int x = 0, y = 0, z = 0, turns = 0;
    for (int i = 0; i < steps; i++) {
        state = state * 1664525u + 1013904223u;
        switch (state >> 29) {
        case 0: x++; break;
        case 1: x--; break;
        case 2: y += 1 + (z & 1); break;
        case 3: y -= 1 + (x & 1); break;
        case 4: z += x > y; break;
        case 5: z -= x < y; break;
        case 6: turns++; break;
        default: x ^= y & 3; break;
        }
    }
    cell[blockIdx.x * blockDim.x + threadIdx.x] = x + 31 * y + 37 * z + turns;
}

/* Potts's model: a new colour if it costs little */
__global__ void potts(unsigned char *spin, unsigned seed, int width, int parity)
{
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + (y + parity) % 2, m = width - 1;
    unsigned state = (y * width + x) * 747796405u + seed;
    int old = spin[y * width + x], fresh = (int)(uniform(&state) * 5), energy = 0;
    for (int k = 0; k < 4; k++) {
        int dx = k == 0 ? 1 : k == 1 ? -1 : 0, dy = k == 2 ? 1 : k == 3 ? -1 : 0;
        int other = spin[(y + dy & m) * width + (x + dx & m)];
        energy += (other == old) - (other == fresh);
    }
    if (energy <= 0 || uniform(&state) < expf(-0.9f * energy)) spin[y * width + x] = fresh;
}

/* Chemical reactions, one event after another, until a time is over */
__global__ void reactions(int *left, float end)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, a = 100 + i % 50, b = 80, c = 0;
    unsigned state = i * 2891336453u + 1;
    float time = 0;
    while (time < end) {
        float make = 0.002f * a * b, undo = 0.05f * c, decay = 0.01f * a, all = make + undo + decay;
        if (all <= 0) break;
        time -= __logf(uniform(&state) + 1e-7f) / all;
        float chosen = uniform(&state) * all;
        if (chosen < make)
            a--, b--, c++;
        else if (chosen < make + undo)
            a++, b++, c--;
        else
            a--;
    }
    left[i] = a * 1000 + c;
}

static void chances(void)
{
    {
        int blocks = 512;
        auto payoff = array<float>(blocks * 128);
        measure("chance", "Asian options", [&] { asian_options<<<blocks, 128>>>(payoff, 100); });
    }
    {
        auto absorbed = zeros<unsigned>(256);
        auto left = zeros<int>(1);
        measure("chance", "photons", [&] { photons<<<256, 128>>>(absorbed, left, 8); });
    }
    {
        auto cell = array<int>(64 * K);
        measure("chance", "walks with a switch",
                [&] { walks_with_switch<<<256, 256>>>(cell, 64); });
    }
    {
        auto spin = below<unsigned char>(5, M);
        measure("chance", "Potts model",
                [&] { potts<<<dim3(16, 128), dim3(32, 8)>>>(spin, 7, 1024, 0); });
    }
    {
        auto left = array<int>(16 * K);
        measure("chance", "reactions", [&] { reactions<<<128, 128>>>(left, 5); });
    }
}

/* ---- particles ---- */

struct __align__(16) Body
{
    double x, y, z, mass;
};

__global__ void gravity_doubles(const Body *body, double3 *pull, int n)
{
    __shared__ Body tile[128];
    int i = blockIdx.x * 128 + threadIdx.x;
    Body me = body[i];
    double3 sum = {0, 0, 0};
    for (int first = 0; first < n; first += 128) {
        tile[threadIdx.x] = body[first + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 128; j++) {
            double x = tile[j].x - me.x, y = tile[j].y - me.y, z = tile[j].z - me.z;
            double r = rsqrt(x * x + y * y + z * z + 1e-4), f = tile[j].mass * r * r * r;
            sum.x += f * x, sum.y += f * y, sum.z += f * z;
        }
        __syncthreads();
    }
    pull[i] = sum;
}

/* The bodies of a tile go round the warp by shuffles. */
__global__ void gravity_by_shuffles(const float4 *body, float3 *pull, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = body[i];
    float3 sum = {0, 0, 0};
    for (int first = 0; first < n; first += 32) {
        float4 b = body[first + threadIdx.x % 32];
        for (int j = 0; j < 32; j++) {
            float x = __shfl_sync(~0u, b.x, j) - me.x, y = __shfl_sync(~0u, b.y, j) - me.y;
            float z = __shfl_sync(~0u, b.z, j) - me.z, r = rsqrtf(x * x + y * y + z * z + 1e-4f);
            float f = __shfl_sync(~0u, b.w, j) * r * r * r;
            sum.x += f * x, sum.y += f * y, sum.z += f * z;
        }
    }
    pull[i] = sum;
}

/* The potential of 500 charges on a plane of points, four points per thread */
__constant__ float4 charges[500];

__global__ void potentials(float *out, int width)
{
    int x = (blockIdx.x * blockDim.x + threadIdx.x) * 4, y = blockIdx.y;
    float sum[4] = {};
    for (int c = 0; c < 500; c++) {
        float4 q = charges[c];
        float dy = q.y - y * 0.01f, rest = dy * dy + q.z * q.z;
        for (int k = 0; k < 4; k++) {
            float dx = q.x - (x + k) * 0.01f;
            sum[k] += q.w * rsqrtf(dx * dx + rest + 0.01f);
        }
    }
    *(float4 *)(out + y * width + x) = make_float4(sum[0], sum[1], sum[2], sum[3]);
}

/* Smoothed density: the particles of 27 cells around, lists by cell */
__global__ void densities(const float3 *p, const int *start, float *density, int side, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float3 me = p[i];
    int cx = (int)(me.x * side), cy = (int)(me.y * side), cz = (int)(me.z * side);
    float sum = 0, reach = 1.f / (side * side);
    for (int k = 0; k < 27; k++) {
        int x = cx + k % 3 - 1, y = cy + k / 3 % 3 - 1, z = cz + k / 9 - 1;
        if (x < 0 || y < 0 || z < 0 || x >= side || y >= side || z >= side) continue;
        int cell = (z * side + y) * side + x;
        for (int j = start[cell]; j < start[cell + 1]; j++) {
            float dx = p[j].x - me.x, dy = p[j].y - me.y, dz = p[j].z - me.z;
            float q = 1 - (dx * dx + dy * dy + dz * dz) / reach;
            if (q > 0) sum += q * q * q;
        }
    }
    density[i] = sum;
}

/* Charges to a grid, each to its four corners */
__global__ void deposit(const float2 *p, float *grid, int width, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = p[i].x * (width - 1), y = p[i].y * (width - 1), fx = x - floorf(x),
          fy = y - floorf(y);
    float *corner = grid + (int)y * width + (int)x;
    atomicAdd(corner, (1 - fx) * (1 - fy));
    atomicAdd(corner + 1, fx * (1 - fy));
    atomicAdd(corner + width, (1 - fx) * fy);
    atomicAdd(corner + width + 1, fx * fy);
}

/* Boris's push: a turn around the magnetic field between two halves of the electric one */
__global__ void push(float3 *position, float3 *velocity, const float4 *field, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float3 v = velocity[i], x = position[i];
    float4 f = field[(int)(x.x * 63) + 64 * (int)(x.y * 63)];
    float t = 0.05f * f.w, s = 2 * t / (1 + t * t);
    v.x += 0.5f * f.x, v.y += 0.5f * f.y, v.z += 0.5f * f.z;
    float ux = v.x + v.y * t, uy = v.y - v.x * t;
    v.x += uy * s + 0.5f * f.x, v.y += -ux * s + 0.5f * f.y, v.z += 0.5f * f.z;
    velocity[i] = v;
    position[i] = make_float3(__saturatef(x.x + v.x * 1e-6f), __saturatef(x.y + v.y * 1e-6f), x.z);
}

/* Ropes of 128 links, one per block: links are pulled straight, even and odd ones in turn. */
__global__ void ropes(float2 *position, int rounds)
{
    __shared__ float2 p[129];
    int t = threadIdx.x, first = blockIdx.x * 129;
    for (int i = t; i < 129; i += 64)
        p[i] = position[first + i];
    for (int round = 0; round < rounds; round++) {
        __syncthreads();
        int i = 2 * t + round % 2;
        float dx = p[i + 1].x - p[i].x, dy = p[i + 1].y - p[i].y;
        float length = sqrtf(dx * dx + dy * dy) + 1e-6f, pull = (length - 0.5f) / length * 0.5f;
        p[i].x += dx * pull, p[i].y += dy * pull;
        p[i + 1].x -= dx * pull, p[i + 1].y -= dy * pull;
    }
    __syncthreads();
    for (int i = t; i < 129; i += 64)
        position[first + i] = p[i];
}

static void particles(void)
{
    {
        int n = 4096;
        auto body = (Body *)fractions<double>(4 * n);
        auto pull = array<double3>(n);
        measure("particle", "gravity in double",
                [&] { gravity_doubles<<<n / 128, 128>>>(body, pull, n); });
    }
    {
        auto body = (float4 *)fractions(4 * 4096);
        auto pull = array<float3>(4096);
        measure("particle", "gravity by shuffles",
                [&] { gravity_by_shuffles<<<64, 64>>>(body, pull, 4096); });
    }
    {
        float4 host[500];
        for (int i = 0; i < 500; i++)
            host[i] = random_float4(i);
        check(cudaMemcpyToSymbol(charges, host, sizeof host), "cudaMemcpyToSymbol");
        auto out = array<float>(512 * 512);
        measure("particle", "potentials", [&] { potentials<<<dim3(1, 512), 128>>>(out, 512); });
    }
    {
        int side = 16, each = 8, n = side * side * side * each;
        auto p = filled<float3>(n, [=](size_t i) {
            int cell = (int)i / each;
            return make_float3((cell % side + fraction(3 * i)) / side,
                               (cell / side % side + fraction(3 * i + 1)) / side,
                               (cell / side / side + fraction(3 * i + 2)) / side);
        });
        auto start = filled<int>(n / each + 1, [=](size_t i) { return (int)i * each; });
        auto density = array<float>(n);
        measure("particle", "densities",
                [&] { densities<<<n / 128, 128>>>(p, start, density, side, n); });
    }
    for (int width : {64, 1024}) {
        auto p = (float2 *)fractions(512 * K);
        auto grid = zeros<float>(width * (width + 1));
        measure("particle", width == 64 ? "deposit, 64 x 64" : "deposit, 1024 x 1024",
                [&] { deposit<<<1024, 256>>>(p, grid, width, 256 * K); });
    }
    {
        auto position = (float3 *)fractions(3 * M), velocity = (float3 *)fractions(3 * M);
        auto field = (float4 *)fractions(4 * 64 * 64);
        measure("particle", "push", [&] { push<<<8192, 128>>>(position, velocity, field, M); });
    }
    {
        auto position = (float2 *)fractions(2 * 129 * 512);
        measure("particle", "ropes", [&] { ropes<<<512, 64>>>(position, 100); });
    }
}

static void measure_all(void)
{
    generators();
    chances();
    particles();
}
