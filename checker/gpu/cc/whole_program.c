/*
 * whole_program.c: see whole_program.h. nvcc knows that no other file has device code of this
 * program, so it looks into inline functions, templates and member functions. clang expects another
 * definition of each, and does not look into them before it inlines them. A float2 that is passed
 * by value then loses its alignment, and is loaded as two floats.
 *
 * nvcc also believes a cast: the address of a float4 is a multiple of 16, whatever array it is in.
 * clang only believes the array's declaration, and would load four floats.
 */
#define _GNU_SOURCE
#include "gpu/cc/whole_program.h"

#include "gpu/cc/text.h"

#include <stdio.h>
#include <string.h>

/* Writes a line; in a copy of a structure, both sides get the alignment of the structure: the
 * larger one, if that is all of its bytes. A memcpy() in the program has no tbaa.struct. */
static void write_line(FILE *file, const char *line, int bytes)
{
    int alignment[2] = {0}, at[2], end[2], size = 0;
    char *copy = text_of("%.*s", bytes, line), *call = strstr(copy, "@llvm.memcpy.");
    bool is_copy = call != NULL && strstr(call, "!tbaa.struct") != NULL;
    for (int i = 0; i < 2 && is_copy; i++) {
        call = strstr(call, " align ");
        is_copy = call != NULL && sscanf(call, " align %d%n", &alignment[i], &end[i]) == 1;
        if (!is_copy) break;
        at[i] = (int)(call - copy);
        end[i] += at[i];
        call = copy + end[i];
    }
    int most = alignment[0] > alignment[1] ? alignment[0] : alignment[1];
    if (is_copy && (call = strstr(call, ", i64 ")) != NULL &&
        sscanf(call, ", i64 %d,", &size) == 1 && size == most)
        fprintf(file, "%.*s align %d%.*s align %d%s", at[0], copy, most, at[1] - end[0],
                copy + end[0], most, copy + end[1]);
    else
        fwrite(line, 1, (size_t)bytes, file);
}

const char *whole_program(const char *path)
{
    static const char shared[] = "define linkonce_odr ";
    const char *text = text_read(path, NULL);
    FILE *file = text == NULL ? NULL : fopen(path, "we");
    if (file == NULL) return text_of("%s: cannot be changed", path);
    for (const char *line = text, *next; *line != '\0'; line = next) {
        next = strchrnul(line, '\n');
        if (*next != '\0') next++;
        if (text_begins(line, shared)) {
            fputs("define ", file);
            line += strlen(shared);
        }
        write_line(file, line, (int)(next - line));
    }
    return fclose(file) == 0 ? NULL : text_of("%s: cannot be written", path);
}
