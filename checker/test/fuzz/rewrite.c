/*
 * rewrite.c: fuzz target: any bytes through the launch rewriter (sim/translate/rewrite.h). Every
 * line keeps its number, and a text with none of the words that it rewrites comes out as it went
 * in.
 */
#define _GNU_SOURCE
#include "sim/translate/rewrite.h"
#include "target.h"

#include <stdbool.h>
#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    return 0;
}

static size_t count_lines(const char *text, size_t length)
{
    size_t lines = 0;
    for (size_t i = 0; i < length; i++)
        lines += text[i] == '\n';
    return lines;
}

static bool has_word(const char *text, size_t length)
{
    static const char *const words[] = {"<<<",          "__shared__", "__device__",
                                        "__global__",   "cudaLaunch", "func",
                                        "__noinline__", "asm",        "main"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (memmem(text, length, words[i], strlen(words[i])) != NULL) return true;
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char head[] = "#line 1 \"a.cu\"\n", mark[] = "\xef\xbb\xbf";
    const char *text = (const char *)data;
    char *result;
    size_t length;
    FILE *out = open_memstream(&result, &length);
    MUST(out != NULL);
    MUST(rewrite(out, "a.cu", text, size));
    MUST(fclose(out) == 0);
    MUST(length >= strlen(head) && memcmp(result, head, strlen(head)) == 0);
    const char *body = result + strlen(head);
    length -= strlen(head);
    if (size >= strlen(mark) && memcmp(text, mark, strlen(mark)) == 0) {
        text += strlen(mark);
        size -= strlen(mark);
    }
    MUST(count_lines(body, length) == count_lines(text, size));
    MUST(has_word(text, size) || (length == size && (size == 0 || memcmp(body, text, size) == 0)));
    free(result);
    return 0;
}
