/* source.c: see source.h. */
#include "judge/read/source.h"

#include <string.h>

enum { SOURCE_BYTES_MAX = 4 << 20, CODE_BYTES_MAX = 200 };

static char *text_of(struct arena *arena, const char *source)
{
    char *text;
    size_t length;
    if (source == NULL || arena_read(arena, source, SOURCE_BYTES_MAX, &text, &length) != NULL)
        return NULL;
    return text;
}

char *source_code(struct arena *arena, const char *source, int line, int *column)
{
    char *text = line > 0 ? text_of(arena, source) : NULL;
    for (; line > 1 && text != NULL; line--) {
        text = strchr(text, '\n');
        if (text != NULL) text++;
    }
    if (text == NULL) return NULL;
    size_t indent = strspn(text, " \t");
    *column = (int)indent + 1;
    text += indent;
    size_t kept = strcspn(text, "\r\n");
    while (kept > 0 && (text[kept - 1] == ' ' || text[kept - 1] == '\t'))
        kept--;
    return kept > 0 ? arena_copy(arena, text, kept < CODE_BYTES_MAX ? kept : CODE_BYTES_MAX) : NULL;
}

int source_line_with(struct arena *arena, const char *source, const char *wanted)
{
    const char *text = text_of(arena, source);
    int found = 0;
    for (int line = 1; text != NULL; line++) {
        const char *end = strchr(text, '\n'), *at = strstr(text, wanted);
        if (at == NULL) break;
        if (end == NULL || at < end) found = line;
        text = end != NULL ? end + 1 : NULL;
    }
    return found;
}
