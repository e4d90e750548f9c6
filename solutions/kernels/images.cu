/* images.cu: what programs do to pictures, to signals and to matrices, each as a textbook has it.
 */
#include "kernels.h"

#include <math.h>

static const float PI = 3.14159265f;

static dim3 blocks_of(int width, int height, dim3 block)
{
    return dim3((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
}

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

/* ---- filters of signals ---- */

enum { TAPS = 64 };
__constant__ float taps[TAPS];

/* There are TAPS more samples than results. */
__global__ void fir(const float *in, float *out, int n, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0;
    for (int k = 0; k < count; k++)
        sum += taps[k] * in[i + k];
    out[i] = sum;
}

/* Each thread computes four results. */
__global__ void fir_shared(const float *in, float *out)
{
    __shared__ float part[512 + TAPS];
    int first = blockIdx.x * 512;
    for (int i = threadIdx.x; i < 512 + TAPS; i += 128)
        part[i] = in[first + i];
    __syncthreads();
    float sum[4] = {0, 0, 0, 0};
    for (int k = 0; k < TAPS; k++)
#pragma unroll
        for (int j = 0; j < 4; j++)
            sum[j] += taps[k] * part[threadIdx.x + 128 * j + k];
#pragma unroll
    for (int j = 0; j < 4; j++)
        out[first + threadIdx.x + 128 * j] = sum[j];
}

/* A thread per channel; the channels' samples of the same time are neighbours. */
__global__ void biquad(const float *in, float *out, int channels, int length)
{
    int channel = blockIdx.x * blockDim.x + threadIdx.x;
    if (channel >= channels) return;
    float x1 = 0, x2 = 0, y1 = 0, y2 = 0;
    for (int t = 0; t < length; t++) {
        float x = in[t * channels + channel];
        float y = 0.0675f * x + 0.135f * x1 + 0.0675f * x2 + 1.143f * y1 - 0.413f * y2;
        out[t * channels + channel] = y;
        x2 = x1;
        x1 = x;
        y2 = y1;
        y1 = y;
    }
}

/* A running sum; each thread computes 32 results that are neighbours. */
__global__ void moving_average(const float *in, float *out, int n, int window)
{
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * 32;
    if (first >= n) return;
    float sum = 0;
    for (int i = 0; i < window; i++)
        sum += in[first + i];
    for (int i = first; i < first + 32; i++) {
        out[i] = sum / window;
        sum += in[i + window] - in[i];
    }
}

__global__ void every_fourth(const float4 *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 v = in[i];
    out[i] = 0.25f * (v.x + v.y + v.z + v.w);
}

static void signal_filters(void)
{
    float weights[TAPS];
    for (int i = 0; i < TAPS; i++)
        weights[i] = 1.0f / (i + TAPS);
    check(cudaMemcpyToSymbol(taps, weights, sizeof weights), "cudaMemcpyToSymbol");
    {
        const float *in = array<float>(2 * M + TAPS);
        float *out = array<float>(2 * M);
        measure("signal", "32 taps", [&] { fir<<<8 * K, 256>>>(in, out, 2 * M, 32); });
    }
    {
        const float *in = array<float>(M + TAPS);
        float *out = array<float>(M);
        measure("signal", "64 taps, shared", [&] { fir_shared<<<2 * K, 128>>>(in, out); });
    }
    {
        const float *in = array<float>(2 * M);
        float *out = array<float>(2 * M);
        measure("signal", "biquads", [&] { biquad<<<256, 64>>>(in, out, 16 * K, 128); });
    }
    {
        const float *in = array<float>(2 * M + 64);
        float *out = array<float>(2 * M);
        measure("signal", "moving average",
                [&] { moving_average<<<512, 128>>>(in, out, 2 * M, 64); });
    }
    {
        const float4 *in = array<float4>(4 * M);
        float *out = array<float>(4 * M);
        measure("signal", "mean of each four",
                [&] { every_fourth<<<8 * K, 512>>>(in, out, 4 * M); });
    }
}

/* ---- frequencies ---- */

/* A row of blocks per frame */
__global__ void dft(const float *in, float2 *out, int n)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    const float *frame = in + blockIdx.y * n;
    float re = 0, im = 0;
    for (int t = 0; t < n; t++) {
        float s, c;
        sincosf(-2 * PI * (k * t % n) / n, &s, &c);
        re += frame[t] * c;
        im += frame[t] * s;
    }
    out[blockIdx.y * n + k] = make_float2(re, im);
}

/* One stage; a thread per pair */
__global__ void butterflies(const float2 *in, float2 *out, int n, int apart)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n / 2) return;
    int place = i % apart, low = i / apart * 2 * apart + place, high = low + apart;
    float angle = -PI * place / apart, c = cosf(angle), s = sinf(angle);
    float2 a = in[low], b = in[high];
    float2 turned = make_float2(b.x * c - b.y * s, b.x * s + b.y * c);
    out[low] = make_float2(a.x + turned.x, a.y + turned.y);
    out[high] = make_float2(a.x - turned.x, a.y - turned.y);
}

