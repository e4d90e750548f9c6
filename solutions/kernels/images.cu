/* images.cu: what programs do to pictures, as textbooks have it. */
#include "kernels.h"

#include <math.h>

/* ---- filters of gray pictures ---- */

__global__ void sobel(const unsigned char *in, unsigned char *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    if (x == 0 || y == 0 || x == width - 1 || y == height - 1) {
        out[y * width + x] = 0;
        return;
    }
    const unsigned char *p = in + y * width + x;
    int gx = p[1 - width] + 2 * p[1] + p[1 + width] - p[-1 - width] - 2 * p[-1] - p[width - 1];
    int gy =
        p[width - 1] + 2 * p[width] + p[width + 1] - p[-width - 1] - 2 * p[-width] - p[1 - width];
    out[y * width + x] = (unsigned char)fminf(sqrtf((float)(gx * gx + gy * gy)), 255);
}

__global__ void box_blur(const float *in, float *out, int width, int height, int radius)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float sum = 0;
    int count = 0;
    for (int dy = -radius; dy <= radius; dy++)
        for (int dx = -radius; dx <= radius; dx++) {
            int nx = x + dx, ny = y + dy;
            if (nx < 0 || ny < 0 || nx >= width || ny >= height) continue;
            sum += in[ny * width + nx];
            count++;
        }
    out[y * width + x] = sum / count;
}

__global__ void box_blur_of_rows(const float *in, float *out, int width, int height, int radius)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= width) return;
    float sum = 0;
    for (int dx = -radius; dx <= radius; dx++)
        sum += in[y * width + min(max(x + dx, 0), width - 1)];
    out[y * width + x] = sum / (2 * radius + 1);
}

__constant__ int gauss[25] = {1,  4, 7, 4,  1,  4,  16, 26, 16, 4, 7, 26, 41,
                              26, 7, 4, 16, 26, 16, 4,  1,  4,  7, 4, 1};

__global__ void gaussian_blur(const unsigned char *in, unsigned char *out, int width, int height)
{
    __shared__ unsigned char tile[20][20];
    int left = blockIdx.x * 16 - 2, top = blockIdx.y * 16 - 2;
    for (int i = threadIdx.y * 16 + threadIdx.x; i < 400; i += 256) {
        int x = min(max(left + i % 20, 0), width - 1), y = min(max(top + i / 20, 0), height - 1);
        tile[i / 20][i % 20] = in[y * width + x];
    }
    __syncthreads();
    int x = left + 2 + threadIdx.x, y = top + 2 + threadIdx.y, sum = 0;
    if (x >= width || y >= height) return;
    for (int dy = 0; dy < 5; dy++)
        for (int dx = 0; dx < 5; dx++)
            sum += gauss[5 * dy + dx] * tile[threadIdx.y + dy][threadIdx.x + dx];
    out[y * width + x] = (unsigned char)(sum / 273);
}

__device__ void order(int &low, int &high)
{
    int smaller = min(low, high);
    high = max(low, high);
    low = smaller;
}

__global__ void median(const unsigned char *in, unsigned char *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, v[9];
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
#pragma unroll
    for (int i = 0; i < 9; i++)
        v[i] = in[(y + i / 3 - 1) * width + x + i % 3 - 1];
#pragma unroll
    for (int i = 0; i < 5; i++)
#pragma unroll
        for (int j = i + 1; j < 9; j++)
            order(v[i], v[j]);
    out[y * width + x] = (unsigned char)v[4];
}

/* Weights fall with the distance and with the difference in brightness. */
__global__ void bilateral(const float *in, float *out, int width, int height, float distance,
                          float difference)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 2 || y < 2 || x >= width - 2 || y >= height - 2) return;
    float centre = in[y * width + x], sum = 0, weights = 0;
    for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++) {
            float value = in[(y + dy) * width + x + dx], apart = value - centre;
            float weight = expf(-(dx * dx + dy * dy) * distance - apart * apart * difference);
            sum += weight * value;
            weights += weight;
        }
    out[y * width + x] = sum / weights;
}

