/*
 * text.h: strings of build/cc, which lives for one compilation and frees nothing before its end.
 */
#ifndef WARPUP_CC_TEXT_H
#define WARPUP_CC_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* A list of strings that grows; the item after the last one is NULL, as exec wants it. */
struct list {
    char **items;
    size_t count, room;
};

void list_add(struct list *list, const char *item); /* keeps the pointer */
void list_add_all(struct list *list, const struct list *more);

/* A new string, as printf writes it. */
char *text_of(const char *format, ...) __attribute__((format(printf, 1, 2)));

bool text_begins(const char *text, const char *start);

/* A whole file as a string; NULL if it cannot be read. `bytes` may be NULL. */
char *text_read(const char *path, size_t *bytes);

/* Writes one line, "cc: …", and exits with code 3: a failure of the lab's own. */
_Noreturn void fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
