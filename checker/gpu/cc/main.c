/*
 * main.c: build/cc [OPTION]... SOURCE.cu... OUTDIR: compiles a CUDA program for the simulated GPU.
 * OUTDIR/program is a program of the host that carries its device code as PTX, in two builds
 * (compiler.h). README.md has the options.
 *
 * Exit code: 0 compiled; 1 the program does not compile; 2 it uses something that the simulated GPU
 * does not know, named in one line; 3 a failure of the lab's own.
 */
#define _GNU_SOURCE
#include "gpu/cc/brackets.h"
#include "gpu/cc/compiler.h"
#include "gpu/cc/container.h"
#include "gpu/cc/device.h"
#include "gpu/cc/headers.h"
#include "gpu/cc/jobs.h"
#include "gpu/cc/messages.h"
#include "gpu/cc/source.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* One source, compiled. */
struct unit {
    const char *source, *object, *ir, *keep;
    const char *ptx[BUILDS];
    struct job *job[BUILDS + 1]; /* the device's two, the host's */
};

/* The name of a source in its own folder, and in a compiler's messages. */
static const char *short_name(const char *path)
{
    return strrchr(path, '/') + 1;
}

/* The short name for a compiler's command, where a name like -o.cu would be an option. */
static const char *as_file(const char *path)
{
    const char *name = short_name(path);
    return name[0] == '-' ? text_of("./%s", name) : name;
}

static struct unit make_unit(const struct compiler *compiler, const struct options *options,
                             size_t number)
{
    struct unit unit = {.source = options->sources.items[number],
                        .object = text_of("%s/host%zu.o", options->out, number),
                        .ir = text_of("%s/device%zuo.ll", options->out, number),
                        .keep = text_of("%s/keep%zu", options->out, number)};
    for (int build = 0; build < BUILDS; build++)
        unit.ptx[build] =
            text_of("%s/device%zu%s.ptx", options->out, number, build == NEAR_SOURCE ? "" : "o");
    if (!compiler->is_nvcc) return unit;
    mkdir(unit.keep, 0777);
    const char *name = short_name(unit.source), *dot = strrchr(name, '.');
    unit.ptx[OPTIMISED] = text_of("%s/%.*s.ptx", unit.keep,
                                  (int)(dot == NULL ? strlen(name) : (size_t)(dot - name)), name);
    return unit;
}

/* Writes the device code that host code is compiled with until the real one is there. */
static void write_placeholder(const struct options *options)
{
    FILE *file = fopen(text_of("%s/placeholder", options->out), "we");
    if (file == NULL || fputs("WARPUP-PTX", file) < 0 || fclose(file) != 0)
        fatal("%s: cannot be written", options->out);
}

/* Where the first step of a device build leaves what it makes. */
static const char *first_result(const struct compiler *compiler, const struct unit *unit, int build)
{
    return compiler->is_nvcc || build != OPTIMISED ? unit->ptx[build] : unit->ir;
}

/* The commands for all sources: the host's first, because it takes longest. */
static size_t make_jobs(const struct compiler *compiler, const struct options *options,
                        struct unit *units, struct job *jobs)
{
    size_t count = 0;
    for (size_t i = 0; i < options->sources.count; i++) {
        struct unit *unit = &units[i];
        const char *source = unit->source,
                   *folder = text_of("%.*s", (int)(short_name(source) - source), source);
        jobs[count] = (struct job){
            .folder = folder,
            .command = compiler_host(compiler, options, as_file(source), unit->object, unit->keep)};
        unit->job[HOST] = &jobs[count++];
        if (source_is_hosts(source)) continue;
        for (int build = 0; build < BUILDS; build++) {
            if (compiler->is_nvcc && build == OPTIMISED) continue; /* made with the host's object */
            jobs[count] = (struct job){
                .folder = folder,
                .command = compiler_device(compiler, options, (enum build)build, as_file(source),
                                           first_result(compiler, unit, build))};
            unit->job[build] = &jobs[count++];
        }
    }
    return count;
}

