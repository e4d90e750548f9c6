/* fields.cu: kernels of images and of fields on grids: filters, stencils, waves, transforms. */
#include "kernels.h"

/* ---- images ---- */

enum { RADIUS = 7, TILE = 32 };

__constant__ float taps[2 * RADIUS + 1];

/* Rows of a picture times the taps: the tile and its two edges are in shared memory. */
__global__ void blurred_rows(const float *from, float *to, int width)
{
    __shared__ float tile[4][128 + 2 * RADIUS];
    int x = blockIdx.x * 128 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
    for (int i = threadIdx.x; i < 128 + 2 * RADIUS; i += 128) {
        int u = min(max((int)blockIdx.x * 128 + i - RADIUS, 0), width - 1);
        tile[threadIdx.y][i] = from[y * width + u];
    }
    __syncthreads();
    float sum = 0;
    for (int k = 0; k <= 2 * RADIUS; k++)
        sum += taps[k] * tile[threadIdx.y][threadIdx.x + k];
    to[y * width + x] = sum;
}

/* Columns, straight from global memory */
__global__ void blurred_columns(const float *from, float *to, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float sum = 0;
    for (int k = -RADIUS; k <= RADIUS; k++) {
        int v = min(max(y + k, 0), height - 1);
        sum += taps[k + RADIUS] * from[v * width + x];
    }
    to[y * width + x] = sum;
}

/* Between four pixels, from one size to another */
__global__ void resized(const uchar4 *from, uchar4 *to, int width, int height, int to_width,
                        int to_height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= to_width || y >= to_height) return;
    float u = (x + 0.5f) * width / to_width - 0.5f, v = (y + 0.5f) * height / to_height - 0.5f;
    int left = max((int)floorf(u), 0), top = max((int)floorf(v), 0);
    int right = min(left + 1, width - 1), bottom = min(top + 1, height - 1);
    float s = u - left, t = v - top;
    uchar4 a = from[top * width + left], b = from[top * width + right];
    uchar4 c = from[bottom * width + left], d = from[bottom * width + right];
    float red = (1 - t) * ((1 - s) * a.x + s * b.x) + t * ((1 - s) * c.x + s * d.x);
    float green = (1 - t) * ((1 - s) * a.y + s * b.y) + t * ((1 - s) * c.y + s * d.y);
    float blue = (1 - t) * ((1 - s) * a.z + s * b.z) + t * ((1 - s) * c.z + s * d.z);
    to[y * to_width + x] =
        make_uchar4((unsigned char)red, (unsigned char)green, (unsigned char)blue, 255);
}

/* Hue, saturation and value of pixels */
__global__ void to_hsv(const uchar4 *from, float4 *to, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uchar4 p = from[i];
    float r = p.x / 255.0f, g = p.y / 255.0f, b = p.z / 255.0f;
    float most = fmaxf(r, fmaxf(g, b)), range = most - fminf(r, fminf(g, b)), hue = 0;
    if (range > 0) {
        if (most == r)
            hue = fmodf((g - b) / range, 6.0f);
        else if (most == g)
            hue = (b - r) / range + 2;
        else
            hue = (r - g) / range + 4;
        hue *= 60;
        if (hue < 0) hue += 360;
    }
    to[i] = make_float4(hue, most > 0 ? range / most : 0, most, 1);
}

/* How much each pixel looks like a corner: sums over 5 x 5 of products of differences */
__global__ void corners(const float *image, float *answer, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 3 || y < 3 || x >= width - 3 || y >= height - 3) return;
    float a = 0, b = 0, c = 0;
    for (int v = -2; v <= 2; v++)
        for (int u = -2; u <= 2; u++) {
            const float *p = image + (y + v) * width + x + u;
            float dx = 0.5f * (p[1] - p[-1]), dy = 0.5f * (p[width] - p[-width]);
            a += dx * dx;
            b += dx * dy;
            c += dy * dy;
        }
    answer[y * width + x] = a * c - b * b - 0.05f * (a + c) * (a + c);
}

