/* suites.cu: kernels as benchmark suites contain them: linear algebra, grids, images, dynamics. */
#include "kernels.h"

/* ---- linear algebra ---- */

__global__ void two_products(const float *a, const float *b, const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = 0, t = 0;
    for (int j = 0; j < n; j++) {
        s += a[i * n + j] * x[j];
        t += b[i * n + j] * x[j];
    }
    y[i] = 1.5f * s + 2.5f * t;
}

__global__ void transposed_product(const double *a, const double *x, double *y, int rows, int n)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= n) return;
    double sum = 0;
    for (int i = 0; i < rows; i++)
        sum += a[i * n + j] * x[i];
    y[j] = sum;
}

__global__ void rank_update(const float *a, float *c, int n, int m)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= n || j >= n || j > i) return;
    float sum = 0.5f * c[i * n + j];
    for (int k = 0; k < m; k++)
        sum += a[i * m + k] * a[j * m + k];
    c[i * n + j] = sum;
}

__global__ void centred(float *a, const float *mean, const float *deviation, int rows, int n)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= rows || j >= n) return;
    float d = deviation[j];
    a[i * n + j] = (a[i * n + j] - mean[j]) / (sqrtf((float)rows) * (d <= 0.1f ? 1.0f : d));
}

__global__ void outer_product(const float *x, const float *y, float *a, int n)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < n) a[i * n + j] += x[i] * y[j];
}

/* One block decomposes a tile of 16 x 16 in shared memory. */
__global__ void lower_upper(float *tiles)
{
    __shared__ float s[16][16];
    int t = threadIdx.x;
    float *tile = tiles + blockIdx.x * 256;
    for (int i = 0; i < 16; i++)
        s[i][t] = tile[i * 16 + t] + (i == t ? 20 : 0);
    __syncthreads();
    for (int i = 0; i < 15; i++) {
        if (t > i) {
            for (int j = 0; j < i; j++)
                s[t][i] -= s[t][j] * s[j][i];
            s[t][i] /= s[i][i];
        }
        __syncthreads();
        if (t > i)
            for (int j = 0; j < i + 1; j++)
                s[i + 1][t] -= s[i + 1][j] * s[j][t];
        __syncthreads();
    }
    for (int i = 0; i < 16; i++)
        tile[i * 16 + t] = s[i][t];
}