/* Each pixel becomes the darkest of a disc around it. */
__global__ void erode(const unsigned char *in, unsigned char *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
        darkest = 255;
    if (x >= width || y >= height) return;
    for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++) {
            int nx = x + dx, ny = y + dy;
            if (dx * dx + dy * dy > 4) continue;
            if (nx < 0 || ny < 0 || nx >= width || ny >= height) continue;
            darkest = min(darkest, in[ny * width + nx]);
        }
    out[y * width + x] = (unsigned char)darkest;
}

/* Waves and some noise */
static unsigned char *gray_picture(size_t width, size_t height)
{
    return filled<unsigned char>(width * height, [=](size_t i) {
        return (unsigned char)(i % width * (i / width) / 512 % 192 + scatter(i) % 64);
    });
}

template <typename Kernel>
static void gray_filter(const char *name, Kernel kernel, int width, int height, dim3 block)
{
    const unsigned char *in = gray_picture(width, height);
    unsigned char *out = array<unsigned char>((size_t)width * height);
    dim3 grid = blocks_of(width, height, block);
    measure("image", name, [&] { kernel<<<grid, block>>>(in, out, width, height); });
}

static void filters(void)
{
    gray_filter("sobel", sobel, 2048, 2048, dim3(16, 16));
    {
        const float *in = array<float>(M);
        float *out = array<float>(M);
        measure("image", "box blur, 7 x 7",
                [&] { box_blur<<<dim3(64, 64), dim3(16, 16)>>>(in, out, K, K, 3); });
    }
    {
        const float *in = array<float>(1920 * 1080);
        float *out = array<float>(1920 * 1080);
        measure("image", "box blur of rows",
                [&] { box_blur_of_rows<<<dim3(15, 1080), 128>>>(in, out, 1920, 1080, 5); });
    }
    gray_filter("gaussian blur, shared", gaussian_blur, 1920, 1080, dim3(16, 16));
    gray_filter("median of nine", median, 1920, 1080, dim3(32, 8));
    gray_filter("erosion", erode, 1920, 1080, dim3(8, 8));
    {
        const float *in = filled<float>(K * 768, fraction);
        float *out = array<float>(K * 768);
        measure("image", "bilateral filter",
                [&] { bilateral<<<dim3(32, 192), dim3(32, 4)>>>(in, out, K, 768, 0.2f, 8); });
    }
}

/* ---- larger, smaller, turned ---- */

__device__ float mixed(float a, float b, float c, float d, float fx, float fy)
{
    float top = a + (b - a) * fx, bottom = c + (d - c) * fx;
    return top + (bottom - top) * fy;
}

__global__ void resize(const uchar4 *in, int in_width, int in_height, uchar4 *out, int width,
                       int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float sx = fmaxf((x + 0.5f) * in_width / width - 0.5f, 0),
          sy = fmaxf((y + 0.5f) * in_height / height - 0.5f, 0);
    int x0 = (int)sx, y0 = (int)sy, x1 = min(x0 + 1, in_width - 1), y1 = min(y0 + 1, in_height - 1);
    float fx = sx - x0, fy = sy - y0;
    uchar4 a = in[y0 * in_width + x0], b = in[y0 * in_width + x1], c = in[y1 * in_width + x0],
           d = in[y1 * in_width + x1];
    out[y * width + x] = make_uchar4((unsigned char)mixed(a.x, b.x, c.x, d.x, fx, fy),
                                     (unsigned char)mixed(a.y, b.y, c.y, d.y, fx, fy),
                                     (unsigned char)mixed(a.z, b.z, c.z, d.z, fx, fy),
                                     (unsigned char)mixed(a.w, b.w, c.w, d.w, fx, fy));
}

