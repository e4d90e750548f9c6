/* thread_operators.cuh: see warpup/cub.h. */
#include "../../warpup/cub.h"