/* Each thread computes 4 x 4 elements of a product; tiles of 64 x 16 in shared memory. */
__global__ void product_4_by_4(const float *a, const float *b, float *c, int n)
{
    __shared__ float at[16][65], bt[16][64];
    int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
    int row = blockIdx.y * 64, column = blockIdx.x * 64;
    float sum[4][4] = {};
    for (int k = 0; k < n; k += 16) {
        for (int l = threadIdx.x; l < 1024; l += 256) {
            at[l % 16][l / 16] = a[(row + l / 16) * n + k + l % 16];
            bt[l / 64][l % 64] = b[(k + l / 64) * n + column + l % 64];
        }
        __syncthreads();
        for (int l = 0; l < 16; l++) {
            float x[4], y[4];
            for (int i = 0; i < 4; i++) {
                x[i] = at[l][ty * 4 + i];
                y[i] = bt[l][tx + 16 * i];
            }
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++)
                    sum[i][j] += x[i] * y[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            c[(row + ty * 4 + i) * n + column + tx + 16 * j] = sum[i][j];
}

/* Compressed rows of doubles, four lanes for each row. */
__global__ void four_lanes_per_row(const int *start, const int *column, const double *value,
                                   const double *x, double *y, int n)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x, row = thread / 4, lane = thread % 4;
    if (row >= n) return;
    double sum = 0;
    for (int k = start[row] + lane; k < start[row + 1]; k += 4)
        sum += value[k] * x[column[k]];
    sum += __shfl_down_sync(0xffffffff, sum, 2, 4);
    sum += __shfl_down_sync(0xffffffff, sum, 1, 4);
    if (lane == 0) y[row] = sum;
}

static void linear_algebra(void)
{
    dim3 square(16, 16), wide(32, 8);
    auto a = fractions(M), b = fractions(M), x = fractions(K), y = array<float>(K);
    measure("suite", "two products with a vector",
            [&] { two_products<<<8, 128>>>(a, b, x, y, K); });
    auto da = fractions<double>(M), dx = fractions<double>(K), dy = array<double>(2 * K);
    measure("suite", "transposed product, double",
            [&] { transposed_product<<<8, 256>>>(da, dx, dy, 512, 2 * K); });
    a = fractions(256 * 128), b = fractions(256 * 256);
    measure("suite", "symmetric rank update",
            [&] { rank_update<<<dim3(16, 16), square>>>(a, b, 256, 128); });
    a = fractions(M), b = fractions(K), x = fractions(K);
    measure("suite", "columns centred", [&] { centred<<<dim3(32, 128), wide>>>(a, b, x, K, K); });
    a = fractions(M), x = fractions(K), y = fractions(K);
    measure("suite", "outer product", [&] { outer_product<<<dim3(64, 64), square>>>(x, y, a, K); });
    a = fractions(256 * 600);
    measure("suite", "decompositions of tiles", [&] { lower_upper<<<600, 16>>>(a); });
    a = fractions(256 * 256), b = fractions(256 * 256), x = array<float>(256 * 256);
    measure("suite", "product, 4 x 4 each",
            [&] { product_4_by_4<<<dim3(4, 4), 256>>>(a, b, x, 256); });
    enum { ROWS = 16 * K };
    auto length = [](size_t i) { return 8 + (int)(scatter(i) % 17); };
    int *sums = sums_before(ROWS, length), all = sums[ROWS];
    auto start = filled<int>(ROWS + 1, [=](size_t i) { return sums[i]; });
    free(sums);
    auto column = below(ROWS, all);
    da = fractions<double>(all), dx = fractions<double>(ROWS), dy = array<double>(ROWS);
    measure("suite", "sparse rows, four lanes each",
            [&] { four_lanes_per_row<<<ROWS / 64, 256>>>(start, column, da, dx, dy, ROWS); });
}

/* ---- grids and images ---- */

__global__ void hot_spot(const float *from, const float *power, float *to, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int w = max(x - 1, 0), e = min(x + 1, width - 1), n = max(y - 1, 0), s = min(y + 1, height - 1);
    float t = from[y * width + x];
    to[y * width + x] =
        t +
        0.2f * (power[y * width + x] + (from[s * width + x] + from[n * width + x] - 2 * t) * 0.1f +
                (from[y * width + e] + from[y * width + w] - 2 * t) * 0.1f + (80 - t) * 0.01f);
}

/* The cheapest way down, 16 rows at a time: the block's sides become useless one by one. */
__global__ void path_finder(const int *cost, int *best, int width)
{
    enum { STEPS = 16, SIDE = 256 - 2 * STEPS };
    __shared__ int before[256], now[256];
    int t = threadIdx.x, x = blockIdx.x * SIDE - STEPS + t;
    bool inside = x >= 0 && x < width;
    before[t] = inside ? best[x] : 1 << 20;
    __syncthreads();
    for (int i = 0; i < STEPS; i++) {
        if (t > i && t < 255 - i && inside)
            now[t] = min(before[t], min(before[t - 1], before[t + 1])) + cost[i * width + x];
        else
            now[t] = 1 << 20;
        __syncthreads();
        before[t] = now[t];
        __syncthreads();
    }
    if (t >= STEPS && t < 256 - STEPS && inside) best[width + x] = before[t];
}

__global__ void speckles(const float *image, float *c, int n, float q0)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, y = i / n, x = i % n;
    if (y >= n) return;
    float j = image[i];
    float dn = image[(y > 0 ? y - 1 : 0) * n + x] - j;
    float ds = image[(y < n - 1 ? y + 1 : y) * n + x] - j;
    float dw = image[y * n + (x > 0 ? x - 1 : 0)] - j,
          de = image[y * n + (x < n - 1 ? x + 1 : x)] - j;
    float g = (dn * dn + ds * ds + dw * dw + de * de) / (j * j + 1),
          l = (dn + ds + dw + de) / (j + 1);
    float num = 0.5f * g - l * l / 16, den = 1 + 0.25f * l, q = num / (den * den);
    den = (q - q0) / (q0 * (1 + q0));
    float v = 1 / (1 + den);
    c[i] = v < 0 ? 0 : v > 1 ? 1 : v;
}

