/* names.c: see names.h. unsupported.txt has the names. */
#define _GNU_SOURCE
#include "gpu/cc/names.h"

#include <string.h>

static const char *const headers[] = {
    "thrust/",   "cub/",        "cuda/",         "cooperative_groups",
    "mma",       "cublas",      "curand",        "cufft",
    "cusparse",  "cusolver",    "nvtx",          "nvToolsExt",
    "cuda_bf16", "cuda_fp",     "cuda_pipeline", "cuda_texture",
    "texture",   "surface",     "cuComplex",     "cuda_gl",
    "nvrtc",     "nvml",        "cudnn",         "nccl",
    "cupti",     "cudaProfiler"};

/* Is it the word, or does it begin as a word that ends with a *? Members of a type of the program's
 * own do not: surface* is not about surface_lab::width. */
static bool fits(const char *name, const char *word)
{
    size_t bytes = strlen(word);
    if (bytes < 2 || word[bytes - 1] != '*') return strcmp(name, word) == 0;
    bool may_begin = word[bytes - 2] == ':' || strstr(name, "::") == NULL;
    return may_begin && strncmp(name, word, bytes - 1) == 0;
}

static bool is_listed(const struct options *options, const char *name)
{
    char *text = text_read(text_of("%s/gpu/cc/unsupported.txt", options->checker), NULL);
    char *line, *word;
    while ((line = strsep(&text, "\n")) != NULL) {
        if (line[0] == '#') continue;
        while ((word = strsep(&line, " ")) != NULL)
            if (fits(name, word)) return true;
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
    return !names_without_mask(name) && is_listed(options, name);
}

bool names_cuda_header(const char *name)
{
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        if (text_begins(name, headers[i])) return true;
    return false;
}
