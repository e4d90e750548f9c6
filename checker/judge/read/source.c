/* source.c: see source.h. */
#include "judge/read/source.h"

#include <ctype.h>
#include <string.h>

enum { SOURCE_BYTES_MAX = 4 << 20, CODE_BYTES_MAX = 200 };
enum { DESTRUCTOR_LINES = 8 }; /* of a destructor that frees memory */

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

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The next place in the text where a word stands alone; NULL: there is none. */
static const char *find_word(const char *text, const char *word, size_t length)
{
    for (const char *at = text; (at = strstr(at, word)) != NULL; at++)
        if ((at == text || !is_word(at[-1])) && !is_word(at[length])) return at;
    return NULL;
}

bool source_names(const char *code, const char *name)
{
    return code != NULL && find_word(code, name, strlen(name)) != NULL;
}

bool source_line_has(struct arena *arena, const char *source, int line, const char *text)
{
    int column;
    const char *code = source_code(arena, source, line, &column);
    return code != NULL && strstr(code, text) != NULL;
}

int source_line_with(struct arena *arena, const char *source, const char *wanted, const char *name)
{
    const char *text = text_of(arena, source);
    int found = 0;
    for (int line = 1; text != NULL; line++) {
        const char *end = strchr(text, '\n'), *at = strstr(text, wanted);
        if (at == NULL) break;
        const char *word = name != NULL ? find_word(at, name, strlen(name)) : at;
        if (word != NULL && (end == NULL || (at < end && word < end))) found = line;
        text = end != NULL ? end + 1 : NULL;
    }
    return found;
}

bool source_in_destructor(struct arena *arena, const char *source, int line)
{
    for (int k = 0, column; k < DESTRUCTOR_LINES && k < line; k++) {
        const char *code = source_code(arena, source, line - k, &column), *at;
        if (code == NULL || (k > 0 && code[0] == '}')) return false;
        for (at = strchr(code, '~'); at != NULL; at = strchr(at + 1, '~')) {
            const char *end = at + 1;
            while (is_word(*end))
                end++;
            if (end > at + 1 && (strncmp(end, "()", 2) == 0 || strncmp(end, "(void)", 6) == 0))
                return true; /* ~name() */
        }
    }
    return false;
}

/* "gpu_axpy" of "lab::gpu_axpy<float, 256>" */
static const char *plain_name(struct arena *arena, const char *kernel)
{
    size_t length = strcspn(kernel, "<("), from = length;
    while (from > 0 && is_word(kernel[from - 1]))
        from--;
    return arena_copy(arena, kernel + from, length - from);
}

/* The last word of a parameter, if the parameter is a pointer; else NULL. */
static const char *pointer_in(struct arena *arena, const char *from, const char *end)
{
    if (memchr(from, '*', (size_t)(end - from)) == NULL) return NULL;
    while (end > from && !is_word(end[-1]))
        end--;
    const char *word = end;
    while (word > from && is_word(word[-1]))
        word--;
    return word < end ? arena_copy(arena, word, (size_t)(end - word)) : NULL;
}

/* The pointer with this number among the parameters that begin at `at`; NULL: there is none, or
 * it is only declared here. */
static const char *pointer_of(struct arena *arena, const char *at, size_t number)
{
    const char *found = NULL, *from = at;
    int depth = 0;
    for (; *at != '\0' && *at != ';' && depth >= 0; at++) {
        if (strchr("(<[", *at) != NULL) depth++;
        if (strchr(")>]", *at) != NULL) depth--;
        if ((*at != ',' || depth > 0) && depth >= 0) continue;
        const char *pointer = pointer_in(arena, from, at);
        if (pointer != NULL && number-- == 0) found = pointer;
        from = at + 1;
    }
    at += strspn(at, " \t\r\n");
    return *at == '{' ? found : NULL;
}

const char *source_pointer(struct arena *arena, const char *source, const char *kernel,
                           size_t number)
{
    const char *name = plain_name(arena, kernel), *at = text_of(arena, source), *found = NULL;
    size_t length = strlen(name);
    while (at != NULL && length > 0 && found == NULL &&
           (at = find_word(at, name, length)) != NULL) {
        at += length;
        if (*at == '(') found = pointer_of(arena, at + 1, number);
    }
    return found;
}
