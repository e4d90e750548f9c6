/* after.cu: waits for an event while a copy that follows the event is in flight. */
#include <cuda_runtime.h>

__global__ void ones(float *x)
{
    x[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

int main()
{
    const size_t blocks = 65536, bytes = blocks * 1024 * sizeof(float);
    float *x, *host;
    cudaEvent_t filled;
    cudaStream_t stream;
    cudaMalloc(&x, bytes);
    cudaMallocHost(&host, bytes);
    cudaEventCreate(&filled);
    cudaStreamCreate(&stream);
    ones<<<blocks, 1024, 0, stream>>>(x);
    cudaEventRecord(filled, stream);
    cudaMemcpyAsync(host, x, bytes, cudaMemcpyDeviceToHost, stream);
    cudaEventSynchronize(filled);
    cudaStreamSynchronize(stream);
    cudaFree(x);
    cudaFreeHost(host);
    return 0;
}
