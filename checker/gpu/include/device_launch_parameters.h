/* device_launch_parameters.h: nothing of its own; the built-in variables are in cuda_runtime.h. */
#include "cuda_runtime.h"