__global__ void rotate(const unsigned *in, unsigned *out, int width, int height, float angle)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float dx = x - width / 2, dy = y - height / 2, c = cosf(angle), s = sinf(angle);
    int sx = (int)roundf(c * dx + s * dy + width / 2),
        sy = (int)roundf(c * dy - s * dx + height / 2);
    unsigned pixel = 0xff000000;
    if (sx >= 0 && sy >= 0 && sx < width && sy < height) pixel = in[sy * width + sx];
    out[y * width + x] = pixel;
}

static void sizes(void)
{
    {
        const uchar4 *in = array<uchar4>(1280 * 720);
        uchar4 *out = array<uchar4>(1920 * 1080);
        dim3 block(32, 8), grid = blocks_of(1920, 1080, block);
        measure("image", "larger, bilinear",
                [&] { resize<<<grid, block>>>(in, 1280, 720, out, 1920, 1080); });
    }
    {
        const unsigned *in = array<unsigned>(4 * M);
        unsigned *out = array<unsigned>(4 * M);
        dim3 block(16, 16), grid = blocks_of(2048, 2048, block);
        measure("image", "rotation", [&] { rotate<<<grid, block>>>(in, out, 2048, 2048, 0.6f); });
    }
}

/* ---- pixel by pixel ---- */

__global__ void brightness_counts(const unsigned char *in, int n, unsigned *counts)
{
    __shared__ unsigned part[256];
    part[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&part[in[i]], 1);
    __syncthreads();
    if (part[threadIdx.x] > 0) atomicAdd(&counts[threadIdx.x], part[threadIdx.x]);
}

__global__ void look_up(const uchar4 *in, uchar4 *out, int n, const unsigned char *table)
{
    __shared__ unsigned char near[256];
    near[threadIdx.x] = table[threadIdx.x];
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        uchar4 p = in[i];
        out[i] = make_uchar4(near[p.x], near[p.y], near[p.z], near[p.w]);
    }
}

__global__ void split_colours(const uchar3 *in, unsigned char *luma, unsigned char *blue,
                              unsigned char *red, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uchar3 p = in[i];
    float y = 0.299f * p.x + 0.587f * p.y + 0.114f * p.z;
    luma[i] = (unsigned char)y;
    blue[i] = (unsigned char)fminf(128 + 0.564f * (p.z - y), 255);
    red[i] = (unsigned char)fminf(128 + 0.713f * (p.x - y), 255);
}

__global__ void gamma_correction(const float4 *in, float4 *out, int n, float exponent)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 p = in[i];
    out[i] = make_float4(powf(p.x, exponent), powf(p.y, exponent), powf(p.z, exponent), p.w);
}

/* A bit per pixel. The number of pixels is a multiple of the block. */
__global__ void threshold(const unsigned char *in, unsigned *bits, int limit)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned word = __ballot_sync(0xffffffff, in[i] > limit);
    if (threadIdx.x % 32 == 0) bits[i / 32] = word;
}

__device__ unsigned char over(int front, int back, int alpha)
{
    return (unsigned char)((front * alpha + back * (255 - alpha)) / 255);
}

__global__ void blend(const uchar4 *front, const uchar4 *back, uchar4 *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uchar4 f = front[i], b = back[i];
    if (f.w == 0)
        out[i] = b;
    else
        out[i] = make_uchar4(over(f.x, b.x, f.w), over(f.y, b.y, f.w), over(f.z, b.z, f.w), 255);
}

