/*
 * transfer.cu: what takes longer, copying an array to the GPU or computing with it there? The array
 * is copied from memory of malloc and from pinned memory. The kernel reads and writes every element
 * once.
 *
 *   nvcc -O3 -o transfer transfer.cu
 */
#include "demo.h"

__global__ void add_one(size_t n, float *x)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = x[i] + 1;
}

/* Times the copy to the GPU. A kernel and the copy back prove that all elements arrived. */
static double copy_us(float *host, float *device, size_t n)
{
    for (size_t i = 0; i < n; i++)
        host[i] = (float)(i % 4099);
    double us =
        demo_us([&] { MUST(cudaMemcpy(device, host, n * sizeof *host, cudaMemcpyHostToDevice)); });
    add_one<<<(unsigned)((n + 255) / 256), 256>>>(n, device);
    MUST(cudaMemcpy(host, device, n * sizeof *host, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < n; i++)
        demo_require(host[i] == (float)(i % 4099 + 1), "an element that went there and back");
    return us;
}

int main()
{
    static const size_t kilobytes[] = {4, 64, 1024, 16384, 262144};
    int rows = simulated ? 3 : 5;
    size_t most = kilobytes[rows - 1] * 1024;
    float *pageable = (float *)malloc(most), *pinned, *device = demo_alloc<float>(most / 4);
    if (pageable == NULL) demo_end("malloc", "there is not enough memory");
    MUST(cudaMallocHost((void **)&pinned, most));

    demo_heading("transfer");
    printf("            pageable            pinned          kernel  pinned\n");
    printf("     KB      us    GB/s      us    GB/s      us    GB/s  / kernel\n");
    for (int row = 0; row < rows; row++) {
        size_t bytes = kilobytes[row] * 1024, n = bytes / sizeof(float);
        double slow = copy_us(pageable, device, n), fast = copy_us(pinned, device, n);
        double kernel = demo_us([&] { add_one<<<(unsigned)((n + 255) / 256), 256>>>(n, device); });
        printf("%7zu %7.0f %7.1f %7.0f %7.1f %7.1f %7.1f %9.1f\n", kilobytes[row], slow,
               1e-3 * bytes / slow, fast, 1e-3 * bytes / fast, kernel, 2e-3 * bytes / kernel,
               fast / kernel);
    }
    demo_note("has one rate for pageable memory, whatever the size");
    free(pageable);
    MUST(cudaFreeHost(pinned));
    MUST(cudaFree(device));
    return EXIT_SUCCESS;
}
