/* device_radix_sort.cuh: see warpup/cub.h. */
#include "../../warpup/cub.h"
