/* device_ptr.h: see warpup/thrust.h. */
#include "../warpup/thrust.h"
