/*
 * order.cu CASE: work of several streams. `right` does what looks alike in ways that are ordered, or need
 * no order; every other case lets one piece of work run beside one that it must wait for. Of two lines
 * the one that bears the case's name is concerned.
 */
#include <cublas_v2.h>
#include <initializer_list>
#include <stdio.h>
#include <string.h>

enum { N = 1 << 12, PARTS = 4, PART = N / PARTS };

__global__ void fill(float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 1;
}

__global__ void add(float *y, const float *x, int n, int stride)
{
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * stride;
    if (i < n) y[i] += x[i];
}

__global__ void sum(float *total, const float *x)
{
    atomicAdd(total, x[blockIdx.x * blockDim.x + threadIdx.x]);
}

static float *host, *x, *y, *z, plain[N];
static cudaStream_t a, b, apart;
static cudaEvent_t event;
static cublasHandle_t blas;
static const size_t BYTES = N * sizeof(float);

static bool is(const char *name, const char *wanted)
{
    return strcmp(name, wanted) == 0;
}

static void parts()
{
    cudaStream_t streams[PARTS] = {a, b, apart, cudaStreamPerThread};
    for (int i = 0; i < PARTS; i++) {
        float *mine = y + i * PART;
        cudaMemcpyAsync(mine, host + i * PART, BYTES / PARTS, cudaMemcpyHostToDevice, streams[i]);
        add<<<PART / 256, 256, 0, streams[i]>>>(mine, x, PART, 1);
        cudaMemcpyAsync(host + i * PART, mine, BYTES / PARTS, cudaMemcpyDeviceToHost, streams[i]);
    }
    cudaDeviceSynchronize();
    for (int i = 0; i < PARTS; i++) /* every fourth element; a column of a matrix */
        add<<<PART / 256, 256, 0, streams[i]>>>(y + i, x + i, N - i, PARTS);
    cudaDeviceSynchronize();
    for (int i = 0; i < PARTS; i++) {
        cudaMemcpy2DAsync(z + i, 4 * PARTS, host + i, 4 * PARTS, 4, PART, cudaMemcpyHostToDevice, streams[i]);
        cudaMemset2DAsync(y + i, 4 * PARTS, 0, 4, PART, streams[i]);
        add<<<PART / 256, 256, 0, streams[i]>>>(y + i, z + i, N - i, PARTS);
    }
    cudaDeviceSynchronize();
}

static void waits()
{
    cudaMemcpyAsync(x, host, BYTES, cudaMemcpyHostToDevice, apart);
    cudaEventRecord(event, apart);
    cudaStreamWaitEvent(a, event, 0);
    add<<<N / 256, 256, 0, a>>>(y, x, N, 1);
    add<<<N / 256, 256>>>(z, y, N, 1); /* the default stream waits for a */
    add<<<N / 256, 256, 0, b>>>(y, z, N, 1);
    cudaEventRecord(event, b);
    cudaEventSynchronize(event);
    add<<<N / 256, 256, 0, apart>>>(x, y, N, 1);
    cudaStreamSynchronize(apart);
    cudaMemcpy(plain, x, BYTES, cudaMemcpyDeviceToHost);
    cudaMemcpy(x, plain, BYTES, cudaMemcpyHostToDevice);
    add<<<N / 256, 256, 0, apart>>>(y, x, N, 1);
    while (cudaStreamQuery(apart) != cudaSuccess) {
    }
    cublasSetStream(blas, apart);
    float one = 1, result;
    cublasSaxpy(blas, N, &one, x, 1, y, 1);
    cublasSdot(blas, N, x, 1, y, 1, &result); /* waits */
    cudaMemcpy(plain, y, BYTES, cudaMemcpyDeviceToHost);
}

