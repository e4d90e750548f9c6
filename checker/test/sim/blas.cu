/* blas.cu: cuBLAS: results small enough to work out by hand, and what it says of odd arguments. */
#include <cublas_v2.h>

#include "expect.h"

#include <cmath>
#include <cstring>

#define EXPECT_STATUS(status, call)                                                                \
    do {                                                                                           \
        cublasStatus_t got_ = (call);                                                              \
        if (got_ != (status)) {                                                                    \
            printf("%s:%d: %s gives %s\n", __FILE__, __LINE__, #call, cublasGetStatusName(got_));  \
            expect_failures++;                                                                     \
        }                                                                                          \
    } while (0)
#define EXPECT_BLAS(call)    EXPECT_STATUS(CUBLAS_STATUS_SUCCESS, call)
#define EXPECT_INVALID(call) EXPECT_STATUS(CUBLAS_STATUS_INVALID_VALUE, call)

static cublasHandle_t blas;

template <class T> static T *on_device(const T *values, int n)
{
    T *device = nullptr;
    EXPECT_OK(cudaMalloc(&device, n * sizeof(T)));
    EXPECT_OK(cudaMemcpy(device, values, n * sizeof(T), cudaMemcpyHostToDevice));
    return device;
}

/* The device's array holds these values; it is freed. */
template <class T> static bool holds(T *device, const T *values, int n)
{
    T host[16];
    EXPECT_OK(cudaMemcpy(host, device, n * sizeof(T), cudaMemcpyDeviceToHost));
    EXPECT_OK(cudaFree(device));
    return memcmp(host, values, n * sizeof(T)) == 0;
}

static void vectors()
{
    const float one_two[] = {1, 2, 3, 4}, tens[] = {10, 20, 30, 40}, two = 2;
    const float sums[] = {12, 24, 36, 48}, spread[] = {12, 20, 34, 40}, back[] = {16, 26, 36, 46};
    float *x = on_device(one_two, 4), *y = on_device(tens, 4), result = 0;
    EXPECT_BLAS(cublasSaxpy(blas, 4, &two, x, 1, y, 1));
    EXPECT(holds(y, sums, 4));
    y = on_device(tens, 4); /* every second one of y */
    EXPECT_BLAS(cublasSaxpy(blas, 2, &two, x, 1, y, 2));
    EXPECT(holds(y, spread, 4));
    y = on_device(tens, 4); /* x backwards, from its end; 3 of it: 3 2 1, then 4 more */
    EXPECT_BLAS(cublasSaxpy(blas, 3, &two, x, -1, y, 1));
    EXPECT_BLAS(cublasSaxpy(blas, 1, &two, x + 2, 1, y + 3, 1));
    const float reversed[] = {16, 24, 32, 46};
    EXPECT(holds(y, reversed, 4) && back[0] == 16);
    y = on_device(tens, 4);
    EXPECT_BLAS(cublasSdot(blas, 4, x, 1, y, 1, &result));
    EXPECT(result == 300); /* 10 + 40 + 90 + 160 */
    EXPECT_BLAS(cublasSdot(blas, 0, x, 1, y, 1, &result));
    EXPECT(result == 0);
    EXPECT_BLAS(cublasSnrm2(blas, 2, x + 2, 1, &result));
    EXPECT(fabsf(result - 5) < 1e-6f);
    EXPECT_BLAS(cublasSscal(blas, 4, &two, x, 1));
    const float doubled[] = {2, 4, 6, 8};
    EXPECT(holds(x, doubled, 4));

    const double third[] = {3, 0, 4}, ones[] = {1, 1, 1}, half = 0.5;
    const double halves[] = {2.5, 1, 3};
    double *u = on_device(third, 3), *v = on_device(ones, 3), length = 0, product = 0;
    EXPECT_BLAS(cublasDaxpy(blas, 3, &half, u, 1, v, 1));
    EXPECT_BLAS(cublasDnrm2(blas, 3, u, 1, &length));
    EXPECT_BLAS(cublasDdot(blas, 3, u, 1, v, 1, &product));
    EXPECT(fabs(length - 5) < 1e-12 && product == 19.5);
    EXPECT_BLAS(cublasDscal(blas, 3, &half, u, 1));
    const double scaled[] = {1.5, 0, 2};
    EXPECT(holds(v, halves, 3) && holds(u, scaled, 3));
    EXPECT_OK(cudaFree(y));
}

/* A has 2 rows and 3 columns, stored column after column: 1 3 5 in the first row, 2 4 6. */
static void matrices()
{
    const float numbers[] = {1, 2, 3, 4, 5, 6}, one = 1, zero = 0, two = 2;
    const float ones[] = {1, 1, 1}, y_of[] = {100, 200};
    float *A = on_device(numbers, 6), *x = on_device(ones, 3), *y = on_device(y_of, 2);
    EXPECT_BLAS(cublasSgemv(blas, CUBLAS_OP_N, 2, 3, &two, A, 2, x, 1, &one, y, 1));
    const float rows[] = {118, 224}; /* 100 + 2 (1 + 3 + 5), 200 + 2 (2 + 4 + 6) */
    EXPECT(holds(y, rows, 2));
    y = on_device(y_of, 2); /* a stride of 0: x is 2 2 2 */
    EXPECT_BLAS(cublasSgemv(blas, CUBLAS_OP_N, 2, 3, &one, A, 2, A + 1, 0, &zero, y, 1));
    const float all_twos[] = {18, 24};
    EXPECT(holds(y, all_twos, 2));
    float *z = nullptr; /* beta is 0: what z holds does not matter */
    EXPECT_OK(cudaMalloc(&z, 3 * sizeof(float)));
    EXPECT_BLAS(cublasSgemv(blas, CUBLAS_OP_T, 2, 3, &one, A, 2, x, 1, &zero, z, 1));
    const float columns[] = {3, 7, 11};
    EXPECT(holds(z, columns, 3));

    /* A transposed times A: 3 x 3, of the columns (1 2), (3 4), (5 6) */
    float *P = nullptr;
    EXPECT_OK(cudaMalloc(&P, 9 * sizeof(float)));
    EXPECT_BLAS(
        cublasSgemm(blas, CUBLAS_OP_T, CUBLAS_OP_N, 3, 3, 2, &one, A, 2, A, 2, &zero, P, 3));
    const float squares[] = {5, 11, 17, 11, 25, 39, 17, 39, 61};
    EXPECT(holds(P, squares, 9));
    /* the first column of A times its first row, into a matrix with 4 rows, of which 2 are used */
    const float before[] = {1, 1, 7, 7, 1, 1, 7, 7};
    P = on_device(before, 8);
    EXPECT_BLAS(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 1, &one, A, 2, x, 1, &two, P, 4));
    const float after[] = {3, 4, 7, 7, 3, 4, 7, 7};
    EXPECT(holds(P, after, 8));
    P = on_device(before, 4); /* k = 0 scales */
    EXPECT_BLAS(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 0, &one, A, 2, A, 1, &two, P, 2));
    const float scaled[] = {2, 2, 14, 14};
    EXPECT(holds(P, scaled, 4));
    EXPECT_BLAS(cublasSger(blas, 2, 3, &two, x, 1, x, 1, A, 2));
    const float more[] = {3, 4, 5, 6, 7, 8};
    EXPECT(holds(A, more, 6));

    const double values[] = {1, 2, 3, 4}, d_one = 1, d_zero = 0;
    double *M = on_device(values, 4), *Q = on_device(values, 4);
    EXPECT_BLAS(
        cublasDgemm(blas, CUBLAS_OP_N, CUBLAS_OP_T, 2, 2, 2, &d_one, M, 2, M, 2, &d_zero, Q, 2));
    const double product[] = {10, 14, 14, 20}; /* (1 3; 2 4) (1 2; 3 4) */
    EXPECT(holds(Q, product, 4));
    Q = on_device(values, 2);
    EXPECT_BLAS(cublasDgemv(blas, CUBLAS_OP_N, 2, 2, &d_one, M, 2, M, 1, &d_zero, Q, 1));
    const double image[] = {7, 10};
    EXPECT(holds(Q, image, 2));
    EXPECT_BLAS(cublasDger(blas, 2, 2, &d_one, M, 1, M, 1, M, 2));
    EXPECT_OK(cudaFree(M));
    EXPECT_OK(cudaFree(x));
}

