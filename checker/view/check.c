/* check.c: see check.h. Of a check's runs it takes the timed ones, those that a diagnosis names,
 * and the first ones with a fault. Without any of them, the last run whose result has to be right
 * is shown. */
#define _POSIX_C_SOURCE 200809L
#include "view/check.h"

#include "view/run.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 4096, RUNS_SHOWN = 5, SOURCE_MAX = 200000 };

static void *needed(void *memory)
{
    if (memory != NULL) return memory;
    fputs("view: this machine has no memory left\n", stderr);
    exit(2);
}

char *check_file(const char *path)
{
    FILE *file = fopen(path, "r");
    if (file == NULL) return NULL;
    char *text = NULL;
    size_t used = 0, room = 0, more;
    do {
        if (room - used < 4096) text = needed(realloc(text, room += 65536));
        more = fread(text + used, 1, room - used - 1, file);
        used += more;
    } while (more > 0);
    fclose(file);
    text[used] = '\0';
    return text;
}

static const char *text(const json_t *object, const char *key)
{
    const char *value = json_string_value(json_object_get(object, key));
    return value != NULL ? value : "";
}

/* The bytes as JSON text. Bytes that are not UTF-8 become question marks. */
static json_t *as_text(const char *bytes)
{
    json_t *whole = json_string(bytes);
    if (whole != NULL) return whole;
    char *copy = needed(strdup(bytes));
    for (char *c = copy; *c != '\0'; c++)
        if ((unsigned char)*c >= 0x80) *c = '?';
    whole = json_string(copy);
    free(copy);
    return whole;
}

static json_t *lines_of(const char *source)
{
    json_t *lines = json_array();
    for (const char *at = source; *at != '\0' && at - source < SOURCE_MAX;) {
        size_t length = strcspn(at, "\n");
        char *line = needed(strndup(at, length));
        json_array_append_new(lines, as_text(line));
        free(line);
        at += length + (at[length] == '\n');
    }
    return lines;
}

/* Adds to each diagnosis or fault which picture shows it, and its next step. */
static void add_pictures(const json_t *list)
{
    static const struct {
        const char *name, *picture, *step;
    } table[] = {
#define DIAGNOSIS(name, event, picture, measures, words, step) {name, #picture, step},
#include "judge/diagnose/diagnoses.def"
#undef DIAGNOSIS
    };
    size_t i;
    json_t *one;
    json_array_foreach (list, i, one)
        for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
            if (strcmp(table[k].name, text(one, "name")) != 0) continue;
            json_object_set_new(one, "picture", json_string(table[k].picture));
            if (table[k].step != NULL) json_object_set_new(one, "step", json_string(table[k].step));
        }
}

/* Adds to each diagnosis the text of its page. */
static void add_pages(const json_t *diagnoses, const char *pages)
{
    size_t i;
    json_t *diagnosis;
    json_array_foreach (diagnoses, i, diagnosis) {
        char path[PATH_BYTES];
        snprintf(path, sizeof path, "%s/%s.md", pages, text(diagnosis, "name"));
        char *page = strchr(text(diagnosis, "name"), '/') == NULL ? check_file(path) : NULL;
        if (page != NULL) json_object_set_new(diagnosis, "page", as_text(page));
        free(page);
    }
}

static bool is_diagnosed(const json_t *diagnoses, const char *dir)
{
    size_t i;
    json_t *diagnosis;
    json_array_foreach (diagnoses, i, diagnosis)
        if (strcmp(text(json_object_get(diagnosis, "evidence"), "run"), dir) == 0) return true;
    return false;
}

/* The arguments of a run as one text. */
static json_t *arguments_of(const json_t *run)
{
    char joined[300] = "";
    size_t i;
    json_t *argument;
    json_array_foreach (json_object_get(run, "arguments"), i, argument) {
        size_t used = strlen(joined);
        snprintf(joined + used, sizeof joined - used, "%s%s", i > 0 ? " " : "",
                 json_string_value(argument));
    }
    return as_text(joined);
}

static bool has_faults(const json_t *run)
{
    return json_array_size(json_object_get(run, "faults")) > 0 ||
           json_array_size(json_object_get(run, "refused")) > 0;
}

/* Reads the runs and keeps those worth seeing. */
static json_t *read_runs(const char *folder, const json_t *list, const json_t *diagnoses,
                         const char *source)
{
    json_t *shown = json_array(), *last = NULL, *entry;
    size_t i, faulty = 0;
    json_array_foreach (list, i, entry) {
        char path[PATH_BYTES];
        const char *dir = text(entry, "dir"), *purpose = text(entry, "purpose");
        if (strcmp(purpose, "perturbed") == 0 || strchr(dir, '/') != NULL) continue;
        snprintf(path, sizeof path, "%s/%s", folder, dir);
        json_t *run = run_read(path, source);
        if (run == NULL) continue;
        add_pictures(json_object_get(run, "faults"));
        json_object_set(run, "dir", json_object_get(entry, "dir"));
        json_object_set(run, "device", json_object_get(entry, "device"));
        json_object_set(run, "purpose", json_object_get(entry, "purpose"));
        json_object_set_new(run, "arguments", arguments_of(entry));
        bool wanted = strcmp(purpose, "speed") == 0 || is_diagnosed(diagnoses, dir) ||
                      (has_faults(run) && faulty++ == 0);
        if (wanted && json_array_size(shown) < RUNS_SHOWN) json_array_append(shown, run);
        json_decref(last);
        last = run;
    }
    if (json_array_size(shown) == 0 && last != NULL) json_array_append(shown, last);
    json_decref(last);
    return shown;
}

/* The program as it was checked. */
static char *read_source(const char *folder, const char *name)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/source/%s", folder, name);
    return check_file(path);
}

json_t *check_read(const char *folder, const char *pages, const char *title)
{
    char path[PATH_BYTES];
    json_error_t error;
    snprintf(path, sizeof path, "%s/verdict.json", folder);
    json_t *verdict = json_load_file(path, 0, &error);
    snprintf(path, sizeof path, "%s/check.json", folder);
    json_t *notes = json_load_file(path, 0, NULL);
    char *source = json_is_object(verdict) ? read_source(folder, text(verdict, "source")) : NULL;
    json_t *check = NULL;
    if (!json_is_object(verdict))
        fprintf(stderr, "view: %s/verdict.json cannot be read: %s\n", folder, error.text);
    else if (source == NULL)
        fprintf(stderr, "view: %s does not have the program that was checked\n", folder);
    else {
        json_t *diagnoses = json_object_get(verdict, "diagnoses");
        add_pages(diagnoses, pages);
        add_pictures(diagnoses);
        check = json_pack("{s:s, s:O, s:o, s:o}", "title", title, "verdict", verdict, "source",
                          lines_of(source), "runs",
                          read_runs(folder, json_object_get(notes, "runs"), diagnoses, source));
    }
    free(source);
    json_decref(notes);
    json_decref(verdict);
    return check;
}
