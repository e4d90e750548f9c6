/*
 * schedules.cu: records who did what and when on a GPU, for the animated schedules of the slides:
 * the warps of one scheduler, the copies and kernels of a job in pieces, and the warps that fill
 * and use tiles. It also times tiles of five widths. The output is a table: a row per span of time,
 * in clocks of the SM or in ms. Kernels note their times with the SM's clock.
 *
 *   nvcc -O3 -arch=native -o schedules solutions/schedules.cu
 *   ./schedules >solutions/measured/schedules-nvidia-h100.tsv
 */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define MUST(call) must((call), #call)

static void must(cudaError_t error, const char *call)
{
    if (error == cudaSuccess) return;
    fprintf(stderr, "%s: %s\n", call, cudaGetErrorString(error));
    exit(EXIT_FAILURE);
}

static const unsigned NEVER = 0xffffffffu; /* no clock shows it in a run of milliseconds */

/* The assembler keeps it in its place between other such instructions. */
static __device__ unsigned clock_now(void)
{
    unsigned now;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(now)::"memory");
    return now;
}

static void row(const char *show, const char *setup, const char *who, int piece, const char *what,
                double from, double to)
{
    printf("%s\t%s\t%s\t%d\t%s\t%.6g\t%.6g\n", show, setup, who, piece, what, from, to);
}

/* ---- the warps of one scheduler ---- */

enum { SCHEDULERS = 4, STEPS = 24, SKIPPED = 4, MOST_LOADS = 4, CHAINS = 8, PER_LOAD = 128 };
enum { LINES = 1 << 21, APART = 32 }; /* integers; 256 MB, which no cache keeps */

/* Each warp loads, waits, computes, and loads again. next[] holds the place of the next load. */
template <int LOADS>
__global__ void load_and_compute(const int *next, unsigned (*times)[STEPS][3], float *out)
{
    int warp = threadIdx.x / 32, at[LOADS];
    float sum[CHAINS] = {};
    for (int l = 0; l < LOADS; l++)
        at[l] = (warp * MOST_LOADS + l) * (LINES / 128) * APART;
    __syncthreads();
    for (int step = 0; step < STEPS; step++) {
        unsigned from = clock_now(), arrived, computed;
#pragma unroll
        for (int l = 0; l < LOADS; l++)
            asm volatile("ld.global.cg.s32 %0, [%1];" : "=r"(at[l]) : "l"(next + at[l]) : "memory");
#pragma unroll
        for (int l = 0; l < LOADS; l++)
            if (at[l] < 0) return; /* never, but it has to wait for the load */
        arrived = clock_now();
        if (arrived == NEVER)
            return; /* never, too: the time is read before the arithmetic begins */
        float x = (float)(at[0] & 1);
#pragma unroll 4
        for (int k = 0; k < LOADS * PER_LOAD / CHAINS; k++)
#pragma unroll
            for (int c = 0; c < CHAINS; c++)
                sum[c] = sum[c] * x + 0.5f;
        float all = 0;
        for (int c = 0; c < CHAINS; c++)
            all += sum[c];
        if (all < 0) return;
        computed = clock_now();
        if (threadIdx.x % 32 == 0) {
            times[warp][step][0] = from;
            times[warp][step][1] = arrived;
            times[warp][step][2] = computed;
        }
    }
    out[threadIdx.x] = sum[0];
}

template <int LOADS> static void record_warps(int warps, const int *next, float *out)
{
    static unsigned times[32][STEPS][3];
    unsigned(*d_times)[STEPS][3];
    char setup[64], who[32];
    MUST(cudaMalloc((void **)&d_times, sizeof times));
    load_and_compute<LOADS><<<1, SCHEDULERS * warps * 32>>>(next, d_times, out);
    MUST(cudaMemcpy(times, d_times, sizeof times, cudaMemcpyDeviceToHost));
    MUST(cudaFree(d_times));
    unsigned start = times[0][SKIPPED][0];
    snprintf(setup, sizeof setup, "%d warps, %d loads", warps, LOADS);
    for (int w = 0; w < warps; w++)
        for (int step = 0; step < STEPS; step++) {
            const unsigned *t = times[w * SCHEDULERS][step];
            if ((int)(t[2] - start) < 0 || (int)(t[0] - start) > 6000) continue;
            snprintf(who, sizeof who, "warp %d", w);
            row("warps", setup, who, step, "waits", (int)(t[0] - start), (int)(t[1] - start));
            row("warps", setup, who, step, "computes", (int)(t[1] - start), (int)(t[2] - start));
        }
}

