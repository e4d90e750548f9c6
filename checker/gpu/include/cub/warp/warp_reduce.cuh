/* warp_reduce.cuh: see warpup/cub.h. */
#include "../../warpup/cub.h"
