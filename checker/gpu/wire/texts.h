/*
 * texts.h: the names and texts of error codes, for both sides: the GPU's process writes them into
 * the trace, the program's libraries return them. The rows are those of CUDA's errors
 * (include/warpup/errors.h) and of cuBLAS's statuses (include/cublas_v2.h).
 */
#ifndef WARPUP_TEXTS_H
#define WARPUP_TEXTS_H

#include "gpu/include/cublas_v2.h"

struct code_text {
    int code;
    const char *name, *text;
};

#define ROW(name, code, text) {code, #name, text},
static const struct code_text error_texts[] = {WARPUP_ERRORS(ROW){-1, NULL, NULL}},
                              status_texts[] = {WARPUP_STATUSES(ROW){-1, NULL, NULL}};
#undef ROW

/* One of these two tables' texts. */
static inline const struct code_text *text_of_code(const struct code_text *row, int code)
{
    static const struct code_text unknown = {-1, "unrecognized error code",
                                             "unrecognized error code"};
    while (row->name != NULL && row->code != code)
        row++;
    return row->name != NULL ? row : &unknown;
}

#endif
