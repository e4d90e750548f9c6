/* waits.cu: the host uses managed, pinned and registered memory, with and without waiting for the
 * GPU first. A line that says so uses it too early: it is told, and no other is. */
#include "expect.h"

#include <string.h>

enum { N = 50000, BYTES = N * sizeof(float) };

__global__ void add_one(const float *from, float *to)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) to[i] = from[i] + 1;
}

/* Says in `done` when the last block is done, so that the host may see it without waiting. */
__global__ void add_one_and_tell(const float *from, float *to, unsigned *count, volatile int *done)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) to[i] = from[i] + 1;
    __threadfence_system();
    if (threadIdx.x == 0 && atomicAdd(count, 1) == gridDim.x - 1) *done = 1;
}

static float *pinned, *managed, *input, *device, copied[N];
static cudaStream_t stream, other;
static cudaEvent_t event;

static void launch(cudaStream_t in = nullptr)
{
    add_one<<<(N + 255) / 256, 256, 0, in>>>(input, managed);
}

static void fetch(cudaStream_t in)
{
    cudaMemcpyAsync(pinned, device, BYTES, cudaMemcpyDeviceToHost, in);
}

static void too_early()
{
    fetch(stream);
    copied[0] = pinned[7]; // early: copy
    cudaDeviceSynchronize();
    launch();
    memcpy(copied, managed, BYTES); // early: through the C library
    cudaDeviceSynchronize();
    launch();
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        copied[i] = managed[i]; // early: by several threads
    cudaDeviceSynchronize();
    launch();
    managed[1] = 2; // early: a result that is written
    cudaDeviceSynchronize();
    launch();
    copied[0] = input[1];
    input[1] = 2; // early: an input that is written
    cudaDeviceSynchronize();
    launch(stream);
    cudaStreamSynchronize(other);
    copied[2] = managed[2]; // early: wrong stream
    cudaStreamSynchronize(stream);
    cudaEventRecord(event, stream);
    launch(stream);
    cudaEventSynchronize(event);
    copied[2] = managed[2]; // early: event before the kernel
    cudaStreamSynchronize(stream);
    cudaMemcpyAsync(device, pinned, BYTES, cudaMemcpyHostToDevice, stream);
    pinned[3] = 1; // early: the source of a copy
    cudaStreamSynchronize(stream);
    cudaMemsetAsync(managed, 0, BYTES, stream);
    copied[4] = managed[4]; // early: fill
    cudaDeviceSynchronize();
    cudaMemcpy2DAsync(pinned, BYTES / 2, device, BYTES / 2, BYTES / 2, 2, cudaMemcpyDeviceToHost);
    copied[5] = pinned[5]; // early: rows
    cudaDeviceSynchronize();
}

static void CUDART_CB sums(void *sum)
{
    for (int i = 0; i < N; i++)
        *(float *)sum += managed[i];
}

static void in_time()
{
    float sum = 0, milliseconds;
    fetch(stream);
    cudaStreamSynchronize(stream);
    sum += pinned[0];
    launch();
    cudaEventRecord(event);
    while (cudaEventQuery(event) != cudaSuccess)
        ;
    sum += managed[0];
    launch(stream);
    while (cudaStreamQuery(stream) != cudaSuccess)
        ;
    sum += managed[1];
    launch(stream);
    cudaEventRecord(event, stream);
    cudaStreamWaitEvent(other, event, 0);
    cudaStreamSynchronize(other);
    sum += managed[2];
    launch(stream);
    cudaEventRecord(event, stream);
    while (cudaEventElapsedTime(&milliseconds, event, event) != cudaSuccess)
        ;
    sum += managed[2];
    launch();
    cudaMemcpy(copied, device, BYTES, cudaMemcpyDeviceToHost);
    managed[3] = input[3] = 1;
    launch(stream);
    cudaLaunchHostFunc(stream, sums, &sum);
    cudaMemset(managed, 0, BYTES);
    sum += managed[4];
#pragma omp parallel for num_threads(2)
    for (int i = 0; i < 2; i++) {
        cudaStream_t own = i == 0 ? stream : other;
        float *half = pinned + i * N / 2;
        cudaMemcpyAsync(half, device, BYTES / 2, cudaMemcpyDeviceToHost, own);
        cudaStreamSynchronize(own);
        half[0] += 1;
    }
    cudaMemcpyAsync(copied, device, BYTES, cudaMemcpyDeviceToHost, stream);
    sum += copied[0]; /* not pinned: this copy does not return before it is done */
    cudaStreamDestroy(stream);
    launch(other);
    cudaStreamDestroy(other);
    cudaDeviceSynchronize();
    EXPECT(sum + managed[5] > 0);
}

/* Neighbours in one array, and what the GPU says by a flag, are nobody's mistake. */
static void side_by_side()
{
    unsigned *count;
    volatile int *done;
    cudaMalloc(&count, sizeof *count);
    cudaMemset(count, 0, sizeof *count);
    cudaMallocHost((void **)&done, sizeof *done);
    *done = 0;
    add_one_and_tell<<<(N + 255) / 256, 256>>>(input, managed, count, done);
    while (*done == 0)
        ;
    EXPECT(managed[N - 1] == input[N - 1] + 1);
    cudaMemcpyAsync(pinned, device, BYTES / 2, cudaMemcpyDeviceToHost, stream);
    pinned[N / 2] = 1;
    cudaFree(count);
    cudaFreeHost((void *)done);
}

/* Registered memory: its first and its last page may be others' as well. */
static void registered()
{
    char *memory = (char *)malloc(8 * BYTES);
    cudaHostRegister(memory, 8 * BYTES, 0);
    cudaMemcpyAsync(memory, device, BYTES, cudaMemcpyDeviceToHost, stream);
    copied[0] = memory[BYTES - 1] + memory[BYTES];
    copied[0] += memory[BYTES / 2]; // early: registered
    cudaDeviceSynchronize();
    cudaHostUnregister(memory);
    free(memory);
}

int main()
{
    EXPECT_OK(cudaMallocHost(&pinned, BYTES));
    EXPECT_OK(cudaMallocManaged(&managed, BYTES));
    EXPECT_OK(cudaMallocManaged(&input, BYTES));
    EXPECT_OK(cudaMalloc(&device, BYTES));
    EXPECT_OK(cudaMemset(device, 0, BYTES));
    EXPECT_OK(cudaStreamCreate(&stream));
    EXPECT_OK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    EXPECT_OK(cudaEventCreate(&event));
    memset(input, 0, BYTES);
    too_early();
    side_by_side();
    registered();
    in_time();
    EXPECT_OK(cudaEventDestroy(event));
    EXPECT_OK(cudaFree(managed));
    EXPECT_OK(cudaFree(input));
    EXPECT_OK(cudaFree(device));
    EXPECT_OK(cudaFreeHost(pinned));
    return expect_result();
}