/* A pixel of the mean of those whose surroundings look like its own */
__global__ void denoised(const float *from, float *to, int width, int height, float strength)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 4 || y < 4 || x >= width - 4 || y >= height - 4) return;
    float sum = 0, weights = 0;
    for (int v = -3; v <= 3; v++)
        for (int u = -3; u <= 3; u++) {
            float apart = 0;
            for (int t = -1; t <= 1; t++)
                for (int s = -1; s <= 1; s++) {
                    float d = from[(y + t) * width + x + s] - from[(y + v + t) * width + x + u + s];
                    apart += d * d;
                }
            float weight = __expf(-apart * strength);
            sum += weight * from[(y + v) * width + x + u];
            weights += weight;
        }
    to[y * width + x] = sum / weights;
}

/* Colours from a sensor whose pixels see one colour each */
__global__ void demosaiced(const unsigned short *raw, uchar4 *to, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
    const unsigned short *p = raw + y * width + x;
    int here = p[0], cross = (p[-1] + p[1] + p[-width] + p[width]) / 4;
    int diagonal = (p[-width - 1] + p[-width + 1] + p[width - 1] + p[width + 1]) / 4;
    int across = (p[-1] + p[1]) / 2, along = (p[-width] + p[width]) / 2, r, g, b;
    if (y % 2 == 0 && x % 2 == 0)
        r = here, g = cross, b = diagonal;
    else if (y % 2 == 1 && x % 2 == 1)
        r = diagonal, g = cross, b = here;
    else if (y % 2 == 0)
        r = across, g = here, b = along;
    else
        r = along, g = here, b = across;
    to[y * width + x] = make_uchar4(r >> 4, g >> 4, b >> 4, 255);
}

/* The largest value within three pixels: a tile in shared memory, rows first, then columns */
__global__ void dilated(const unsigned char *from, unsigned char *to, int width, int height)
{
    __shared__ unsigned char tile[TILE + 6][TILE + 6], rows[TILE + 6][TILE];
    int x0 = blockIdx.x * TILE - 3, y0 = blockIdx.y * TILE - 3;
    for (int v = threadIdx.y; v < TILE + 6; v += blockDim.y)
        for (int u = threadIdx.x; u < TILE + 6; u += blockDim.x) {
            int x = x0 + u, y = y0 + v;
            tile[v][u] = x >= 0 && y >= 0 && x < width && y < height ? from[y * width + x] : 0;
        }
    __syncthreads();
    for (int v = threadIdx.y; v < TILE + 6; v += blockDim.y) {
        int most = 0;
        for (int k = 0; k < 7; k++)
            most = max(most, (int)tile[v][threadIdx.x + k]);
        rows[v][threadIdx.x] = most;
    }
    __syncthreads();
    for (int v = threadIdx.y; v < TILE; v += blockDim.y) {
        int most = 0;
        for (int k = 0; k < 7; k++)
            most = max(most, (int)rows[v + k][threadIdx.x]);
        to[(y0 + 3 + v) * width + x0 + 3 + threadIdx.x] = most;
    }
}

/* A filter that remembers: each thread runs down a column (or along a row). */
__global__ void smoothed(const float *from, float *to, int apart, int next, int length, float rate)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float state = from[i * apart];
    for (int k = 0; k < length; k++) {
        state += rate * (from[i * apart + k * next] - state);
        to[i * apart + k * next] = state;
    }
}

/* Motion between two pictures, from sums over 5 x 5 */
__global__ void motion(const float *now, const float *after, float2 *flow, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 3 || y < 3 || x >= width - 3 || y >= height - 3) return;
    float xx = 0, xy = 0, yy = 0, xt = 0, yt = 0;
#pragma unroll
    for (int v = -2; v <= 2; v++)
