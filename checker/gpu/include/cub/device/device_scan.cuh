/* device_scan.cuh: see warpup/cub.h. */
#include "../../warpup/cub.h"
