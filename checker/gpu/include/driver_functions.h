/* driver_functions.h: nothing of its own; the functions for pitched memory are in cuda_runtime.h.
 */
#include "cuda_runtime.h"
