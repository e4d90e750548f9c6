/*
 * print.h: text on a terminal, without control characters, in what the locale can show.
 */
#ifndef WARPUP_PRINT_H
#define WARPUP_PRINT_H

#include "show/view.h"

enum { WIDTH = 80 }; /* columns */

/* Columns that a text takes. */
int columns(const struct view *view, const char *text);
/* Prints at most `most` columns of a text, and returns how many it took. */
int put(const struct view *view, const char *text, int most);
/* Prints a text in which each of some ASCII characters is replaced by its name. */
void put_replacing(const struct view *view, const char *text, const char *signs,
                   const char *const names[]);
/* A text as it is printed, on the heap; NULL without memory. */
char *cleaned(const struct view *view, const char *text);
/* Prints a text with its lines broken between words; the first begins with `first`, which is ASCII,
 * and further ones with `indent` blanks. */
void put_wrapped(const struct view *view, int indent, const char *first, const char *text);
/* Prints lines of a file, or all when `most` is 0. Returns false when it cannot be read. */
bool put_file(const struct view *view, const char *path, int most);
/* Prints a section of a Markdown file: its heading, which is the whole line, too where asked for.
 */
bool put_section(const struct view *view, const char *path, const char *heading, bool headed);
/* A colour's escape sequence, "" where there is no colour. */
const char *paint(const struct view *view, const char *sequence);
#define RED   "\033[31m"
#define GREEN "\033[32m"
#define FAINT "\033[2m"
#define BOLD  "\033[1m"
#define PLAIN "\033[0m"

#endif