/* A block of 128 threads per transform of 256 */
__global__ void fft_256(const float2 *in, float2 *out, const float2 *twiddles)
{
    __shared__ float2 data[256], turns[128];
    int t = threadIdx.x;
    in += blockIdx.x * 256;
    out += blockIdx.x * 256;
    data[__brev(t) >> 24] = in[t];
    data[__brev(t + 128) >> 24] = in[t + 128];
    turns[t] = twiddles[t];
    __syncthreads();
    for (int apart = 1; apart < 256; apart *= 2) {
        int place = t & (apart - 1), low = 2 * t - place, high = low + apart;
        float2 turn = turns[place * (128 / apart)], a = data[low], b = data[high];
        float2 turned = make_float2(b.x * turn.x - b.y * turn.y, b.x * turn.y + b.y * turn.x);
        data[low] = make_float2(a.x + turned.x, a.y + turned.y);
        data[high] = make_float2(a.x - turned.x, a.y - turned.y);
        __syncthreads();
    }
    out[t] = data[t];
    out[t + 128] = data[t + 128];
}

/* A block per frame, a thread per lag */
__global__ void autocorrelation(const float *in, float *out)
{
    __shared__ float frame[1024];
    int lag = threadIdx.x;
    for (int i = threadIdx.x; i < 1024; i += blockDim.x)
        frame[i] = in[blockIdx.x * 1024 + i];
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < 1024 - lag; i++)
        sum += frame[i] * frame[i + lag];
    out[blockIdx.x * blockDim.x + lag] = sum;
}

__global__ void hann_window(const float *in, float *out, int n, int frame)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] * (0.5f - 0.5f * cosf(2 * PI * (i % frame) / (frame - 1)));
}

static void frequencies(void)
{
    {
        const float *in = array<float>(16 * 512);
        float2 *out = array<float2>(16 * 512);
        measure("signal", "dft of 512", [&] { dft<<<dim3(4, 16), 128>>>(in, out, 512); });
    }
    {
        const float2 *in = array<float2>(2 * M);
        float2 *out = array<float2>(2 * M);
        measure("signal", "butterflies",
                [&] { butterflies<<<4 * K, 256>>>(in, out, 2 * M, 2048); });
    }
    {
        const float2 *in = array<float2>(M);
        const float2 *twiddles = filled<float2>(
            128, [](size_t i) { return make_float2(cosf(PI * i / 128), -sinf(PI * i / 128)); });
        float2 *out = array<float2>(M);
        measure("signal", "fft of 256", [&] { fft_256<<<4 * K, 128>>>(in, out, twiddles); });
    }
    {
        const float *in = filled<float>(128 * K, fraction);
        float *out = array<float>(128 * 256);
        measure("signal", "autocorrelation", [&] { autocorrelation<<<128, 256>>>(in, out); });
    }
    {
        const float *in = array<float>(4 * M);
        float *out = array<float>(4 * M);
        measure("signal", "hann window",
                [&] { hann_window<<<16 * K, 256>>>(in, out, 4 * M, 1000); });
    }
}

/* ---- codes ---- */

__global__ void differences(const short *in, short *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = (short)(i > 0 ? in[i] - in[i - 1] : in[i]);
}

/* The sums of the differences; each block of 256 threads has 1024 that begin anew. */
__global__ void sums_of_differences(const int4 *in, int4 *out)
{
    __shared__ int sums[8];
    int i = blockIdx.x * 256 + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int4 v = in[i];
    v.y += v.x;
    v.z += v.y;
    v.w += v.z;
    int sum = v.w;
    for (int apart = 1; apart < 32; apart *= 2) {
        int other = __shfl_up_sync(0xffffffff, sum, apart);
        if (lane >= apart) sum += other;
    }
    if (lane == 31) sums[warp] = sum;
    __syncthreads();
    int before = sum - v.w;
    for (int w = 0; w < warp; w++)
        before += sums[w];
    out[i] = make_int4(v.x + before, v.y + before, v.z + before, v.w + before);
}

