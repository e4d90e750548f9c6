/* device_vector.h: see warpup/thrust.h. */
#include "../warpup/thrust.h"
