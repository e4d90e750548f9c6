/* errors.c: names and texts of errors. What the last one was, the GPU's process knows. */
#include "gpu/cudart/client.h"

static const struct {
    cudaError_t code;
    const char *name, *text;
} errors[] = {
#define ROW(name, code, text) {name, #name, text},
    WARPUP_ERRORS(ROW)
#undef ROW
};

static int find(cudaError_t error)
{
    for (int i = 0; i < (int)(sizeof errors / sizeof errors[0]); i++)
        if (errors[i].code == error) return i;
    return -1;
}

const char *cudaGetErrorName(cudaError_t error)
{
    int i = find(error);
    return i < 0 ? "unrecognized error code" : errors[i].name;
}

const char *cudaGetErrorString(cudaError_t error)
{
    int i = find(error);
    return i < 0 ? "unrecognized error code" : errors[i].text;
}

PLAIN(cudaGetLastError, (void), 0)
PLAIN(cudaPeekAtLastError, (void), 0)