/* The length of each run at its first element, 0 at the others */
__global__ void run_lengths(const unsigned char *in, unsigned short *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, length = 0;
    if (i >= n) return;
    if (i == 0 || in[i] != in[i - 1]) do
            length++;
        while (i + length < n && in[i + length] == in[i]);
    out[i] = (unsigned short)length;
}

/* Each block lists its peaks in any order. */
__global__ void peaks(const float *in, int *list, int *counts, int n, float least)
{
    __shared__ int count;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    if (i >= 3 && i < n - 3 && in[i] >= least) {
        bool highest = true;
        for (int k = 1; k <= 3 && highest; k++)
            highest = in[i] > in[i - k] && in[i] >= in[i + k];
        if (highest) list[blockIdx.x * blockDim.x + atomicAdd(&count, 1)] = i;
    }
    __syncthreads();
    if (threadIdx.x == 0) counts[blockIdx.x] = count;
}

static void codes(void)
{
    {
        const short *in = array<short>(8 * M);
        short *out = array<short>(8 * M);
        measure("signal", "differences", [&] { differences<<<8 * K, 1024>>>(in, out, 8 * M); });
    }
    {
        const int4 *in = filled<int4>(M, [](size_t i) { return make_int4(i & 7, -2, 1, -3); });
        int4 *out = array<int4>(M);
        measure("signal", "sums of differences",
                [&] { sums_of_differences<<<4 * K, 256>>>(in, out); });
    }
    {
        const unsigned char *in = filled<unsigned char>(
            4 * M, [](size_t i) { return (unsigned char)(scatter(i / 5) & 3); });
        unsigned short *out = array<unsigned short>(4 * M);
        measure("signal", "run lengths", [&] { run_lengths<<<16 * K, 256>>>(in, out, 4 * M); });
    }
    {
        const float *in = filled<float>(4 * M, fraction);
        int *list = array<int>(4 * M), *counts = array<int>(8 * K);
        measure("signal", "peaks", [&] { peaks<<<8 * K, 512>>>(in, list, counts, 4 * M, 0.5f); });
    }
}

/* ---- sums and transposes of matrices ---- */

__global__ void add_matrices(const float *a, const float *b, float *c, int rows, int columns)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < columns && y < rows) c[y * columns + x] = a[y * columns + x] + b[y * columns + x];
}

__global__ void row_sums(const float *a, float *sums, int columns)
{
    __shared__ float part[128];
    float sum = 0;
    for (int j = threadIdx.x; j < columns; j += 128)
        sum += a[blockIdx.x * columns + j];
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int apart = 64; apart > 0; apart /= 2) {
        if (threadIdx.x < apart) part[threadIdx.x] += part[threadIdx.x + apart];
        __syncthreads();
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}

/* A thread per column of 64 rows */
__global__ void column_sums(const float *a, float *sums, int columns)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, first = blockIdx.y * 64;
    float sum = 0;
    for (int y = first; y < first + 64; y++)
        sum += a[y * columns + x];
    atomicAdd(&sums[x], sum);
}

__global__ void transpose(const double *a, double *b, int rows, int columns)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < columns && y < rows) b[x * rows + y] = a[y * columns + x];
}

__global__ void transpose_by_tiles(const float *a, float *b, int rows, int columns)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32;
    for (int j = threadIdx.y; j < 32; j += blockDim.y)
        tile[j][threadIdx.x] = a[(y + j) * columns + x];
    __syncthreads();
    x = blockIdx.x * 32;
    y = blockIdx.y * 32 + threadIdx.x;
    for (int j = threadIdx.y; j < 32; j += blockDim.y)
        b[(x + j) * rows + y] = tile[threadIdx.x][j];
}

