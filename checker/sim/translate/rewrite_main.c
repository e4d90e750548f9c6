/*
 * rewrite_main.c: the program around rewrite.h: rewrite FILE NAME reads FILE and writes the result
 * to stdout; the compiler's messages will call the file NAME. Exit code 0, or 3 when the file
 * cannot be read or the result not be written.
 */
#include "sim/translate/rewrite.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { TROUBLE = 3 };

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

int main(int argc, char *argv[])
{
    if (argc != 3) {
        fprintf(stderr, "usage: rewrite FILE NAME\n");
        return TROUBLE;
    }
    size_t length;
    char *text = read_file(argv[1], &length);
    if (!rewrite(stdout, argv[2], text, length)) fail(argv[1], "not enough memory");
    if (fflush(stdout) != 0 || ferror(stdout)) fail("the result", strerror(errno));
    free(text);
    return 0;
}
