/* library.cu: has cuBLAS start a kernel. */
#include <cublas_v2.h>
#include <cuda_runtime.h>

int main()
{
    float *x, *y, a = 2;
    const int n = 1 << 20;
    cublasHandle_t blas;
    cudaMalloc(&x, n * sizeof(float));
    cudaMalloc(&y, n * sizeof(float));
    cudaMemset(x, 0, n * sizeof(float));
    cudaMemset(y, 0, n * sizeof(float));
    cublasCreate(&blas);
    cublasStatus_t status = cublasSaxpy(blas, n, &a, x, 1, y, 1);
    cudaDeviceSynchronize();
    cublasDestroy(blas);
    cudaFree(x);
    cudaFree(y);
    return status == CUBLAS_STATUS_SUCCESS ? 0 : 1;
}
