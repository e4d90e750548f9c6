/*
 * launch.h: kernels that a library launches, and the numbers of launches. The program's own come
 * through cudaLaunchKernel (launch.c).
 */
#ifndef WARPUP_RUNTIME_LAUNCH_H
#define WARPUP_RUNTIME_LAUNCH_H

#include "gpu/runtime/runtime.h"
#include "gpu/runtime/stream.h"

#include <stdint.h>

/* A library call that works as one kernel. */
struct library_kernel {
    const char *library, *name; /* "cublas", "cublasSgemm" */
    uint64_t blocks;
    struct stream *stream;
    double load_bytes, store_bytes;
    double ns;         /* modelled */
    cudaError_t error; /* with which it ends */
};

/* The number of the latest launch. */
uint64_t launch_number(void);

/* Puts it into its stream, and writes its launch and kernel records and the faults since the last
 * kernel. Returns when it will be done. */
int64_t launch_library(const struct call *call, const struct library_kernel *kernel);

#endif
