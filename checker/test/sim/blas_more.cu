/* blas_more.cu: cuBLAS's batched, mixed and transposing routines, its own copies, and cuBLASLt. */
#include "expect.h"

#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_fp16.h>
#include <algorithm>
#include <vector>

#define EXPECT_BLAS(call) EXPECT((call) == CUBLAS_STATUS_SUCCESS)

enum { M = 5, N = 7, K = 3, BATCHES = 4 };

static cublasHandle_t blas;

template <class T> static T *on_device(const std::vector<T> &from)
{
    T *to;
    EXPECT_OK(cudaMalloc(&to, from.size() * sizeof(T)));
    EXPECT_OK(cudaMemcpy(to, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice));
    return to;
}

template <class T> static std::vector<T> numbers(size_t count, int step)
{
    std::vector<T> all(count);
    for (size_t i = 0; i < count; i++)
        all[i] = (T)(float)((int)(i * step) % 9 - 4);
    return all;
}

template <class T> static std::vector<T> fetched(const T *from, size_t count)
{
    std::vector<T> all(count);
    EXPECT_OK(cudaMemcpy(all.data(), from, count * sizeof(T), cudaMemcpyDeviceToHost));
    return all;
}

/* alpha A B + beta C, column after column */
template <class T>
static float one_sum(const std::vector<T> &a, const std::vector<T> &b, int batch, int i, int j)
{
    float sum = 0;
    for (int l = 0; l < K; l++)
        sum += (float)a[batch * M * K + l * M + i] * (float)b[batch * K * N + j * K + l];
    return sum;
}

static void batched()
{
    auto a = numbers<float>(BATCHES * M * K, 2), b = numbers<float>(BATCHES * K * N, 5);
    auto c = numbers<float>(BATCHES * M * N, 7);
    float *A = on_device(a), *B = on_device(b), *C = on_device(c), alpha = 2, beta = -1;
    EXPECT_BLAS(cublasSgemmStridedBatched(blas, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, &alpha, A, M,
                                          M * K, B, K, K * N, &beta, C, M, M * N, BATCHES));
    auto got = fetched(C, c.size());
    int wrong = 0;
    for (int x = 0; x < BATCHES; x++)
        for (int j = 0; j < N; j++)
            for (int i = 0; i < M; i++) {
                int at = x * M * N + j * M + i;
                wrong += got[at] != 2 * one_sum(a, b, x, i, j) - c[at];
            }
    EXPECT(wrong == 0);
    cudaFree(A);
    cudaFree(B);
    cudaFree(C);
}

template <class T, class R>
static void mixed(cudaDataType type, cudaDataType result, cublasComputeType_t compute)
{
    auto a = numbers<T>(M * K, 2), b = numbers<T>(K * N, 5);
    T *A = on_device(a), *B = on_device(b);
    R *C = on_device(std::vector<R>(M * N));
    float alpha = 1, beta = 0;
    EXPECT_BLAS(cublasGemmEx(blas, CUBLAS_OP_N, CUBLAS_OP_N, M, N, K, &alpha, A, type, M, B, type,
                             K, &beta, C, result, M, compute, CUBLAS_GEMM_DEFAULT));
    auto got = fetched(C, M * N);
    int wrong = 0;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < M; i++)
            wrong += (float)got[j * M + i] != one_sum(a, b, 0, i, j);
    EXPECT(wrong == 0);
    cudaFree(A);
    cudaFree(B);
    cudaFree(C);
}

static void transposed()
{
    auto a = numbers<float>(M * N, 2);
    float *A = on_device(a), *C, alpha = 1, beta = 0;
    EXPECT_OK(cudaMalloc(&C, a.size() * sizeof *C));
    EXPECT_BLAS(
        cublasSgeam(blas, CUBLAS_OP_T, CUBLAS_OP_N, M, N, &alpha, A, N, &beta, nullptr, M, C, M));
    auto got = fetched(C, a.size());
    int wrong = 0;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < M; i++)
            wrong += got[j * M + i] != a[i * N + j];
    EXPECT(wrong == 0);
    EXPECT(cublasSgeam(blas, CUBLAS_OP_T, CUBLAS_OP_N, M, N, &alpha, A, M - 1, &beta, A, M, C, M) ==
           CUBLAS_STATUS_INVALID_VALUE);
    cudaFree(A);
    cudaFree(C);
}