#pragma unroll
        for (int u = -2; u <= 2; u++) {
            int at = (y + v) * width + x + u;
            float dx = now[at + 1] - now[at - 1], dy = now[at + width] - now[at - width];
            float dt = after[at] - now[at];
            xx += dx * dx, xy += dx * dy, yy += dy * dy;
            xt += dx * dt, yt += dy * dt;
        }
    float det = xx * yy - xy * xy;
    if (fabsf(det) < 1e-6f) {
        flow[y * width + x] = make_float2(0, 0);
        return;
    }
    flow[y * width + x] = make_float2((xy * yt - yy * xt) / det, (xy * xt - xx * yt) / det);
}

static void images(void)
{
    const float weights[2 * RADIUS + 1] = {.01f, .02f, .03f, .06f, .08f, .1f,  .12f, .16f,
                                           .12f, .1f,  .08f, .06f, .03f, .02f, .01f};
    check(cudaMemcpyToSymbol(taps, weights, sizeof weights), "cudaMemcpyToSymbol");
    auto from = fractions(2 * M), to = array<float>(2 * M);
    measure("image", "blurred rows",
            [&] { blurred_rows<<<dim3(16, 256), dim3(128, 4)>>>(from, to, 2048); });
    from = fractions(1000 * 700), to = array<float>(1000 * 700);
    measure("image", "blurred columns", [&] {
        dim3 block(16, 16);
        blurred_columns<<<blocks_of(1000, 700, block), block>>>(from, to, 1000, 700);
    });
    for (int size : {800, 1500}) {
        auto picture = (uchar4 *)below<unsigned char>(256, 4 * 1024 * 768);
        auto other = array<uchar4>(size * size);
        measure("image", size == 800 ? "made smaller" : "made larger", [&] {
            dim3 block(32, 8);
            resized<<<blocks_of(size, size, block), block>>>(picture, other, 1024, 768, size, size);
        });
    }
    auto pixel = (uchar4 *)below<unsigned char>(256, 4 * M);
    auto hsv = array<float4>(M);
    measure("image", "hue, saturation, value", [&] { to_hsv<<<4096, 256>>>(pixel, hsv, M); });
    from = fractions(640 * 480), to = array<float>(640 * 480);
    measure("image", "corners",
            [&] { corners<<<dim3(20, 60), dim3(32, 8)>>>(from, to, 640, 480); });
    from = fractions(320 * 240), to = array<float>(320 * 240);
    measure("image", "means of alike pixels",
            [&] { denoised<<<dim3(20, 15), dim3(16, 16)>>>(from, to, 320, 240, 8); });
    auto raw = below<unsigned short>(4096, 1920 * 1080);
    auto colour = array<uchar4>(1920 * 1080);
    measure("image", "colours of a sensor",
            [&] { demosaiced<<<dim3(60, 135), dim3(32, 8)>>>(raw, colour, 1920, 1080); });
    auto bytes = below<unsigned char>(256, 1024 * 512), most = array<unsigned char>(1024 * 512);
    measure("image", "largest within three",
            [&] { dilated<<<dim3(32, 16), dim3(32, 8)>>>(bytes, most, 1024, 512); });
    from = fractions(1024 * 512), to = array<float>(1024 * 512);
    measure("image", "smoothed down columns",
            [&] { smoothed<<<8, 128>>>(from, to, 1, 1024, 512, 0.2f); });
    from = fractions(1024 * 512), to = array<float>(1024 * 512);
    measure("image", "smoothed along rows",
            [&] { smoothed<<<4, 128>>>(from, to, 1024, 1, 1024, 0.2f); });
    from = fractions(512 * 512), to = fractions(512 * 512);
    auto flow = array<float2>(512 * 512);
    measure("image", "motion between pictures",
            [&] { motion<<<dim3(16, 64), dim3(32, 8)>>>(from, to, flow, 512, 512); });
}

/* ---- fields in a plane ---- */