static void pointer_modes()
{
    const float values[] = {2, 3, 4}, wanted[] = {2, 3, 29, 6};
    float *device = on_device(values, 3), *all = nullptr;
    EXPECT_OK(cudaMalloc(&all, 4 * sizeof(float)));
    EXPECT_OK(cudaMemcpy(all, device, 3 * sizeof(float), cudaMemcpyDeviceToDevice));
    EXPECT_BLAS(cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_DEVICE));
    EXPECT_BLAS(cublasSdot(blas, 3, device, 1, device, 1, all + 2)); /* 4 + 9 + 16 */
    EXPECT_OK(cudaMemcpy(all + 3, device + 1, sizeof(float), cudaMemcpyDeviceToDevice));
    EXPECT_BLAS(cublasSscal(blas, 1, device, all + 3, 1)); /* 2 times 3 */
    EXPECT_BLAS(cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_HOST));
    EXPECT(holds(all, wanted, 4));
    EXPECT_OK(cudaFree(device));
}

static void arguments()
{
    const float numbers[9] = {}, one = 1;
    float *A = on_device(numbers, 9), *nothing = nullptr;
    EXPECT_INVALID(
        cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, -1, 3, 3, &one, A, 3, A, 3, &one, A, 3));
    EXPECT_INVALID(
        cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 3, 3, 3, &one, A, 2, A, 3, &one, A, 3));
    EXPECT_INVALID(
        cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 3, 3, 3, &one, A, 3, A, 2, &one, A, 3));
    EXPECT_INVALID(
        cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 3, 3, 3, &one, A, 3, A, 3, &one, A, 2));
    EXPECT_INVALID(
        cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 3, 3, 3, nothing, A, 3, A, 3, &one, A, 3));
    EXPECT_INVALID(cublasSgemm(blas, (cublasOperation_t)9, CUBLAS_OP_N, 3, 3, 3, &one, A, 3, A, 3,
                               &one, A, 3));
    EXPECT_BLAS(cublasSgemm(blas, CUBLAS_OP_T, CUBLAS_OP_N, 1, 1, 3, &one, A, 3, A, 3, &one, A, 1));
    EXPECT_BLAS(cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 0, 3, 3, &one, A, 3, A, 3, &one, A, 3));
    EXPECT_INVALID(cublasSgemv(blas, CUBLAS_OP_N, 3, 3, &one, A, 2, A, 1, &one, A, 1));
    EXPECT_BLAS(cublasSgemv(blas, CUBLAS_OP_N, -3, 3, &one, A, 3, A, 1, &one, A, 1));
    EXPECT_INVALID(cublasSger(blas, 3, 3, &one, A, 1, A, 0, A, 3));
    EXPECT_BLAS(cublasSaxpy(blas, -5, &one, A, 1, A, 1));
    EXPECT_BLAS(cublasSscal(blas, 3, &one, A, 0));
    EXPECT_STATUS(CUBLAS_STATUS_NOT_INITIALIZED, cublasSscal(nullptr, 3, &one, A, 1));
    EXPECT_OK(cudaFree(A));
    EXPECT_OK(cudaDeviceSynchronize());
}