/* Does one of the jobs need other options? They are changed then. The compiled headers may not
 * serve this compilation after all; nvcc takes alignas() after __shared__, where clang only takes
 * attributes of GNU's; and nvcc takes the brackets of a launch with spaces between them. */
static bool needs_other_options(const struct job *jobs, size_t count, struct options *options)
{
    bool refused = false, misplaced = false, apart = false;
    for (size_t i = 0; i < count; i++) {
        if (job_succeeded(&jobs[i])) continue;
        refused |= options->headers != NULL && headers_refused(jobs[i].said);
        misplaced |= !options->gnu_alignas &&
                     (strstr(jobs[i].said, "'alignas' attribute cannot be applied") != NULL ||
                      strstr(jobs[i].said, "error: an attribute list cannot appear here") != NULL);
        apart |=
            options->joined == NULL && strstr(jobs[i].said, "error: expected expression") != NULL;
    }
    if (refused) options->headers = NULL;
    if (misplaced) options->gnu_alignas = true;
    if (apart) options->joined = brackets_joined(options);
    return refused || misplaced || (apart && options->joined != NULL);
}

/* Runs the compilers. */
static size_t compile(const struct compiler *compiler, struct options *options, struct unit *units,
                      struct job *jobs)
{
    size_t count;
    do {
        count = make_jobs(compiler, options, units, jobs);
        run_jobs(jobs, count);
    } while (needs_other_options(jobs, count, options));
    return count;
}

/* Trouble of the compiler's own, which is none of the program's. */
static void need_working_compiler(const struct compiler *compiler, const struct job *job)
{
    const char *crash = job_crashed(job);
    if (crash != NULL) fatal("%s", crash);
    if (strstr(job->said, "No available targets are compatible") != NULL)
        fatal("%s cannot make code for NVIDIA's GPUs; to install one that can: %s", compiler->name,
              compiler_package());
    static const char *const needed[] = {
        "'cmath' file not found",   "'bits/c++config.h' file not found", "'new' file not found",
        "'utility' file not found", "'limits.h' file not found",         "'math.h' file not found"};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (strstr(job->said, needed[i]) != NULL)
            fatal("%s finds no headers of C++; to install them: sudo apt install g++, or your "
                  "system's g++",
                  compiler->name);
    if (strstr(job->said, "'omp.h' file not found") != NULL)
        fatal("the headers of OpenMP are missing; to install them: %s",
              compiler_openmp_package(compiler));
}

/* Writes why the program does not compile, and returns the exit code; COMPILED if all of it did. */
static int explain(const struct compiler *compiler, const struct options *options,
                   const struct job *jobs, size_t count)
{
    struct list failed = {0}, all = {0};
    const struct job *first = NULL;
    for (size_t i = 0; i < count; i++) {
        list_add(&all, jobs[i].said);
        if (job_succeeded(&jobs[i])) continue;
        need_working_compiler(compiler, &jobs[i]);
        list_add(&failed, jobs[i].said);
        if (first == NULL) first = &jobs[i];
    }
    if (first == NULL) {
        if (source_is_refused(options)) return REFUSED;
        messages_unset(options, &all);
        return COMPILED;
    }
    int code = messages_explain(options, &failed);
    if (code == COMPILED)
        fatal("%s failed: %.*s", compiler->name, (int)strcspn(first->said, "\n"), first->said);
    return code;
}

/* The second step of clang's optimised build */
static struct job optimise(const struct compiler *compiler, const struct options *options,
                           const struct unit *unit)
{
    const char *why_not = whole_program(unit->ir);
    if (why_not != NULL) fatal("%s", why_not);
    return (struct job){.command =
                            clang_optimise(compiler, options, unit->ir, unit->ptx[OPTIMISED])};
}

