/* device_types.h: nothing of its own; the types are in cuda_runtime.h. */
#include "cuda_runtime.h"
