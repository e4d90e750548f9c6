/*
 * barriers.cu: kernels without a barrier that they need, for the quiz. AT(n) is a place for it.
 * Each kernel runs once with the barrier at each place; the simulated GPU reports every run except
 * one.
 */
#include <cuda_runtime.h>

#define AT(n)                                                                                      \
    if (PLACE == n) __syncthreads()

template <int PLACE> __global__ void turn_around(const float *x, float *y)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    AT(1);
    s[t] = x[t];
    AT(2);
    y[t] = s[63 - t];
    AT(3);
}

template <int PLACE> __global__ void by_pieces(int n, const float *x, float *y)
{
    __shared__ float piece[64];
    float sum = 0;
    for (int begin = 0; begin < n; begin += 64) {
        AT(1);
        piece[threadIdx.x] = x[begin + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; k++) {
            AT(2);
            sum += piece[k];
        }
    }
    AT(3);
    y[threadIdx.x] = sum;
}

template <int PLACE> __global__ void tree(float *x)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    AT(1);
    for (int step = 32; step > 0; step /= 2) {
        AT(2);
        if (t < step) {
            AT(3);
            s[t] += s[t + step];
        }
    }
    AT(4);
    if (t == 0) x[0] = s[0];
}

int main(void)
{
    float *x, *y;
    cudaMalloc((void **)&x, 128 * sizeof *x);
    cudaMalloc((void **)&y, 64 * sizeof *y);
    cudaMemset(x, 0, 128 * sizeof *x);
    turn_around<1><<<1, 64>>>(x, y);
    turn_around<2><<<1, 64>>>(x, y);
    turn_around<3><<<1, 64>>>(x, y);
    by_pieces<1><<<1, 64>>>(128, x, y);
    by_pieces<2><<<1, 64>>>(128, x, y);
    by_pieces<3><<<1, 64>>>(128, x, y);
    tree<1><<<1, 64>>>(x);
    tree<2><<<1, 64>>>(x);
    tree<3><<<1, 64>>>(x);
    tree<4><<<1, 64>>>(x);
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(y);
    return 0;
}
