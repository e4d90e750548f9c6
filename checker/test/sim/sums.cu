/*
 * sums.cu: how tensor cores round. Prints a checksum of the results of 64 products of each kind,
 * and the first of them. The numbers are random, with exponents that are up to 12 apart. On an
 * NVIDIA H200 it prints sums.txt; so it must on the simulated GPU.
 *
 *   nvcc -O3 -arch=sm_80 -o sums sums.cu && ./sums
 */
#include <cstdint>
#include <cstdio>
#include <cstring>

#include <cuda_runtime.h>
#include <mma.h>

using namespace nvcuda;

enum { PRODUCTS = 64, ROWS = 16, COLUMNS = 8, DEPTH_MAX = 16 };

/* The i-th number of a series, in [-64, 64) */
__host__ __device__ static float number(uint32_t series, uint32_t i)
{
    uint64_t h = (series * 0x9e3779b97f4a7c15u + i) * 0xff51afd7ed558ccdu;
    h = (h ^ (h >> 33)) * 0xc4ceb9fe1a85ec53u;
    h ^= h >> 29;
    float value = (float)(uint32_t)(h >> 40) / 8388608.0f - 1.0f; /* 24 bits */
    int exponent = (int)(h % 13) - 6;
    return exponent < 0 ? value / (float)(1 << -exponent) : value * (float)(1 << exponent);
}

/* The upper 16 bits of two floats, as a pair of bfloat16 */
__device__ static uint32_t pair(float first, float second)
{
    return __float_as_uint(first) >> 16 | (__float_as_uint(second) & 0xffff0000u);
}

/* Row by row: a has 16 x depth numbers, b depth x 8, and the sum 16 x 8. */
template <int depth, bool bfloat> __global__ void multiply(float *out)
{
    const uint32_t series = 3 * blockIdx.x, g = threadIdx.x / 4, t = threadIdx.x % 4;
    uint32_t a[4], b[2];
    float sum[4];
    for (int r = 0; r < 4; r++)
        sum[r] = number(series, (g + r / 2 * 8) * COLUMNS + 2 * t + r % 2);
    if constexpr (bfloat) {
        for (int r = 0; r < depth / 4; r++) {
            uint32_t at = (g + r % 2 * 8) * depth + 2 * t + r / 2 * 8;
            a[r] = pair(number(series + 1, at), number(series + 1, at + 1));
        }
        for (int r = 0; r < depth / 8; r++) {
            uint32_t at = (2 * t + r * 8) * COLUMNS + g;
            b[r] = pair(number(series + 2, at), number(series + 2, at + COLUMNS));
        }
    } else {
        for (int r = 0; r < depth / 2; r++)
            a[r] = __float_as_uint(number(series + 1, (g + r % 2 * 8) * depth + t + r / 2 * 4));
        for (int r = 0; r < depth / 4; r++)
            b[r] = __float_as_uint(number(series + 2, (t + r * 4) * COLUMNS + g));
    }
    if constexpr (depth == 16)
        asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
            "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
            : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    else if constexpr (bfloat)
        asm("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 "
            "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
            : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
            : "r"(a[0]), "r"(a[1]), "r"(b[0]));
    else if constexpr (depth == 8)
        asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
            "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
            : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
    else
        asm("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 "
            "{%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
            : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
            : "r"(a[0]), "r"(a[1]), "r"(b[0]));
    for (int r = 0; r < 4; r++)
        out[(blockIdx.x * ROWS + g + r / 2 * 8) * COLUMNS + 2 * t + r % 2] = sum[r];
}

/* A product with wmma: 16 x 8 times 8 x 16 */
__global__ void multiply_wmma(float *out)
{
    __shared__ float a[ROWS * 8], b[8 * 16], c[ROWS * 16];
    const uint32_t series = 3 * blockIdx.x;
    for (uint32_t i = threadIdx.x; i < ROWS * 16; i += 32)
        c[i] = number(series, i);
    for (uint32_t i = threadIdx.x; i < ROWS * 8; i += 32) {
        a[i] = number(series + 1, i);
        b[i] = number(series + 2, i);
    }
    __syncwarp();
    wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32, wmma::row_major> right;
    wmma::fragment<wmma::accumulator, 16, 16, 8, float> sum;
    wmma::load_matrix_sync(left, a, 8);
    wmma::load_matrix_sync(right, b, 16);
    wmma::load_matrix_sync(sum, c, 16, wmma::mem_row_major);
    wmma::mma_sync(sum, left, right, sum);
    wmma::store_matrix_sync(out + blockIdx.x * ROWS * 16, sum, 16, wmma::mem_row_major);
}

static void show(const char *name, void (*kernel)(float *), int numbers)
{
    static float result[PRODUCTS * ROWS * 16];
    float *out;
    uint64_t sum = 0xcbf29ce484222325u;
    cudaMalloc((void **)&out, sizeof result);
    kernel<<<PRODUCTS, 32>>>(out);
    if (cudaMemcpy(result, out, numbers * sizeof(float), cudaMemcpyDeviceToHost) != cudaSuccess)
        printf("%s: %s\n", name, cudaGetErrorString(cudaGetLastError()));
    for (int i = 0; i < numbers; i++) {
        uint32_t bits;
        memcpy(&bits, &result[i], sizeof bits);
        sum = (sum ^ bits) * 0x100000001b3u;
    }
    printf("%-22s %016llx  %a %a %a\n", name, (unsigned long long)sum, result[0], result[1],
           result[2]);
    cudaFree(out);
}

int main()
{
    const int numbers = PRODUCTS * ROWS * COLUMNS;
    show("m16n8k4 of TF32", multiply<4, false>, numbers);
    show("m16n8k8 of TF32", multiply<8, false>, numbers);
    show("m16n8k8 of bfloat16", multiply<8, true>, numbers);
    show("m16n8k16 of bfloat16", multiply<16, true>, numbers);
    show("wmma 16x16x8 of TF32", multiply_wmma, 2 * numbers);
}
