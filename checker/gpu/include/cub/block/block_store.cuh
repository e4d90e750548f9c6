/* block_store.cuh: see warpup/cub.h. */
#include "../../warpup/cub.h"
