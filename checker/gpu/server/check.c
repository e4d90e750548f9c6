/* check.c: see check.h. */
#include "gpu/server/check.h"

#include "gpu/ptx/ptx.h"
#include "gpu/warp/launch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_file(const char *name, size_t *bytes)
{
    FILE *file = fopen(name, "rb");
    char *text = NULL;
    long length = -1;
    if (file != NULL && fseek(file, 0, SEEK_END) == 0) length = ftell(file);
    if (length >= 0) text = malloc((size_t)length + 1);
    if (text != NULL) {
        rewind(file);
        *bytes = fread(text, 1, (size_t)length, file);
        text[*bytes] = '\0';
    }
    if (file != NULL) fclose(file);
    return text;
}

static void print(const char *name, const struct ptx_module *module, const struct ptx_error *error)
{
    const struct ptx_location *location =
        error->location < module->location_count ? &module->locations[error->location] : NULL;
    if (error->location != 0 && location != NULL && location->file != NULL)
        fprintf(stderr, "%s:%d: %s\n", location->file, location->line, error->text);
    else
        fprintf(stderr, "%s:%u: %s\n", name, error->text_line, error->text);
}

static int check(const char *name)
{
    size_t bytes = 0;
    int code = 0;
    char *text = read_file(name, &bytes);
    struct ptx_module *module = text == NULL ? NULL : ptx_read(text, bytes);
    if (module == NULL) {
        fprintf(stderr, "warp-up: cannot read %s: %s\n", name, strerror(errno));
        return 2;
    }
    module_prepare(module);
    for (uint32_t i = 0; i < module->error_count; i++) {
        print(name, module, &module->errors[i]);
        if (!module->errors[i].unknown)
            code = 1;
        else if (code == 0)
            code = 2;
    }
    ptx_free(module);
    free(text);
    return code;
}

int check_files(int count, char **files)
{
    int code = 0;
    for (int i = 0; i < count; i++) {
        int one = check(files[i]);
        if (code != 1 && one != 0) code = one;
    }
    return code;
}