__global__ void fields(float *ex, float *ey, const float *hz, int n)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < 1 || j < 1 || i >= n || j >= n) return;
    ey[i * n + j] -= 0.5f * (hz[i * n + j] - hz[(i - 1) * n + j]);
    ex[i * n + j] -= 0.5f * (hz[i * n + j] - hz[i * n + j - 1]);
}

__global__ void cosine_blocks(const unsigned char *pixel, short *to, int width)
{
    __shared__ float s[8][9], r[8][9];
    __shared__ float c[8][8];
    int x = threadIdx.x, y = threadIdx.y;
    int at = (blockIdx.y * 8 + y) * width + blockIdx.x * 8 + x;
    c[y][x] = (y == 0 ? 0.35355339f : 0.5f) * cospif((2 * x + 1) * y / 16.0f);
    s[y][x] = pixel[at] - 128.0f;
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 8; k++)
        sum += s[y][k] * c[x][k];
    r[y][x] = sum;
    __syncthreads();
    sum = 0;
    for (int k = 0; k < 8; k++)
        sum += r[k][x] * c[y][k];
    to[at] = (short)rintf(sum / (1 + x + y));
}

__global__ void eroded(const unsigned char *from, unsigned char *to, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int least = 255;
    for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++) {
            int u = x + dx, v = y + dy;
            if (u < 0 || v < 0 || u >= width || v >= height) continue;
            least = min(least, (int)from[v * width + u]);
        }
    to[y * width + x] = (unsigned char)least;
}

__global__ void sobel(const float *from, float *to, int width, int height)
{
    __shared__ float s[18][34];
    int left = blockIdx.x * 32 - 1, top = blockIdx.y * 16 - 1, t = threadIdx.y * 32 + threadIdx.x;
    for (int i = t; i < 18 * 34; i += 512) {
        int x = min(max(left + i % 34, 0), width - 1), y = min(max(top + i / 34, 0), height - 1);
        s[i / 34][i % 34] = from[y * width + x];
    }
    __syncthreads();
    int x = threadIdx.x + 1, y = threadIdx.y + 1;
    float gx = s[y - 1][x + 1] + 2 * s[y][x + 1] + s[y + 1][x + 1] - s[y - 1][x - 1] -
               2 * s[y][x - 1] - s[y + 1][x - 1];
    float gy = s[y + 1][x - 1] + 2 * s[y + 1][x] + s[y + 1][x + 1] - s[y - 1][x - 1] -
               2 * s[y - 1][x] - s[y - 1][x + 1];
    to[(top + y) * width + left + x] = sqrtf(gx * gx + gy * gy);
}

/* Each set pixel votes for the lines through it. */
__global__ void lines_through(const unsigned char *pixel, int *votes, int width, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || pixel[i] < 250) return;
    int x = i % width, y = i / width;
    for (int angle = 0; angle < 90; angle++) {
        float s, c;
        __sincosf(angle * 0.0349066f, &s, &c);
        int r = (int)(x * c + y * s) + 1024;
        atomicAdd(&votes[angle * 2048 + r], 1);
    }
}

static void grids_and_images(void)
{
    dim3 square(16, 16), wide(32, 8);
    auto a = fractions(M), b = fractions(M), c = array<float>(M);
    measure("grid", "hot spot", [&] { hot_spot<<<dim3(64, 64), square>>>(a, b, c, K, K); });
    auto cost = below(10, 16 * 100000), best = below(10, 2 * 100000);
    measure("grid", "path finder", [&] { path_finder<<<447, 256>>>(cost, best, 100000); });
    a = fractions(M), b = array<float>(M);
    measure("grid", "speckles", [&] { speckles<<<4096, 256>>>(a, b, K, 0.05f); });
    a = fractions(M), b = fractions(M), c = fractions(M);
    measure("grid", "electric fields", [&] { fields<<<dim3(32, 128), wide>>>(a, b, c, K); });
    auto pixel = below<unsigned char>(256, 512 * K);
    auto coefficients = array<short>(512 * K);
    measure("grid", "cosine transforms of 8 x 8",
            [&] { cosine_blocks<<<dim3(128, 64), dim3(8, 8)>>>(pixel, coefficients, K); });
    pixel = below<unsigned char>(256, M / 4);
    auto to = array<unsigned char>(M / 4);
    measure("grid", "eroded", [&] { eroded<<<dim3(16, 64), wide>>>(pixel, to, 512, 512); });
    a = fractions(M), b = array<float>(M);
    measure("grid", "Sobel, tiles with edges",
            [&] { sobel<<<dim3(32, 64), dim3(32, 16)>>>(a, b, K, K); });
    pixel = below<unsigned char>(256, M / 4);
    auto votes = zeros<int>(90 * 2048);
    measure("grid", "votes for lines",
            [&] { lines_through<<<1024, 256>>>(pixel, votes, 512, M / 4); });
}

