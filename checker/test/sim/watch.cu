/* watch.cu: what a program's own watch shows. Prints microseconds: real ones that its own work
 * took, a launch, the wait for it, and the same kernel by events. */
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

static double seconds()
{
    struct timeval now;
    gettimeofday(&now, NULL);
    return (double)now.tv_sec + 1e-6 * (double)now.tv_usec;
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
    cudaFree(values);
    return 0;
}
