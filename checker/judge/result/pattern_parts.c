/* pattern_parts.c: see pattern_parts.h. */
#include "judge/result/pattern_parts.h"

struct pattern pattern_found(const struct subject *s, const char *name, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    struct pattern pattern = {name, arena_format_list(s->arena, format, arguments), NULL, false};
    va_end(arguments);
    return pattern;
}

struct pattern pattern_of_values(const struct subject *s, const char *name, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    struct pattern pattern = {name, arena_format_list(s->arena, format, arguments), NULL, true};
    va_end(arguments);
    return pattern;
}
