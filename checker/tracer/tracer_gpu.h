/*
 * tracer_gpu.h: what the tracer asks the driver itself.
 */
#ifndef WARPUP_TRACER_GPU_H
#define WARPUP_TRACER_GPU_H

#include <stdbool.h>
#include <stddef.h>

/* Writes the `begin` record: the properties of the current context's device, or of device 0. */
void gpu_write_begin(void);
/* Waits for all work. False if the GPU no longer answers, for instance after a fault. */
bool gpu_idle(void);

/* True if the calling thread has a context: CUDA has started. */
bool gpu_has_context(void);
/* Reads device memory; false on failure. */
bool gpu_read(void *host, const void *device, size_t bytes);

#endif
