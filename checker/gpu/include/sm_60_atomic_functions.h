/* sm_60_atomic_functions.h: nothing of its own; the atomic functions are in cuda_runtime.h. */
#include "cuda_runtime.h"
