/* grids.cu: stencils, filters, transposes and cellular automata. */
#include "kernels.h"

/* ---- lines and planes ---- */

__global__ void radius_eight(const double *a, double *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x + 8;
    if (i >= n - 8) return;
    double sum = 0;
    for (int k = -8; k <= 8; k++)
        sum += a[i + k] * (1.0 / (1 + abs(k)));
    b[i] = sum;
}

/* Perona and Malik: edges hinder the flow. */
__global__ void diffusion_with_edges(const float *a, float *b, int width, int height)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
    const float *p = a + y * width + x;
    float flow = 0;
    for (int offset : {-1, 1, -width, width}) {
        float d = p[offset] - *p;
        flow += d * __expf(-d * d * 25);
    }
    b[y * width + x] = *p + 0.2f * flow;
}

__global__ void red_black(float *u, const float *f, int width, int height, int colour)
{
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int x = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + (y + colour) % 2;
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
    int i = y * width + x;
    u[i] = 0.25f * (u[i - 1] + u[i + 1] + u[i - width] + u[i + width] - f[i]);
}

struct Water {
    float height, east, north;
};

__device__ static Water flux(Water w)
{
    float g = 4.9f * w.height * w.height;
    return {w.east, w.east * w.east / w.height + g, w.east * w.north / w.height};
}

__global__ void shallow_water(const Water *now, Water *next, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 1 || i >= n - 1) return;
    Water l = now[i - 1], r = now[i + 1], fl = flux(l), fr = flux(r);
    next[i].height = 0.5f * (l.height + r.height) - 0.1f * (fr.height - fl.height);
    next[i].east = 0.5f * (l.east + r.east) - 0.1f * (fr.east - fl.east);
    next[i].north = 0.5f * (l.north + r.north) - 0.1f * (fr.north - fl.north);
}

/* 64 cells per word: neighbours by shifts, counted bit by bit in three planes */
__global__ void life_in_bits(const unsigned long long *a, unsigned long long *b, int words,
                             int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y + 1;
    if (x < 1 || x >= words - 1 || y >= height - 1) return;
    unsigned long long one = 0, two = 0, four = 0;
    for (int dy = -1; dy <= 1; dy++) {
        const unsigned long long *row = a + (size_t)(y + dy) * words + x;
        unsigned long long side[3] = {row[0] << 1 | row[-1] >> 63, row[0] >> 1 | row[1] << 63,
                                      dy ? row[0] : 0};
        for (unsigned long long s : side) {
            unsigned long long carry = one & s;
            one ^= s;
            four |= two & carry;
            two ^= carry;
        }
    }
    b[(size_t)y * words + x] = two & ~four & (one | a[(size_t)y * words + x]);
}

/* One step of conjugate gradients: the product with the Laplacian, and its dot product */
__global__ void laplacian_and_dot(const double *p, double *q, double *dot, int width)
{
    __shared__ double part[8];
    int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y + 1;
    double product = 0;
    if (x < width - 1) {
        const double *at = p + (size_t)y * width + x;
        double v = 4 * at[0] - at[-1] - at[1] - at[-width] - at[width];
        q[(size_t)y * width + x] = v;
        product = v * at[0];
    }
    for (int apart = 16; apart > 0; apart /= 2)
        product += __shfl_down_sync(~0u, product, apart);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = product;
    __syncthreads();
    if (threadIdx.x != 0) return;
    for (int w = 1; w < 8; w++)
        product += part[w];
    atomicAdd(dot, product);
}

/* The cheapest seam above each pixel, row after row: one block goes down a strip. */
__global__ void seams(const int *energy, int *cost, int width, int rows)
{
    __shared__ int last[2][1024 + 2];
    int x = threadIdx.x + 1, column = blockIdx.x * 1024 + threadIdx.x;
    if (x == 1) last[0][0] = last[1][0] = last[0][1025] = last[1][1025] = 1 << 30;
    last[0][x] = 0;
    __syncthreads();
    for (int y = 0; y < rows; y++) {
        const int *above = last[y % 2];
        int best = min(above[x], min(above[x - 1], above[x + 1])) + energy[y * width + column];
        last[(y + 1) % 2][x] = best;
        cost[y * width + column] = best;
        __syncthreads();
    }
}

