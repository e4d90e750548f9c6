/* device_select.cuh: see warpup/cub.h. */
#include "../../warpup/cub.h"
