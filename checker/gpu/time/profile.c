/*
 * profile.c: reads a profile. Columns are separated by tabs. Lines that begin with # and empty
 * lines are skipped.
 */
#define _GNU_SOURCE
#include "gpu/time/profile.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIGURES = (sizeof(struct profile) - offsetof(struct profile, capability)) / sizeof(double) };

/* The names of the struct's fields, in their order. */
static const char *names[FIGURES];

static void find_names(void)
{
#define TEXT(...)      #__VA_ARGS__
#define TEXT_OF(macro) TEXT(macro)
    static char text[] = TEXT_OF(PROFILE_FIGURES);
    char *rest = text;
    for (int i = 0; i < FIGURES;) {
        const char *word = strsep(&rest, " ,;");
        if (word[0] != '\0' && strcmp(word, "double") != 0) names[i++] = word;
    }
}

const struct profile *profile_loaded;
static struct profile loaded;

static _Noreturn void refuse(const char *path, int row, const char *why)
{
    if (row > 0)
        fprintf(stderr, "%s:%d: %s\n", path, row, why);
    else
        fprintf(stderr, "%s: %s\n", path, why);
    exit(2);
}

/* The file of a profile: in the checker that WARPUP_LIB names, else beside the build folder in
 * which this program is, or in the current folder. */
static void find_profile(const char *name, char path[PATH_MAX])
{
    static const char *const candidates[] = {"/../checker", "/../../checker", "/../../../checker"};
    const char *checker = getenv("WARPUP_LIB");
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length < 0 ? 0 : length] = '\0';
    char *end = strrchr(self, '/');
    if (end != NULL) *end = '\0';
    if (strchr(name, '/') != NULL) {
        snprintf(path, PATH_MAX, "%s", name);
        return;
    }
    if (checker != NULL && checker[0] != '\0') {
        snprintf(path, PATH_MAX, "%s/gpu/profiles/%s.tsv", checker, name);
        return;
    }
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++) {
        int written =
            snprintf(path, PATH_MAX, "%s%s/gpu/profiles/%s.tsv", self, candidates[i], name);
        if (written < PATH_MAX && access(path, R_OK) == 0) return;
    }
    snprintf(path, PATH_MAX, "checker/gpu/profiles/%s.tsv", name);
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
    while (i < FIGURES && strcmp(names[i], name) != 0)
        i++;
    char *end;
    double number = strtod(value, &end);
    *why = i == FIGURES
               ? "no figure of a profile has this name; make calibrate writes a new profile"
           : seen[i] ? "this figure is there twice"
                     : "the value is not a number";
    if (i == FIGURES || seen[i] || *end != '\0' || !isfinite(number) || number < 0) return false;
    memcpy((char *)&loaded + offsetof(struct profile, capability) + (size_t)i * sizeof number,
           &number, sizeof number);
    seen[i] = true;
    return true;
}

static void load(void)
{
    const char *name = getenv("WARPUP_PROFILE");
    if (name == NULL || name[0] == '\0') name = "h200";
    char path[PATH_MAX], missing[120];
    find_names();
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
            snprintf(missing, sizeof missing, "the figure %s is missing", names[i]);
            refuse(path, 0, missing);
        }
    if (loaded.name[0] == '\0') refuse(path, 0, "the row \"name\" is missing");
    __atomic_store_n(&profile_loaded, &loaded, __ATOMIC_RELEASE);
}

const struct profile *profile_load(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return &loaded;
}
