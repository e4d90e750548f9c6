/* inputs.c: see inputs.h. */
#include "judge/oracle/inputs.h"

#include <errno.h>
#include <float.h>
#include <math.h>
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

struct oracle_element oracle_element(const struct oracle_problem *problem, size_t index)
{
    const struct oracle_errors *errors = &problem->errors;
    double value = 0, magnitudes = 0;
    for (size_t k = 0; k < problem->terms; k++) {
        double term = oracle_term(problem, index, k);
        value += term;
        if (k < errors->terms) magnitudes += fabs(term);
    }
    double units = errors->of_terms * magnitudes + errors->of_value * fabs(value);
    return (struct oracle_element){value, FLT_EPSILON * (units + errors->constant)};
}
