/* watch.cu: what a program's own watch shows. Prints microseconds: real ones that its own work
 * took, a launch, the wait for it, and the same kernel by events. Then the kernel's time as a host
 * function sees it that the stream calls, and as a host that waits for a flag. */
#include <chrono>
#include <omp.h>
#include <stdio.h>
#include <sys/time.h>
#include <time.h>

__global__ void slow(float *values, int n)
{
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += values[i];
    values[0] = sum;
}

__global__ void set_flag(volatile int *flag)
{
    __threadfence_system();
    *flag = 1;
}

static double seconds()
{
    struct timeval now;
    gettimeofday(&now, NULL);
    return (double)now.tv_sec + 1e-6 * (double)now.tv_usec;
}

static void CUDART_CB note(void *when)
{
    *(double *)when = seconds();
}

int main()
{
    const int n = 200000;
    float *values, ms;
    cudaEvent_t start, end;
    cudaMalloc(&values, n * sizeof *values);
    cudaMemset(values, 0, n * sizeof *values);
    cudaEventCreate(&start);
    cudaEventCreate(&end);
    cudaDeviceSynchronize();

    struct timespec pause = {0, 20000000};
    double t0 = seconds();
    nanosleep(&pause, NULL);
    double t1 = seconds(), w1 = omp_get_wtime();
    clock_t b1 = clock();
    auto c1 = std::chrono::steady_clock::now();
    cudaEventRecord(start);
    slow<<<1, 1>>>(values, n);
    cudaEventRecord(end);
    double t2 = seconds();
    cudaDeviceSynchronize();
    double t3 = seconds(), w3 = omp_get_wtime();
    clock_t b3 = clock();
    auto c3 = std::chrono::steady_clock::now();
    cudaEventElapsedTime(&ms, start, end);
    printf("own %.0f\nlaunch %.0f\nwait %.0f\nevents %.0f\nomp %.0f\nchrono %.0f\nbusy %.0f\n",
           1e6 * (t1 - t0), 1e6 * (t2 - t1), 1e6 * (t3 - t2), 1e3 * ms, 1e6 * (w3 - w1),
           std::chrono::duration<double, std::micro>(c3 - c1).count(),
           1e6 * (double)(b3 - b1) / CLOCKS_PER_SEC);

    volatile int *flag;
    double called = 0;
    cudaHostAlloc((void **)&flag, sizeof *flag, cudaHostAllocMapped);
    *flag = 0;
    double t4 = seconds();
    slow<<<1, 1>>>(values, n);
    cudaLaunchHostFunc(0, note, &called);
    set_flag<<<1, 1>>>(flag);
    while (*flag == 0)
        ;
    double t5 = seconds();
    printf("called %.0f\nflag %.0f\n", 1e6 * (called - t4), 1e6 * (t5 - t4));
    cudaDeviceSynchronize();
    cudaFreeHost((void *)flag);
    cudaFree(values);
    return 0;
}
