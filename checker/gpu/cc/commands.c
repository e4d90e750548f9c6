/*
 * commands.c: the commands of compiler.h. The flags of the two builds have these reasons. Near the
 * source, clang must keep what a fault or a waiting loop needs: dead loads, endless loops, equal
 * barriers in two branches. It also fills variables that the program never sets with a pattern. The
 * other build fuses products and sums, as nvcc does. No build moves equal ends of two branches
 * below them: nvcc does so far less often than clang, and their lines would be lost.
 */
#define _GNU_SOURCE
#include "gpu/cc/compiler.h"

#include "gpu/cc/headers.h"
#include "gpu/cc/source.h"

#include <string.h>
#include <unistd.h>

/* ---- clang ---------------------------------------------------------------------------------- */

/* The PTX that a GPU understands, and clang knows: capability, since which clang, version of PTX.
 */
static const struct architecture {
    int capability, clang, nvcc, ptx;
} architectures[] = {{70, 16, 1108, 78}, {75, 16, 1108, 78},  {80, 16, 1108, 78},
                     {86, 16, 1108, 78}, {87, 16, 1108, 78},  {89, 16, 1108, 78},
                     {90, 16, 1108, 78}, {100, 20, 1208, 86}, {120, 20, 1208, 87}};

/* The last one that is not beyond the wanted capability; nvcc 13 has none below 7.5. */
static const struct architecture *architecture_of(const struct compiler *compiler,
                                                  double capability)
{
    const struct architecture *best = NULL;
    for (size_t i = 0; i < sizeof architectures / sizeof *architectures; i++) {
        const struct architecture *one = &architectures[i];
        bool is_known = compiler->version >= (compiler->is_nvcc ? one->nvcc : one->clang);
        if (compiler->is_nvcc && compiler->version >= 1300 && one->capability < 75) continue;
        if (is_known && (best == NULL || one->capability <= capability)) best = one;
    }
    return best;
}

static void add_words(struct list *command, const char *words)
{
    char *rest = text_of("%s", words), *word;
    while ((word = strsep(&rest, " ")) != NULL)
        if (word[0] != '\0') list_add(command, word);
}

#define CUDA_HOST "--cuda-host-only "
static const char *const for_build[BUILDS + 1] = {
    [NEAR_SOURCE] =
        "-g -O0 -fwrapv -fno-delete-null-pointer-checks -ftrivial-auto-var-init=pattern",
    [OPTIMISED] = "-g1 -O3 -ffp-contract=fast -mllvm -simplifycfg-sink-common=false "
                  "-mllvm -unroll-threshold=600 -mllvm -unroll-max-upperbound=32",
    [HOST] = CUDA_HOST "-g1 -O2 -ffp-contract=off -fopenmp -Wno-everything -Wuninitialized "
                       "-Wconditional-uninitialized -mllvm -simplifycfg-sink-common=false -mllvm "
                       "-simplifycfg-hoist-common=false -mllvm -enable-tail-merge=false",
};

/* Options for code that clang takes for an error, and nvcc with g++ for a warning. */
static const char accepted_by_nvcc[] =
    "-Wno-register -Wno-c++11-narrowing -Wno-reserved-user-defined-literal "
    "-Wno-dynamic-exception-spec -Wno-implicit-exception-spec-mismatch "
    "-Wno-enum-constexpr-conversion";

/* Flags of both commands that make PTX, and of the one that makes LLVM's code for the second. */
static void add_target_flags(struct list *command, const struct options *options,
                             const struct architecture *gpu)
{
    list_add(command, "-Xclang");
    list_add(command, "-target-feature");
    list_add(command, "-Xclang");
    list_add(command, text_of("+ptx%d", gpu->ptx));
    if (options->fast_math)
        add_words(command, "-mllvm -nvptx-prec-divf32=1 -mllvm -nvptx-prec-sqrtf32=0");
}

static void add_device_flags(struct list *command, const struct options *options,
                             const struct architecture *gpu)
{
    add_words(command, "--cuda-device-only -w -fmath-errno -fno-finite-loops");
    add_target_flags(command, options, gpu);
    if (options->fast_math)
        add_words(command, "-DWARPUP_FAST_MATH -fgpu-flush-denormals-to-zero "
                           "-fgpu-approx-transcendentals");
}

/* A value that is not set may be an argument, as with nvcc: shuffles pass on those of lanes that
 * nobody asks. clang would take a branch that leads there for one that is never taken.
 *
 * nvcc refuses constexpr functions of the host in kernels, and so does clang with one of these
 * options; its own wrappers of C++'s headers would mark some of them for both sides, so they must
 * not be found. */