/* A step of Jacobi's iteration in a tile, and the largest change */
__global__ void relaxed(const float *from, float *to, int *change, int width)
{
    __shared__ float tile[18][34];
    __shared__ int most;
    int x = blockIdx.x * 32 + threadIdx.x + 1, y = blockIdx.y * 16 + threadIdx.y + 1;
    int u = threadIdx.x + 1, v = threadIdx.y + 1;
    if (u == 1 && v == 1) most = 0;
    tile[v][u] = from[y * width + x];
    if (u == 1) tile[v][0] = from[y * width + x - 1];
    if (u == 32) tile[v][33] = from[y * width + x + 1];
    if (v == 1) tile[0][u] = from[(y - 1) * width + x];
    if (v == 16) tile[17][u] = from[(y + 1) * width + x];
    __syncthreads();
    float now = 0.25f * (tile[v][u - 1] + tile[v][u + 1] + tile[v - 1][u] + tile[v + 1][u]);
    to[y * width + x] = now;
    atomicMax(&most, __float_as_int(fabsf(now - tile[v][u])));
    __syncthreads();
    if (u == 1 && v == 1) atomicMax(change, most);
}

/* Electric and magnetic fields of a wave in a plane, one after the other */
__global__ void magnetic(const float *ez, float *hx, float *hy, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width - 1 || y >= height - 1) return;
    int i = y * width + x;
    hx[i] -= 0.5f * (ez[i + width] - ez[i]);
    hy[i] += 0.5f * (ez[i + 1] - ez[i]);
}

__global__ void electric(float *ez, const float *hx, const float *hy, const float *medium,
                         int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= width || y >= height) return;
    int i = y * width + x;
    ez[i] += medium[i] * (hy[i] - hy[i - 1] - hx[i] + hx[i - width]);
}

/* Two substances that react and spread */
__global__ void reacted(const float2 *from, float2 *to, int width)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int left = (x + width - 1) % width, right = (x + 1) % width;
    int up = (y + width - 1) % width, down = (y + 1) % width;
    float2 c = from[y * width + x], a = from[y * width + left], b = from[y * width + right];
    float2 d = from[up * width + x], e = from[down * width + x];
    float uvv = c.x * c.y * c.y;
    to[y * width + x] =
        make_float2(c.x + 0.16f * (a.x + b.x + d.x + e.x - 4 * c.x) - uvv + 0.035f * (1 - c.x),
                    c.y + 0.08f * (a.y + b.y + d.y + e.y - 4 * c.y) + uvv - 0.1f * c.y);
}

/* Where what is here came from, between four cells of a flow */
__global__ void carried(const float *from, const float2 *speed, float *to, int width, float dt)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float2 s = speed[y * width + x];
    float u = fminf(fmaxf(x - dt * (s.x - 0.5f), 0), width - 1.001f);
    float v = fminf(fmaxf(y - dt * (s.y - 0.5f), 0), width - 1.001f);
    int i = (int)u, j = (int)v;
    const float *p = from + j * width + i;
    u -= i, v -= j;
    to[y * width + x] =
        (1 - v) * ((1 - u) * p[0] + u * p[1]) + v * ((1 - u) * p[width] + u * p[width + 1]);
}

/* From a fine grid to a coarse one */
__global__ void restricted(const double *fine, double *coarse, int width)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= width - 1 || y >= width - 1) return;
    int f = 2 * width;
    const double *p = fine + 2 * y * f + 2 * x;
    coarse[y * width + x] = 0.25 * p[0] + 0.125 * (p[-1] + p[1] + p[-f] + p[f]) +
                            0.0625 * (p[-f - 1] + p[-f + 1] + p[f - 1] + p[f + 1]);
}

