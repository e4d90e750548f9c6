/*
 * predict.c: asks for a guess before a rung is reached, keeps it in progress.tsv, and shows it
 * beside what came. checker/predict.tsv of an exercise has a question per rung: how many GB/s or
 * Gflop/s, or how many times as fast as the rung before. Its third column is what an H200 reached,
 * in base64: who opens the file to read a question must not meet the answer.
 */
#define _GNU_SOURCE
#include "progress/predict.h"

#include "progress/record.h"
#include "show/print.h"
#include "show/words.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOTHING = 1, TROUBLE = 3 };

struct question {
    int rung;
    bool times; /* as fast as the rung before; else a rate */
    char unit[UNIT_MAX], text[TEXT_MAX];
    double h200;
};

/* The number whose digits are sealed in base64; 0 if there is none. */
static double unsealed(const char *sealed)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char digits[24] = "";
    size_t length = 0;
    unsigned bits = 0, held = 0;
    for (const char *at; *sealed && (at = strchr(letters, *sealed)) != NULL; sealed++) {
        bits = (bits << 6 | (unsigned)(at - letters)) & 0xfff;
        held += 6;
        if (held < 8 || length + 1 == sizeof digits) continue;
        held -= 8;
        digits[length++] = (char)(bits >> held & 0xff);
    }
    return strtod(digits, NULL);
}

/* Reads the question about a rung; false if there is none. */
static bool find_question(const char *exercise, int rung, struct question *question)
{
    char path[PATH_MAX], *line = NULL;
    size_t capacity = 0;
    bool found = false;
    snprintf(path, sizeof path, "%s/checker/predict.tsv", exercise);
    FILE *file = fopen(path, "re");
    if (file == NULL) return false;
    while (!found && getline(&line, &capacity, file) >= 0) {
        char *rest = line, *number = strsep(&rest, "\t"), *unit = strsep(&rest, "\t");
        char *h200 = strsep(&rest, "\t"), *text = strsep(&rest, "\t\n");
        if (text == NULL || atoi(number) != rung || rung == 0) continue;
        *question = (struct question){.rung = rung, .times = strcmp(unit, "times") == 0};
        question->h200 = unsealed(h200);
        snprintf(question->unit, sizeof question->unit, "%s", unit);
        snprintf(question->text, sizeof question->text, "%s", text);
        found = true;
    }
    free(line);
    fclose(file);
    return found;
}

static enum reading read_progress(const char *exercise, char path[PATH_MAX], struct record *record)
{
    snprintf(path, PATH_MAX, "%s/progress.tsv", exercise);
    return read_record(path, record);
}

/* The first rung above the highest one that has a question; false if there is none. */
static bool next_question(const char *exercise, const struct record *record,
                          struct question *question)
{
    for (int rung = highest_rung(record) + 1; rung <= RUNGS_MAX; rung++)
        if (find_question(exercise, rung, question)) return true;
    return false;
}

/* "2.2 times as fast" or "14.4 GB/s". The text lasts until the next call. */
static const char *value_of(const struct question *question, double value)
{
    static char text[80];
    snprintf(text, sizeof text, "%s %s", figure(value),
             question->times ? "times as fast" : question->unit);
    return text;
}

int ask(const struct view *view, const char *exercise)
{
    struct record record;
    struct question question;
    char path[PATH_MAX], text[TEXT_MAX + 40];
    read_progress(exercise, path, &record);
    if (!next_question(exercise, &record, &question)) return NOTHING;
    snprintf(text, sizeof text, "Rung %d: %s", question.rung, question.text);
    put_wrapped(view, 2, "  ", text);
    if (record.guess[question.rung] > 0)
        printf("  So far you expect: %s\n", value_of(&question, record.guess[question.rung]));
    return 0;
}

/* A number or a fraction above 0; 0 if the text is none. */
static double guess_in(const char *text)
{
    char *end;
    double value = strtod(text, &end), below = 1;
    if (end == text) return 0;
    if (*end == '/') below = strtod(end + 1, NULL);
    value /= below;
    return isfinite(value) && value > 0 ? value : 0;
}

int keep_guess(const char *exercise, const char *guess)
{
    struct record record;
    struct question question;
    char path[PATH_MAX];
    double value = guess_in(guess);
    enum reading reading = read_progress(exercise, path, &record);
    if (reading == UNREADABLE || !next_question(exercise, &record, &question)) return NOTHING;
    if (value == 0) {
        fprintf(stderr, "predict: \"%.40s\" is not a number above 0, such as 3, 0.5 or 1/3\n",
                guess);
        return TROUBLE;
    }
    record.guess[question.rung] = value;
    if (!write_record(path, &record)) {
        fprintf(stderr, "predict: cannot write %s: %s\n", path, strerror(errno));
        return TROUBLE;
    }
    return 0;
}

/* The rate at the nearest rung below, on the device of `here`; 0 if there is none. */
static double rate_below(const struct record *record, int rung, const struct rate *here)
{
    for (int below = rung - 1; below > 0; below--) {
        const struct rate *rate = &record->at[below];
        if (rate->value > 0 && strcmp(rate->how, here->how) == 0 &&
            strcmp(rate->device, here->device) == 0)
            return rate->value;
    }
    return 0;
}

int compare(const struct view *view, const char *exercise)
{
    struct record record;
    struct question question;
    char path[PATH_MAX], came[300], expected[80], text[900];
    read_progress(exercise, path, &record);
    int stands = record.rung, rung = stands;
    /* A rung without a question has the kernel of the rung below. */
    if (rung > 1 && !find_question(exercise, rung, &question)) rung--;
    const struct rate *at = &record.at[stands];
    double below = rate_below(&record, rung, at), guess = record.guess[rung];
    if (guess == 0 || !find_question(exercise, rung, &question)) return NOTHING;
    if (at->value == 0 || (question.times && below == 0)) return NOTHING;
    snprintf(expected, sizeof expected, "%s", value_of(&question, guess));
    snprintf(came, sizeof came, "%s, %s",
             value_of(&question, question.times ? at->value / below : at->value), at->how);
    int length = snprintf(text, sizeof text, "Rung %d: you predicted %s. It came to %s", rung,
                          expected, came);
    snprintf(text + length, sizeof text - (size_t)length,
             ". An H200 reached %s. Can you explain the difference?",
             value_of(&question, question.h200));
    put_wrapped(view, 2, "  ", text);
    return 0;
}

int require_guess(const char *exercise)
{
    struct record record;
    struct question question;
    char path[PATH_MAX];
    read_progress(exercise, path, &record);
    if (!find_question(exercise, highest_rung(&record) + 1, &question)) return 0;
    if (record.guess[question.rung] > 0) return 0;
    fprintf(stderr, "make check: first write down what you expect of rung %d: make predict\n",
            question.rung);
    return NOTHING;
}