static void pixels(void)
{
    {
        const unsigned char *in = gray_picture(2048, 2048);
        unsigned *counts = array<unsigned>(256);
        measure("image", "brightness counts",
                [&] { brightness_counts<<<264, 256>>>(in, 4 * M, counts); });
    }
    {
        const uchar4 *in = filled<uchar4>(4 * M, [](size_t i) {
            unsigned v = scatter(i);
            return make_uchar4(v & 255, v >> 8 & 255, v >> 16 & 255, v >> 24);
        });
        uchar4 *out = array<uchar4>(4 * M);
        const unsigned char *table =
            filled<unsigned char>(256, [](size_t i) { return (unsigned char)(i * i / 255); });
        measure("image", "equalisation by a table",
                [&] { look_up<<<2 * K, 256>>>(in, out, 4 * M, table); });
    }
    {
        const uchar3 *in = array<uchar3>(4 * M);
        unsigned char *luma = array<unsigned char>(4 * M), *blue = array<unsigned char>(4 * M),
                      *red = array<unsigned char>(4 * M);
        measure("image", "luma and two colours",
                [&] { split_colours<<<8 * K, 512>>>(in, luma, blue, red, 4 * M); });
    }
    {
        const float4 *in = array<float4>(M);
        float4 *out = array<float4>(M);
        measure("image", "gamma", [&] { gamma_correction<<<8 * K, 128>>>(in, out, M, 1 / 2.2f); });
    }
    {
        const unsigned char *in = gray_picture(4096, 2048);
        unsigned *bits = array<unsigned>(8 * M / 32);
        measure("image", "threshold to bits", [&] { threshold<<<8 * K, 1024>>>(in, bits, 128); });
    }
    {
        const uchar4 *front = filled<uchar4>(2 * M, [](size_t i) {
            return make_uchar4(200, 100, 50, i / 100 % 3 > 0 ? scatter(i) & 255 : 0);
        });
        const uchar4 *back = array<uchar4>(2 * M);
        uchar4 *out = array<uchar4>(2 * M);
        measure("image", "one over another",
                [&] { blend<<<8 * K, 256>>>(front, back, out, 2 * M); });
    }
}

/* ---- rows, and a picture from nothing ---- */

/* Sums from the left up to each pixel, a block per row */
__global__ void integral_of_rows(const unsigned char *in, unsigned *out, int width)
{
    __shared__ unsigned part[512];
    int t = threadIdx.x;
    unsigned before = 0;
    for (int first = 0; first < width; first += 512) {
        int i = blockIdx.x * width + first + t;
        part[t] = in[i];
        __syncthreads();
        for (int apart = 1; apart < 512; apart *= 2) {
            unsigned other = t >= apart ? part[t - apart] : 0;
            __syncthreads();
            part[t] += other;
            __syncthreads();
        }
        out[i] = before + part[t];
        before += part[511];
        __syncthreads();
    }
}

/* Each pixel becomes black or white; what is lost goes to its right neighbour. */
__global__ void dither_rows(const unsigned char *in, unsigned char *out, int width, int height)
{
    int y = blockIdx.x * blockDim.x + threadIdx.x, error = 0;
    if (y >= height) return;
    for (int x = 0; x < width; x++) {
        int value = in[y * width + x] + error;
        int chosen = value < 128 ? 0 : 255;
        out[y * width + x] = (unsigned char)chosen;
        error = value - chosen;
    }
}

__global__ void julia(unsigned char *out, int width, int height, float re, float im, int most)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= width || py >= height) return;
    float x = 3.0f * px / width - 1.5f, y = 3.0f * py / height - 1.5f;
    int steps = 0;
    while (steps < most && x * x + y * y < 4) {
        float next = x * x - y * y + re;
        y = 2 * x * y + im;
        x = next;
        steps++;
    }
    out[py * width + px] = (unsigned char)steps;
}

static void rows_and_fractals(void)
{
    {
        const unsigned char *in = gray_picture(2048, 768);
        unsigned *out = array<unsigned>(2048 * 768);
        measure("image", "integral of rows",
                [&] { integral_of_rows<<<768, 512>>>(in, out, 2048); });
    }
    {
        const unsigned char *in = gray_picture(512, 4096);
        unsigned char *out = array<unsigned char>(2 * M);
        measure("image", "dithering by rows", [&] { dither_rows<<<64, 64>>>(in, out, 512, 4096); });
    }
    {
        unsigned char *out = array<unsigned char>(M);
        measure("image", "julia set",
                [&] { julia<<<dim3(64, 64), dim3(16, 16)>>>(out, K, K, -0.8f, 0.156f, 200); });
    }
}

static void measure_all(void)
{
    filters();
    sizes();
    pixels();
    rows_and_fractals();
}
