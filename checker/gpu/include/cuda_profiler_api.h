/* cuda_profiler_api.h: nothing of its own; cudaProfilerStart and Stop are in cuda_runtime.h. */
#include "cuda_runtime.h"
