/* words.c: the contents of a verdict, for all formats; see words.h. */
#include "show/words.h"

#include "show/print.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

const char *needed_of(const json_t *criterion)
{
    const char *needed = text_of(criterion, "needed");
    return strcmp(needed, "yes") != 0 && strcmp(needed, "none") != 0 ? needed : "";
}

int number_of(const json_t *object, const char *key)
{
    return (int)json_number_value(json_object_get(object, key));
}

bool is_null(const json_t *object, const char *key)
{
    const json_t *member = json_object_get(object, key);
    return member == NULL || json_is_null(member);
}

bool passed(const json_t *criterion)
{
    return json_is_true(json_object_get(criterion, "passed"));
}

bool failed(const json_t *criterion)
{
    return json_is_false(json_object_get(criterion, "passed"));
}

bool undecided(const json_t *criterion)
{
    return strcmp(text_of(criterion, "passed"), "undecided") == 0;
}

json_t *first_open(const json_t *verdict)
{
    size_t i;
    json_t *criterion;
    json_array_foreach (json_object_get(verdict, "criteria"), i, criterion)
        if (failed(criterion) || undecided(criterion)) return criterion;
    return NULL;
}

json_t *first_failed(const json_t *verdict)
{
    size_t i;
    json_t *criterion;
    json_array_foreach (json_object_get(verdict, "criteria"), i, criterion)
        if (failed(criterion)) return criterion;
    return NULL;
}

json_t *next_diagnosis(const json_t *verdict, const json_t *criterion, size_t *index)
{
    const json_t *list = json_object_get(verdict, "diagnoses");
    while (*index < json_array_size(list)) {
        json_t *diagnosis = json_array_get(list, (*index)++);
        if (strcmp(text_of(diagnosis, "criterion"), text_of(criterion, "id")) == 0)
            return diagnosis;
    }
    return NULL;
}

const char *text_of_criterion(const json_t *verdict, const char *id)
{
    size_t i;
    json_t *criterion;
    json_array_foreach (json_object_get(verdict, "criteria"), i, criterion)
        if (strcmp(text_of(criterion, "id"), id) == 0) return text_of(criterion, "text");
    return id;
}

const char *figure(double value)
{
    static char digits[40];
    int decimals = value >= 100 ? 0 : value >= 1 ? 1 : 3;
    snprintf(digits, sizeof digits, "%.*f", decimals, value);
    if (decimals > 0) {
        char *end = digits + strlen(digits);
        while (end[-1] == '0')
            *--end = '\0';
        if (end[-1] == '.') *--end = '\0';
    }
    return digits;
}

void put_profile(const struct view *view, const char *name)
{
    const char *slash = strrchr(name, '/');
    char letters[64];
    snprintf(letters, sizeof letters, "%s", slash != NULL ? slash + 1 : name);
    char *ending = strstr(letters, ".tsv");
    if (ending != NULL) *ending = '\0';
    for (char *c = letters; *c != '\0'; c++)
        *c = (char)toupper((unsigned char)*c);
    put(view, letters, WIDTH);
}

void put_device(const struct view *view, const json_t *device)
{
    const char *profile = text_of(device, "profile");
    if (strcmp(text_of(device, "kind"), "simulated") != 0) {
        put(view, text_of(device, "name"), WIDTH);
        return;
    }
    fputs("simulated GPU (", stdout);
    put_profile(view, profile[0] != '\0' ? profile : text_of(device, "name"));
    fputs(" profile)", stdout);
}
