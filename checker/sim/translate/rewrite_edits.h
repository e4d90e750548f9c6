/*
 * rewrite_edits.h: replacements of parts of a text. They are collected in any order, and applied
 * when the text is written.
 */
#ifndef WARPUP_REWRITE_EDITS_H
#define WARPUP_REWRITE_EDITS_H

#include <stdbool.h>
#include <stdio.h>

/* A replacement of text[begin, end). */
struct edit {
    size_t begin, end;
    const char *text;
    long number; /* written after the text, with a comma, if it is not negative */
};

/* Begins as {0}. */
struct edits {
    struct edit *list;
    size_t count, room;
    bool no_memory; /* an edit was lost */
};

void edits_add(struct edits *edits, struct edit edit);

/* Writes the text with all edits. Of two for the same part, the first counts. The ends of lines
 * that an edit takes away stay. */
void edits_write(struct edits *edits, FILE *out, const char *text, size_t length);

/* Makes it {0} again. */
void edits_free(struct edits *edits);

#endif
