/*
 * launch.h: kernels that a library launches; those of the program come through warpup_launch().
 */
#ifndef WARPUP_LAUNCH_H
#define WARPUP_LAUNCH_H

#include "sim/api/api_call.h"

/* A call of a library that works as one kernel. */
struct library_kernel {
    const char *library, *name; /* "cublas", "cublasSgemm" */
    uint64_t blocks;
    cudaStream_t stream;
    double load_bytes, store_bytes;
    double ns;         /* modelled */
    cudaError_t error; /* how it ends */
};

/* Puts it into its stream and writes its launch and kernel records, with the faults told since the
 * last kernel; returns when it will be done. */
int64_t launch_library(const struct call *call, const struct library_kernel *kernel);

#endif
