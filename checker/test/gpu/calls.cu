/*
 * calls.cu: memory that belongs to a stream or is registered, streams of threads, and launches that
 * a GPU refuses. Without an argument all is right, here and on a GPU. With one it makes one
 * mistake, on the line with that mark.
 */
#include "../sim/expect.h"

#include <stdlib.h>
#include <string.h>
#include <thread>

enum { N = 1 << 16, BYTES = N * sizeof(int) };

__global__ void add(int *x, int n, int by)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += by; // used-after-free
}

__global__ void __launch_bounds__(128) bounded(int *x)
{
    x[threadIdx.x] = 1;
}

static cudaStream_t a, b;

static void ordered_memory()
{
    int *x, back = 0;
    cudaEvent_t made, used;
    EXPECT_OK(cudaEventCreate(&made));
    EXPECT_OK(cudaEventCreate(&used));
    EXPECT_OK(cudaMallocAsync((void **)&x, BYTES, a));
    EXPECT_OK(cudaMemsetAsync(x, 0, BYTES, a));
    EXPECT_OK(cudaEventRecord(made, a));
    EXPECT_OK(cudaStreamWaitEvent(b, made, 0));
    add<<<N / 256, 256, 0, b>>>(x, N, 2);
    EXPECT_OK(cudaMemcpyAsync(&back, x + 7, sizeof back, cudaMemcpyDeviceToHost, b));
    EXPECT_OK(cudaEventRecord(used, b));
    EXPECT_OK(cudaStreamWaitEvent(a, used, 0));
    EXPECT_OK(cudaFreeAsync(x, a));
    EXPECT_OK(cudaDeviceSynchronize());
    EXPECT(back == 2);
    EXPECT_OK(cudaEventDestroy(made));
    EXPECT_OK(cudaEventDestroy(used));
}

static void registered_memory()
{
    int *host = (int *)malloc(BYTES), *device;
    for (int i = 0; i < N; i++)
        host[i] = i;
    EXPECT_OK(cudaHostRegister(host, BYTES, cudaHostRegisterMapped));
    EXPECT_ERROR(cudaErrorHostMemoryAlreadyRegistered, cudaHostRegister(host, BYTES, 0));
    EXPECT_OK(cudaHostGetDevicePointer((void **)&device, host, 0));
    add<<<N / 256, 256>>>(device, N, 1);
    EXPECT_OK(cudaDeviceSynchronize());
    EXPECT(host[0] == 1 && host[N - 1] == N);
    add<<<N / 256, 256>>>(host, N, 1);
    EXPECT_OK(cudaDeviceSynchronize());
    host[1] = 5;
    EXPECT_OK(cudaHostUnregister(host));
    EXPECT(host[0] == 2 && host[1] == 5 && host[N - 1] == N + 1);
    EXPECT_ERROR(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(host));
    free(host);
}

/* Pieces that lie on the same page: kernels see both, and what is beside them stays the host's. */
static void neighbours()
{
    static int list[4] = {1, 2, 3, 4};
    EXPECT_OK(cudaHostRegister(&list[0], sizeof(int), cudaHostRegisterMapped));
    add<<<1, 1>>>(&list[0], 1, 10);
    EXPECT_OK(cudaHostRegister(&list[2], sizeof(int), cudaHostRegisterMapped));
    add<<<1, 1>>>(&list[2], 1, 20);
    add<<<1, 1>>>(&list[0], 1, 10);
    EXPECT_OK(cudaDeviceSynchronize());
    EXPECT(list[0] == 21 && list[1] == 2 && list[2] == 23 && list[3] == 4);
    EXPECT_OK(cudaMemset(&list[2], 0, sizeof(int)));
    EXPECT_OK(cudaHostUnregister(&list[0]));
    EXPECT_OK(cudaHostUnregister(&list[2]));
    EXPECT(list[0] == 21 && list[2] == 0 && list[3] == 4);
}

