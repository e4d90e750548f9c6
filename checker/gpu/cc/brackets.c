/* brackets.c: see brackets.h. */
#define _GNU_SOURCE
#include "gpu/cc/brackets.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The bytes of three brackets, with or without spaces between them; 0: there are none at this
 * place.
 */
static size_t brackets(const char *at, char bracket)
{
    size_t length = 0;
    for (int i = 0; i < 3; i++) {
        while (i > 0 && at[length] == ' ')
            length++;
        if (at[length++] != bracket) return 0;
    }
    return length;
}

static void join(char *at, size_t length, char bracket)
{
    memset(at, bracket, 3);
    memset(at + 3, ' ', length - 3);
}

/* Joins the brackets of launches, if they are apart. Those that close one are the next three
 * outside of parentheses. */
static bool join_all(char *text)
{
    bool found = false, open = false;
    int depth = 0;
    for (char *at = text; *at != '\0'; at++) {
        size_t length = at[0] == '<' && !open                ? brackets(at, '<')
                        : at[0] == '>' && open && depth == 0 ? brackets(at, '>')
                                                             : 0;
        if (length > 0) {
            found |= length > 3;
            open = at[0] == '<', depth = 0;
            join(at, length, at[0]);
            at += 2;
        } else if (*at == '(')
            depth++;
        else if (*at == ')')
            depth--;
    }
    return found;
}

static const char *copy_of(const struct options *options, size_t number)
{
    return text_of("%s/joined%zu.cu", options->out, number);
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "we");
    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0)
        fatal("%s: cannot be written", path);
}

const char *brackets_joined(const struct options *options)
{
    char *entries = text_of("%s", "");
    for (size_t i = 0; i < options->sources.count; i++) {
        const char *source = options->sources.items[i];
        char *text = text_read(source, NULL);
        if (text == NULL || !join_all(text) || strchr(source, '\'') != NULL) continue;
        write_file(copy_of(options, i), text);
        entries = text_of("%s%s{'type': 'file', 'name': '%s', 'external-contents': '%s'}", entries,
                          entries[0] == '\0' ? "" : ", ", source, copy_of(options, i));
    }
    if (entries[0] == '\0') return NULL;
    const char *overlay = text_of("%s/joined.yaml", options->out);
    write_file(overlay,
               text_of("{'version': 0, 'use-external-names': 'false', 'roots': [%s]}\n", entries));
    return overlay;
}

void brackets_remove(const struct options *options)
{
    unlink(text_of("%s/joined.yaml", options->out));
    for (size_t i = 0; i < options->sources.count; i++)
        unlink(copy_of(options, i));
}
