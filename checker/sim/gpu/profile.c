/*
 * profile.c: reads a profile. Columns are separated by tabs. Lines that begin with # and empty
 * lines are skipped.
 */
#define _GNU_SOURCE
#include "sim/gpu/profile.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIGURE(name)                                                                               \
    {                                                                                              \
#        name, offsetof(struct profile, name)                                                      \
    }

static const struct figure {
    const char *name;
    size_t at;
} figures[] = {FIGURE(capability),
               FIGURE(sms),
               FIGURE(clock_ghz),
               FIGURE(memory_gb),
               FIGURE(l2_mb),
               FIGURE(l1_kb),
               FIGURE(threads_per_sm),
               FIGURE(blocks_per_sm),
               FIGURE(registers_per_sm),
               FIGURE(shared_kb_per_sm),
               FIGURE(shared_kb_per_block),
               FIGURE(shared_kb_reserved),
               FIGURE(memory_bus_bits),
               FIGURE(memory_clock_ghz),
               FIGURE(peak_gbs),
               FIGURE(copy_gbs),
               FIGURE(stream_gbs),
               FIGURE(l2_gbs),
               FIGURE(dram_latency_ns),
               FIGURE(l2_latency_ns),
               FIGURE(l1_latency_ns),
               FIGURE(step_ns),
               FIGURE(lines_per_clock),
               FIGURE(requests_per_clock),
               FIGURE(kernel_start_ns),
               FIGURE(block_start_ns),
               FIGURE(flops_per_clock),
               FIGURE(doubles_per_clock),
               FIGURE(conversions_per_clock),
               FIGURE(float_divisions_per_clock),
               FIGURE(double_divisions_per_clock),
               FIGURE(divisions_per_clock),
               FIGURE(divisions_64_per_clock),
               FIGURE(sgemm_gflops),
               FIGURE(dgemm_gflops),
               FIGURE(launch_us),
               FIGURE(sync_us),
               FIGURE(transfer_gbs),
               FIGURE(transfer_start_us),
               FIGURE(bus_gbs)};
enum { FIGURES = sizeof figures / sizeof figures[0] };

static struct profile loaded;

static _Noreturn void refuse(const char *path, int row, const char *why)
{
    if (row > 0)
        fprintf(stderr, "%s:%d: %s\n", path, row, why);
    else
        fprintf(stderr, "%s: %s\n", path, why);
    exit(2);
}

/* The folder of profiles: in the checker that WARPUP_LIB names, else beside this library's build
 * folder. */
static void find_profile(const char *name, char path[PATH_MAX])
{
    const char *checker = getenv("WARPUP_LIB");
    Dl_info library;
    if (strchr(name, '/') != NULL) {
        snprintf(path, PATH_MAX, "%s", name);
    } else if (checker != NULL && checker[0] != '\0') {
        snprintf(path, PATH_MAX, "%s/sim/profiles/%s.tsv", checker, name);
    } else if (dladdr(&loaded, &library) != 0 && strrchr(library.dli_fname, '/') != NULL) {
        int folder = (int)(strrchr(library.dli_fname, '/') - library.dli_fname);
        snprintf(path, PATH_MAX, "%.*s/../checker/sim/profiles/%s.tsv", folder, library.dli_fname,
                 name);
    } else {
        snprintf(path, PATH_MAX, "checker/sim/profiles/%s.tsv", name);
    }
}

/* Reads one row. False, with the reason, if it is wrong. */
static bool take_row(char *row, bool seen[FIGURES], const char **why)
{
    char *rest = row;
    const char *name = strsep(&rest, "\t"), *value = strsep(&rest, "\t");
    if (value == NULL || value[0] == '\0') {
        *why = "a name and a value, separated by a tab, are needed";
        return false;
    }
    if (strcmp(name, "name") == 0) {
        snprintf(loaded.name, sizeof loaded.name, "%s", value);
        return true;
    }
    int i = 0;
    while (i < FIGURES && strcmp(figures[i].name, name) != 0)
        i++;
    char *end;
    double number = strtod(value, &end);
    *why = i == FIGURES ? "no figure of a profile has this name" : "the value is not a number";
    if (i == FIGURES || *end != '\0' || !isfinite(number) || number < 0) return false;
    memcpy((char *)&loaded + figures[i].at, &number, sizeof number);
    seen[i] = true;
    return true;
}

static void load(void)
{
    const char *name = getenv("WARPUP_PROFILE");
    if (name == NULL || name[0] == '\0') name = "h200";
    char path[PATH_MAX], missing[120];
    find_profile(name, path);
    FILE *file = fopen(path, "re");
    if (file == NULL) refuse(path, 0, strerror(errno));

    bool seen[FIGURES] = {false};
    char *line = NULL;
    size_t room = 0;
    const char *why;
    for (int row = 1; getline(&line, &room, file) >= 0; row++) {
        line[strcspn(line, "\r\n")] = '\0';
        if (line[0] == '#' || line[0] == '\0') continue;
        if (!take_row(line, seen, &why)) refuse(path, row, why);
    }
    free(line);
    fclose(file);
    for (int i = 0; i < FIGURES; i++)
        if (!seen[i]) {
            snprintf(missing, sizeof missing, "the figure %s is missing", figures[i].name);
            refuse(path, 0, missing);
        }
    if (loaded.name[0] == '\0') refuse(path, 0, "the row \"name\" is missing");
}

const struct profile *profile(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return &loaded;
}