static void warps(void)
{
    std::vector<int> host((size_t)LINES * APART);
    for (size_t i = 0; i < LINES; i++) /* 40503 lines on: another page, and back only after all */
        host[i * APART] = (int)((i + 40503) % LINES * APART);
    int *next;
    float *out;
    MUST(cudaMalloc((void **)&next, host.size() * sizeof(int)));
    MUST(cudaMalloc((void **)&out, 1024 * sizeof(float)));
    MUST(cudaMemcpy(next, host.data(), host.size() * sizeof(int), cudaMemcpyHostToDevice));
    /* Later runs find lines of earlier ones in the L2: some loads take half as long as others. */
    for (int warps = 1; warps <= 8; warps *= 2) {
        record_warps<1>(warps, next, out);
        record_warps<2>(warps, next, out);
        record_warps<4>(warps, next, out);
    }
    MUST(cudaFree(next));
    MUST(cudaFree(out));
}

/* ---- copies and kernels on the bus ---- */

enum { ELEMENTS = 1 << 26, ENGINES = 3, MOST_PIECES = 16 };

__global__ void axpy(size_t n, float a, const float *x, float *y)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}

struct span {
    int piece;
    float from, to;
};

/*
 * The whole job of axpy in pieces, each in one stream. An event before and one after each operation
 * say when. An operation whose engine is still busy begins when the engine is free.
 */
static void record_job(const char *setup, float *x, float *y, int pieces, int streams)
{
    static const char *const engine[ENGINES] = {"to the GPU", "kernel", "to the host"};
    size_t piece = ELEMENTS / pieces, bytes = piece * sizeof(float);
    cudaStream_t stream[ENGINES];
    cudaEvent_t begin, mark[MOST_PIECES][ENGINES + 1];
    float *d_x, *d_y;
    MUST(cudaMalloc((void **)&d_x, ELEMENTS * sizeof(float)));
    MUST(cudaMalloc((void **)&d_y, ELEMENTS * sizeof(float)));
    MUST(cudaEventCreate(&begin));
    for (int s = 0; s < streams; s++)
        MUST(cudaStreamCreate(&stream[s]));
    for (int p = 0; p < pieces; p++)
        for (int e = 0; e <= ENGINES; e++)
            MUST(cudaEventCreate(&mark[p][e]));
    for (int run = 0; run < 3; run++) { /* the last run is the one that is kept */
        MUST(cudaDeviceSynchronize());
        MUST(cudaEventRecord(begin, stream[0]));
        for (int p = 0; p < pieces; p++) {
            cudaStream_t s = stream[p % streams];
            size_t at = p * piece;
            MUST(cudaEventRecord(mark[p][0], s));
            MUST(cudaMemcpyAsync(d_x + at, x + at, bytes, cudaMemcpyHostToDevice, s));
            MUST(cudaMemcpyAsync(d_y + at, y + at, bytes, cudaMemcpyHostToDevice, s));
            MUST(cudaEventRecord(mark[p][1], s));
            axpy<<<(unsigned)((piece + 255) / 256), 256, 0, s>>>(piece, 2, d_x + at, d_y + at);
            MUST(cudaEventRecord(mark[p][2], s));
            MUST(cudaMemcpyAsync(y + at, d_y + at, bytes, cudaMemcpyDeviceToHost, s));
            MUST(cudaEventRecord(mark[p][3], s));
        }
        MUST(cudaDeviceSynchronize());
    }
    std::vector<span> done[ENGINES];
    for (int p = 0; p < pieces; p++)
        for (int e = 0; e < ENGINES; e++) {
            struct span one = {p, 0, 0};
            MUST(cudaEventElapsedTime(&one.from, begin, mark[p][e]));
            MUST(cudaEventElapsedTime(&one.to, begin, mark[p][e + 1]));
            done[e].push_back(one);
        }
    for (int e = 0; e < ENGINES; e++) {
        float free_at = 0;
        std::sort(done[e].begin(), done[e].end(), [](span a, span b) { return a.to < b.to; });
        for (const span &one : done[e]) {
            row("bus", setup, engine[e], one.piece, engine[e], std::max(one.from, free_at), one.to);
            free_at = one.to;
        }
    }
    for (int s = 0; s < streams; s++)
        MUST(cudaStreamDestroy(stream[s]));
    MUST(cudaFree(d_x));
    MUST(cudaFree(d_y));
}