struct list clang_flags(const struct compiler *compiler, const struct options *options,
                        enum build build)
{
    struct list command = {0};
    const struct architecture *gpu = architecture_of(compiler, options->capability);
    list_add(&command, compiler->name);
    add_words(&command, "-x cuda -nocudainc -nocudalib -nobuiltininc -Wno-unknown-cuda-version "
                        "-Xclang -target-sdk-version=11.2 -Xclang -fcuda-allow-variadic-functions "
                        "-Xclang -no-enable-noundef-analysis "
                        "-fno-color-diagnostics -fno-crash-diagnostics -fmessage-length=0 "
                        "-ftemplate-backtrace-limit=0");
    add_words(&command, accepted_by_nvcc);
    if (!options->constexpr_both) add_words(&command, "-Xclang -fno-cuda-host-device-constexpr");
    list_add(&command, options->standard);
    list_add(&command, "-isystem");
    list_add(&command, text_of("%s/gpu/include", options->checker));
    list_add(&command, "-idirafter");
    list_add(&command, text_of("%s/lib/clang/%d/include", compiler->root, compiler->version));
    list_add(&command, text_of("--cuda-gpu-arch=sm_%d", gpu->capability));
    if (source_names_special_functions(options)) list_add(&command, "-DWARPUP_SPECIAL_FUNCTIONS");
    add_words(&command, for_build[build]);
    if (build != HOST) add_device_flags(&command, options, gpu);
    return command;
}

/* The program's own macros and folders */
static void add_program_flags(struct list *command, const struct options *options)
{
    list_add_all(command, &options->macros);
    for (size_t i = 0; i < options->folders.count; i++) {
        list_add(command, "-I");
        list_add(command, options->folders.items[i]);
    }
}

/* The flags for one of the program's sources: CUDA's headers come first, compiled if they are, then
 * what the user asks for. */
static struct list clang_source(const struct compiler *compiler, const struct options *options,
                                enum build build, const char *source, const char *result)
{
    struct list command = clang_flags(compiler, options, build);
    list_add(&command, options->headers == NULL ? "-include" : "-include-pch");
    list_add(&command,
             options->headers == NULL ? "cuda_runtime.h" : headers_file(options->headers, build));
    if (options->joined != NULL) {
        list_add(&command, "-ivfsoverlay");
        list_add(&command, options->joined);
    }
    if (options->gnu_alignas)
        list_add(&command, "-Dalignas(...)=__attribute__((aligned(__VA_ARGS__)))");
    add_program_flags(&command, options);
    if (build == OPTIMISED) add_words(&command, "-emit-llvm -Xclang -disable-llvm-passes");
    list_add(&command, build == HOST ? "-c" : "-S");
    list_add(&command, "-o");
    list_add(&command, result);
    list_add(&command, source);
    return command;
}

struct list clang_optimise(const struct compiler *compiler, const struct options *options,
                           const char *ir, const char *ptx)
{
    struct list command = {0};
    const struct architecture *gpu = architecture_of(compiler, options->capability);
    list_add(&command, compiler->name);
    add_words(&command, "-x ir --target=nvptx64-nvidia-cuda -w -fno-color-diagnostics "
                        "-fno-crash-diagnostics -Xclang -target-cpu -Xclang");
    list_add(&command, text_of("sm_%d", gpu->capability));
    add_target_flags(&command, options, gpu);
    add_words(&command, for_build[OPTIMISED]);
    add_words(&command, "-S -o");
    list_add(&command, ptx);
    list_add(&command, ir);
    return command;
}

static struct list clang_host(const struct compiler *compiler, const struct options *options,
                              const char *source, const char *result)
{
    struct list command = clang_source(compiler, options, HOST, source, result);
    add_words(&command, "-Xclang -fcuda-include-gpubinary -Xclang");
    list_add(&command, text_of("%s/placeholder", options->out));
    return command;
}

/* A source that is host code alone, in C or C++. It may include any of CUDA's headers, which in C++
 * are written for CUDA mode. */
static struct list clang_plain(const struct compiler *compiler, const struct options *options,
                               const char *source, const char *result)
{
    struct list command = {0};
    bool is_c = strcmp(strrchr(source, '.'), ".c") == 0;
    if (is_c) {
        list_add(&command, compiler->name);
        add_words(&command, "-x c -std=gnu17 -fno-color-diagnostics -fmessage-length=0");
        add_words(&command, for_build[HOST] + strlen(CUDA_HOST));
        list_add(&command, "-isystem");
        list_add(&command, text_of("%s/gpu/include", options->checker));
    } else {
        command = clang_flags(compiler, options, HOST);
        list_add(&command, "-DWARPUP_HOST_CODE");
    }
    add_program_flags(&command, options);
    add_words(&command, "-c -o");
    list_add(&command, result);
    list_add(&command, source);
    return command;
}

/* ---- nvcc ----------------------------------------------------------------------------------- */

