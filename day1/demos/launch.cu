/*
 * launch.cu: what does it cost to start a kernel? The kernel is empty. The host's clock measures
 * the call, the call with a wait, and many launches in a row. The GPU's own clock measures the
 * kernel.
 *
 *   nvcc -O3 -o launch launch.cu
 */
#include "demo.h"

#include <time.h>

enum { ROUNDS = 20, ROW = 100 };

__global__ void nothing(void)
{
}

static double now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e6 * (double)now.tv_sec + 1e-3 * (double)now.tv_nsec;
}

/* The shortest time of several rounds of launches. With `wait`, it ends when the GPU has finished.
 */
static double host_us(int launches, bool wait)
{
    double best = INFINITY;
    for (int round = 0; round < ROUNDS; round++) {
        double from = now_us();
        for (int i = 0; i < launches; i++)
            nothing<<<1, 1>>>();
        if (wait) MUST(cudaDeviceSynchronize());
        double us = now_us() - from;
        MUST(cudaDeviceSynchronize());
        if (round > 0 && us < best) best = us;
    }
    return best;
}

int main()
{
    demo_heading("launch");
    printf("                                        us\n");
    printf("the call of a launch returns      %8.2f\n", host_us(1, false));
    printf("a launch, and a wait              %8.2f\n", host_us(1, true));
    printf("100 launches and a wait, each     %8.2f\n", host_us(ROW, true) / ROW);
    printf("an empty kernel, by the GPU       %8.2f\n", demo_us([&] { nothing<<<1, 1>>>(); }));
    return EXIT_SUCCESS;
}