static void bus(void)
{
    float *x, *y, *plain_x = (float *)calloc(ELEMENTS, sizeof(float)),
                  *plain_y = (float *)calloc(ELEMENTS, sizeof(float));
    MUST(cudaMallocHost((void **)&x, ELEMENTS * sizeof(float)));
    MUST(cudaMallocHost((void **)&y, ELEMENTS * sizeof(float)));
    std::fill(x, x + ELEMENTS, 1.0f);
    std::fill(y, y + ELEMENTS, 1.0f);
    std::fill(plain_x, plain_x + ELEMENTS, 1.0f);
    std::fill(plain_y, plain_y + ELEMENTS, 1.0f);
    record_job("pageable, 4 pieces", plain_x, plain_y, 4, 3);
    record_job("pinned, 1 piece", x, y, 1, 1);
    record_job("pinned, 4 pieces, 1 stream", x, y, 4, 1);
    record_job("pinned, 4 pieces, 3 streams", x, y, 4, 3);
    record_job("pinned, 16 pieces, 3 streams", x, y, 16, 3);
    MUST(cudaFreeHost(x));
    MUST(cudaFreeHost(y));
    free(plain_x);
    free(plain_y);
}

/* ---- tiles through shared memory ---- */

enum { N = 2048, PHASES = N / 32, FIRST = 20, SHOWN = 4, MARKS = 5, WARPS = 32 };

struct log {
    unsigned sm, t[WARPS][PHASES][MARKS];
};

/* The tiled product of square matrices whose size is a multiple of WIDTH. With a log, it notes
 * when each warp loads, stores into the tiles, passes a barrier, and adds up. */
template <int WIDTH, bool LOGS>
__global__ void tiled(int n, const float *M, const float *P, float *R, struct log *logs)
{
    __shared__ float Ms[WIDTH][WIDTH], Ps[WIDTH][WIDTH];
    int y = threadIdx.y, x = threadIdx.x, phase = 0;
    int r = blockIdx.y * WIDTH + y, c = blockIdx.x * WIDTH + x;
    struct log *mine = logs + blockIdx.y * gridDim.x + blockIdx.x;
    unsigned t[MARKS];
    float sum = 0;
    for (int k0 = 0; k0 < n; k0 += WIDTH, phase++) {
        if (LOGS) t[0] = clock_now();
        float m = M[(size_t)r * n + k0 + x], p = P[(size_t)(k0 + y) * n + c];
        if (LOGS && m + p < 0) return; /* never, but it has to wait for the loads */
        if (LOGS) t[1] = clock_now();
        Ms[y][x] = m;
        Ps[y][x] = p;
        __syncthreads();
        if (LOGS) t[2] = clock_now();
        if (LOGS && t[2] == NEVER) return;
        for (int k = 0; k < WIDTH; k++)
            sum += Ms[y][k] * Ps[k][x];
        if (LOGS && sum < 0) return;
        if (LOGS) t[3] = clock_now();
        __syncthreads();
        if (LOGS) t[4] = clock_now();
        if (LOGS && x == 0) {
            asm volatile("mov.u32 %0, %%smid;" : "=r"(mine->sm));
            for (int i = 0; i < MARKS; i++)
                mine->t[y][phase][i] = t[i];
        }
    }
    R[(size_t)r * n + c] = sum;
}

