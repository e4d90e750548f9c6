/* streams.cu: streams, events, and which work waits for which. */
#include "expect.h"

#include <vector>

enum { N = 1 << 16, LONG = 1 << 14 };

__device__ int log_length, order[64];

/* Takes its time with one thread, then writes its name down. */
__global__ void work(float *values, int rounds, int name)
{
    float sum = 0;
    for (int i = 0; i < rounds; i++)
        sum += values[i % N];
    values[0] = sum;
    order[atomicAdd(&log_length, 1)] = name;
}

static float between(cudaEvent_t from, cudaEvent_t to)
{
    float ms = -1;
    EXPECT_OK(cudaEventElapsedTime(&ms, from, to));
    return ms;
}

int main()
{
    float *a, *b, *pinned;
    EXPECT_OK(cudaMalloc(&a, N * sizeof *a));
    EXPECT_OK(cudaMalloc(&b, N * sizeof *b));
    EXPECT_OK(cudaMallocHost(&pinned, N * sizeof *pinned));
    EXPECT_OK(cudaMemset(a, 0, N * sizeof *a));
    EXPECT_OK(cudaMemset(b, 0, N * sizeof *b));
    work<<<1, 1>>>(a, 1, 9); /* the first launch is slow on a real GPU */
    EXPECT_OK(cudaDeviceSynchronize());

    cudaStream_t one, two, apart;
    cudaEvent_t start, middle, end, far;
    EXPECT_OK(cudaStreamCreate(&one));
    EXPECT_OK(cudaStreamCreateWithFlags(&two, cudaStreamDefault));
    EXPECT_OK(cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking));
    EXPECT_OK(cudaEventCreate(&start));
    EXPECT_OK(cudaEventCreate(&middle));
    EXPECT_OK(cudaEventCreateWithFlags(&end, cudaEventBlockingSync));
    EXPECT_OK(cudaEventCreate(&far));

    /* The kernel runs on while the host goes on. */
    EXPECT_OK(cudaEventRecord(start, one));
    work<<<1, 1, 0, one>>>(a, LONG, 1);
    EXPECT_OK(cudaEventRecord(middle, one));
    EXPECT_ERROR(cudaErrorNotReady, cudaStreamQuery(one));
    EXPECT_ERROR(cudaErrorNotReady, cudaEventQuery(middle));
    float ms;
    EXPECT_ERROR(cudaErrorNotReady, cudaEventElapsedTime(&ms, start, middle));
    EXPECT_OK(cudaEventSynchronize(middle));
    EXPECT_OK(cudaEventQuery(middle));
    EXPECT_OK(cudaStreamQuery(one));
    float alone = between(start, middle);
    EXPECT(alone > 0.05f && alone < 50);

    /* Two streams work side by side; the default stream waits for both. */
    EXPECT_OK(cudaEventRecord(start));
    work<<<1, 1, 0, one>>>(a, LONG, 1);
    work<<<1, 1, 0, two>>>(b, LONG, 2);
    EXPECT_OK(cudaEventRecord(end));
    EXPECT_OK(cudaEventSynchronize(end));
    EXPECT(between(start, end) < 1.8f * alone);
    EXPECT(between(start, end) > 0.9f * alone);

    /* A non-blocking stream does not wait for the default stream. */
    work<<<1, 1>>>(a, 2 * LONG, 3);
    work<<<1, 1, 0, apart>>>(b, 1, 4);
    EXPECT_OK(cudaEventRecord(far, apart));
    EXPECT_OK(cudaEventRecord(end));
    EXPECT_OK(cudaDeviceSynchronize());
    EXPECT(between(far, end) > 0.5f * alone);

    /* Waiting for an event of another stream. */
    work<<<1, 1, 0, one>>>(a, LONG, 5);
    EXPECT_OK(cudaEventRecord(middle, one));
    EXPECT_OK(cudaStreamWaitEvent(apart, middle, 0));
    work<<<1, 1, 0, apart>>>(b, 1, 6);
    EXPECT_OK(cudaEventRecord(far, apart));
    EXPECT_OK(cudaStreamSynchronize(apart));
    EXPECT(between(middle, far) >= 0);

    int names[64], count;
    EXPECT_OK(cudaMemcpyFromSymbol(&count, log_length, sizeof count));
    EXPECT_OK(cudaMemcpyFromSymbol(names, order, sizeof names));
    EXPECT(count == 8 && names[6] == 5 && names[7] == 6);

    EXPECT_OK(cudaMemcpyAsync(pinned, a, N * sizeof *a, cudaMemcpyDeviceToHost, two));
    EXPECT_OK(cudaMemsetAsync(a, 0, N * sizeof *a, two));
    EXPECT_OK(cudaStreamSynchronize(two));
    int called = 0;
    EXPECT_OK(cudaLaunchHostFunc(
        one, [](void *data) { *(int *)data = 1; }, &called));
    EXPECT_OK(cudaStreamSynchronize(one));
    EXPECT(called == 1);

    for (cudaStream_t stream : std::vector<cudaStream_t>{one, two, apart})
        EXPECT_OK(cudaStreamDestroy(stream));
    for (cudaEvent_t event : {start, middle, end, far})
        EXPECT_OK(cudaEventDestroy(event));
    EXPECT_OK(cudaFreeHost(pinned));
    EXPECT_OK(cudaFree(a));
    EXPECT_OK(cudaFree(b));
    return expect_result();
}
