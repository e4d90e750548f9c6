/* sm_30_intrinsics.h: nothing of its own; the intrinsics are in cuda_runtime.h. */
#include "cuda_runtime.h"
