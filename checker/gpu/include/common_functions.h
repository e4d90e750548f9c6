/* common_functions.h: nothing of its own; the functions are in cuda_runtime.h. */
#include "cuda_runtime.h"
