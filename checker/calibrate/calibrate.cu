/*
 * calibrate.cu: measures the figures of a profile (checker/gpu/profiles) on this GPU. It prints a
 * line for each figure: name, value, source and spread in percent, separated by tabs. Lines that
 * begin with # have all times that were measured. On an error it prints one line on stderr and
 * returns exit code 2. Each header has the microbenchmarks of one part of the GPU.
 *
 *     nvcc -O3 -arch=native -o calibrate calibrate.cu -lcublas && ./calibrate [small]
 *
 * With "small", the sizes are those for the simulated GPU.
 */
#include "arithmetic.h"
#include "blas.h"
#include "caches.h"
#include "common.h"
#include "contention.h"
#include "host.h"
#include "latencies.h"
#include "memory.h"
#include "properties.h"
#include "starts.h"

int main(int argc, char *argv[])
{
    struct gpu gpu = {};
    if (argc > 2 || (argc == 2 && strcmp(argv[1], "small") != 0)) {
        fprintf(stderr, "usage: calibrate [small]\n");
        return 2;
    }
    gpu.small = argc == 2;
    check(cudaSetDevice(0), "no usable GPU");
    check(cudaEventCreate(&first_event), "timing");
    check(cudaEventCreate(&last_event), "timing");
    measure_properties(&gpu);
    measure_clock(&gpu);
    measure_latencies(&gpu);
    measure_caches(&gpu);
    measure_starts(&gpu);
    measure_arithmetic(&gpu);
    measure_contention(&gpu);
    measure_memory(&gpu);
    measure_host(&gpu);
    measure_blas(&gpu);
    if (impossible != NULL) {
        fprintf(stderr,
                "%s did not come out as a positive number: probably other work on the GPU changed "
                "the times\n",
                impossible);
        return 2;
    }
    if (fflush(stdout) != 0) {
        fprintf(stderr, "the figures could not be written\n");
        return 2;
    }
    return 0;
}