/* ---- particles, waves and ways ---- */

__global__ void scanner(const float *kx, const float *ky, const float *kz, const float *phi,
                        const float *x, const float *y, const float *z, float2 *q, int samples)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float re = 0, im = 0;
    for (int k = 0; k < samples; k++) {
        float angle = 6.2831853f * (kx[k] * x[i] + ky[k] * y[i] + kz[k] * z[i]);
        re += phi[k] * __cosf(angle);
        im += phi[k] * __sinf(angle);
    }
    q[i] = make_float2(re, im);
}

__global__ void potential_map(const float4 *atom, float *map, int atoms, float cut)
{
    __shared__ float4 some[128];
    int x = blockIdx.x * 16 + threadIdx.x % 16, y = blockIdx.y * 8 + threadIdx.x / 16;
    float sum = 0;
    for (int from = 0; from < atoms; from += 128) {
        some[threadIdx.x] = atom[from + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 128; k++) {
            float dx = some[k].x - x * 0.01f, dy = some[k].y - y * 0.01f, dz = some[k].z;
            float square = dx * dx + dy * dy + dz * dz;
            if (square < cut) {
                float s = 1 - square / cut;
                sum += some[k].w * rsqrtf(square) * s * s;
            }
        }
        __syncthreads();
    }
    map[y * 128 + x] = sum;
}

/* Which bin of angles each pair of stars is in: found by halving. */
__global__ void pair_bins(const float *x, const float *y, const float *z, const float *limit,
                          unsigned *bins, int n)
{
    __shared__ unsigned mine[32];
    if (threadIdx.x < 32) mine[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int j = 0; j < n; j++) {
        float dot = x[i] * x[j] + y[i] * y[j] + z[i] * z[j];
        int low = 0, high = 20;
        while (high > low + 1) {
            int middle = (low + high) / 2;
            if (dot >= limit[middle])
                high = middle;
            else
                low = middle;
        }
        atomicAdd(&mine[low], 1);
    }
    __syncthreads();
    if (threadIdx.x < 32) atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

__global__ void differences_of_blocks(const unsigned char *now, const unsigned char *before,
                                      unsigned short *sad, int width)
{
    int bx = blockIdx.x * 16 + 8, by = blockIdx.y * 16 + 8, dx = threadIdx.x - 8,
        dy = threadIdx.y - 8;
    unsigned sum = 0;
    for (int y = 0; y < 16; y++)
        for (int x = 0; x < 16; x++)
            sum +=
                abs(now[(by + y) * width + bx + x] - before[(by + y + dy) * width + bx + x + dx]);
    sad[((blockIdx.y * gridDim.x + blockIdx.x) * 16 + threadIdx.y) * 16 + threadIdx.x] = sum;
}

__global__ void springs(const float2 *from, float2 *to, float2 *speed, int width, float dt)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float2 p = from[y * width + x], force = make_float2(0, -9.81f);
    const int ox[4] = {1, -1, 0, 0}, oy[4] = {0, 0, 1, -1};
    for (int k = 0; k < 4; k++) {
        int u = x + ox[k], v = y + oy[k];
        if (u < 0 || v < 0 || u >= width || v >= width) continue;
        float2 o = from[v * width + u];
        float dx = o.x - p.x, dy = o.y - p.y, length = sqrtf(dx * dx + dy * dy) + 1e-6f;
        float f = 40 * (length - 0.5f) / length;
        force.x += f * dx;
        force.y += f * dy;
    }
    float2 s = speed[y * width + x];
    s.x = 0.99f * (s.x + force.x * dt);
    s.y = 0.99f * (s.y + force.y * dt);
    speed[y * width + x] = s;
    to[y * width + x] = make_float2(p.x + s.x * dt, p.y + s.y * dt);
}

