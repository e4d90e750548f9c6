/* numerics.cu: tiles, scans, sorts and numerical methods, as a course has them. */
#include "kernels.h"

/* ---- tiles ---- */

template <int T>
__global__ void product_any(const float *a, const float *b, float *c, int rows, int inner,
                            int columns)
{
    __shared__ float p[T][T], q[T][T];
    int y = blockIdx.y * T + threadIdx.y, x = blockIdx.x * T + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < inner; k += T) {
        p[threadIdx.y][threadIdx.x] =
            y < rows && k + threadIdx.x < inner ? a[y * inner + k + threadIdx.x] : 0;
        q[threadIdx.y][threadIdx.x] =
            x < columns && k + threadIdx.y < inner ? b[(k + threadIdx.y) * columns + x] : 0;
        __syncthreads();
        for (int i = 0; i < T; i++)
            sum += p[threadIdx.y][i] * q[i][threadIdx.x];
        __syncthreads();
    }
    if (y < rows && x < columns) c[y * columns + x] = sum;
}

__global__ void product_two_by_two(const float *a, const float *b, float *c, int n)
{
    __shared__ float p[32][16], q[16][32];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 32, column = blockIdx.x * 32;
    float s00 = 0, s01 = 0, s10 = 0, s11 = 0;
    for (int k = 0; k < n; k += 16) {
        p[y][x] = a[(row + y) * n + k + x];
        p[y + 16][x] = a[(row + y + 16) * n + k + x];
        q[y][x] = b[(k + y) * n + column + x];
        q[y][x + 16] = b[(k + y) * n + column + x + 16];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 16; i++) {
            float a0 = p[y][i], a1 = p[y + 16][i], b0 = q[i][x], b1 = q[i][x + 16];
            s00 += a0 * b0;
            s01 += a0 * b1;
            s10 += a1 * b0;
            s11 += a1 * b1;
        }
        __syncthreads();
    }
    c[(row + y) * n + column + x] = s00;
    c[(row + y) * n + column + x + 16] = s01;
    c[(row + y + 16) * n + column + x] = s10;
    c[(row + y + 16) * n + column + x + 16] = s11;
}

__constant__ float mask[5][5];

__global__ void convolution(const float *a, float *b, int n)
{
    __shared__ float s[20][20];
    int x0 = blockIdx.x * 16 - 2, y0 = blockIdx.y * 16 - 2, t = threadIdx.y * 16 + threadIdx.x;
    for (int k = t; k < 400; k += 256) {
        int x = min(max(x0 + k % 20, 0), n - 1), y = min(max(y0 + k / 20, 0), n - 1);
        s[k / 20][k % 20] = a[y * n + x];
    }
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++)
            sum += mask[i][j] * s[threadIdx.y + i][threadIdx.x + j];
    b[(blockIdx.y * 16 + threadIdx.y) * n + blockIdx.x * 16 + threadIdx.x] = sum;
}

__global__ void floyd_step(int *d, int k, int n)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;
    __shared__ int via;
    if (threadIdx.x == 0) via = d[i * n + k];
    __syncthreads();
    int other = via + d[k * n + j];
    if (other < d[i * n + j]) d[i * n + j] = other;
}

__global__ void small_products(const float *a, const float *b, float *c)
{
    __shared__ float p[16][17], q[16][17];
    int x = threadIdx.x, y = threadIdx.y, at = blockIdx.x * 256 + y * 16 + x;
    p[y][x] = a[at];
    q[y][x] = b[at];
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 16; k++)
        sum += p[y][k] * q[k][x];
    c[at] = sum;
}

__global__ void turned(const int *a, int *b, int width, int height)
{
    __shared__ int s[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < width && y + j < height) s[threadIdx.y + j][threadIdx.x] = a[(y + j) * width + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < height && y + j < width) b[(y + j) * height + x] = s[threadIdx.x][threadIdx.y + j];
}

