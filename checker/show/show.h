/*
 * show.h: what the formats share: the verdict, what the terminal can show, and the words of a
 * verdict that several formats need. A format is one function that prints to stdout.
 */
#ifndef WARPUP_SHOW_H
#define WARPUP_SHOW_H

#include <jansson.h>
#include <stdbool.h>

struct view {
    json_t *verdict;
    const char *log;           /* the compiler's message, a file; NULL when the program compiled */
    const char *hints;         /* the exercise's hints.md */
    const char *pages;         /* the directory of the diagnoses' pages */
    const char *profile;       /* what the simulated GPU plays, where the verdict names no device */
    const char *next_exercise; /* the directory of the next exercise; NULL after the last one */
    const char *name, *with;   /* of the format "line" */
    bool unicode, colour;      /* what stdout can show */
};

/* The formats (pretty.c, machine.c, hint.c, line.c). */
void show_pretty(const struct view *view);
void show_tap(const struct view *view);
void show_junit(const struct view *view);
void show_bats(const struct view *view);
void show_hint(const struct view *view);
void show_line(const struct view *view);

/* words.c: what stands in a verdict */

/* A member that is a text; "" when it is not there, or null. */
const char *text_of(const json_t *object, const char *key);
/* A member that is a number; 0 when it is not there, or null. */
int number_of(const json_t *object, const char *key);
bool is_null(const json_t *object, const char *key);
/* True when a criterion passed, or did not; a criterion that could not be checked is neither. */
bool passed(const json_t *criterion);
bool failed(const json_t *criterion);
/* The first criterion that failed; NULL when none did. */
json_t *first_failed(const json_t *verdict);
/* The next diagnosis of a criterion, from *index on, which moves past it; NULL at the end. */
json_t *next_diagnosis(const json_t *verdict, const json_t *criterion, size_t *index);
/* The text of the criterion with this id. */
const char *text_of_criterion(const json_t *verdict, const char *id);
/* A number in the digits that one can read: 4240, 6.5, 0.15. The text lasts until the next call. */
const char *figure(double value);
/* Prints a device: "NVIDIA H200", "simulated GPU (H200 profile)". */
void put_device(const struct view *view, const json_t *device);

/* print.c: text on a terminal, without control characters, in what the locale can show */

enum { WIDTH = 80 }; /* columns */

/* Columns that a text takes. */
int columns(const struct view *view, const char *text);
/* Prints at most `most` columns of a text, and returns how many it took. */
int put(const struct view *view, const char *text, int most);
/* Prints a text in which each of some ASCII characters is replaced by its name. */
void put_replacing(const struct view *view, const char *text, const char *signs,
                   const char *const names[]);
/* Prints a text with its lines broken between words; the first begins with `first`, which is ASCII,
 * and further ones with `indent` blanks. */
void put_wrapped(const struct view *view, int indent, const char *first, const char *text);
/* Prints lines of a file, or all when `most` is 0. Returns false when it cannot be read. */
bool put_file(const struct view *view, const char *path, int most);
/* Prints a section of a Markdown file: its heading, which is the whole line, too where asked for.
 */
void put_section(const struct view *view, const char *path, const char *heading, bool headed);
/* A colour's escape sequence, "" where there is no colour. */
const char *paint(const struct view *view, const char *sequence);
#define RED   "\033[31m"
#define GREEN "\033[32m"
#define FAINT "\033[2m"
#define BOLD  "\033[1m"
#define PLAIN "\033[0m"

/* pretty.c: FILE:LINE and the line itself, where a diagnosis has a place. */
void put_place(const struct view *view, const char *indent, const json_t *diagnosis);

#endif
