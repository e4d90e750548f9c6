/*
 * thrust.h: what this lab has of thrust, the parallel algorithms that come with CUDA, in few lines:
 * each algorithm over device memory is one kernel or a few, over host memory a loop. The counts of
 * these kernels are not those of the real library.
 */
#ifndef WARPUP_THRUST_H
#define WARPUP_THRUST_H

/* The real library's headers include these too, and programs rely on it. */
#include <cassert>
#include <cfloat>
#include <chrono>
#include <cstring>
#include <iostream>
#include <memory>

#include "thrust/policies.h"

#endif
