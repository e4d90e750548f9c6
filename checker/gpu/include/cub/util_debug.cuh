/* util_debug.cuh: see warpup/cub.h. */
#include "../warpup/cub.h"
