/* compiler.c: see compiler.h. */
#define _GNU_SOURCE
#include "gpu/cc/compiler.h"

#include "gpu/cc/jobs.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CLANG_OLDEST = 16, CLANG_TESTED = 21, NVCC_OLDEST = 1108 };

/* ---- finding it ----------------------------------------------------------------------------- */

/* The path from the root, because compilers run in the folder of the source. A link keeps its name.
 */
static const char *from_root(const char *path)
{
    char *here = path[0] == '/' ? NULL : getcwd(NULL, 0);
    return here == NULL ? path : text_of("%s/%s", here, path);
}

/* The whole path of a command; NULL if there is none. */
static const char *find_command(const char *name)
{
    if (strchr(name, '/') != NULL) return access(name, X_OK) == 0 ? from_root(name) : NULL;
    const char *path = getenv("PATH");
    char *rest = text_of("%s", path != NULL ? path : "/usr/local/bin:/usr/bin:/bin"), *folder;
    while ((folder = strsep(&rest, ":")) != NULL) {
        char *file = text_of("%s/%s", folder[0] == '\0' ? "." : folder, name);
        if (access(file, X_OK) == 0) return from_root(file);
    }
    return NULL;
}

/* The number after `before` in what `command option` prints; 0: there is none. `minor` may be NULL.
 */
static int ask_version(const char *command, const char *option, const char *before, int *minor)
{
    struct job job = {0};
    list_add(&job.command, command);
    list_add(&job.command, option);
    start_job(&job);
    end_job(&job);
    const char *at = strstr(job.said, before);
    int major = 0;
    if (at == NULL || sscanf(at + strlen(before), "%d.%d", &major, minor) < 1) return 0;
    return major;
}

const char *compiler_package(void)
{
    const char *about = text_read("/etc/os-release", NULL);
    if (about == NULL) about = "";
    bool bookworm = strstr(about, "bullseye") != NULL || strstr(about, "bookworm") != NULL;
    if (bookworm) return "sudo apt install clang-16 libomp-16-dev";
    if (strstr(about, "jammy") != NULL) return "clang 16 or newer, which apt.llvm.org has";
    if (strstr(about, "debian") != NULL || strstr(about, "ubuntu") != NULL)
        return "sudo apt install clang libomp-dev";
    if (strstr(about, "fedora") != NULL || strstr(about, "rhel") != NULL)
        return "sudo dnf install clang libomp-devel";
    if (strstr(about, "suse") != NULL) return "sudo zypper install clang libomp-devel";
    if (strstr(about, "ID=arch") != NULL) return "sudo pacman -S clang openmp";
    return "clang 16 or newer, and its libomp";
}

const char *compiler_openmp_package(const struct compiler *compiler)
{
    const char *about = text_read("/etc/os-release", NULL);
    bool is_debian =
        about != NULL && (strstr(about, "debian") != NULL || strstr(about, "ubuntu") != NULL);
    return is_debian ? text_of("sudo apt install libomp-%d-dev", compiler->version)
                     : compiler_package();
}

/* Sets `root` to the folder in which clang is installed, and the version that the folder's headers
 * are of. The folder has the version in most installations; clang itself knows it in all. */
static void look_at_clang(struct compiler *compiler, const char *path)
{
    char real[PATH_MAX];
    if (realpath(path, real) == NULL) snprintf(real, sizeof real, "%s", path);
    const char *folder = strstr(real, "/llvm-");
    int minor = 0;
    if (folder != NULL && strstr(folder, "/bin/clang") != NULL) {
        compiler->version = atoi(folder + strlen("/llvm-"));
        compiler->root = text_of("%.*s", (int)(strstr(folder, "/bin/clang") - real), real);
    } else {
        compiler->version = ask_version(path, "--version", "clang version ", &minor);
        struct job job = {0};
        list_add(&job.command, path);
        list_add(&job.command, "-print-resource-dir");
        start_job(&job);
        end_job(&job);
        const char *at = strstr(job.said, "/lib/clang/");
        if (at == NULL) at = strstr(job.said, "/lib64/clang/");
        if (at != NULL) compiler->root = text_of("%.*s", (int)(at - job.said), job.said);
    }
}

/* The folder of the library that programs with OpenMP are linked with; NULL: none. */
static const char *openmp_folder(const struct compiler *compiler)
{
    static const char *const candidates[] = {"lib", "lib64"};
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates && compiler->root != NULL; i++) {
        const char *folder = text_of("%s/%s", compiler->root, candidates[i]);
        if (access(text_of("%s/libomp.so", folder), R_OK) == 0) return folder;
    }
    return NULL;
}