/* Some phases of a block's warps, and what the other blocks on its SM did meanwhile. The warps are
 * those of one scheduler. */
static void tiles(const float *M, const float *P, float *R)
{
    static const char *const what[] = {"loads", "waits", "computes", "waits"};
    unsigned blocks = (N / 32) * (N / 32), of = blocks / 2, block = 0;
    struct log *logs, *host = (struct log *)calloc(blocks, sizeof *host);
    char who[32];
    MUST(cudaMalloc((void **)&logs, blocks * sizeof *logs));
    for (int run = 0; run < 2; run++)
        tiled<32, true><<<dim3(N / 32, N / 32), dim3(32, 32)>>>(N, M, P, R, logs);
    MUST(cudaMemcpy(host, logs, blocks * sizeof *logs, cudaMemcpyDeviceToHost));
    unsigned start = host[of].t[0][FIRST][0];
    int end = (int)(host[of].t[0][FIRST + SHOWN][0] - start);
    for (unsigned b = 0; b < blocks; b++) {
        if (host[b].sm != host[of].sm || (int)(host[b].t[0][PHASES - 1][4] - start) < 0 ||
            (int)(host[b].t[0][0][0] - start) > end)
            continue;
        for (int w = 0; w < WARPS; w += SCHEDULERS) {
            snprintf(who, sizeof who, "block %u, warp %d", block, w);
            for (int i = 0; i < PHASES * (MARKS - 1); i++) {
                const unsigned *t = host[b].t[w][i / (MARKS - 1)];
                int k = i % (MARKS - 1), from = (int)(t[k] - start), to = (int)(t[k + 1] - start);
                if (to > 0 && from < end)
                    row("tiles", "T = 32", who, i / (MARKS - 1), what[k], from, to);
            }
        }
        block++;
    }
    MUST(cudaFree(logs));
    free(host);
}

/* ---- tiles of five widths ---- */

template <int WIDTH> static void width(int n, const float *M, const float *P, float *R)
{
    cudaEvent_t from, to;
    float ms, best = 1e30f;
    char setup[32];
    MUST(cudaEventCreate(&from));
    MUST(cudaEventCreate(&to));
    for (int run = 0; run < 4; run++) {
        MUST(cudaEventRecord(from));
        tiled<WIDTH, false><<<dim3(n / WIDTH, n / WIDTH), dim3(WIDTH, WIDTH)>>>(n, M, P, R, NULL);
        MUST(cudaEventRecord(to));
        MUST(cudaEventSynchronize(to));
        MUST(cudaEventElapsedTime(&ms, from, to));
        if (run > 0) best = std::min(best, ms);
    }
    snprintf(setup, sizeof setup, "T = %d", WIDTH);
    row("width", setup, "Gflop/s", n, "rate", 0, 2e-6 * n * n * n / best);
}

int main(void)
{
    int n = 4096;
    float *M, *P, *R;
    cudaDeviceProp device;
    MUST(cudaGetDeviceProperties(&device, 0));
    printf("# %s, CUDA %d.%d: solutions/schedules.cu\n", device.name, CUDART_VERSION / 1000,
           CUDART_VERSION / 10 % 100);
    printf("show\tsetup\twho\tpiece\twhat\tfrom\tto\n");
    MUST(cudaMalloc((void **)&M, (size_t)n * n * sizeof(float)));
    MUST(cudaMalloc((void **)&P, (size_t)n * n * sizeof(float)));
    MUST(cudaMalloc((void **)&R, (size_t)n * n * sizeof(float)));
    MUST(cudaMemset(M, 0, (size_t)n * n * sizeof(float)));
    MUST(cudaMemset(P, 0, (size_t)n * n * sizeof(float)));
    warps();
    bus();
    tiles(M, P, R);
    width<2>(n, M, P, R);
    width<4>(n, M, P, R);
    width<8>(n, M, P, R);
    width<16>(n, M, P, R);
    width<32>(n, M, P, R);
    return EXIT_SUCCESS;
}
