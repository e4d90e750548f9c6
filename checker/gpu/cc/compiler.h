/*
 * compiler.h: which compiler makes device code and host code, and the commands for both. clang 16
 * or newer compiles with the lab's own headers; nvcc with its own.
 */
#ifndef WARPUP_CC_COMPILER_H
#define WARPUP_CC_COMPILER_H

#include "gpu/cc/options.h"

struct compiler {
    bool is_nvcc;
    const char *name; /* the command */
    int version;      /* 16; of nvcc 1300 for 13.0 */
    const char *root; /* clang: the folder that has bin/ and lib/ */
    const char *omp;  /* clang: the folder that has its OpenMP's library; NULL: none */
    const char *gcc;  /* links what a clang of this system has compiled; NULL: it cannot */
};

/* Device code is compiled twice: near the source, so that no fault folds away, and as nvcc
 * optimises. HOST means the host's code. */
enum build { NEAR_SOURCE, OPTIMISED, BUILDS, HOST = BUILDS };

/* Finds the compiler: DEVICE_COMPILER says clang or nvcc; WARPUP_CLANG and NVCC name the
 * command; a bundle has its own clang in `build`. If there is none, or it is too old, the program
 * ends with one line that says what to install, exit code 3. */
void compiler_find(struct compiler *compiler, const char *build);

/* The command that installs clang on this machine. */
const char *compiler_package(void);
const char *compiler_openmp_package(const struct compiler *compiler); /* for this clang's OpenMP */

/* The command that compiles one source to PTX, and to an object of the host. nvcc makes the
 * optimised PTX together with the host's object: `keep` is the folder where it leaves that. A
 * source that is host code alone has only the object. */
struct list compiler_device(const struct compiler *compiler, const struct options *options,
                            enum build build, const char *source, const char *result);
struct list compiler_host(const struct compiler *compiler, const struct options *options,
                          const char *source, const char *result, const char *keep);

/* The flags that clang gets for all sources, and for this build of one. */
struct list clang_flags(const struct compiler *compiler, const struct options *options,
                        enum build build);

/* clang makes the optimised build in two steps: compiler_device()'s command writes LLVM's code that
 * nothing has optimised yet; this one makes PTX of it. */
struct list clang_optimise(const struct compiler *compiler, const struct options *options,
                           const char *ir, const char *ptx);

/* Who links. gcc starts in a tenth of clang's time; where it fails or is not there, the compiler
 * links, and says what is wrong. */
enum linker { LINK_GCC, LINK_COMPILER, LINK_WITHOUT_OPENMP };

/* The command that links the objects. */
struct list compiler_link(const struct compiler *compiler, const struct options *options,
                          const struct list *objects, const char *program, enum linker linker);

#endif