static void planes(void)
{
    {
        int n = 2 * M;
        auto a = fractions<double>(n), b = array<double>(n);
        measure("line", "radius 8", [&] { radius_eight<<<n / 256, 256>>>(a, b, n); });
    }
    {
        auto now = (Water *)filled<float>(3 * M, [](size_t i) { return 1 + fraction(i); });
        auto next = array<Water>(M);
        measure("line", "shallow water", [&] { shallow_water<<<8192, 128>>>(now, next, M); });
    }
    int w = 2048, h = 1024;
    {
        auto a = fractions(w * h), b = array<float>(w * h);
        measure("plane", "diffusion with edges",
                [&] { diffusion_with_edges<<<dim3(w / 32, h / 8), dim3(32, 8)>>>(a, b, w, h); });
    }
    {
        int width = 4096;
        auto u = fractions(width * width), f = fractions(width * width);
        measure("plane", "red and black", [&] {
            red_black<<<dim3(width / 64, width / 8), dim3(32, 8)>>>(u, f, width, width, 1);
        });
    }
    {
        auto a = filled<unsigned long long>(
            128 * 4096, [](size_t i) { return scatter(i) * 0x100000001ull ^ scatter(i + 7) << 9; });
        auto b = array<unsigned long long>(128 * 4096);
        measure("plane", "life in bits",
                [&] { life_in_bits<<<dim3(2, 4094), 64>>>(a, b, 128, 4096); });
    }
    {
        auto p = fractions<double>(1026 * 1026), q = array<double>(1026 * 1026);
        auto dot = zeros<double>(1);
        measure("plane", "Laplacian and dot product",
                [&] { laplacian_and_dot<<<dim3(4, 1024), 256>>>(p, q, dot, 1026); });
    }
    {
        auto energy = below(256, 8192 * 128), cost = array<int>(8192 * 128);
        measure("plane", "seams", [&] { seams<<<8, 1024>>>(energy, cost, 8192, 128); });
    }
}

/* ---- space ---- */

/* Goes up through the planes: the one in the middle in shared memory, its neighbours in registers
 */
__global__ void seven_points_marching(const float *a, float *b, int width, int depth)
{
    __shared__ float plane[18][34];
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1, size = width * width;
    int x = blockIdx.x * 32 + tx, y = blockIdx.y * 16 + ty;
    if (x >= width - 1 || y >= width - 1) x = y = 1;
    const float *p = a + y * width + x;
    float below = p[0], here = p[size];
    for (int z = 1; z < depth - 1; z++) {
        float above = p[(z + 1) * size];
        plane[ty][tx] = here;
        if (tx == 1) plane[ty][0] = p[z * size - 1];
        if (tx == 32) plane[ty][33] = p[z * size + 1];
        if (ty == 1) plane[0][tx] = p[z * size - width];
        if (ty == 16) plane[17][tx] = p[z * size + width];
        __syncthreads();
        float around =
            plane[ty][tx - 1] + plane[ty][tx + 1] + plane[ty - 1][tx] + plane[ty + 1][tx];
        if (x == (int)blockIdx.x * 32 + tx)
            b[z * size + y * width + x] = 0.4f * here + 0.1f * (around + below + above);
        __syncthreads();
        below = here;
        here = above;
    }
}

__global__ void twenty_seven_points(const float *a, float *b, int n)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
    int z = blockIdx.z * 2 + threadIdx.z;
    if (min(x, min(y, z)) < 1 || max(x, max(y, z)) >= n - 1) return;
    float sum = 0;
    for (int dz = -1; dz <= 1; dz++)
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++)
                sum += a[((z + dz) * n + y + dy) * n + x + dx] *
                       (dx * dx + dy * dy + dz * dz == 0 ? 2.f : -0.05f);
    b[(z * n + y) * n + x] = sum;
}

static void space(void)
{
    {
        int width = 258;
        auto a = fractions(width * width * 34), b = array<float>(width * width * 34);
        measure("space", "marching", [&] {
            seven_points_marching<<<dim3(width / 32, width / 16), dim3(32, 16)>>>(a, b, width, 34);
        });
    }
    {
        auto a = fractions(128 * 128 * 128), b = array<float>(128 * 128 * 128);
        measure("space", "27 points",
                [&] { twenty_seven_points<<<dim3(4, 32, 64), dim3(32, 4, 2)>>>(a, b, 128); });
    }
}

/* ---- filters ---- */

__constant__ float mask[4][25];

