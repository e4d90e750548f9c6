/* blas_faults.cu: one mistake in a call of cuBLAS, chosen by the first argument; or a right call.
 */
#include <cublas_v2.h>

#include <cstdio>
#include <cstring>

int main(int, char *argv[])
{
    const char *which = argv[1];
    const int n = 64;
    const cublasOperation_t N = CUBLAS_OP_N, T = CUBLAS_OP_T;
    const float one = 1, zero = 0;
    float host[n] = {}, *A, *x, *y;
    cublasHandle_t blas;
    cublasCreate(&blas);
    cudaMalloc(&A, n * n * sizeof(float));
    cudaMalloc(&x, n * sizeof(float));
    cudaMalloc(&y, n * sizeof(float));
    if (strcmp(which, "unwritten") != 0) cudaMemset(A, 0, n * n * sizeof(float));
    cudaMemset(x, 0, n * sizeof(float));
    cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
    if (!strcmp(which, "right")) status = cublasSgemv(blas, T, n, n, &one, A, n, x, 1, &zero, y, 1);
    if (!strcmp(which, "unwritten"))
        status = cublasSgemv(blas, T, n, n, &one, A, n, x, 1, &zero, y, 1); // unwritten
    if (!strcmp(which, "unwritten-sum"))
        status = cublasSaxpy(blas, n, &one, x, 1, y, 1); // unwritten-sum
    if (!strcmp(which, "too-small"))
        status = cublasSgemm(blas, N, N, n, n, n, &one, A, n, A, n, &zero, y, n); // too-small
    if (!strcmp(which, "leading-dimension"))
        status = cublasSgemv(blas, N, n, n, &one, A, n + 1, x, 1, &zero, y, 1); // leading-dimension
    if (!strcmp(which, "host-pointer"))
        status = cublasSaxpy(blas, n, &one, host, 1, x, 1); // host-pointer
    if (!strcmp(which, "null")) status = cublasSaxpy(blas, n, &one, x, 1, nullptr, 1); // null
    if (!strcmp(which, "freed")) {
        cudaFree(y);
        status = cublasSaxpy(blas, n, &one, x, 1, y, 1); // freed
        y = nullptr;
    }
    if (!strcmp(which, "scalar")) status = cublasSaxpy(blas, n, x, A, 1, x, 1); // scalar
    if (!strcmp(which, "invalid"))
        status = cublasSgemv(blas, N, n, n, &one, A, 1, x, 1, &zero, y, 1); // invalid
    printf("%s %s\n", cublasGetStatusName(status), cudaGetErrorName(cudaDeviceSynchronize()));
    cudaFree(A);
    cudaFree(x);
    cudaFree(y);
    cublasDestroy(blas);
    return 0;
}