/* Gas in a tube: the flux between cells */
__global__ void gas(const float3 *from, float3 *to, int n, float ratio)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 1 || i >= n - 1) return;
    float3 flux[2];
    for (int side = 0; side < 2; side++) {
        float3 a = from[i - 1 + side], b = from[i + side];
        float u = a.y / a.x, v = b.y / b.x;
        float p = 0.4f * (a.z - 0.5f * a.y * u), q = 0.4f * (b.z - 0.5f * b.y * v);
        float fastest =
            fmaxf(fabsf(u) + sqrtf(1.4f * fabsf(p) / a.x), fabsf(v) + sqrtf(1.4f * fabsf(q) / b.x));
        flux[side] = make_float3(0.5f * (a.y + b.y - fastest * (b.x - a.x)),
                                 0.5f * (a.y * u + p + b.y * v + q - fastest * (b.y - a.y)),
                                 0.5f * (u * (a.z + p) + v * (b.z + q) - fastest * (b.z - a.z)));
    }
    float3 c = from[i];
    to[i] =
        make_float3(c.x - ratio * (flux[1].x - flux[0].x), c.y - ratio * (flux[1].y - flux[0].y),
                    c.z - ratio * (flux[1].z - flux[0].z));
}

static void planes(void)
{
    for (int width : {514, 2050}) {
        int height = width - 2;
        auto from = fractions((height + 2) * width), to = array<float>((height + 2) * width);
        auto change = zeros<int>(1);
        measure("plane", width == 514 ? "Jacobi, largest change" : "Jacobi, largest change, larger",
                [&] {
                    check(cudaMemset(change, 0, sizeof *change), "cudaMemset");
                    dim3 grid((width - 2) / 32, height / 16);
                    relaxed<<<grid, dim3(32, 16)>>>(from, to, change, width);
                });
    }
    auto ez = fractions(M), hx = fractions(M), hy = fractions(M);
    measure("plane", "magnetic field",
            [&] { magnetic<<<dim3(32, 128), dim3(32, 8)>>>(ez, hx, hy, 1024, 1024); });
    ez = fractions(M), hx = fractions(M), hy = fractions(M);
    auto medium = fractions(M);
    measure("plane", "electric field",
            [&] { electric<<<dim3(64, 64), dim3(16, 16)>>>(ez, hx, hy, medium, 1024, 1024); });
    auto from = fractions(2 * 768 * 768), to = array<float>(2 * 768 * 768);
    measure("plane", "reaction and diffusion",
            [&] { reacted<<<dim3(24, 96), dim3(32, 8)>>>((float2 *)from, (float2 *)to, 768); });
    auto what = fractions(768 * 768 + 769), speed = fractions(2 * 768 * 768);
    to = array<float>(768 * 768);
    measure("plane", "carried by a flow",
            [&] { carried<<<dim3(48, 48), dim3(16, 16)>>>(what, (float2 *)speed, to, 768, 6); });
    auto fine = fractions<double>(1024 * 1024), coarse = array<double>(512 * 512);
    measure("plane", "to a coarser grid",
            [&] { restricted<<<dim3(16, 128), dim3(32, 4)>>>(fine, coarse, 512); });
    auto tube = filled<float3>(500000, [](size_t i) {
        return make_float3(0.5f + fraction(i), fraction(i + 1), 2 + fraction(i + 2));
    });
    auto later = array<float3>(500000);
    measure("plane", "gas in a tube",
            [&] { gas<<<(500000 + 127) / 128, 128>>>(tube, later, 500000, 0.1f); });
}

/* ---- fields in space ---- */

/* Each thread goes down a column of cells and keeps three of them in registers. */
template <typename T>
__global__ void space_step(const T *from, T *to, int width, int height, int depth)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
    int i = y * width + x, plane = width * height;
    T above = from[i], here = from[i + plane];
    for (int z = 1; z < depth - 1; z++) {
        i += plane;
        T below_it = from[i + plane];
        to[i] = (T)0.4 * here + (T)0.1 * (from[i - 1] + from[i + 1] + from[i - width] +
                                          from[i + width] + above + below_it);
        above = here, here = below_it;
    }
}

