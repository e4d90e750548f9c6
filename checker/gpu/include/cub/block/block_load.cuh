/* block_load.cuh: see warpup/cub.h. */
#include "../../warpup/cub.h"