static void whole_matrices(void)
{
    {
        const float *a = array<float>(8 * M), *b = array<float>(8 * M);
        float *c = array<float>(8 * M);
        measure("algebra", "sum of matrices",
                [&] { add_matrices<<<dim3(256, 128), dim3(16, 16)>>>(a, b, c, 2048, 4096); });
    }
    {
        const float *a = array<float>(8 * M);
        float *sums = array<float>(4 * K);
        measure("algebra", "row sums", [&] { row_sums<<<4 * K, 128>>>(a, sums, 2048); });
    }
    {
        const float *a = array<float>(8 * M);
        float *sums = array<float>(2048);
        measure("algebra", "column sums",
                [&] { column_sums<<<dim3(8, 64), 256>>>(a, sums, 2048); });
    }
    {
        const double *a = array<double>(2 * M);
        double *b = array<double>(2 * M);
        measure("algebra", "transpose of doubles",
                [&] { transpose<<<dim3(128, 64), dim3(16, 16)>>>(a, b, K, 2048); });
    }
    {
        const float *a = array<float>(8 * M);
        float *b = array<float>(8 * M);
        measure("algebra", "transpose by tiles",
                [&] { transpose_by_tiles<<<dim3(128, 64), dim3(32, 8)>>>(a, b, 2048, 4096); });
    }
}

/* ---- a matrix and a vector ---- */

__global__ void times_vector_by_warps(const float *a, const float *x, float *y, int rows,
                                      int columns)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    float sum = 0;
    for (int j = lane; j < columns; j += 32)
        sum += a[row * columns + j] * x[j];
    sum = warp_sum(sum);
    if (lane == 0) y[row] = sum;
}

/* The sum of the threads' values, in thread 0 */
__device__ float sum_in_block(float value)
{
    __shared__ float part[32];
    value = warp_sum(value);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x < 32) value = warp_sum(threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0);
    return value;
}

__global__ void times_vector_by_blocks(const float4 *a, const float4 *x, float *y, int quads)
{
    float sum = 0;
    for (int j = threadIdx.x; j < quads; j += blockDim.x) {
        float4 m = a[blockIdx.x * quads + j], v = x[j];
        sum += m.x * v.x + m.y * v.y + m.z * v.z + m.w * v.w;
    }
    sum = sum_in_block(sum);
    if (threadIdx.x == 0) y[blockIdx.x] = sum;
}

__global__ void jacobi(const float *a, const float *b, const float *x, float *next, int n)
{
    int row = blockIdx.x;
    float sum = 0;
    for (int j = threadIdx.x; j < n; j += blockDim.x)
        if (j != row) sum += a[row * n + j] * x[j];
    sum = sum_in_block(sum);
    if (threadIdx.x == 0) next[row] = (b[row] - sum) / a[row * n + row];
}

/* A thread per row of a sparse matrix */
__global__ void times_sparse(const int *starts, const int *columns, const float *values,
                             const float *x, float *y, int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0;
    for (int i = starts[row]; i < starts[row + 1]; i++)
        sum += values[i] * x[columns[i]];
    y[row] = sum;
}

static void matrices_and_vectors(void)
{
    {
        const float *a = array<float>(8 * M), *x = array<float>(2048);
        float *y = array<float>(4 * K);
        measure("algebra", "matrix and vector, by warps",
                [&] { times_vector_by_warps<<<512, 256>>>(a, x, y, 4 * K, 2048); });
    }
    {
        const float4 *a = array<float4>(2 * M), *x = array<float4>(4 * K);
        float *y = array<float>(512);
        measure("algebra", "matrix and vector, by blocks",
                [&] { times_vector_by_blocks<<<512, 256>>>(a, x, y, 4 * K); });
    }
    {
        const float *a = array<float>(4 * M), *b = array<float>(2048), *x = array<float>(2048);
        float *next = array<float>(2048);
        measure("algebra", "jacobi iteration", [&] { jacobi<<<2048, 64>>>(a, b, x, next, 2048); });
    }
    {
        int rows = 256 * K, total = 0;
        const int *starts = filled<int>(rows + 1, [&](size_t i) {
            int start = total;
            total += 2 + scatter(i) % 13;
            return start;
        });
        const int *columns =
            filled<int>(total, [=](size_t i) { return (int)(scatter(i) % (unsigned)rows); });
        const float *values = array<float>(total), *x = array<float>(rows);
        float *y = array<float>(rows);
        measure("algebra", "sparse matrix and vector",
                [&] { times_sparse<<<2 * K, 128>>>(starts, columns, values, x, y, rows); });
    }
}

/* ---- equations ---- */

