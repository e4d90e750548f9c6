#include <curand_kernel.h>
#include <cublasLt.h>
