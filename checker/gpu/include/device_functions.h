/* device_functions.h: nothing of its own; the intrinsics are in cuda_runtime.h. */
#include "cuda_runtime.h"
