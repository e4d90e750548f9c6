/*
 * findings.c: see findings.h. As in what the student sees, a diagnosis counts only below the
 * criterion that failed.
 */
#define _POSIX_C_SOURCE 200809L
#include "show/findings.h"

#include "show/words.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_BYTES = 4096, TEXT_BYTES = 2048 };

/* Who takes the findings, and how many there were. */
struct taker {
    const struct view *view;
    void (*take)(void *to, const struct finding *finding);
    void *to;
    int count;
};

/* Hands on a finding whose file has a name that belongs to the directory of the source. */
static void give(struct taker *taker, struct finding finding)
{
    char file[FILE_BYTES];
    const char *source = text_of(taker->view->verdict, "source");
    const char *shown = taker->view->file != NULL ? taker->view->file : source;
    const char *slash = strrchr(shown, '/');
    if (finding.file[0] == '\0' || strcmp(finding.file, source) == 0) {
        finding.file = shown;
    } else if (finding.file[0] != '/' && slash != NULL) {
        snprintf(file, sizeof file, "%.*s%s", (int)(slash - shown) + 1, shown, finding.file);
        finding.file = file;
    }
    taker->take(taker->to, &finding);
    taker->count++;
}

/* The number that a text begins with, which moves past it; 0 when it begins with none. */
static int take_number(char **text)
{
    return isdigit((unsigned char)**text) ? (int)strtol(*text, text, 10) : 0;
}

/* Reads a compiler's "FILE:LINE:COLUMN: error: text" or "FILE(LINE): error: text". Changes the
 * line. Returns false when it is none of them. */
static bool read_message(char *line, struct finding *finding)
{
    static const char *const levels[][2] = {{"fatal error: ", "error"},
                                            {"catastrophic error: ", "error"},
                                            {"error: ", "error"},
                                            {"warning: ", "warning"},
                                            {"note: ", "note"}};
    char *at = line + strcspn(line, ":(");
    char *end = at;
    bool of_nvcc = *at == '(';
    if (at == line || line[0] == ' ' || *at == '\0') return false;
    end++;
    finding->line = take_number(&end);
    if (finding->line == 0 || (of_nvcc && *end++ != ')') || *end++ != ':') return false;
    finding->column = of_nvcc ? 0 : take_number(&end);
    if (finding->column > 0 && *end++ != ':') return false;
    *at = '\0';
    finding->file = line;
    finding->level = "error";
    finding->text = end + strspn(end, " ");
    for (size_t i = 0; i < sizeof levels / sizeof levels[0]; i++) {
        size_t length = strlen(levels[i][0]);
        if (strncmp(finding->text, levels[i][0], length) != 0) continue;
        finding->level = levels[i][1];
        finding->text += length;
        return true;
    }
    return !of_nvcc && finding->column == 0 && finding->text[0] != '\0';
}

/* The compiler's messages that name a place. */
static void give_messages(struct taker *taker, const char *rule)
{
    FILE *file = taker->view->log != NULL ? fopen(taker->view->log, "r") : NULL;
    struct finding finding = {.rule = rule};
    char *line = NULL;
    size_t capacity = 0;
    while (file != NULL && getline(&line, &capacity, file) >= 0) {
        line[strcspn(line, "\n")] = '\0';
        if (read_message(line, &finding)) give(taker, finding);
    }
    free(line);
    if (file != NULL) fclose(file);
}

static void give_diagnoses(struct taker *taker, const json_t *criterion)
{
    size_t index = 0;
    json_t *diagnosis;
    while ((diagnosis = next_diagnosis(taker->view->verdict, criterion, &index)) != NULL)
        give(taker, (struct finding){text_of(diagnosis, "name"), "warning",
                                     text_of(diagnosis, "file"), number_of(diagnosis, "line"),
                                     number_of(diagnosis, "column"), text_of(diagnosis, "text")});
}

/* A criterion that the model cannot decide. */
static void give_undecided(struct taker *taker, const json_t *criterion)
{
    char text[TEXT_BYTES];
    snprintf(text, sizeof text, "undecided: %s: %s", text_of(criterion, "text"),
             text_of(criterion, "seen"));
    give(taker, (struct finding){text_of(criterion, "id"), "note", "", 0, 0, text});
}

/* A criterion that failed: the compiler's messages, or its diagnoses, or else what was seen. */
static void give_criterion(struct taker *taker, const json_t *criterion)
{
    int before = taker->count;
    char text[TEXT_BYTES];
    size_t index = 0;
    const json_t *first = next_diagnosis(taker->view->verdict, criterion, &index);
    const char *needed = needed_of(criterion);
    if (before == 0)
        give_messages(taker,
                      text_of(first != NULL ? first : criterion, first != NULL ? "name" : "id"));
    if (taker->count == before) give_diagnoses(taker, criterion);
    if (taker->count > before) return;
    snprintf(text, sizeof text, "not yet: %s: %s%s%s", text_of(criterion, "text"),
             text_of(criterion, "seen"), needed[0] != '\0' ? "; needed: " : "", needed);
    give(taker, (struct finding){text_of(criterion, "id"), "warning", "", 0, 0, text});
}

void each_finding(const struct view *view, void (*take)(void *to, const struct finding *finding),
                  void *to)
{
    struct taker taker = {view, take, to, 0};
    size_t i;
    json_t *criterion;
    if (strcmp(text_of(view->verdict, "status"), "could not check") == 0) {
        const char *reason = text_of(view->verdict, "next");
        char line[TEXT_BYTES], text[TEXT_BYTES + 32];
        struct finding finding = {"could-not-check", "error", "", 0, 0, reason};
        snprintf(line, sizeof line, "%s", reason);
        if (!read_message(line, &finding)) finding.file = "";
        snprintf(text, sizeof text, "could not check: %s", finding.text);
        finding.text = text;
        give(&taker, finding);
        return;
    }
    json_array_foreach (json_object_get(view->verdict, "criteria"), i, criterion)
        if (failed(criterion))
            give_criterion(&taker, criterion);
        else if (undecided(criterion))
            give_undecided(&taker, criterion);
}
