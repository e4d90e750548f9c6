/* names.c: see names.h. A few patterns are enough here: a name that is not found is a number on the
 * page. */
#define _POSIX_C_SOURCE 200809L
#include "view/names.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { PARAMETERS_MAX = 32, SIGNATURE_BYTES = 2000 };

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Copies the word that ends before `end` and begins after `begin`. False if there is none. */
static bool last_word(const char *begin, const char *end, char name[NAME_BYTES])
{
    while (end > begin && !is_word(end[-1]))
        end--;
    const char *first = end;
    while (first > begin && is_word(first[-1]))
        first--;
    size_t length = (size_t)(end - first);
    if (length == 0 || length >= NAME_BYTES || isdigit((unsigned char)*first)) return false;
    memcpy(name, first, length);
    name[length] = '\0';
    return true;
}

/* Is there a __global__ before this place, in the same declaration? */
static bool is_kernel(const char *source, const char *at)
{
    const char *begin = at, mark[] = "__global__";
    while (begin > source && begin[-1] != ';' && begin[-1] != '}' && at - begin < SIGNATURE_BYTES)
        begin--;
    const char *found = strstr(begin, mark);
    return found != NULL && found < at;
}

/* The kernel's parameters: after the parenthesis of its definition. NULL if it is not found. */
static const char *find_parameters(const char *source, const char *kernel)
{
    char name[NAME_BYTES];
    const char *end = kernel + strcspn(kernel, "<(");
    if (!last_word(kernel, end, name)) return NULL;
    size_t length = strlen(name);
    for (const char *at = source; (at = strstr(at, name)) != NULL; at += length) {
        const char *after = at + length + strspn(at + length, " \t\n");
        if ((at == source || !is_word(at[-1])) && *after == '(' && is_kernel(source, at))
            return after + 1;
    }
    return NULL;
}

/* Notes the names of the parameters that are pointers. Returns their number. */
static size_t read_pointers(const char *at, char names[PARAMETERS_MAX][NAME_BYTES])
{
    size_t count = 0;
    int depth = 0;
    for (const char *begin = at; count < PARAMETERS_MAX && *at != '\0'; at++) {
        if (*at == '(' || *at == '<' || *at == '[') depth++;
        bool ends = depth == 0 && (*at == ',' || *at == ')');
        if (ends && memchr(begin, '*', (size_t)(at - begin)) != NULL)
            count += last_word(begin, at, names[count]);
        if (ends) begin = at + 1;
        if (ends && *at == ')') break;
        if (*at == ')' || *at == '>' || *at == ']') depth--;
    }
    return count;
}

void names_of_parameters(json_t *names, const char *source, const char *kernel,
                         const json_t *pointers)
{
    char parameter[PARAMETERS_MAX][NAME_BYTES], id[32];
    const char *at = find_parameters(source, kernel);
    size_t count = at != NULL ? read_pointers(at, parameter) : 0;
    if (count == 0 || count != json_array_size(pointers)) return;
    for (size_t i = 0; i < count; i++) {
        snprintf(id, sizeof id, "%lld", (long long)json_integer_value(json_array_get(pointers, i)));
        if (json_object_get(names, id) == NULL)
            json_object_set_new(names, id, json_string(parameter[i]));
    }
}

bool names_of_allocation(const char *line, char name[NAME_BYTES])
{
    const char *call = strstr(line, "cudaMalloc");
    if (call == NULL) call = strstr(line, "cudaHostAlloc");
    const char *address = call != NULL ? strchr(call, '&') : NULL;
    if (address != NULL) return last_word(address, address + 1 + strcspn(address + 1, ",)"), name);
    const char *equals = strchr(line, '=');
    return equals != NULL && equals[1] != '=' && last_word(line, equals, name);
}
