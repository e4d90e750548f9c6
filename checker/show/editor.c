/*
 * editor.c: a check for editors and code hosts: one line for each finding, in gcc's words, so that
 * an editor jumps to the place; and the same findings as SARIF 2.1.0.
 */
#define _POSIX_C_SOURCE 200809L
#include "show/editor.h"

#include "show/findings.h"
#include "show/print.h"
#include "show/words.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An editor needs a place: what has none of its own is said about the file's beginning. The name of
 * a file stays as it is in every locale. */
static void put_gcc(void *to, const struct finding *finding)
{
    const struct view *view = to;
    struct view exact = *view;
    exact.unicode = true;
    put(&exact, finding->file, INT_MAX);
    printf(":%d:%d: %s: ", finding->line > 0 ? finding->line : 1,
           finding->column > 0 ? finding->column : 1, finding->level);
    put(view, finding->text, INT_MAX);
    printf(" [%s]\n", finding->rule);
}

void show_gcc(const struct view *view)
{
    each_finding(view, put_gcc, (void *)view);
}

/* A path as a URI: relative as it is, or file:///... Bytes that a URI cannot hold are escaped. */
static json_t *uri(const char *path)
{
    size_t length = strlen(path);
    char *text = malloc(3 * length + sizeof "file://"), *end = text;
    if (text == NULL) return NULL;
    if (path[0] == '/') end += sprintf(end, "file://");
    for (; *path != '\0'; path++) {
        unsigned char byte = (unsigned char)*path;
        if (byte < 0x80 && (isalnum(byte) || strchr("/-._~", byte) != NULL))
            *end++ = *path;
        else
            end += sprintf(end, "%%%02X", byte);
    }
    json_t *string = json_stringn(text, (size_t)(end - text));
    free(text);
    return string;
}

/* The first sentence of a diagnosis's page, or else the criterion's text; NULL when there is
 * neither. */
static json_t *description(const struct view *view, const char *rule)
{
    char path[4096];
    char *line = NULL;
    size_t capacity = 0;
    json_t *text = NULL;
    snprintf(path, sizeof path, "%s/%s.md", view->pages, rule);
    FILE *page = fopen(path, "r");
    while (page != NULL && text == NULL && getline(&line, &capacity, page) >= 0) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] != '\0' && line[0] != '#') text = json_string(line);
    }
    free(line);
    if (page != NULL) fclose(page);
    const char *criterion = text_of_criterion(view->verdict, rule);
    return text != NULL || criterion == rule ? text : json_string(criterion);
}

struct lists {
    const struct view *view;
    json_t *rules, *results;
};

/* The place of a rule in the list of rules, to which it is added when it is new. */
static json_int_t index_of(struct lists *lists, const char *rule)
{
    size_t i;
    json_t *other;
    json_array_foreach (lists->rules, i, other)
        if (strcmp(text_of(other, "id"), rule) == 0) return (json_int_t)i;
    json_t *text = description(lists->view, rule);
    other = json_pack("{s:s}", "id", rule);
    if (text != NULL)
        json_object_set_new(other, "shortDescription", json_pack("{s:o}", "text", text));
    json_array_append_new(lists->rules, other);
    return (json_int_t)i;
}

static void add_result(void *to, const struct finding *finding)
{
    struct lists *lists = to;
    char *text = cleaned(lists->view, finding->text);
    json_t *location = json_pack("{s:{s:o}}", "artifactLocation", "uri", uri(finding->file));
    if (finding->line > 0) {
        json_t *region = json_pack("{s:i}", "startLine", finding->line);
        if (finding->column > 0)
            json_object_set_new(region, "startColumn", json_integer(finding->column));
        json_object_set_new(location, "region", region);
    }
    json_array_append_new(lists->results,
                          json_pack("{s:s, s:I, s:s, s:{s:s}, s:[{s:o}]}", "ruleId", finding->rule,
                                    "ruleIndex", index_of(lists, finding->rule), "level",
                                    finding->level, "message", "text", text != NULL ? text : "",
                                    "locations", "physicalLocation", location));
    free(text);
}

void show_sarif(const struct view *view)
{
    struct lists lists = {view, json_array(), json_array()};
    bool checked = strcmp(text_of(view->verdict, "status"), "could not check") != 0;
    each_finding(view, add_result, &lists);
    json_t *log = json_pack("{s:s, s:s, s:[{s:{s:{s:s, s:o}}, s:[{s:b}], s:o}]}", "$schema",
                            "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
                            "sarif-schema-2.1.0.json",
                            "version", "2.1.0", "runs", "tool", "driver", "name", "Warp-up",
                            "rules", lists.rules, "invocations", "executionSuccessful", checked,
                            "results", lists.results);
    json_dumpf(log, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(log);
}
