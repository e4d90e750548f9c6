/* thrust/complex.h: see warpup/complex.h. */
#ifndef WARPUP_THRUST_COMPLEX
#define WARPUP_THRUST_COMPLEX

#include "../cuda_runtime.h"

#define WARPUP_MEMBER __host__ __device__ WARPUP_HIDDEN

namespace thrust
{
#include "../warpup/complex.h"
} // namespace thrust

#undef WARPUP_MEMBER

#endif