/* Each thread's own stream: both can be in flight at the same time, on different halves. */
static void streams_of_threads()
{
    int *x, *host;
    EXPECT_OK(cudaMalloc((void **)&x, BYTES));
    EXPECT_OK(cudaMallocHost((void **)&host, BYTES));
    EXPECT_OK(cudaMemset(x, 0, BYTES));
    EXPECT_OK(cudaDeviceSynchronize());
    auto work = [&](int half) {
        int *own = x + half * N / 2;
        add<<<N / 512, 256, 0, cudaStreamPerThread>>>(own, N / 2, half + 1);
        EXPECT_OK(cudaMemcpyAsync(host + half * N / 2, own, BYTES / 2, cudaMemcpyDeviceToHost,
                                  cudaStreamPerThread));
        EXPECT_OK(cudaStreamSynchronize(cudaStreamPerThread));
    };
    std::thread one(work, 0), other(work, 1);
    one.join();
    other.join();
    EXPECT(host[0] == 1 && host[N - 1] == 2);
    EXPECT_OK(cudaFree(x));
    EXPECT_OK(cudaFreeHost(host));
}

static void refused_launches()
{
    int *x;
    cudaFuncAttributes attributes;
    EXPECT_OK(cudaMalloc((void **)&x, BYTES));
    bounded<<<1, 128>>>(x);
    EXPECT_OK(cudaGetLastError());
    bounded<<<1, 129>>>(x);
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    EXPECT_OK(cudaFuncGetAttributes(&attributes, bounded));
    EXPECT(attributes.maxThreadsPerBlock == 128 && attributes.numRegs > 0);
    EXPECT_OK(cudaDeviceSynchronize());
    EXPECT_OK(cudaFree(x));
}

static void mistake(const char *name)
{
    auto is = [&](const char *wanted) { return strcmp(name, wanted) == 0; };
    int *x, *host = (int *)malloc(BYTES);
    memset(host, 0, BYTES);
    EXPECT_OK(cudaMallocAsync((void **)&x, BYTES, a));
    if (is("made-elsewhere")) {
        EXPECT_OK(cudaMemsetAsync(x, 0, BYTES, b)); // made-elsewhere
    } else if (is("freed-elsewhere")) {
        EXPECT_OK(cudaMemsetAsync(x, 0, BYTES, a));
        add<<<N / 256, 256, 0, a>>>(x, N, 1);
        EXPECT_OK(cudaFreeAsync(x, b)); // freed-elsewhere
        EXPECT_OK(cudaDeviceSynchronize());
        return;
    } else if (is("used-after-free")) {
        EXPECT_OK(cudaMemsetAsync(x, 0, BYTES, a));
        EXPECT_OK(cudaFreeAsync(x, a));
        add<<<N / 256, 256, 0, a>>>(x, N, 1);
        EXPECT(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
        exit(expect_result());
    } else if (is("partly-registered")) {
        EXPECT_OK(cudaHostRegister(host, BYTES / 4, cudaHostRegisterDefault));
        cudaError_t error;
        error = cudaMemcpyAsync(x, host, BYTES, cudaMemcpyHostToDevice, a); // partly-registered
        EXPECT(error == cudaErrorInvalidValue);
    } else if (is("registered-too-early")) {
        EXPECT_OK(cudaHostRegister(host, BYTES, cudaHostRegisterDefault));
        EXPECT_OK(cudaMemsetAsync(x, 1, BYTES, a));
        EXPECT_OK(cudaMemcpyAsync(host, x, BYTES, cudaMemcpyDeviceToHost, a));
        printf("%d\n", host[N / 2]); // registered-too-early
    }
    EXPECT_OK(cudaDeviceSynchronize());
    EXPECT_OK(cudaFreeAsync(x, a));
    EXPECT_OK(cudaDeviceSynchronize());
}

int main(int argc, char *argv[])
{
    EXPECT_OK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    EXPECT_OK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    if (argc > 1) {
        mistake(argv[1]);
    } else {
        ordered_memory();
        registered_memory();
        neighbours();
        streams_of_threads();
        refused_launches();
    }
    EXPECT_OK(cudaStreamDestroy(a));
    EXPECT_OK(cudaStreamDestroy(b));
    return expect_result();
}
