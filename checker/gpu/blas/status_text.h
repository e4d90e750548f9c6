/*
 * status_text.h: the names and texts of cuBLAS's statuses, for both sides: the GPU's process writes
 * them into the trace, the program's library returns them.
 */
#ifndef WARPUP_STATUS_TEXT_H
#define WARPUP_STATUS_TEXT_H

#include "cublas_v2.h"

#include <stddef.h>

static const struct status_text {
    cublasStatus_t status;
    const char *name, *text;
} texts[] = {
#define ROW(name, text) {name, #name, text},
#include "gpu/blas/statuses.def"
#undef ROW
};

static const struct status_text *find_text(cublasStatus_t status)
{
    static const struct status_text unknown = {CUBLAS_STATUS_SUCCESS, "(unrecognized error code)",
                                               "unrecognized error code"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (texts[i].status == status) return &texts[i];
    return &unknown;
}

#endif