static void tiles(void)
{
    auto a = fractions(500 * 300), b = fractions(300 * 420), c = array<float>(500 * 420);
    measure("tiles", "product of 500 x 300 x 420",
            [&] { product_any<16><<<dim3(27, 32), dim3(16, 16)>>>(a, b, c, 500, 300, 420); });
    a = fractions(512 * 512), b = fractions(512 * 512), c = array<float>(512 * 512);
    measure("tiles", "product, two by two",
            [&] { product_two_by_two<<<dim3(16, 16), dim3(16, 16)>>>(a, b, c, 512); });
    float host[25];
    for (int i = 0; i < 25; i++)
        host[i] = 1 / 25.0f;
    check(cudaMemcpyToSymbol(mask, host, sizeof host), "cudaMemcpyToSymbol");
    a = fractions(M), b = array<float>(M);
    measure("tiles", "convolution 5 x 5, halo",
            [&] { convolution<<<dim3(64, 64), dim3(16, 16)>>>(a, b, 1024); });
    auto d = array<int>(M), same = below(1000, M);
    measure("tiles", "step of Floyd and Warshall", [&] {
        cudaMemcpyAsync(d, same, 4 * M, cudaMemcpyDeviceToDevice);
        floyd_step<<<dim3(4, 1024), 256>>>(d, 17, 1024);
    });
    a = fractions(M), b = fractions(M), c = array<float>(M);
    measure("tiles", "products of 16 x 16",
            [&] { small_products<<<4096, dim3(16, 16)>>>(a, b, c); });
    auto from = below(100, 1000 * 700), to = array<int>(1000 * 700);
    measure("tiles", "turned, with edges",
            [&] { turned<<<dim3(32, 22), dim3(32, 8)>>>(from, to, 1000, 700); });
}

/* ---- scans and sorts ---- */

__global__ void hillis_steele(const int *a, int *b)
{
    __shared__ int s[2][512];
    int t = threadIdx.x, from = 0;
    s[0][t] = a[blockIdx.x * 512 + t];
    __syncthreads();
    for (int apart = 1; apart < 512; apart *= 2) {
        s[1 - from][t] = s[from][t] + (t >= apart ? s[from][t - apart] : 0);
        from = 1 - from;
        __syncthreads();
    }
    b[blockIdx.x * 512 + t] = s[from][t];
}

__global__ void split_by_bit(const unsigned *a, unsigned *b, int bit)
{
    __shared__ int before[256];
    int t = threadIdx.x;
    unsigned v = a[blockIdx.x * 256 + t];
    int zero = !(v >> bit & 1);
    before[t] = zero;
    __syncthreads();
    for (int apart = 1; apart < 256; apart *= 2) {
        int other = t >= apart ? before[t - apart] : 0;
        __syncthreads();
        before[t] += other;
        __syncthreads();
    }
    int zeros = before[255], to = zero ? before[t] - 1 : zeros + t - before[t];
    b[blockIdx.x * 256 + to] = v;
}

__global__ void merge_pass(const int *a, int *b, int width, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int pair = i / (2 * width) * 2 * width, own = i - pair, first = own < width;
    int begin = first ? pair + width : pair, v = a[i], low = 0, high = width;
    while (low < high) {
        int middle = (low + high) / 2;
        if (a[begin + middle] < v || (!first && a[begin + middle] == v))
            low = middle + 1;
        else
            high = middle;
    }
    b[pair + (first ? own : own - width) + low] = v;
}

__global__ void bitonic_step(unsigned *a, int stage, int apart)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ apart;
    if (other <= i) return;
    unsigned x = a[i], y = a[other];
    if ((x > y) == ((i & stage) == 0)) {
        a[i] = y;
        a[other] = x;
    }
}

static void scans_and_sorts(void)
{
    auto a = below(100, M), b = array<int>(M);
    measure("scans", "Hillis and Steele, 512", [&] { hillis_steele<<<2048, 512>>>(a, b); });
    auto u = below<unsigned>(1u << 27, 512 * K), v = array<unsigned>(512 * K);
    measure("scans", "split by a bit", [&] { split_by_bit<<<2048, 256>>>(u, v, 5); });
    a = filled<int>(512 * K, [](size_t i) { return (int)(i % 1024 * 7); }), b = array<int>(512 * K);
    measure("scans", "pass of a merge sort",
            [&] { merge_pass<<<2048, 256>>>(a, b, 1024, 512 * K); });
    u = array<unsigned>(M), v = below<unsigned>(1u << 27, M);
    measure("scans", "step of a bitonic sort", [&] {
        cudaMemcpyAsync(u, v, 4 * M, cudaMemcpyDeviceToDevice);
        bitonic_step<<<4096, 256>>>(u, 8192, 2048);
    });
}

/* ---- numerical methods ---- */

__global__ void cube_roots(const double *a, double *root, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double x = a[i] + 1, r = 1;
    for (int k = 0; k < 12; k++)
        r = (2 * r + x / (r * r)) / 3;
    root[i] = r;
}

