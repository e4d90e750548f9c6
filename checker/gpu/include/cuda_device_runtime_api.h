/* cuda_device_runtime_api.h: nothing of its own; what kernels may call is in cuda_runtime.h. */
#include "cuda_runtime.h"
