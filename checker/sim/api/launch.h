/*
 * launch.h: kernels that a library launches. The program's own come through warpup_launch().
 */
#ifndef WARPUP_LAUNCH_H
#define WARPUP_LAUNCH_H

#include "sim/api/graph.h"
#include "warpup/runtime.h"

/* A library call that works as one kernel. */
struct library_kernel {
    const char *library, *name; /* "cublas", "cublasSgemm" */
    uint64_t blocks;
    cudaStream_t stream;
    double load_bytes, store_bytes;
    double ns;         /* modelled */
    cudaError_t error; /* with which it ends */
};

/* The job of launching a kernel, given by its address, with copies of the arguments at those
 * places. */
cudaError_t launch_pack(uintptr_t pc, const void *function, const struct warpup_shape *shape,
                        void **arguments, struct graph_job *job);

/* The number of the next launch. */
uint64_t launch_next(void);

/* Puts it into its stream, and writes its launch and kernel records and the faults since the last
 * kernel. Returns when it will be done. */
int64_t launch_library(const struct call *call, const struct library_kernel *kernel);

#endif
