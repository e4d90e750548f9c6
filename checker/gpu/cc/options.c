/* options.c: see options.h. */
#define _GNU_SOURCE
#include "gpu/cc/options.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char USAGE[] = "usage: cc [-I FOLDER] [-D NAME[=VALUE]] [-U NAME] [-std=c++20] "
                            "[-use_fast_math] SOURCE.cu... OUTDIR";

/* The path from the root. */
static const char *absolute(const char *path)
{
    if (path[0] == '/') return path;
    char *here = getcwd(NULL, 0);
    if (here == NULL) fatal("the current folder: %s", strerror(errno));
    while (text_begins(path, "./"))
        path += 2;
    return strcmp(path, ".") == 0 ? here : text_of("%s/%s", here, path);
}

/* Makes a folder and its parents. */
static bool make_folder(const char *path)
{
    char *part = text_of("%s", path);
    for (char *at = part + 1; *at != '\0'; at++) {
        if (*at != '/') continue;
        *at = '\0';
        mkdir(part, 0777);
        *at = '/';
    }
    mkdir(part, 0777);
    return access(part, W_OK | X_OK) == 0;
}

static bool is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

/* The folder of libcudart.so: WARPUP_BUILD, which may be relative to the lab, or that of this
 * program. */
static void find_lab(struct options *options)
{
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0) fatal("/proc is not there");
    self[length] = '\0';
    *strrchr(self, '/') = '\0';
    const char *checker = getenv("WARPUP_LIB"), *build = getenv("WARPUP_BUILD");
    static const char *const candidates[] = {"../checker", "../../checker", "../../../checker",
                                             "."};
    for (size_t i = 0;
         i < sizeof candidates / sizeof *candidates && (checker == NULL || checker[0] == '\0');
         i++) {
        char *candidate = realpath(text_of("%s/%s", self, candidates[i]), NULL);
        if (candidate != NULL && is_folder(text_of("%s/gpu/include", candidate)))
            checker = candidate;
    }
    if (checker == NULL || checker[0] == '\0')
        fatal("the lab's folder checker is not there; WARPUP_LIB may name it");
    options->checker = absolute(checker);
    if (build == NULL || build[0] == '\0')
        options->build = text_of("%s", self);
    else
        options->build = build[0] == '/' ? build : text_of("%s/../%s", options->checker, build);
    if (!is_folder(options->build)) fatal("the lab is not built: make it first");
    char *clean = realpath(options->build, NULL);
    if (clean != NULL) options->build = clean;
}

/* The profile's compute capability; 90 if it does not say. */
static double capability(const struct options *options)
{
    const char *profile = getenv("WARPUP_PROFILE");
    if (profile == NULL || profile[0] == '\0') profile = "h200";
    if (strchr(profile, '/') == NULL)
        profile = text_of("%s/gpu/profiles/%s.tsv", options->checker, profile);
    const char *text = text_read(profile, NULL);
    const char *row = text == NULL ? NULL : strstr(text, "\ncapability\t");
    double value = row == NULL ? 0 : strtod(row + strlen("\ncapability\t"), NULL);
    return value >= 10 ? value : 90;
}

/* nvcc's options that change nothing here: the profile says which GPU it is, and debugging
 * information is always there. */
static bool is_ignored(const char *option)
{
    static const char *const ignored[] = {"-O",
                                          "-g",
                                          "-G",
                                          "-lineinfo",
                                          "--generate-line-info",
                                          "-arch=",
                                          "--gpu-arch",
                                          "-gencode=",
                                          "--resource-usage",
                                          "--verbose",
                                          "-l",
                                          "-L",
                                          "-w",
                                          "-W",
                                          "-m64",
                                          "-rdc=",
                                          "-cudart=",
                                          "-fopenmp",
                                          "-Xcompiler=",
                                          "-Xptxas="};
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        if (text_begins(option, ignored[i])) return true;
    return false;
}

