/*
 * names.c: mangled names as students write them: gpu_matmul<32>, Matrix::scale; shared variables
 * without the kernel that they belong to.
 */
#include "gpu/ptx/reader.h"

#include <stdlib.h>
#include <string.h>

/* From the C++ library. */
char *__cxa_demangle(const char *name, char *buffer, size_t *length, int *status);

/* Where a character is outside of brackets; the end if it is nowhere. */
static char *outside(char *text, char wanted)
{
    int depth = 0;
    for (; *text != '\0'; text++) {
        if (depth == 0 && *text == wanted) return text;
        if (*text == '<' || *text == '(' || *text == '[') depth++;
        if ((*text == '>' || *text == ')' || *text == ']') && depth > 0) depth--;
    }
    return text;
}

static void remove_all(char *text, const char *part)
{
    size_t length = strlen(part);
    for (char *at = text; (at = strstr(at, part)) != NULL;)
        memmove(at, at + length, strlen(at + length) + 1);
}

/* nvcc's namespace for what is local to a file: _INTERNAL_313f5859_5_t1_cu_coef:: */
static void remove_internal(char *text)
{
    for (char *at; (at = strstr(text, "_INTERNAL_")) != NULL;) {
        char *end = strstr(at, "::");
        if (end == NULL) return;
        memmove(at, end + 2, strlen(end + 2) + 1);
    }
}

const char *plain_function_name(struct arena *arena, const char *mangled)
{
    char *text = strncmp(mangled, "_Z", 2) == 0 ? __cxa_demangle(mangled, NULL, NULL, NULL) : NULL;
    if (text == NULL) return mangled;
    remove_all(text, "(anonymous namespace)::");
    remove_internal(text);
    char *begin = text, *operator= strstr(text, "operator");
    *outside(operator== NULL ? text : operator+ 8 +(strncmp(operator+ 8, "()", 2) == 0 ? 2 : 0),
             '(') = '\0';
    /* A template's result comes first: "void gpu_matmul<32>". */
    for (char *space; operator== NULL && *(space = outside(begin, ' ')) != '\0';)
        begin = space + 1;
    const char *plain = arena_text(arena, begin, strlen(begin));
    free(text);
    return plain;
}

const char *plain_variable_name(struct arena *arena, const char *mangled)
{
    /* nvcc adds "_$_0" to some variables of a function. */
    const char *suffix = strstr(mangled, "_$_");
    char *name =
        arena_text(arena, mangled, suffix == NULL ? strlen(mangled) : (size_t)(suffix - mangled));
    char *text = strncmp(name, "_Z", 2) == 0 ? __cxa_demangle(name, NULL, NULL, NULL) : NULL;
    if (text == NULL) return name[0] == '\0' ? mangled : name;
    remove_all(text, "(anonymous namespace)::");
    remove_internal(text);
    /* The name in kernel(float*)::tile begins after the last colons outside of brackets. */
    char *begin = text;
    for (char *at = text; *(at = outside(at, ':')) != '\0'; at++)
        begin = at + 1;
    const char *plain = arena_text(arena, begin, strlen(begin));
    free(text);
    return plain;
}