/* The clang that the user names; NULL: none. */
static const char *named_clang(void)
{
    const char *name = getenv("WARPUP_CLANG");
    return name != NULL && name[0] != '\0' ? name : NULL;
}

/* The clang that a bundle brings, in llvm-VERSION beside the lab's tools; NULL: none. */
static const char *own_clang(const char *build)
{
    for (int version = CLANG_TESTED; version >= CLANG_OLDEST; version--) {
        const char *path = text_of("%s/llvm-%d/bin/clang", build, version);
        if (access(path, X_OK) == 0) return path;
    }
    return NULL;
}

/* Finds clang under the name that the user gives; beside the lab's tools, where a bundle has its
 * own; or under a name that distributions use: of several, the newest one that has OpenMP. */
static bool find_clang(struct compiler *compiler, const char *build)
{
    const char *named = named_clang();
    if (named == NULL) named = own_clang(build);
    bool is_named = named != NULL;
    *compiler = (struct compiler){0};
    for (int version = CLANG_TESTED; version >= CLANG_OLDEST - 1; version--) {
        const char *name = version < CLANG_OLDEST ? "clang" : text_of("clang-%d", version);
        const char *path = find_command(is_named ? named : name);
        if (is_named && path == NULL)
            fatal("there is no %s; to install clang: %s", named, compiler_package());
        if (path == NULL) continue;
        struct compiler one = {.name = path};
        look_at_clang(&one, path);
        one.omp = openmp_folder(&one);
        bool is_whole = is_named || one.omp != NULL;
        if (compiler->name == NULL || (is_whole && one.version >= CLANG_OLDEST)) *compiler = one;
        if (is_whole) break;
    }
    if (!is_named && compiler->omp != NULL) compiler->gcc = find_command("gcc");
    return compiler->name != NULL;
}

static bool find_nvcc(struct compiler *compiler)
{
    const char *named = getenv("NVCC"), *path = NULL;
    if (named != NULL && named[0] != '\0') path = find_command(named);
    if (path == NULL) path = find_command("nvcc");
    if (path == NULL) path = find_command("/usr/local/cuda/bin/nvcc");
    *compiler = (struct compiler){.is_nvcc = true, .name = path};
    if (path == NULL) return false;
    int minor = 0, major = ask_version(path, "--version", "release ", &minor);
    compiler->version = 100 * major + minor;
    return true;
}

static void check_clang(const struct compiler *compiler)
{
    if (compiler->version == 0)
        fatal("%s is not clang; to install it: %s", compiler->name, compiler_package());
    if (compiler->version < CLANG_OLDEST)
        fatal("%s is version %d; the lab needs %d or newer: %s", compiler->name, compiler->version,
              CLANG_OLDEST, compiler_package());
    if (compiler->version > CLANG_TESTED)
        fprintf(stderr, "cc: %s is version %d; the lab was tested with %d to %d\n", compiler->name,
                compiler->version, CLANG_OLDEST, CLANG_TESTED);
}

void compiler_find(struct compiler *compiler, const char *build)
{
    const char *wanted = getenv("DEVICE_COMPILER");
    bool nvcc_wanted = wanted != NULL && strcmp(wanted, "nvcc") == 0;
    bool clang_wanted = wanted != NULL && strcmp(wanted, "clang") == 0;
    if (wanted != NULL && wanted[0] != '\0' && !nvcc_wanted && !clang_wanted)
        fatal("DEVICE_COMPILER is clang or nvcc, not %s", wanted);
    bool has_clang = !nvcc_wanted && find_clang(compiler, build);
    struct compiler clang = *compiler;
    if (has_clang && (clang_wanted || named_clang() != NULL || compiler->version >= CLANG_OLDEST)) {
        check_clang(compiler);
        return;
    }
    if (!clang_wanted && find_nvcc(compiler)) {
        if (compiler->version >= NVCC_OLDEST) return;
        fatal("%s is version %d.%d; the lab needs 11.8 or newer, or clang: %s", compiler->name,
              compiler->version / 100, compiler->version % 100, compiler_package());
    }
    if (nvcc_wanted) fatal("there is no nvcc");
    if (has_clang) check_clang(&clang);
    fatal("there is no clang; to install it: %s", compiler_package());
}