/* A wave of the eighth order: four cells to each side, the plane in shared memory */
__global__ void far_step(const float *from, const float *before, float *to, int width, int height,
                         int depth)
{
    __shared__ float tile[16 + 8][32 + 8];
    const float c[5] = {-2.847f, 1.6f, -0.2f, 0.0254f, -0.00179f};
    int x = blockIdx.x * 32 + threadIdx.x + 4, y = blockIdx.y * 16 + threadIdx.y + 4;
    int u = threadIdx.x + 4, v = threadIdx.y + 4, plane = width * height, i = y * width + x;
    float column[9];
    for (int k = 0; k < 8; k++)
        column[k + 1] = from[i + k * plane];
    for (int z = 4; z < depth - 4; z++) {
#pragma unroll
        for (int k = 0; k < 8; k++)
            column[k] = column[k + 1];
        int at = i + z * plane;
        column[8] = from[at + 4 * plane];
        __syncthreads();
        tile[v][u] = column[4];
        if (threadIdx.x < 4) {
            tile[v][u - 4] = from[at - 4];
            tile[v][u + 32] = from[at + 32];
        }
        if (threadIdx.y < 4) {
            tile[v - 4][u] = from[at - 4 * width];
            tile[v + 16][u] = from[at + 16 * width];
        }
        __syncthreads();
        float sum = 3 * c[0] * column[4];
#pragma unroll
        for (int k = 1; k <= 4; k++)
            sum += c[k] * (tile[v][u - k] + tile[v][u + k] + tile[v - k][u] + tile[v + k][u] +
                           column[4 - k] + column[4 + k]);
        to[at] = 2 * column[4] - before[at] + 0.1f * sum;
    }
}

/* A step of a Fourier transform of radix 4 over the whole array */
__global__ void fourier_step(const float2 *from, float2 *to, int n, int stride)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, quarter = n / 4, k = i % stride;
    float2 v[4];
    for (int r = 0; r < 4; r++) {
        float2 x = from[i + r * quarter];
        float s, c;
        sincospif(-0.5f * r * k / stride, &s, &c);
        v[r] = make_float2(x.x * c - x.y * s, x.x * s + x.y * c);
    }
    float2 a = make_float2(v[0].x + v[2].x, v[0].y + v[2].y);
    float2 b = make_float2(v[0].x - v[2].x, v[0].y - v[2].y);
    float2 c = make_float2(v[1].x + v[3].x, v[1].y + v[3].y);
    float2 d = make_float2(v[1].y - v[3].y, v[3].x - v[1].x);
    int at = (i / stride) * 4 * stride + k;
    to[at] = make_float2(a.x + c.x, a.y + c.y);
    to[at + stride] = make_float2(b.x + d.x, b.y + d.y);
    to[at + 2 * stride] = make_float2(a.x - c.x, a.y - c.y);
    to[at + 3 * stride] = make_float2(b.x - d.x, b.y - d.y);
}

static void spaces(void)
{
    auto from = fractions(128 * 128 * 64), to = array<float>(128 * 128 * 64);
    measure("volume", "seven points down columns",
            [&] { space_step<<<dim3(4, 16), dim3(32, 8)>>>(from, to, 128, 128, 64); });
    auto real = fractions<double>(256 * 256 * 24), there = array<double>(256 * 256 * 24);
    measure("volume", "seven points in double",
            [&] { space_step<<<dim3(8, 64), dim3(32, 4)>>>(real, there, 256, 256, 24); });
    enum { SIDE = 136 };
    from = fractions(SIDE * SIDE * 40), to = array<float>(SIDE * SIDE * 40);
    auto before = fractions(SIDE * SIDE * 40);
    measure("volume", "wave of the eighth order",
            [&] { far_step<<<dim3(4, 8), dim3(32, 16)>>>(from, before, to, SIDE, SIDE, 40); });
    for (int stride : {1, 4096}) {
        auto x = fractions(2 * M), y = array<float>(2 * M);
        measure("transform", stride == 1 ? "first step of a transform" : "late step of a transform",
                [&] { fourier_step<<<1024, 256>>>((float2 *)x, (float2 *)y, M, stride); });
    }
}

static void measure_all(void)
{
    images();
    planes();
    spaces();
}