/* A thread per right side; the sides' values of the same row are neighbours. */
__global__ void solve_lower(const float *lower, const float *b, float *x, int count)
{
    __shared__ float l[32][32];
    int side = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = threadIdx.x; i < 1024; i += blockDim.x)
        l[i / 32][i % 32] = lower[i];
    __syncthreads();
    if (side >= count) return;
    for (int i = 0; i < 32; i++) {
        float rest = b[i * count + side];
        for (int j = 0; j < i; j++)
            rest -= l[i][j] * x[j * count + side];
        x[i * count + side] = rest / l[i][i];
    }
}

/* Takes a multiple of row k from each row below. */
__global__ void eliminate(float *a, int n, int k)
{
    int x = k + 1 + blockIdx.x * blockDim.x + threadIdx.x,
        y = k + 1 + blockIdx.y * blockDim.y + threadIdx.y;
    if (x < n && y < n) a[y * n + x] -= a[y * n + k] / a[k * n + k] * a[k * n + x];
}

__global__ void invert_four(const float4 *in, float4 *out, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    float4 a = in[4 * i], b = in[4 * i + 1], c = in[4 * i + 2], d = in[4 * i + 3];
    float s0 = a.x * b.y - b.x * a.y, s1 = a.x * b.z - b.x * a.z, s2 = a.x * b.w - b.x * a.w,
          s3 = a.y * b.z - b.y * a.z, s4 = a.y * b.w - b.y * a.w, s5 = a.z * b.w - b.z * a.w;
    float t0 = c.x * d.y - d.x * c.y, t1 = c.x * d.z - d.x * c.z, t2 = c.x * d.w - d.x * c.w,
          t3 = c.y * d.z - d.y * c.z, t4 = c.y * d.w - d.y * c.w, t5 = c.z * d.w - d.z * c.w;
    float f = 1 / (s0 * t5 - s1 * t4 + s2 * t3 + s3 * t2 - s4 * t1 + s5 * t0);
    out[4 * i] =
        make_float4((b.y * t5 - b.z * t4 + b.w * t3) * f, (a.z * t4 - a.y * t5 - a.w * t3) * f,
                    (d.y * s5 - d.z * s4 + d.w * s3) * f, (c.z * s4 - c.y * s5 - c.w * s3) * f);
    out[4 * i + 1] =
        make_float4((b.z * t2 - b.x * t5 - b.w * t1) * f, (a.x * t5 - a.z * t2 + a.w * t1) * f,
                    (d.z * s2 - d.x * s5 - d.w * s1) * f, (c.x * s5 - c.z * s2 + c.w * s1) * f);
    out[4 * i + 2] =
        make_float4((b.x * t4 - b.y * t2 + b.w * t0) * f, (a.y * t2 - a.x * t4 - a.w * t0) * f,
                    (d.x * s4 - d.y * s2 + d.w * s0) * f, (c.y * s2 - c.x * s4 - c.w * s0) * f);
    out[4 * i + 3] =
        make_float4((b.y * t1 - b.x * t3 - b.z * t0) * f, (a.x * t3 - a.y * t1 + a.z * t0) * f,
                    (d.y * s1 - d.x * s3 - d.z * s0) * f, (c.x * s3 - c.y * s1 + c.z * s0) * f);
}

/* A thread per matrix of 6 x 6, of which only the 21 elements of the lower half are stored */
__global__ void cholesky(const float *in, float *out, int count)
{
    int which = blockIdx.x * blockDim.x + threadIdx.x;
    if (which >= count) return;
    float l[6][6];
#pragma unroll
    for (int i = 0; i < 6; i++)
#pragma unroll
        for (int j = 0; j <= i; j++) {
            float rest = in[(i * (i + 1) / 2 + j) * count + which];
#pragma unroll
            for (int k = 0; k < j; k++)
                rest -= l[i][k] * l[j][k];
            l[i][j] = i == j ? sqrtf(rest) : rest / l[j][j];
            out[(i * (i + 1) / 2 + j) * count + which] = l[i][j];
        }
}

