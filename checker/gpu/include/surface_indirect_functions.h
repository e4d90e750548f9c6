/* surface_indirect_functions.h: nothing of its own; its contents are in cuda_runtime.h. */
#include "cuda_runtime.h"
