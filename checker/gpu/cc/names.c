/* names.c: see names.h. unsupported.txt has whole names; what all names of a library begin with is
 * here.
 */
#include "gpu/cc/names.h"

#include <ctype.h>
#include <string.h>

static const char *const beginnings[] = {
    "texture",     "surface",     "tex1D",    "tex2D",      "tex3D",      "surf1D",   "surf2D",
    "surf3D",      "cublas",      "CUBLAS_",  "curand",     "CURAND_",    "cufft",    "cusparse",
    "cusolver",    "nvtx",        "thrust",   "cub",        "nvcuda",     "wmma",     "__nv_",
    "__NV_ATOMIC", "nv_bfloat16", "__shfl",   "__ballot",   "__any",      "__all",    "__reduce_",
    "__cp_async",  "__cvta",      "__dp4a",   "__dp2a",     "__vadd",     "__vsub",   "__vabs",
    "__viadd",     "__vimax",     "__vimin",  "__isGlobal", "__isShared", "cuCtx",    "cuMem",
    "cuLaunch",    "cuModule",    "cuDevice", "cuInit",     "cuFunc",     "cuStream", "cuEvent",
    "CU_",         "CUcontext",   "CUmodule", "CUfunction", "CUarray",    "CUmem",    "CUjit",
    "CUlink"};

/* Members of these are those of a library. */
static const char *const scopes[] = {"thrust::", "cub::", "cuda::", "nvcuda::"};

static const char *const headers[] = {
    "thrust/",   "cub/",        "cuda/",         "cooperative_groups",
    "mma",       "cublas",      "curand",        "cufft",
    "cusparse",  "cusolver",    "nvtx",          "nvToolsExt",
    "cuda_bf16", "cuda_fp",     "cuda_pipeline", "cuda_texture",
    "texture",   "surface",     "cuComplex",     "cuda_gl",
    "nvrtc",     "nvml",        "cudnn",         "nccl",
    "cupti",     "cudaProfiler"};

static bool begins_with_any(const char *name, const char *const *starts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (text_begins(name, starts[i])) return true;
    return false;
}

/* Is the name in the list, as a whole word of a line that is not a comment? */
static bool is_listed(const struct options *options, const char *name)
{
    const char *text = text_read(text_of("%s/gpu/cc/unsupported.txt", options->checker), NULL);
    size_t bytes = strlen(name);
    for (const char *at = text; at != NULL && bytes > 0 && (at = strstr(at, name)) != NULL;
         at += bytes) {
        const char *line = at;
        while (line > text && line[-1] != '\n')
            line--;
        bool begins = at == text || isspace((unsigned char)at[-1]);
        bool ends = at[bytes] == '\0' || isspace((unsigned char)at[bytes]);
        if (begins && ends && line[0] != '#') return true;
    }
    return false;
}

bool names_without_mask(const char *name)
{
    static const char *const names[] = {"__shfl", "__shfl_up", "__shfl_down", "__shfl_xor",
                                        "__any",  "__all",     "__ballot"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0) return true;
    return false;
}

bool names_are_lacking(const struct options *options, const char *name)
{
    if (names_without_mask(name)) return false;
    bool begins = strstr(name, "::") != NULL
                      ? begins_with_any(name, scopes, sizeof scopes / sizeof *scopes)
                      : begins_with_any(name, beginnings, sizeof beginnings / sizeof *beginnings);
    return begins || is_listed(options, name);
}

bool names_cuda_header(const char *name)
{
    return begins_with_any(name, headers, sizeof headers / sizeof *headers);
}