/* Every second element of a vector; a matrix with a larger leading dimension */
static void copies()
{
    auto x = numbers<float>(20, 4);
    std::vector<float> back(20, 0), matrix(M * N, 0);
    float *d, *e, sum = 0, c = 0, s = 1;
    EXPECT_OK(cudaMalloc(&d, 20 * sizeof *d));
    EXPECT_OK(cudaMalloc(&e, 10 * sizeof *e));
    EXPECT_BLAS(cublasSetVector(10, sizeof(float), x.data(), 2, d, 1));
    EXPECT_BLAS(cublasScopy(blas, 10, d, 1, e, 1));
    EXPECT_BLAS(cublasSrot(blas, 10, d, 1, e, 1, &c, &s));
    EXPECT_BLAS(cublasSasum(blas, 10, d, 1, &sum));
    EXPECT_BLAS(cublasSswap(blas, 10, d, 1, e, 1));
    EXPECT_BLAS(cublasGetVector(10, sizeof(float), e, 1, back.data(), 2));
    float right = 0;
    int wrong = 0;
    for (int i = 0; i < 10; i++) {
        right += fabsf(x[2 * i]);
        wrong += back[2 * i] != x[2 * i] || back[2 * i + 1] != 0;
    }
    EXPECT(sum == right);
    EXPECT(wrong == 0);
    EXPECT_BLAS(cublasSetMatrix(3, 2, sizeof(float), x.data(), 5, d, 4));
    EXPECT_BLAS(cublasGetMatrix(3, 2, sizeof(float), d, 4, matrix.data(), 3));
    for (int i = 0; i < 6; i++)
        EXPECT(matrix[i] == x[i / 3 * 5 + i % 3]);
    EXPECT_BLAS(cublasSetVector(10, sizeof(float), x.data(), 1, d, 1)); /* one row, without gaps */
    EXPECT_OK(cudaMemcpy(back.data(), d, 10 * sizeof(float), cudaMemcpyDeviceToHost));
    EXPECT(back[9] == x[9]);
    EXPECT(cublasSetVector(1, 0, x.data(), 1, d, 1) == CUBLAS_STATUS_INVALID_VALUE);
    auto same = [&] { return std::equal(x.begin(), x.end(), back.begin()); };
    EXPECT_BLAS(cublasSetVector(20, sizeof(float), x.data(), 1, d, 1));
    EXPECT_BLAS(cublasGetVector(20, sizeof(float), d, 1, back.data(), 1));
    EXPECT(same());
    std::fill(back.begin(), back.end(), 0);
    EXPECT_BLAS(cublasSetMatrixAsync(5, 4, sizeof(float), x.data(), 5, d, 5, 0));
    EXPECT_BLAS(cublasGetMatrixAsync(5, 4, sizeof(float), d, 5, back.data(), 5, 0));
    EXPECT_OK(cudaDeviceSynchronize());
    EXPECT(same());
    cudaFree(d);
    cudaFree(e);
}

static void lt()
{
    cublasLtHandle_t handle;
    cublasLtMatmulDesc_t product;
    cublasLtMatrixLayout_t of_a, of_b, of_c;
    cublasLtMatmulPreference_t preference;
    cublasLtMatmulHeuristicResult_t found;
    auto a = numbers<float>(M * K, 2), b = numbers<float>(K * N, 5), bias = numbers<float>(M, 1);
    float *A = on_device(a), *B = on_device(b), *C, *D = on_device(bias), alpha = 1, beta = 0;
    int count = 0;
    size_t workspace = 1 << 20;
    EXPECT_OK(cudaMalloc(&C, M * N * sizeof *C));
    EXPECT_BLAS(cublasLtCreate(&handle));
    EXPECT_BLAS(cublasLtMatmulDescCreate(&product, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    cublasOperation_t plain = CUBLAS_OP_N;
    EXPECT_BLAS(
        cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_TRANSA, &plain, sizeof plain));
    cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_RELU_BIAS;
    EXPECT_BLAS(cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue,
                                               sizeof epilogue));
    EXPECT_BLAS(
        cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &D, sizeof D));
    EXPECT_BLAS(cublasLtMatrixLayoutCreate(&of_a, CUDA_R_32F, M, K, M));
    EXPECT_BLAS(cublasLtMatrixLayoutCreate(&of_b, CUDA_R_32F, K, N, K));
    EXPECT_BLAS(cublasLtMatrixLayoutCreate(&of_c, CUDA_R_32F, M, N, M));
    EXPECT_BLAS(cublasLtMatmulPreferenceCreate(&preference));
    EXPECT_BLAS(cublasLtMatmulPreferenceSetAttribute(
        preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace, sizeof workspace));
    EXPECT_BLAS(cublasLtMatmulAlgoGetHeuristic(handle, product, of_a, of_b, of_c, of_c, preference,
                                               1, &found, &count));
    EXPECT(count == 1);
    EXPECT_BLAS(cublasLtMatmul(handle, product, &alpha, A, of_a, B, of_b, &beta, C, of_c, C, of_c,
                               &found.algo, nullptr, 0, 0));
    auto got = fetched(C, M * N);
    int wrong = 0;
    for (int j = 0; j < N; j++)
        for (int i = 0; i < M; i++) {
            float right = one_sum(a, b, 0, i, j) + bias[i];
            wrong += got[j * M + i] != (right > 0 ? right : 0);
        }
    EXPECT(wrong == 0);
    EXPECT_BLAS(cublasLtMatmulPreferenceDestroy(preference));
    EXPECT_BLAS(cublasLtMatrixLayoutDestroy(of_a));
    EXPECT_BLAS(cublasLtMatrixLayoutDestroy(of_b));
    EXPECT_BLAS(cublasLtMatrixLayoutDestroy(of_c));
    EXPECT_BLAS(cublasLtMatmulDescDestroy(product));
    EXPECT_BLAS(cublasLtDestroy(handle));
    cudaFree(A);
    cudaFree(B);
    cudaFree(C);
    cudaFree(D);
}

int main()
{
    EXPECT_BLAS(cublasCreate(&blas));
    batched();
    mixed<float, float>(CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F);
    mixed<float, float>(CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32);
    mixed<half, float>(CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F);
    mixed<half, half>(CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F);
    transposed();
    copies();
    lt();
    EXPECT_BLAS(cublasDestroy(blas));
    return expect_result();
}
