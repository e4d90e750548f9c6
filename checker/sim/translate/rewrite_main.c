/*
 * rewrite_main.c: the program around rewrite.h: rewrite FILE NAME reads FILE and writes the result
 * to stdout; the compiler's messages will call the file NAME. Exit code 0; 3 when the file cannot
 * be read or the result not be written; 4, with one line on stderr, when it uses a name that
 * belongs to the simulated GPU.
 */
#include "sim/translate/rewrite.h"
#include "sim/translate/rewrite_tokens.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { TROUBLE = 3, REFUSED = 4 };

/* What the names of the simulated GPU and of the compiler's callbacks begin with. */
static const char *const reserved[] = {"warpup_", "WARPUP_", "__tsan_", "__sanitizer_"};

static _Noreturn void fail(const char *what, const char *why)
{
    fprintf(stderr, "rewrite: %s: %s\n", what, why);
    exit(TROUBLE);
}

static char *read_file(const char *path, size_t *length)
{
    FILE *stream = fopen(path, "rb");
    if (stream == NULL) fail(path, strerror(errno));
    size_t room = 1 << 16, used = 0, got;
    char *text = malloc(room);
    while (text != NULL && (got = fread(text + used, 1, room - used, stream)) > 0) {
        used += got;
        if (used == room) text = realloc(text, room *= 2);
    }
    if (text == NULL) fail(path, "not enough memory");
    if (ferror(stream)) fail(path, strerror(errno));
    fclose(stream);
    *length = used;
    return text;
}

static bool is_reserved(const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof reserved / sizeof reserved[0]; i++)
        if (length >= strlen(reserved[i]) && memcmp(word, reserved[i], strlen(reserved[i])) == 0)
            return true;
    return length == 6 && memcmp(word, "warpup", 6) == 0;
}

static int line_of(const char *text, size_t at)
{
    int line = 1;
    for (size_t i = 0; i < at; i++)
        line += text[i] == '\n';
    return line;
}

/* Refuses a program with such a name: what it means there nobody can know. */
static void check_names(const char *name, const char *text, size_t length)
{
    struct tokens tokens;
    if (!tokens_read(&tokens, text, length)) fail(name, "not enough memory");
    for (size_t i = 0; i < tokens.count; i++) {
        const struct token *token = &tokens.list[i];
        int bytes = (int)(token->end - token->begin);
        if (token->kind != TOKEN_WORD || !is_reserved(text + token->begin, (size_t)bytes)) continue;
        fprintf(stderr, "%s:%d: the name %.*s belongs to the simulated GPU: choose another one\n",
                name, line_of(text, token->begin), bytes, text + token->begin);
        exit(REFUSED);
    }
    tokens_free(&tokens);
}

int main(int argc, char *argv[])
{
    if (argc != 3) {
        fprintf(stderr, "usage: rewrite FILE NAME\n");
        return TROUBLE;
    }
    size_t length;
    char *text = read_file(argv[1], &length);
    check_names(argv[2], text, length);
    if (!rewrite(stdout, argv[2], text, length)) fail(argv[1], "not enough memory");
    if (fflush(stdout) != 0 || ferror(stdout)) fail("the result", strerror(errno));
    free(text);
    return 0;
}
