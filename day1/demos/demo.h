/*
 * demo.h: what the demos share: a check of every call, times measured by events, and a heading that
 * names the device. A demo is one program that checks its own results and prints one small table.
 * It runs on a GPU and, at a smaller size, on the simulated GPU, whose times are modelled.
 */
#ifndef DEMO_H
#define DEMO_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>

#ifdef SIMULATED_GPU /* the simulated GPU's headers define it */
static const bool simulated = true;
#else
static const bool simulated = false;
#endif

/* Ends the program with one line when a call failed or a result is wrong. */
#define MUST(call)                                                                                 \
    do {                                                                                           \
        cudaError_t demo_error = (call);                                                           \
        if (demo_error != cudaSuccess) demo_end(#call, cudaGetErrorString(demo_error));            \
    } while (0)

static inline void demo_end(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s\n", what, why);
    exit(EXIT_FAILURE);
}

static inline void demo_require(bool right, const char *what)
{
    if (!right) demo_end(what, "the result is wrong");
}

/* The first line of every table. */
static inline void demo_heading(const char *title)
{
    cudaDeviceProp device;
    MUST(cudaGetDeviceProperties(&device, 0));
    printf("%s: %s%s\n\n", title, device.name, simulated ? ", simulated; times are modelled" : "");
}

/* The last line of a table: what the simulated GPU does not know. */
static inline void demo_note(const char *left_out)
{
    if (simulated) printf("the simulated GPU %s\n", left_out);
}

/* The shortest time of a launch, in microseconds. The first launch does not count. */
template <typename Launch> static double demo_us(Launch launch)
{
    cudaEvent_t from, to;
    float best = INFINITY, ms;
    MUST(cudaEventCreate(&from));
    MUST(cudaEventCreate(&to));
    for (int run = 0; run < (simulated ? 2 : 11); run++) {
        MUST(cudaEventRecord(from));
        launch();
        MUST(cudaGetLastError());
        MUST(cudaEventRecord(to));
        MUST(cudaEventSynchronize(to));
        MUST(cudaEventElapsedTime(&ms, from, to));
        if (run > 0 && ms < best) best = ms;
    }
    MUST(cudaEventDestroy(from));
    MUST(cudaEventDestroy(to));
    return 1e3 * best;
}

/* Memory for n elements on the GPU. */
template <typename T> static T *demo_alloc(size_t n)
{
    T *memory;
    MUST(cudaMalloc((void **)&memory, n * sizeof(T)));
    return memory;
}

#endif
