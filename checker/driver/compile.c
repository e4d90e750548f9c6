/* compile.c: see compile.h. All compilers run side by side. */
#define _GNU_SOURCE
#include "driver/compile.h"

#include "driver/driver.h"
#include "driver/task.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { SECONDS_PER_COMPILATION = 60 }; /* of processor time */
enum { LOG_BYTES_MAX = 4 << 20, SOURCE_BYTES_MAX = 16 << 20 };

/* Lines of a compiler's log that are kept: nobody reads more, and one mistake can cause a hundred
 * thousand. */
enum { LOG_LINES_MAX = 200, LOG_LINE_MAX = 500 };

static pid_t compilers[2], limits[2];
static const char *log_of_error = "";

/* The file as a compiler takes it: a name like -o.cu is not an option. */
static const char *as_file(void)
{
    return request.source[0] == '-' ? arena_format(&arena, "./%s", request.source) : request.source;
}

static const char *device_name(bool real)
{
    return real ? "real" : "sim";
}

/* All that the program printed, and how it is read: "" when there is nothing. */
static char *read_text(const char *path)
{
    char *text;
    size_t length;
    return arena_read(&arena, path, LOG_BYTES_MAX, &text, &length) == NULL ? text : "";
}

static struct task compilation(bool real)
{
    struct task task = {.directory = arena_format(&arena, "compile-%s", device_name(real)),
                        .seconds = SECONDS_PER_COMPILATION};
    task_set(&task, "WARPUP_OUT", in_directory("%s", task.directory));
    task_add_words(&task, getenv("LAUNCH_COMPILER"));
    return task;
}

static void start_sim(void)
{
    struct task task = compilation(false);
    task_add(&task, arena_format(&arena, "%s/cc", request.build));
    task_add(&task, as_file());
    task_add(&task, in_directory("%s", task.directory));
    compilers[false] = task_start(&task);
}

/* nvcc links those of CUDA's libraries that the program's text names: a machine may have none. */
static void add_libraries(struct task *task)
{
    static const char *const names[] = {"cublas", "cublasLt", "curand"};
    char *text;
    size_t length;
    if (arena_read(&arena, as_file(), SOURCE_BYTES_MAX, &text, &length) != NULL) return;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (memmem(text, length, names[i], strlen(names[i])) != NULL)
            task_add(task, arena_format(&arena, "-l%s", names[i]));
}

static void start_real(bool with_flags)
{
    struct task task = compilation(true);
    static const char *const common[] = {"-O3", "-Xcompiler", "-fopenmp", "-lineinfo"};
    if (with_flags) task_add(&task, arena_format(&arena, "%s/bin/nvcc-parallel", request.checker));
    task_add(&task, request.nvcc);
    for (size_t i = 0; i < sizeof common / sizeof *common; i++)
        task_add(&task, common[i]);
    for (int i = 0; i < request.nvcc_flag_count && with_flags; i++)
        task_add(&task, request.nvcc_flags[i]);
    task_add(&task, "-o");
    task_add(&task, in_directory("%s/program", task.directory));
    task_add(&task, as_file());
    add_libraries(&task);
    compilers[true] = task_start(&task);
}

static pid_t start_limit(const char *name, const char *program, const char *option)
{
    struct task task = {.directory = name, .seconds = request.seconds};
    task_add_words(&task, getenv("LAUNCH"));
    task_add(&task, arena_format(&arena, "%s/%s", request.build, program));
    task_add_words(&task, option);
    return task_start(&task);
}

void compile_start(bool is_limited_by_cublas, bool measures_bus)
{
    doing("%s: compiling", request.source);
    start_sim();
    if (request.nvcc == NULL) return;
    start_real(true);
    limits[0] = is_limited_by_cublas ? start_limit("limit", "blasrate", "--sgemm 4096")
                                     : start_limit("limit", "copyrate", "");
    if (measures_bus) limits[1] = start_limit("bus", "copyrate", "--bus");
}

/* A compiler's messages, on both streams. */
struct said {
    const char *err, *out;
};

