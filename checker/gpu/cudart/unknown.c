/* unknown.c: CUDA's functions that the simulated GPU does not know (unknown.def). */
#include "gpu/cudart/client.h"

#include <string.h>

static cudaError_t unknown(const char *name, const void *pc)
{
    struct remote remote = {.payload = {{name, strlen(name)}}};
    return client_call(&remote, WIRE_unknown, pc);
}

/* A function for each unknown call. The parameters do not matter. */
#define UNKNOWN(name)                                                                              \
    cudaError_t unknown_##name(void) __asm__(#name);                                               \
    cudaError_t unknown_##name(void)                                                               \
    {                                                                                              \
        return unknown(#name, RETURN_PC);                                                          \
    }
#include "gpu/cudart/unknown.def"
