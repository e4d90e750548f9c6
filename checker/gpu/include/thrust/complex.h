/* thrust/complex.h: see warpup/complex.h. */
#ifndef WARPUP_THRUST_COMPLEX
#define WARPUP_THRUST_COMPLEX

#include "../warpup/async.h"

#include <cmath>

namespace thrust
{
#include "../warpup/complex.h"
} // namespace thrust

#endif
