/*
 * headers.c: see headers.h. The folder has a precompiled header for each build, and `flags`: the
 * compiler's version and the flags that they were made with.
 */
#define _GNU_SOURCE
#include "gpu/cc/headers.h"

#include "gpu/cc/jobs.h"
#include "gpu/cc/messages.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *headers_file(const char *folder, enum build build)
{
    static const char *const names[] = {
        [NEAR_SOURCE] = "near", [OPTIMISED] = "optimised", [HOST] = "host"};
    return text_of("%s/%s.pch", folder, names[build]);
}

/* A line for each build. The compiler's path is not among the flags: a PATH that finds the same
 * version elsewhere may use the headers, and clang itself refuses those of another one. */
static const char *flags_of(const struct compiler *compiler, const struct options *options)
{
    char *text = text_of("clang %d\n", compiler->version);
    for (int build = 0; build <= HOST; build++) {
        struct list flags = clang_flags(compiler, options, (enum build)build);
        for (size_t i = 1; i < flags.count; i++)
            text = text_of("%s%s%s", text, flags.items[i], i + 1 < flags.count ? " " : "\n");
    }
    return text;
}

/* Macros that the headers look at. */
static bool changes_headers(const struct options *options)
{
    for (size_t i = 0; i < options->macros.count; i++) {
        const char *name = options->macros.items[i] + 2;
        if (name[0] == '_' || text_begins(name, "NDEBUG") || text_begins(name, "WARPUP"))
            return true;
    }
    return false;
}

const char *headers_find(const struct compiler *compiler, const struct options *options)
{
    const char *folder = text_of("%s/cuda-headers", options->build);
    const char *flags = text_read(text_of("%s/flags", folder), NULL);
    if (flags == NULL || compiler->is_nvcc || changes_headers(options)) return NULL;
    return strcmp(flags, flags_of(compiler, options)) == 0 ? folder : NULL;
}

bool headers_refused(const char *said)
{
    return strstr(said, "precompiled header") != NULL || strstr(said, "PCH") != NULL ||
           strstr(said, ".pch") != NULL;
}

int headers_compile(const struct compiler *compiler, struct options *options)
{
    const char *source = text_of("%s/start.h", options->out),
               *flags_file = text_of("%s/flags", options->out);
    struct job jobs[BUILDS + 1] = {0};
    if (compiler->is_nvcc) return COMPILED;
    unlink(flags_file);
    FILE *file = fopen(source, "we");
    if (file == NULL || fputs("#include <cuda_runtime.h>\n", file) < 0 || fclose(file) != 0)
        fatal("%s: cannot be written", source);
    for (int build = 0; build <= HOST; build++) {
        jobs[build].command = clang_flags(compiler, options, (enum build)build);
        static const char *const words[] = {"-Xclang", "-emit-pch", "-o"};
        list_add(&jobs[build].command, build == HOST ? "-c" : "-S");
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            list_add(&jobs[build].command, words[i]);
        list_add(&jobs[build].command, headers_file(options->out, (enum build)build));
        list_add(&jobs[build].command, source);
    }
    run_jobs(jobs, BUILDS + 1);
    for (int build = 0; build <= HOST; build++)
        if (!job_succeeded(&jobs[build]))
            fatal("CUDA's headers do not compile: %s", jobs[build].said);
    file = fopen(flags_file, "we");
    if (file == NULL || fputs(flags_of(compiler, options), file) < 0 || fclose(file) != 0)
        fatal("%s: cannot be written", flags_file);
    return COMPILED;
}
