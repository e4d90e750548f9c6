/*
 * lt.h: what a program asks of cublasLtMatmul. The program's side (cudart/cublas_lt.c) fills it in.
 */
#ifndef WARPUP_LT_H
#define WARPUP_LT_H

#include "gpu/include/cublasLt.h"

#include <stdint.h>

struct lt_description {
    int32_t compute, scale, pointer_mode, transa, transb, epilogue;
    uint64_t bias;
};

/* A matrix. */
struct lt_layout {
    int32_t type, order, batches, reserved;
    uint64_t rows, columns;
    int64_t ld, stride;
};

struct lt_request {
    uint64_t given; /* 0: a pointer is NULL */
    struct lt_description product;
    struct lt_layout a, b, c, d;
};

#endif
