/* device_malloc.h: see warpup/thrust.h. */
#include "../warpup/thrust.h"