/* Four filters of 5 x 5 at once, their weights in constant memory */
__global__ void four_filters(const float *a, float4 *b, int width, int height)
{
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x >= width - 4 || y >= height - 4) return;
    float sum[4] = {};
    for (int dy = 0; dy < 5; dy++)
        for (int dx = 0; dx < 5; dx++)
            for (int f = 0; f < 4; f++)
                sum[f] += mask[f][dy * 5 + dx] * a[(y + dy) * width + x + dx];
    b[y * width + x] = make_float4(sum[0], sum[1], sum[2], sum[3]);
}

/* Sixteen channels in, sixteen out, 3 x 3; a thread per output channel */
__global__ void channels(const float *in, const float *weight, float *out, int width)
{
    __shared__ float w[16 * 9 * 16];
    for (int i = threadIdx.x; i < 16 * 9 * 16; i += blockDim.x)
        w[i] = weight[i];
    __syncthreads();
    int to = threadIdx.x % 16, x = blockIdx.x * 16 + threadIdx.x / 16 + 1, y = blockIdx.y + 1;
    if (x >= width - 1) return;
    float sum = 0;
    for (int k = 0; k < 9; k++)
        for (int c = 0; c < 16; c++)
            sum +=
                in[((y + k / 3 - 1) * width + x + k % 3 - 1) * 16 + c] * w[(k * 16 + c) * 16 + to];
    out[(y * width + x) * 16 + to] = fmaxf(sum, 0);
}

__global__ void directions(const unsigned char *a, unsigned char *bin, float *strength, int width,
                           int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
    int i = y * width + x, dx = a[i + 1] - a[i - 1], dy = a[i + width] - a[i - width];
    bin[i] = (unsigned char)((atan2f(dy, dx) + 3.1415927f) * (8 / 6.2831855f));
    strength[i] = hypotf(dx, dy);
}

__global__ void binary_patterns(const unsigned char *a, unsigned char *code, int width, int height)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
    const unsigned char *p = a + y * width + x;
    int bits = (p[-width - 1] >= *p) | (p[-width] >= *p) << 1 | (p[1 - width] >= *p) << 2 |
               (p[1] >= *p) << 3 | (p[width + 1] >= *p) << 4 | (p[width] >= *p) << 5 |
               (p[width - 1] >= *p) << 6 | (p[-1] >= *p) << 7;
    code[y * width + x] = (unsigned char)bits;
}

__global__ void texture_rotated(cudaTextureObject_t image, float *out, int width, float c, float s)
{
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    float u = x - width / 2, v = y - width / 2;
    out[y * width + x] =
        tex2D<float>(image, c * u - s * v + width / 2 + 0.5f, s * u + c * v + width / 2 + 0.5f);
}

/* The nearest set pixel of each row, by brute force in shared memory */
__global__ void distances_in_rows(const unsigned char *set, int *out)
{
    __shared__ unsigned char row[512];
    int x = threadIdx.x, best = 512 * 512;
    row[x] = set[blockIdx.x * 512 + x];
    __syncthreads();
    for (int i = 0; i < 512; i++)
        if (row[i]) best = min(best, (i - x) * (i - x));
    out[blockIdx.x * 512 + x] = best;
}

static cudaTextureObject_t texture_of(float *data, int width, int height)
{
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = data;
    resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
    resource.res.pitch2D.width = width;
    resource.res.pitch2D.height = height;
    resource.res.pitch2D.pitchInBytes = width * sizeof *data;
    cudaTextureDesc how = {};
    how.filterMode = cudaFilterModeLinear;
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    cudaTextureObject_t texture;
    check(cudaCreateTextureObject(&texture, &resource, &how, NULL), "cudaCreateTextureObject");
    return texture;
}