/* Writes the first lines of what a compiler said; `left` is how many may still be written. */
static bool write_lines(FILE *file, const char *text, int *left)
{
    for (; *text != '\0' && *left > 0; --*left) {
        size_t bytes = strcspn(text, "\n");
        fprintf(file, "%.*s\n", bytes < LOG_LINE_MAX ? (int)bytes : LOG_LINE_MAX, text);
        text += bytes + (text[bytes] == '\n');
    }
    if (*text != '\0' && (*left)-- == 0)
        fprintf(file, "Only the first %d lines are kept.\n", LOG_LINES_MAX);
    return !ferror(file);
}

/* Reads it, and writes its first lines to compile-DEVICE.log. */
static struct said write_log(const char *device)
{
    int left = LOG_LINES_MAX;
    struct said said = {read_text(in_directory("compile-%s/stderr", device)),
                        read_text(in_directory("compile-%s/stdout", device))};
    FILE *file = fopen(in_directory("compile-%s.log", device), "we");
    if (task_end(arena_format(&arena, "compile-%s", device)).timed_out)
        said.err = arena_format(&arena, "the compilation did not end within %d s\n%s",
                                SECONDS_PER_COMPILATION, said.err);
    bool written =
        file != NULL && write_lines(file, said.err, &left) && write_lines(file, said.out, &left);
    if (file != NULL) written = fclose(file) == 0 && written;
    if (!written) disk_check();
    return said;
}

static bool says(struct said said, const char *words)
{
    return strstr(said.err, words) != NULL || strstr(said.out, words) != NULL;
}

/* True if nvcc does not know the flags that are only for speed. */
static bool refuses_flags(void)
{
    struct said said = write_log("real");
    return task_end("compile-real").exit != 0 &&
           (says(said, "'native'") || says(said, "gpu-architecture") ||
            says(said, "split-compile"));
}

bool compile_is_over(void)
{
    for (int i = 0; i < 2; i++)
        if (limits[i] != 0 && !task_is_over(limits[i])) return false;
    return task_is_over(compilers[true]);
}

int compile_finish(bool real, json_t **record)
{
    const char *device = device_name(real);
    struct stat program;
    task_finish(compilers[real]);
    if (real && refuses_flags()) {
        start_real(false);
        task_finish(compilers[true]);
    }
    int code = task_end(arena_format(&arena, "compile-%s", device)).exit;
    if (code == 0 &&
        (stat(in_directory("compile-%s/program", device), &program) != 0 || program.st_size == 0))
        code = 3;
    struct said said = write_log(device);
    if (code != 0) disk_check();
    if (code != 0 && says(said, "No space left on device"))
        cannot("the compiler found no space left on the disk of %s/build or of %s",
               request.exercise, getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp");
    /* nvcc itself could not start, and not the program is wrong */
    bool is_fatal = says(said, "nvcc fatal") || says(said, "unsupported GNU version");
    if (code == 128 || (code != 0 && is_fatal))
        code = 3;
    else if (code != 0 && real)
        code = 1; /* nvcc has its own numbers */
    if (code == 1 && log_of_error[0] == '\0') log_of_error = in_directory("compile-%s.log", device);
    *record = json_pack("{s:s, s:i, s:s}", "device", device, "exit", code, "log",
                        arena_format(&arena, "compile-%s.log", device));
    return code;
}

const char *compile_log(void)
{
    return log_of_error;
}

/* Writes the line that a limit's program printed to NAME.json; false if it is nothing. */
static bool keep_limit(const char *name)
{
    const char *text = read_text(in_directory("%s/stdout", name));
    FILE *file = fopen(in_directory("%s.json", name), "we");
    bool written = file != NULL && fputs(text, file) >= 0;
    if (file != NULL) written = fclose(file) == 0 && written;
    if (!written) disk_check();
    return text[0] != '\0';
}

const char *limits_finish(bool measures_bus)
{
    for (int i = 0; i < 2; i++)
        if (limits[i] != 0) task_finish(limits[i]);
    if (measures_bus) keep_limit("bus");
    if (keep_limit("limit")) return NULL;
    char *why = read_text(in_directory("limit/stderr"));
    return arena_format(&arena, "this GPU's limit was not measured: %.*s", (int)strcspn(why, "\n"),
                        why);
}
