/* counting_input_iterator.cuh: see warpup/cub.h. */
#include "../../warpup/cub.h"