static void settings()
{
    cudaStream_t stream, got;
    cublasMath_t math;
    cublasPointerMode_t mode;
    int version = 0;
    EXPECT_OK(cudaStreamCreate(&stream));
    EXPECT_BLAS(cublasSetStream(blas, stream));
    EXPECT_BLAS(cublasGetStream(blas, &got));
    EXPECT(got == stream);
    EXPECT_BLAS(cublasSetStream(blas, 0));
    EXPECT_OK(cudaStreamDestroy(stream));
    EXPECT_BLAS(cublasGetMathMode(blas, &math));
    EXPECT(math == CUBLAS_DEFAULT_MATH);
    EXPECT_BLAS(cublasSetMathMode(blas, CUBLAS_PEDANTIC_MATH));
    EXPECT_BLAS(cublasGetPointerMode(blas, &mode));
    EXPECT(mode == CUBLAS_POINTER_MODE_HOST);
    EXPECT_BLAS(cublasGetVersion(blas, &version));
    EXPECT(version >= 110000);
    EXPECT(
        !strcmp(cublasGetStatusName(CUBLAS_STATUS_INVALID_VALUE), "CUBLAS_STATUS_INVALID_VALUE"));
}

int main()
{
    EXPECT_STATUS(CUBLAS_STATUS_NOT_INITIALIZED, cublasSetMathMode(nullptr, CUBLAS_DEFAULT_MATH));
    EXPECT_BLAS(cublasCreate(&blas));
    settings();
    vectors();
    matrices();
    pointer_modes();
    arguments();
    EXPECT_BLAS(cublasDestroy(blas));
    return expect_result();
}
