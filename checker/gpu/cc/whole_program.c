/*
 * whole_program.c: see whole_program.h. nvcc knows that no other file has device code of this
 * program, so it looks into inline functions, templates and member functions. clang expects another
 * definition of each, and does not look into them before it inlines them. A float2 that is passed
 * by value then loses its alignment, and is loaded as two floats.
 */
#define _GNU_SOURCE
#include "gpu/cc/whole_program.h"

#include "gpu/cc/text.h"

#include <stdio.h>
#include <string.h>

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
        fwrite(line, 1, (size_t)(next - line), file);
    }
    return fclose(file) == 0 ? NULL : text_of("%s: cannot be written", path);
}
