/*
 * gpu_metrics.h: the measures of how the timed kernels use the GPU.
 */
#ifndef WARPUP_GPU_METRICS_H
#define WARPUP_GPU_METRICS_H

#include "judge/measure/metrics.h"

/* Takes these measures, from measures->counts. */
void measure_gpu(struct measures *measures, const struct check *check);

#endif
