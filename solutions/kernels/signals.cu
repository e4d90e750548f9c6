/* signals.cu: what programs do to signals: filters, frequencies and codes. */
#include "kernels.h"

#include <math.h>

static const float PI = 3.14159265f;

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

/* The sums of the differences; each block of 256 threads has 1024 that begin again. */
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

static void measure_all(void)
{
    signal_filters();
    frequencies();
    codes();
}