static struct list nvcc_command(const struct compiler *compiler, const struct options *options,
                                const char *source)
{
    struct list command = {0};
    list_add(&command, compiler->name);
    if (strcmp(strrchr(source, '.'), ".c") != 0)
        list_add(&command, options->standard[5] == 'g' ? text_of("-std=c%s", options->standard + 8)
                                                       : options->standard);
    add_words(&command, "-Wno-deprecated-gpu-targets");
    if (options->fast_math) list_add(&command, "-use_fast_math");
    if (options->constexpr_both) list_add(&command, "--expt-relaxed-constexpr");
    if (options->marked_lambdas) list_add(&command, "--extended-lambda");
    add_program_flags(&command, options);
    return command;
}

static struct list nvcc_device(const struct compiler *compiler, const struct options *options,
                               enum build build, const char *source, const char *result)
{
    struct list command = nvcc_command(compiler, options, source);
    list_add(&command, "-ptx");
    list_add(&command, build == NEAR_SOURCE ? "-G" : "-lineinfo");
    list_add(&command, text_of("-arch=compute_%d",
                               architecture_of(compiler, options->capability)->capability));
    list_add(&command, "-o");
    list_add(&command, result);
    list_add(&command, source);
    return command;
}

/* nvcc leaves the optimised PTX of this compilation in `keep`. */
static struct list nvcc_host(const struct compiler *compiler, const struct options *options,
                             const char *source, const char *result, const char *keep)
{
    struct list command = {0};
    list_add(&command, text_of("%s/bin/nvcc-parallel", options->checker));
    const struct list nvcc = nvcc_command(compiler, options, source);
    list_add_all(&command, &nvcc);
    int capability = architecture_of(compiler, options->capability)->capability;
    add_words(&command,
              "-c -cudart shared -O3 -lineinfo -Xcompiler "
              "-fopenmp,-O2,-g1,-ffp-contract=off,-fno-crossjumping,-fno-tree-tail-merge -gencode");
    list_add(&command, text_of("arch=compute_%d,code=compute_%d", capability, capability));
    list_add(&command, "--keep");
    list_add(&command, "--keep-dir");
    list_add(&command, keep);
    list_add(&command, "-o");
    list_add(&command, result);
    list_add(&command, source);
    return command;
}

/* ---- both ----------------------------------------------------------------------------------- */

struct list compiler_device(const struct compiler *compiler, const struct options *options,
                            enum build build, const char *source, const char *result)
{
    return compiler->is_nvcc ? nvcc_device(compiler, options, build, source, result)
                             : clang_source(compiler, options, build, source, result);
}

struct list compiler_host(const struct compiler *compiler, const struct options *options,
                          const char *source, const char *result, const char *keep)
{
    if (compiler->is_nvcc) return nvcc_host(compiler, options, source, result, keep);
    return source_is_hosts(source) ? clang_plain(compiler, options, source, result)
                                   : clang_host(compiler, options, source, result);
}

/* The runtime that has the functions of the headers that the program was compiled with: the lab's
 * are those of CUDA 12, and nvcc brings its own. CUDA 13 has other parameters under the same names.
 */
static const char *runtime_of(const struct compiler *compiler, const struct options *options)
{
    const int major = compiler->is_nvcc ? compiler->version / 100 : 12;
    const char *suffix = major >= 13 ? ".13" : major == 11 ? ".11.0" : "";
    return text_of("%s/libcudart.so%s", options->build, suffix);
}

/* The libraries of the lab that take CUDA's place; one that the program does not need is left out.
 */
static void add_libraries(struct list *command, const struct compiler *compiler,
                          const struct options *options)
{
    static const char *const names[] = {"cudart", "cublasLt", "cublas", "curand"};
    list_add(command, text_of("-L%s", options->build));
    list_add(command, text_of("-Wl,-rpath,%s", options->build));
    list_add(command, "-Wl,--no-as-needed");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *file = i == 0 ? runtime_of(compiler, options)
                                  : text_of("%s/lib%s.so", options->build, names[i]);
        if (access(file, R_OK) == 0)
            list_add(command, file);
        else if (i == 0)
            fatal("%s is missing: make the lab first", file);
        if (i == 0) list_add(command, "-Wl,--as-needed");
    }
}

struct list compiler_link(const struct compiler *compiler, const struct options *options,
                          const struct list *objects, const char *program, enum linker linker)
{
    struct list command = {0};
    bool with_gcc = linker == LINK_GCC && compiler->gcc != NULL;
    list_add(&command, compiler->is_nvcc ? "g++" : with_gcc ? compiler->gcc : compiler->name);
    list_add(&command, "-o");
    list_add(&command, program);
    list_add_all(&command, objects);
    add_libraries(&command, compiler, options);
    if (!compiler->is_nvcc && compiler->root != NULL)
        list_add(&command, text_of("-Wl,-rpath,%s/lib", compiler->root));
    if (with_gcc) {
        list_add(&command, text_of("-L%s", compiler->omp));
        list_add(&command, "-lomp");
    } else if (linker != LINK_WITHOUT_OPENMP) {
        list_add(&command, "-fopenmp");
    }
    add_words(&command, "-lstdc++ -lm -lpthread");
    return command;
}
