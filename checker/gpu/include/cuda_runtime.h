/*
 * cuda_runtime.h: CUDA C++ for the simulated GPU, compiled by clang in its CUDA mode. As with nvcc,
 * every program gets this file first, so a program need not include it. A source of host code alone
 * may include it too; in C it has the calls and types only.
 */
#ifndef __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_H__

/* For programs that print the device of their figures. */
#define SIMULATED_GPU 1

#ifndef __cplusplus
#    include "cuda_runtime_api.h"
#else

#    ifndef WARPUP_HOST_CODE
#        ifndef __CUDACC__
#            define __CUDACC__ 1
#        endif
#        define __CUDACC_VER_MAJOR__       12
#        define __CUDACC_VER_MINOR__       8
#        define __CUDACC_EXTENDED_LAMBDA__ 1
#        define __NVCC__                   1
#    endif

#    include "warpup/mathematics.h"

/* The special functions of C++17 would cost every compilation 70 ms. */
#    include <bits/c++config.h>
#    ifndef WARPUP_SPECIAL_FUNCTIONS
#        undef _GLIBCXX_USE_STD_SPEC_FUNCS
#    endif

#    include <assert.h>
#    include <limits>
#    include <limits.h>
#    include <math.h>
#    include <stdint.h>
#    include <stdio.h>
#    include <stdlib.h>
#    include <string.h>
#    include <time.h>

#    include "warpup/builtins.h"

#    include "warpup/standard.h"

#    include "cuda_runtime_api.h"
#    include "vector_functions.h"

#    include "warpup/access.h"
#    include "warpup/atomic.h"
#    include "warpup/both.h"
#    include "warpup/intrinsics.h"
#    include "warpup/launch.h"
#    include "warpup/simd.h"
#    include "warpup/texture.h"
#    include "warpup/warp.h"

/* The calls that clang makes of a launch if it assumes an old CUDA; an editor's clang may. */
#    ifdef __CUDA__
cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = 0);
#    endif

#endif
#endif
