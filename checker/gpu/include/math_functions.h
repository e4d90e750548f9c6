/* math_functions.h: nothing of its own; the mathematical functions are in cuda_runtime.h. */
#include "cuda_runtime.h"
