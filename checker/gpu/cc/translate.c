/* translate.c: see translate.h. */
#define _GNU_SOURCE
#include "gpu/cc/translate.h"

#include "gpu/cc/names.h"
#include "gpu/cc/source.h"

#include <stdio.h>
#include <string.h>

/* The text between quotes number `which` (0, 1 …) of the message; NULL: there is none. */
static const char *quoted(const char *text, int which)
{
    const char *from = strchr(text, '\'');
    for (int i = 0; i < which && from != NULL; i++) {
        from = strchr(from + 1, '\'');
        if (from != NULL) from = strchr(from + 1, '\'');
    }
    const char *end = from == NULL ? NULL : strchr(from + 1, '\'');
    return end == NULL ? NULL : text_of("%.*s", (int)(end - from - 1), from + 1);
}

/* "cooperative_groups::thread_group" of "struct cooperative_groups::thread_group<4>". */
static const char *type_name(const char *type)
{
    static const char *const words[] = {"const ", "struct ", "class ", "union "};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (text_begins(type, words[i])) type += strlen(words[i]);
    return text_of("%.*s", (int)strcspn(type, "<"), type);
}

const char *translate_missing_name(const struct message *error)
{
    static const char *const plain[] = {"use of undeclared identifier",
                                        "unknown type name",
                                        "no template named",
                                        "no type named",
                                        "no member named",
                                        "undeclared identifier"};
    const char *text = error->text, *name = quoted(text, 0), *scope = quoted(text, 1);
    bool is_missing = false;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        is_missing |= text_begins(text, plain[i]);
    if (!is_missing || name == NULL) return NULL;
    if (strstr(text, "did you mean") != NULL && strstr(text, " in ") == NULL) scope = NULL;
    if (scope == NULL) return name;
    if (strstr(text, " in namespace 'cooperative_groups'") != NULL || strcmp(scope, "cg") == 0)
        return text_of("cooperative_groups::%s", name);
    if (strstr(text, " in ") == NULL) return name;
    /* A member with a similar name is probably meant, but not one of another library. */
    const char *meant = strstr(text, "did you mean '");
    if (meant != NULL && strstr(meant, "'std::") == NULL) return NULL;
    return text_of("%s::%s", type_name(scope), name);
}

const char *translate_missing_header(const struct message *error)
{
    return strstr(error->text, "file not found") != NULL ? quoted(error->text, 0) : NULL;
}

bool translate_uses_groups(const struct options *options)
{
    for (size_t i = 0; i < options->sources.count; i++) {
        const char *text = text_read(options->sources.items[i], NULL);
        if (text != NULL && (strstr(text, "using namespace cooperative_groups") ||
                             strstr(text, "using namespace cg")))
            return true;
    }
    return false;
}

/* ---- the sides of a program ----------------------------------------------------------------- */

/* The side in "__device__ function" after `before`: "__host__", "__device__", "__global__" or
 * "__host__ __device__". */
static const char *side_after(const char *text, const char *before)
{
    const char *at = strstr(text, before), *end;
    if (at == NULL) return NULL;
    at += strlen(before);
    end = strstr(at, " function");
    return end == NULL ? NULL : text_of("%.*s", (int)(end - at), at);
}

/* A call of a function of the other side, as nvcc reports it. */
static bool tell_sides(struct message *error, const char *name, const char *callee,
                       const char *caller)
{
    const char *function = source_function(error->file, error->line);
    if (name == NULL || callee == NULL || caller == NULL) return false;
    error->text =
        text_of("calling a %s function(\"%s\") from a %s function%s is not allowed", callee, name,
                caller, function == NULL ? "" : text_of("(\"%s\")", function));
    return true;
}

/* "no matching function": one that would do is on the other side. */
static bool tell_no_match(struct message *error, const struct message *notes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *callee = side_after(notes[i].text, "not viable: call to ");
        const char *caller = side_after(notes[i].text, " function from ");
        if (callee != NULL && caller != NULL)
            return tell_sides(error, quoted(error->text, 0), callee, caller);
    }
    return false;
}

/* "reference to __host__ function 'f' in __global__ function" */
static bool tell_reference(struct message *error)
{
    const char *name = quoted(error->text, 0), *callee = side_after(error->text, "reference to ");
    const char *caller = side_after(error->text, "' in ");
    bool is_builtin = name != NULL && text_begins(name, "warpup_");
    if (is_builtin && error->body != NULL) {
        static const char *const builtins[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
        for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
            if (strstr(error->body, builtins[i]) != NULL) {
                error->text =
                    text_of("%s exists only in device code: a kernel has it, the host has not",
                            builtins[i]);
                return true;
            }
    }
    return tell_sides(error, name, callee, caller);
}

static bool tell_shuffle(struct message *error)
{
    const char *name =
        strstr(error->text, "undeclared identifier") != NULL ? quoted(error->text, 0) : NULL;
    if (name == NULL || !names_without_mask(name)) return false;
    error->text =
        text_of("%s() does not exist on GPUs since Volta: use %s_sync() with a mask", name, name);
    return true;
}

bool translate_repeats(const struct message *error)
{
    return text_begins(error->text, "cannot find suitable getter for property");
}

bool translate_error(struct message *error, const struct message *notes, size_t count)
{
    const char *text = error->text;
    if (text_begins(text, "no matching") && strchr(text, '\'') != NULL)
        return tell_no_match(error, notes, count);
    if (translate_missing_header(error) != NULL) {
        error->text = text_of("%s: No such file or directory", translate_missing_header(error));
        return true;
    }
    if (text_begins(text, "reference to __host__ variable")) {
        error->text =
            text_of("identifier \"%s\" is undefined in device code: it is a variable of the host",
                    quoted(text, 0));
        return true;
    }
    if (text_begins(text, "reference to __")) return tell_reference(error);
    if (text_begins(text, "call to global function")) {
        error->text =
            text_of("a __global__ function call must be configured: %s<<<blocks, threads>>>(...)",
                    quoted(text, 0));
        return true;
    }
    if (strstr(text, "initialization is not supported for __shared__ variables") != NULL) {
        error->text = "initializer not allowed for __shared__ variable";
        return true;
    }
    return tell_shuffle(error);
}