static void filters(void)
{
    int w = 1024, h = 1024;
    {
        float weights[4][25];
        for (int i = 0; i < 100; i++)
            weights[i / 25][i % 25] = fraction(i);
        check(cudaMemcpyToSymbol(mask, weights, sizeof weights), "cudaMemcpyToSymbol");
        auto a = fractions(w * h);
        auto b = array<float4>(w * h);
        measure("filter", "four of 5 x 5",
                [&] { four_filters<<<dim3(w / 16, h / 16), dim3(16, 16)>>>(a, b, w, h); });
    }
    for (int width : {64, 256}) {
        auto in = fractions(width * width * 16), weight = fractions(16 * 9 * 16);
        auto out = array<float>(width * width * 16);
        measure("filter", width == 64 ? "16 channels, 64 x 64" : "16 channels, 256 x 256",
                [&] { channels<<<dim3(width / 16, width - 2), 256>>>(in, weight, out, width); });
    }
    {
        auto a = below<unsigned char>(256, 2 * w * h), bin = array<unsigned char>(2 * w * h);
        auto strength = array<float>(2 * w * h);
        measure("filter", "directions", [&] {
            directions<<<dim3(w / 32, 2 * h / 8), dim3(32, 8)>>>(a, bin, strength, w, 2 * h);
        });
        auto code = array<unsigned char>(2 * w * h);
        a = below<unsigned char>(256, 2 * w * h);
        measure("filter", "binary patterns", [&] {
            binary_patterns<<<dim3(w / 32, 2 * h / 8), dim3(32, 8)>>>(a, code, w, 2 * h);
        });
    }
    {
        auto a = fractions(w * h), out = array<float>(w * h);
        cudaTextureObject_t image = texture_of(a, w, h);
        measure("filter", "texture, rotated", [&] {
            texture_rotated<<<dim3(w / 16, h / 16), dim3(16, 16)>>>(image, out, w, 0.8f, 0.6f);
        });
        check(cudaDestroyTextureObject(image), "cudaDestroyTextureObject");
    }
    {
        auto set = below<unsigned char>(2, 256 * 512);
        auto out = array<int>(256 * 512);
        measure("filter", "distances in rows", [&] { distances_in_rows<<<256, 512>>>(set, out); });
    }
}

/* ---- transposes ---- */

/* In place: a block exchanges two tiles, or turns one on the diagonal. */
__global__ void exchange_tiles(float *a, int n)
{
    __shared__ float one[32][33], other[32][33];
    if (blockIdx.x > blockIdx.y) return;
    int x = blockIdx.x * 32, y = blockIdx.y * 32, tx = threadIdx.x;
    for (int r = threadIdx.y; r < 32; r += 8) {
        one[r][tx] = a[(y + r) * n + x + tx];
        other[r][tx] = a[(x + r) * n + y + tx];
    }
    __syncthreads();
    for (int r = threadIdx.y; r < 32; r += 8) {
        a[(x + r) * n + y + tx] = one[tx][r];
        a[(y + r) * n + x + tx] = other[tx][r];
    }
}

__global__ void transpose_bytes(const unsigned *a, unsigned char *b, int n)
{
    __shared__ unsigned char tile[64][68];
    int x = blockIdx.x * 64, y = blockIdx.y * 64;
    for (int r = threadIdx.y; r < 64; r += 16)
        *(unsigned *)&tile[r][4 * threadIdx.x] = a[((y + r) * n + x) / 4 + threadIdx.x];
    __syncthreads();
    for (int r = threadIdx.y; r < 64; r += 16)
        for (int k = 0; k < 4; k++)
            b[(x + r) * n + y + k * 16 + threadIdx.x] = tile[k * 16 + threadIdx.x][r];
}

/* 8 x 8 within groups of 8 lanes, by shuffles alone */
__global__ void transpose_by_shuffles(const float *a, float *b)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 8;
    float v[8];
    for (int k = 0; k < 8; k++)
        v[k] = a[(i / 8 * 8 + k) * 8 + lane];
#pragma unroll
    for (int apart = 1; apart < 8; apart *= 2)
#pragma unroll
        for (int k = 0; k < 8; k++)
            if ((k & apart) == 0) {
                bool up = lane & apart;
                float got = __shfl_xor_sync(~0u, up ? v[k] : v[k + apart], apart);
                (up ? v[k] : v[k + apart]) = got;
            }
    for (int k = 0; k < 8; k++)
        b[(i / 8 * 8 + k) * 8 + lane] = v[k];
}

static void transposes(void)
{
    {
        auto a = fractions(2048 * 2048);
        measure("turn", "in place",
                [&] { exchange_tiles<<<dim3(64, 64), dim3(32, 8)>>>(a, 2048); });
    }
    {
        auto a = below<unsigned>(~0u, 512 * K);
        auto b = array<unsigned char>(2 * M);
        measure("turn", "bytes",
                [&] { transpose_bytes<<<dim3(16, 16), dim3(16, 16)>>>(a, b, 1024); });
    }
    {
        auto a = fractions(4 * M), b = array<float>(4 * M);
        measure("turn", "8 x 8 by shuffles", [&] { transpose_by_shuffles<<<2048, 256>>>(a, b); });
    }
}

static void measure_all(void)
{
    planes();
    space();
    filters();
    transposes();
}