/* Vertices that are not reached yet look for a neighbour on the level. */
__global__ void bottom_up(const int *start, const int *edge, const unsigned *on_level,
                          unsigned *next, int *level, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n || level[v] == 1) return;
    for (int k = start[v]; k < start[v + 1]; k++) {
        int u = edge[k];
        if (on_level[u / 32] >> (u % 32) & 1) {
            level[v] = 2;
            atomicOr(&next[v / 32], 1u << (v % 32));
            break;
        }
    }
}

__global__ void hooked(const int *from, const int *to, int *parent, int edges)
{
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= edges) return;
    int a = parent[from[e]], b = parent[to[e]];
    if (a != b) atomicMin(&parent[max(a, b)], min(a, b));
}

static void particles_and_ways(void)
{
    auto a = fractions(512), b = fractions(512), c = fractions(512), d = fractions(512);
    auto x = fractions(16 * K), y = fractions(16 * K), z = fractions(16 * K);
    auto q = array<float2>(16 * K);
    measure("motion", "scanner", [&] { scanner<<<64, 256>>>(a, b, c, d, x, y, z, q, 512); });
    auto atom = filled<float4>(512, random_float4);
    auto map = array<float>(128 * 128);
    measure("motion", "map of potentials",
            [&] { potential_map<<<dim3(8, 16), 128>>>(atom, map, 512, 0.25f); });
    x = fractions(4 * K), y = fractions(4 * K), z = fractions(4 * K);
    auto limit = filled<float>(20, [](size_t i) { return 2.4f - 0.12f * i; });
    auto bins = zeros<unsigned>(32);
    measure("motion", "pairs in bins of angles",
            [&] { pair_bins<<<32, 128>>>(x, y, z, limit, bins, 512); });
    auto now = below<unsigned char>(256, 320 * 320), before = below<unsigned char>(256, 320 * 320);
    auto sad = array<unsigned short>(18 * 18 * 256);
    measure("motion", "blocks of a film compared",
            [&] { differences_of_blocks<<<dim3(18, 18), dim3(16, 16)>>>(now, before, sad, 320); });
    auto p = fractions(2 * 512 * 512), r = array<float>(2 * 512 * 512),
         s = fractions(2 * 512 * 512);
    measure("motion", "cloth", [&] {
        springs<<<dim3(16, 64), dim3(32, 8)>>>((float2 *)p, (float2 *)r, (float2 *)s, 512, 1e-4f);
    });
    enum { VERTICES = 64 * K };
    auto start = filled<int>(VERTICES + 1, [](size_t i) { return (int)i * 8; });
    auto edge = below(VERTICES, 8 * VERTICES);
    auto on =
        filled<unsigned>(VERTICES / 32, [](size_t i) { return scatter(i) & scatter(i + 77); });
    auto next = zeros<unsigned>(VERTICES / 32);
    auto level = below(3, VERTICES);
    measure("motion", "search from below",
            [&] { bottom_up<<<256, 256>>>(start, edge, on, next, level, VERTICES); });
    auto from = below(VERTICES, 4 * VERTICES);
    auto to = filled<int>(4 * VERTICES, [](size_t i) { return (int)(scatter(i + 5) % VERTICES); });
    auto parent = array<int>(VERTICES);
    auto fresh = filled<int>(VERTICES, [](size_t i) { return (int)i; });
    measure("motion", "trees hooked", [&] {
        check(cudaMemcpy(parent, fresh, VERTICES * sizeof *parent, cudaMemcpyDeviceToDevice),
              "cudaMemcpy");
        hooked<<<1024, 256>>>(from, to, parent, 4 * VERTICES);
    });
}

static void measure_all(void)
{
    linear_algebra();
    grids_and_images();
    particles_and_ways();
}