__global__ void simpson(float *out, float from, float to, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
    float width = (to - from) / threads, x0 = from + i * width, h = width / steps, sum = 0;
    for (int k = 0; k <= steps; k++) {
        float x = x0 + k * h;
        sum += (k == 0 || k == steps ? 1 : k % 2 ? 4 : 2) * expf(-x * x);
    }
    out[i] = sum * h / 3;
}

__global__ void rod(const float *a, float *b, int steps)
{
    __shared__ float s[2][258];
    int t = threadIdx.x + 1, now = 0;
    s[0][t] = a[blockIdx.x * 256 + t - 1];
    if (t == 1) s[0][0] = s[1][0] = s[0][257] = s[1][257] = 0;
    __syncthreads();
    for (int k = 0; k < steps; k++) {
        s[1 - now][t] = s[now][t] + 0.25f * (s[now][t - 1] - 2 * s[now][t] + s[now][t + 1]);
        now = 1 - now;
        __syncthreads();
    }
    b[blockIdx.x * 256 + t - 1] = s[now][t];
}

__global__ void lorenz(const float3 *start, float3 *end, float dt, int steps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = start[i].x, y = start[i].y, z = start[i].z;
    for (int k = 0; k < steps; k++) {
        float dx = 10 * (y - x), dy = x * (28 - z) - y, dz = x * y - 8.0f / 3 * z;
        float mx = x + dt / 2 * dx, my = y + dt / 2 * dy, mz = z + dt / 2 * dz;
        x += dt * 10 * (my - mx);
        y += dt * (mx * (28 - mz) - my);
        z += dt * (mx * my - 8.0f / 3 * mz);
    }
    end[i] = make_float3(x, y, z);
}

__global__ void three_by_three(const float *a, const float *b, float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float m[3][4];
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++)
            m[r][c] = a[(r * 3 + c) * n + i] + (r == c ? 3 : 0);
        m[r][3] = b[r * n + i];
    }
    for (int k = 0; k < 3; k++)
        for (int r = k + 1; r < 3; r++) {
            float f = m[r][k] / m[k][k];
            for (int c = k; c < 4; c++)
                m[r][c] -= f * m[k][c];
        }
    for (int k = 2; k >= 0; k--) {
        float v = m[k][3];
        for (int c = k + 1; c < 3; c++)
            v -= m[k][c] * x[c * n + i];
        x[k * n + i] = v / m[k][k];
    }
}

__global__ void mandelbrot_doubles(unsigned char *out, int width, int rounds)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    double cx = -2 + 3.0 * px / width, cy = -1.5 + 3.0 * py / width, x = 0, y = 0;
    int k = 0;
    for (; k < rounds && x * x + y * y < 4; k++) {
        double t = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = t;
    }
    out[py * width + px] = k;
}

static void numerical(void)
{
    auto d = fractions<double>(256 * K), e = array<double>(256 * K);
    measure("numerical", "cube roots, double", [&] { cube_roots<<<1024, 256>>>(d, e, 256 * K); });
    auto f = array<float>(64 * K);
    measure("numerical", "Simpson's rule", [&] { simpson<<<256, 256>>>(f, 0, 4, 64); });
    auto a = fractions(256 * K);
    f = array<float>(256 * K);
    measure("numerical", "heat in rods", [&] { rod<<<1024, 256>>>(a, f, 60); });
    auto start = filled<float3>(64 * K, [](size_t i) {
        return make_float3(fraction(i), fraction(i + 7), fraction(i + 13));
    });
    auto end = array<float3>(64 * K);
    measure("numerical", "Lorenz's equations",
            [&] { lorenz<<<512, 128>>>(start, end, 0.001f, 100, 64 * K); });
    a = fractions(9 * 128 * K);
    auto b = fractions(3 * 128 * K), x = array<float>(3 * 128 * K);
    measure("numerical", "three equations each",
            [&] { three_by_three<<<512, 256>>>(a, b, x, 128 * K); });
    auto bytes = array<unsigned char>(512 * 512);
    measure("numerical", "Mandelbrot in double",
            [&] { mandelbrot_doubles<<<dim3(32, 64), dim3(16, 8)>>>(bytes, 512, 100); });
}

static void measure_all(void)
{
    tiles();
    scans_and_sorts();
    numerical();
}
