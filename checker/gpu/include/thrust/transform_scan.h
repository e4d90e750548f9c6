/* transform_scan.h: see warpup/thrust.h. */
#include "../warpup/thrust.h"
