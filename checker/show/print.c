/*
 * print.c: text on a terminal. Texts come from programs, compilers and file names: control
 * characters and what is not UTF-8 never reach the terminal, and what the locale cannot show is
 * replaced.
 */
#define _POSIX_C_SOURCE 200809L
#include "show/print.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

/* The bytes of the UTF-8 character that a text begins with; 0 when it is none. */
static size_t character_bytes(const char *text)
{
    unsigned char first = (unsigned char)text[0];
    size_t bytes = first < 0x80                    ? 1
                   : first >= 0xc2 && first < 0xe0 ? 2
                   : first >= 0xe0 && first < 0xf0 ? 3
                   : first >= 0xf0 && first < 0xf5 ? 4
                                                   : 0;
    for (size_t i = 1; i < bytes; i++)
        if (((unsigned char)text[i] & 0xc0) != 0x80) return 0;
    return bytes;
}

/* A control character, or U+FFFE or U+FFFF, which no text has and XML forbids. */
static bool is_control(const char *text)
{
    unsigned char first = (unsigned char)text[0], second = (unsigned char)text[1];
    return first < 0x20 || first == 0x7f || (first == 0xc2 && second < 0xa0) ||
           (first == 0xef && second == 0xbf && (unsigned char)text[2] >= 0xbe);
}

/* The ASCII that a locale without UTF-8 shows for a character of the lab's own texts. */
static const char *in_ascii(const char *text, size_t bytes)
{
    static const char *const ascii[][2] = {{"…", "..."}, {"×", "x"},  {"←", "<-"},
                                           {"≤", "<="},  {"≥", ">="}, {"·", "-"}};
    for (size_t i = 0; i < sizeof ascii / sizeof ascii[0]; i++)
        if (strncmp(ascii[i][0], text, bytes) == 0) return ascii[i][1];
    return "";
}

/* Sets `shown` to the first character of a text as the terminal shows it, and returns its columns;
 * moves *text past it. */
static int take_character(const struct view *view, const char **text, char shown[5])
{
    const char *from = *text;
    size_t bytes = character_bytes(from);
    *text += bytes > 0 ? bytes : 1;
    shown[0] = '\0';
    if (from[0] == '\t') {
        strcpy(shown, " ");
    } else if (bytes == 0 || is_control(from)) {
        return 0;
    } else if (bytes == 1 || view->unicode) {
        memcpy(shown, from, bytes);
        shown[bytes] = '\0';
        return 1;
    } else {
        strcpy(shown, in_ascii(from, bytes));
    }
    return (int)strlen(shown);
}

int columns(const struct view *view, const char *text)
{
    int width = 0;
    char shown[5];
    while (*text != '\0')
        width += take_character(view, &text, shown);
    return width;
}

void put_replacing(const struct view *view, const char *text, const char *signs,
                   const char *const names[])
{
    char shown[5];
    while (*text != '\0') {
        take_character(view, &text, shown);
        const char *sign = shown[0] != '\0' ? strchr(signs, shown[0]) : NULL;
        fputs(sign != NULL ? names[sign - signs] : shown, stdout);
    }
}

int put(const struct view *view, const char *text, int most)
{
    int width = 0;
    char shown[5];
    while (*text != '\0') {
        int wide = take_character(view, &text, shown);
        if (width + wide > most) break;
        width += wide;
        fputs(shown, stdout);
    }
    return width;
}

char *cleaned(const struct view *view, const char *text)
{
    char *copy = malloc(strlen(text) + 1),
         *end = copy; /* no sign is longer than what it stands for */
    char shown[5];
    while (copy != NULL && *text != '\0') {
        take_character(view, &text, shown);
        end = stpcpy(end, shown);
    }
    if (copy != NULL) *end = '\0';
    return copy;
}

void put_wrapped(const struct view *view, int indent, const char *first, const char *text)
{
    char *words = strdup(text), *rest = NULL;
    int width = (int)strlen(first);
    bool begun = false; /* this line has a word */
    fputs(first, stdout);
    for (char *word = words != NULL ? strtok_r(words, " ", &rest) : NULL; word != NULL;
         word = strtok_r(NULL, " ", &rest)) {
        if (begun && width + 1 + columns(view, word) > WIDTH) {
            printf("\n%*s", indent, "");
            width = indent;
            begun = false;
        }
        if (begun) putchar(' ');
        width += begun + put(view, word, INT_MAX);
        begun = true;
    }
    putchar('\n');
    free(words);
}

bool put_file(const struct view *view, const char *path, int most)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t capacity = 0;
    if (file == NULL) return false;
    for (int i = 0; (most == 0 || i < most) && getline(&line, &capacity, file) >= 0; i++) {
        put(view, line, INT_MAX);
        putchar('\n');
    }
    free(line);
    fclose(file);
    return true;
}

bool put_section(const struct view *view, const char *path, const char *heading, bool headed)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t capacity = 0;
    bool on = false, begun = false;
    while (file != NULL && getline(&line, &capacity, file) >= 0) {
        line[strcspn(line, "\n")] = '\0';
        bool starts = strncmp(line, "## ", 3) == 0;
        if (starts) on = strcmp(line, heading) == 0;
        if (!on || (starts && !headed) || (!begun && line[0] == '\0')) continue;
        begun = true;
        put(view, line, INT_MAX);
        putchar('\n');
    }
    free(line);
    if (file != NULL) fclose(file);
    return begun;
}

const char *paint(const struct view *view, const char *sequence)
{
    return view->colour ? sequence : "";
}
