/* inputs.c: see inputs.h. */
#include "judge/oracle/inputs.h"

#include <errno.h>
#include <stdlib.h>

size_t input_argument(const char *text, size_t most)
{
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    bool whole = text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0;
    return whole && number <= most ? (size_t)number : 0;
}

const char *input_formula(const struct formula *list, size_t k, double *value)
{
    for (; k > 0 && list->words != NULL; k--)
        list++;
    *value = list->value;
    return list->words;
}