static void need_success(const struct compiler *compiler, const struct job *job)
{
    need_working_compiler(compiler, job);
    if (!job_succeeded(job)) fatal("%s failed: %s", compiler->name, job->said);
}

/* The second step of all sources */
static void optimise_all(const struct compiler *compiler, const struct options *options,
                         const struct unit *units, struct job *jobs)
{
    size_t count = 0;
    if (compiler->is_nvcc) return;
    for (size_t i = 0; i < options->sources.count; i++)
        if (!source_is_hosts(units[i].source))
            jobs[count++] = optimise(compiler, options, &units[i]);
    run_jobs(jobs, count);
    for (size_t i = 0; i < count; i++)
        need_success(compiler, &jobs[i]);
}

/* Compiles the optimised build again, as a file that includes the source and then keeps these
 * variables. */
static void keep_variables(const struct compiler *compiler, const struct options *options,
                           const struct unit *unit, const struct list *variables)
{
    const char *wrapper = text_of("%s/keep.cu", options->out);
    FILE *file = fopen(wrapper, "we");
    if (file == NULL) fatal("%s: cannot be written", wrapper);
    fprintf(file, "#include \"%s\"\n", unit->source);
    for (size_t i = 0; i < variables->count; i++)
        fprintf(file,
                "__device__ __attribute__((used)) const volatile void *warpup_keep_%zu = &::%s;\n",
                i, variables->items[i]);
    fclose(file);
    struct job job = {.command = compiler_device(compiler, options, OPTIMISED, wrapper, unit->ir)};
    run_jobs(&job, 1);
    need_success(compiler, &job);
    job = optimise(compiler, options, unit);
    run_jobs(&job, 1);
    need_success(compiler, &job);
    unlink(wrapper);
}

/* Puts the device code of a source into the object of its host code. */
static int join_device(const struct compiler *compiler, const struct options *options,
                       const struct unit *unit, const char *texts[BUILDS])
{
    for (int build = 0; build < BUILDS; build++) {
        texts[build] = device_text(options, unit->ptx[build]);
        if (texts[build] == NULL) fatal("%s is missing", unit->ptx[build]);
    }
    struct list lost = device_lost_variables(texts[NEAR_SOURCE], texts[OPTIMISED]);
    if (lost.count > 0 && !compiler->is_nvcc) {
        keep_variables(compiler, options, unit, &lost);
        texts[OPTIMISED] = device_text(options, unit->ptx[OPTIMISED]);
    }
    const char *why_not = container_put(unit->object, texts);
    if (why_not != NULL) fatal("%s", why_not);
    return COMPILED;
}

/* An empty file OUTDIR/NAME, for a check. `converts` tells it that an index may pass through a
 * float or a type of 16 bits. `multiplies` tells it that an index may be too large for an int. */
static void note(const struct options *options, const char *name)
{
    const char *path = text_of("%s/%s", options->out, name);
    FILE *file = fopen(path, "we");
    if (file == NULL || fclose(file) != 0) fatal("%s: cannot be written", path);
}

static struct job link_program(const struct compiler *compiler, const struct options *options,
                               const struct unit *units, enum linker linker)
{
    struct list objects = {0};
    for (size_t i = 0; i < options->sources.count; i++)
        list_add(&objects, units[i].object);
    struct job job = {.command = compiler_link(compiler, options, &objects,
                                               text_of("%s/program", options->out), linker)};
    start_job(&job);
    return job;
}

/* The line of a log that says most about a failure. */
static const char *telling_line(const char *log)
{
    const char *at = strstr(log, "cannot find");
    if (at == NULL) at = strstr(log, "error");
    if (at == NULL) at = log;
    while (at > log && at[-1] != '\n')
        at--;
    return text_of("%.*s", (int)strcspn(at, "\n"), at);
}

/* Waits for gcc, or else links with the compiler. Without clang's OpenMP, programs that do not use
 * it can still be linked. */
