/* text.c: see text.h. */
#define _GNU_SOURCE
#include "gpu/cc/text.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void *must(void *memory)
{
    if (memory == NULL) fatal("this machine has no memory left");
    return memory;
}

void list_add(struct list *list, const char *item)
{
    if (list->count + 1 >= list->room) {
        list->room = list->room == 0 ? 32 : 2 * list->room;
        list->items = must(realloc(list->items, list->room * sizeof *list->items));
    }
    list->items[list->count++] = (char *)item;
    list->items[list->count] = NULL;
}

void list_add_all(struct list *list, const struct list *more)
{
    for (size_t i = 0; i < more->count; i++)
        list_add(list, more->items[i]);
}

char *text_of(const char *format, ...)
{
    char *text = NULL;
    va_list values;
    va_start(values, format);
    if (vasprintf(&text, format, values) < 0) text = NULL;
    va_end(values);
    return must(text);
}

bool text_begins(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

char *text_read(const char *path, size_t *bytes)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat about;
    if (file < 0) return NULL;
    if (fstat(file, &about) != 0 || !S_ISREG(about.st_mode)) {
        close(file);
        return NULL;
    }
    char *text = must(malloc((size_t)about.st_size + 1));
    size_t have = 0;
    ssize_t got;
    while (have < (size_t)about.st_size &&
           (got = read(file, text + have, (size_t)about.st_size - have)) > 0)
        have += (size_t)got;
    close(file);
    text[have] = '\0';
    if (bytes != NULL) *bytes = have;
    return text;
}

_Noreturn void fatal(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    fputs("cc: ", stderr);
    vfprintf(stderr, format, values);
    fputc('\n', stderr);
    va_end(values);
    exit(3);
}
