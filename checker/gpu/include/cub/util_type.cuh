/* util_type.cuh: see warpup/cub.h. */
#include "../warpup/cub.h"