/* Options whose value is the next argument, and which change nothing. */
static bool takes_ignored_value(const char *option)
{
    static const char *const names[] = {"-arch",      "-gencode", "-maxrregcount",
                                        "-Xcompiler", "-Xptxas",  "-cudart"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(option, names[i]) == 0) return true;
    return false;
}

/* The lab's headers need C++17; nvcc 12 and later compile that if nobody asks for anything else. */
static const char *standard_of(const char *option)
{
    static const char *const older[] = {"c++03", "c++98", "c++11", "c++14"};
    const char *name = strchr(option, '=') + 1;
    for (size_t i = 0; i < sizeof older / sizeof *older; i++)
        if (strcmp(name, older[i]) == 0) return "-std=gnu++17";
    return text_begins(name, "c++") ? text_of("-std=gnu++%s", name + 3) : option;
}

static void take_option(struct options *options, const char *option)
{
    if (text_begins(option, "-I"))
        list_add(&options->folders, absolute(option + 2));
    else if (text_begins(option, "-D") || text_begins(option, "-U"))
        list_add(&options->macros, option);
    else if (text_begins(option, "-std=") || text_begins(option, "--std="))
        options->standard = standard_of(option);
    else if (text_begins(option, "-maxrregcount=") || text_begins(option, "--maxrregcount="))
        options->max_registers = atoi(strchr(option, '=') + 1);
    else if (strcmp(option, "-use_fast_math") == 0 || strcmp(option, "--use_fast_math") == 0)
        options->fast_math = true;
    else if (strcmp(option, "--expt-relaxed-constexpr") == 0 ||
             strcmp(option, "-expt-relaxed-constexpr") == 0)
        options->constexpr_both = true;
    else if (strcmp(option, "--extended-lambda") == 0 || strcmp(option, "-extended-lambda") == 0)
        options->marked_lambdas = true;
    else if (!is_ignored(option))
        fatal("%s", USAGE);
}

/* For --headers FOLDER: there is no source. */
static void read_headers(struct options *options, const char *folder)
{
    find_lab(options);
    if (!make_folder(folder)) fatal("%s: cannot be written", folder);
    options->out = realpath(folder, NULL);
    options->folder = options->out;
    options->capability = capability(options);
}

void options_read(struct options *options, int argc, char *argv[])
{
    struct list files = {0};
    *options = (struct options){.standard = "-std=gnu++17"};
    if (argc == 3 && strcmp(argv[1], "--headers") == 0) {
        read_headers(options, argv[2]);
        return;
    }
    for (int i = 1; i < argc; i++) {
        const char *argument = argv[i];
        bool is_split = strcmp(argument, "-I") == 0 || strcmp(argument, "-D") == 0 ||
                        strcmp(argument, "-U") == 0;
        if (argument[0] != '-') {
            list_add(&files, argument);
        } else if (takes_ignored_value(argument)) {
            i++;
        } else if (strcmp(argument, "-maxrregcount") == 0 && i + 1 < argc) {
            take_option(options, text_of("%s=%s", argument, argv[++i]));
        } else if (is_split) {
            if (i + 1 == argc) fatal("%s", USAGE);
            take_option(options, text_of("%s%s", argument, argv[++i]));
        } else {
            take_option(options, argument);
        }
    }
    if (files.count < 2) fatal("%s", USAGE);
    for (size_t i = 0; i + 1 < files.count; i++) {
        if (access(files.items[i], R_OK) != 0) fatal("%s: cannot be read", files.items[i]);
        list_add(&options->sources, absolute(files.items[i]));
    }
    const char *out = files.items[files.count - 1];
    find_lab(options);
    if (!make_folder(out)) fatal("%s: cannot be written", out);
    options->out = realpath(out, NULL);
    if (options->out == NULL) fatal("%s: %s", out, strerror(errno));
    options->capability = capability(options);
    const char *first = options->sources.items[0];
    options->folder = text_of("%.*s", (int)(strrchr(first, '/') - first), first);
    if (chdir(options->folder[0] == '\0' ? "/" : options->folder) != 0)
        fatal("%s: %s", options->folder, strerror(errno));
}
