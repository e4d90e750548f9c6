/* cuda.h: of the driver's interface, the version alone. */
#ifndef WARPUP_CUDA_H
#define WARPUP_CUDA_H

#include "cuda_runtime.h"

#define CUDA_VERSION CUDART_VERSION
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;

#endif