static void equations(void)
{
    {
        int count = 32 * K;
        const float *lower = array<float>(K), *b = array<float>(32 * count);
        float *x = array<float>(32 * count);
        measure("algebra", "triangular solves",
                [&] { solve_lower<<<count / 128, 128>>>(lower, b, x, count); });
    }
    {
        float *a = array<float>(4 * M);
        dim3 block(32, 8), grid = blocks_of(1947, 1947, block);
        measure("algebra", "step of an elimination",
                [&] { eliminate<<<grid, block>>>(a, 2048, 100); });
    }
    {
        int count = 256 * K;
        const float4 *in = filled<float4>(4 * count, [](size_t i) {
            float row[4] = {fraction(i), fraction(i + 1), fraction(i + 2), fraction(i + 3)};
            row[i % 4] += 4;
            return make_float4(row[0], row[1], row[2], row[3]);
        });
        float4 *out = array<float4>(4 * count);
        measure("algebra", "inverses of 4 x 4",
                [&] { invert_four<<<count / 64, 64>>>(in, out, count); });
    }
    {
        int count = 128 * K;
        const float *in = filled<float>(21 * count, [=](size_t i) {
            size_t e = i / count;
            bool diagonal = e == 0 || e == 2 || e == 5 || e == 9 || e == 14 || e == 20;
            return fraction(i) + (diagonal ? 6 : 0);
        });
        float *out = array<float>(21 * count);
        measure("algebra", "cholesky of 6 x 6",
                [&] { cholesky<<<count / 256, 256>>>(in, out, count); });
    }
}

/* ---- lengths and products ---- */

__global__ void squares(const float4 *x, float *sums, int n)
{
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float4 v = x[i];
        sum += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
    }
    sum = sum_in_block(sum);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

/* Takes from each vector its part along q and makes the rest one long; a block per vector */
__global__ void gram_schmidt(const float *vectors, const float *q, float *out, int n)
{
    __shared__ float along, factor;
    const float *v = vectors + blockIdx.x * n;
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        sum += v[i] * q[i];
    sum = sum_in_block(sum);
    if (threadIdx.x == 0) along = sum;
    __syncthreads();
    sum = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        float rest = v[i] - along * q[i];
        sum += rest * rest;
    }
    sum = sum_in_block(sum);
    if (threadIdx.x == 0) factor = rsqrtf(sum);
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        out[blockIdx.x * n + i] = (v[i] - along * q[i]) * factor;
}

__global__ void double_triad(double *a, const double *b, const double *c, double factor, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        a[i] = b[i] + factor * c[i];
}

__global__ void dot_by_tree(const float *a, const float *b, float *result, int n)
{
    __shared__ float part[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    part[threadIdx.x] = i < n ? a[i] * b[i] : 0;
    __syncthreads();
    for (int apart = 128; apart > 0; apart /= 2) {
        if (threadIdx.x < apart) part[threadIdx.x] += part[threadIdx.x + apart];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(result, part[0]);
}

/* The values of a polynomial at 0, 1, 2 ..., by Horner, modulo a prime less than 2^16 */
__global__ void horner_modulo(const unsigned *factors, int degree, unsigned prime, unsigned *values,
                              int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned x = i % prime, value = 0;
    for (int k = degree; k >= 0; k--)
        value = (value * x + factors[k]) % prime;
    values[i] = value;
}

static void lengths_and_products(void)
{
    {
        const float4 *x = array<float4>(4 * M);
        float *sums = array<float>(264);
        measure("algebra", "norm by shuffles", [&] { squares<<<264, 512>>>(x, sums, 4 * M); });
    }
    {
        const float *vectors = filled<float>(2 * M, fraction), *q = array<float>(2048);
        float *out = array<float>(2 * M);
        measure("algebra", "gram-schmidt step",
                [&] { gram_schmidt<<<K, 256>>>(vectors, q, out, 2048); });
    }
    {
        double *a = array<double>(4 * M);
        const double *b = array<double>(4 * M), *c = array<double>(4 * M);
        measure("algebra", "triad of doubles",
                [&] { double_triad<<<K, 256>>>(a, b, c, 3, 4 * M); });
    }
    {
        const float *a = array<float>(4 * M), *b = array<float>(4 * M);
        float *result = array<float>(1);
        measure("algebra", "dot product, atomics",
                [&] { dot_by_tree<<<16 * K, 256>>>(a, b, result, 4 * M); });
    }
    {
        const unsigned *factors = filled<unsigned>(25, [](size_t i) { return scatter(i) % 65521; });
        unsigned *values = array<unsigned>(512 * K);
        measure("algebra", "polynomial modulo a prime",
                [&] { horner_modulo<<<K, 512>>>(factors, 24, 65521, values, 512 * K); });
    }
}

static void measure_all(void)
{
    filters();
    sizes();
    pixels();
    rows_and_fractals();
    signal_filters();
    frequencies();
    codes();
    whole_matrices();
    matrices_and_vectors();
    equations();
    lengths_and_products();
}