static int end_link(const struct compiler *compiler, const struct options *options,
                    const struct unit *units, struct job *job)
{
    end_job(job);
    if (!job_succeeded(job) && compiler->gcc != NULL) {
        *job = link_program(compiler, options, units, LINK_COMPILER);
        end_job(job);
    }
    bool lacks_openmp = !job_succeeded(job) && strstr(job->said, "-lomp") != NULL;
    if (lacks_openmp) {
        *job = link_program(compiler, options, units, LINK_WITHOUT_OPENMP);
        end_job(job);
        if (strstr(job->said, "`omp_") != NULL || strstr(job->said, "`__kmpc_") != NULL)
            fatal("OpenMP's library for %s is missing; to install it: %s", compiler->name,
                  compiler_openmp_package(compiler));
    }
    if (job_succeeded(job)) return COMPILED;
    need_working_compiler(compiler, job);
    if (messages_link(options, job->said) == REFUSED) return REFUSED;
    fatal("%s cannot link the program: %s", job->command.items[0], telling_line(job->said));
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *walk)
{
    (void)about, (void)kind, (void)walk;
    return remove(path);
}

/* Removes all files of OUTDIR but the program. */
static void remove_parts(const struct options *options, const struct unit *units)
{
    unlink(text_of("%s/placeholder", options->out));
    brackets_remove(options);
    for (size_t i = 0; i < options->sources.count && getenv("WARPUP_KEEP") == NULL; i++) {
        unlink(units[i].object);
        unlink(units[i].ir);
        for (int build = 0; build < BUILDS; build++)
            unlink(units[i].ptx[build]);
        nftw(units[i].keep, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    }
}

int main(int argc, char *argv[])
{
    struct options options;
    struct compiler compiler;
    setenv("LC_ALL", "C", 1);
    setenv("CCACHE_DISABLE", "1", 1); /* it would return the paths of an equal file elsewhere */
    options_read(&options, argc, argv);
    compiler_find(&compiler, options.build);
    if (options.sources.count == 0) return headers_compile(&compiler, &options);
    options.headers = headers_find(&compiler, &options);
    setenv("TMPDIR", options.out, 1);
    write_placeholder(&options);

    size_t sources = options.sources.count;
    struct unit *units = calloc(sources, sizeof *units);
    struct job *jobs = calloc(sources * (BUILDS + 1), sizeof *jobs);
    const char *(*texts)[BUILDS] = calloc(sources, sizeof *texts);
    if (units == NULL || jobs == NULL || texts == NULL) fatal("this machine has no memory left");
    for (size_t i = 0; i < sources; i++)
        units[i] = make_unit(&compiler, &options, i);
    size_t count = compile(&compiler, &options, units, jobs);

    int code = explain(&compiler, &options, jobs, count);
    if (code == COMPILED) optimise_all(&compiler, &options, units, jobs);
    for (size_t i = 0; i < sources && code == COMPILED; i++) {
        if (source_is_hosts(units[i].source)) continue;
        code = join_device(&compiler, &options, &units[i], texts[i]);
    }
    if (code == COMPILED) {
        struct job linker = link_program(&compiler, &options, units, LINK_GCC);
        struct numbers numbers = {.converts = source_narrows(&options)};
        for (size_t i = 0; i < sources; i++)
            for (int build = 0; build < BUILDS && code == COMPILED && texts[i][build] != NULL;
                 build++)
                code = device_check(&options, texts[i][build], units[i].source, &numbers);
        if (numbers.converts) note(&options, "converts");
        if (numbers.multiplies) note(&options, "multiplies");
        int linked = code == COMPILED ? end_link(&compiler, &options, units, &linker)
                                      : (end_job(&linker), COMPILED);
        if (code == COMPILED) code = linked;
    }
    if (code != COMPILED) unlink(text_of("%s/program", options.out));
    remove_parts(&options, units);
    return code;
}