static void need_no_order()
{
    cudaMemset(z, 0, 4);
    cudaDeviceSynchronize();
    sum<<<N / 256, 256, 0, a>>>(z, x);
    sum<<<N / 256, 256, 0, apart>>>(z, y);
    cudaDeviceSynchronize();
    for (cudaStream_t stream : {a, b, apart}) { /* the same x again and again */
        cudaMemcpyAsync(x, host, BYTES, cudaMemcpyHostToDevice, stream);
        add<<<PART / 256, 256, 0, stream>>>(stream == a ? y : stream == b ? z : y + PART, x, PART, 1);
    }
}

static void wrong(const char *name)
{
    float one = 1;
    int blocks = N / 256;
    if (is(name, "input")) {
        cudaMemcpyAsync(x, host, BYTES, cudaMemcpyHostToDevice, a);
        add<<<blocks, 256, 0, b>>>(y, x, N, 1); // input
    } else if (is(name, "pageable")) {
        cudaMemcpyAsync(x, plain, BYTES, cudaMemcpyHostToDevice, apart);
        add<<<blocks, 256>>>(y, x, N, 1); // pageable
    } else if (is(name, "kernels")) {
        fill<<<blocks, 256, 0, a>>>(x, N);
        add<<<blocks, 256, 0, b>>>(y, x, N, 1); // kernels
    } else if (is(name, "one-element")) {
        add<<<PART / 256 + 1, 256, 0, a>>>(y, x, PART + 1, 1);
        add<<<PART / 256 + 1, 256, 0, b>>>(z, y + PART - 1, PART, 1); // one-element
    } else if (is(name, "fill")) {
        cudaMemset(y, 0, BYTES);
        sum<<<blocks, 256, 0, apart>>>(y, x); // fill
    } else if (is(name, "library")) {
        cudaMemcpyAsync(x, host, BYTES, cudaMemcpyHostToDevice, a);
        cublasSetStream(blas, b);
        cublasSaxpy(blas, N, &one, x, 1, y, 1); // library
    } else if (is(name, "library-back")) {
        cublasSetStream(blas, apart);
        cublasSaxpy(blas, N, &one, x, 1, y, 1);
        cudaMemcpy(plain, y, BYTES, cudaMemcpyDeviceToHost); // library-back
    } else if (is(name, "next-part")) {
        add<<<blocks, 256, 0, a>>>(y, x, N, 1);
        add<<<1, 1, 0, b>>>(z, x, 1, 1); /* the tags of x[0] are its own from here on */
        cudaEventRecord(event, b);
        cudaStreamWaitEvent(apart, event, 0);
        cudaMemcpyAsync(x, host, 4, cudaMemcpyHostToDevice, apart); // next-part
    } else if (is(name, "event-too-soon")) {
        cudaEventRecord(event, a);
        fill<<<blocks, 256, 0, a>>>(x, N);
        cudaStreamWaitEvent(b, event, 0);
        cudaMemcpyAsync(host, x, BYTES, cudaMemcpyDeviceToHost, b); // event-too-soon
    }
}

int main(int argc, char *argv[])
{
    const char *name = argc > 1 ? argv[1] : "right";
    cudaMallocHost(&host, BYTES);
    memset(host, 0, BYTES);
    for (float **one : {&x, &y, &z}) {
        cudaMalloc(one, BYTES);
        cudaMemcpy(*one, plain, BYTES, cudaMemcpyHostToDevice);
    }
    for (int i = 0; i < N; i++)
        host[i] = 1 + i % 7;
    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking);
    cudaEventCreate(&event);
    cublasCreate(&blas);
    if (is(name, "right")) {
        parts();
        waits();
        need_no_order();
    } else {
        wrong(name);
    }
    cudaDeviceSynchronize();
    cublasDestroy(blas);
    cudaEventDestroy(event);
    for (cudaStream_t stream : {a, b, apart})
        cudaStreamDestroy(stream);
    for (float *one : {x, y, z})
        cudaFree(one);
    cudaFreeHost(host);
    return cudaGetLastError() != cudaSuccess;
}
