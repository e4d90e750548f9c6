/* printed.c: a lenient reader of a program's output: see printed.h. */
#include "judge/read/printed.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LINE_MAX_BYTES = 1000 };

/* The factor of a unit: to seconds, to Gflop/s or to GB/s, which are meant if there is no unit. */
static double scale_of(const char *unit)
{
    static const struct {
        const char *name;
        double scale;
    } known[] = {{"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {"Tf", 1e3}, {"TB", 1e3},
                 {"Mf", 1e-3}, {"MB", 1e-3}, {"kB", 1e-6}, {"kf", 1e-6}};
    while (*unit == ' ' || *unit == '\t')
        unit++;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strncmp(unit, known[i].name, 2) == 0) return known[i].scale;
    return 1;
}

/* Half of a unit in the last digit of the number that begins at `text` and ends at `end`. */
static double half_of(const char *text, const char *end)
{
    int decimals = 0;
    bool point = false;
    for (; text < end && *text != 'e' && *text != 'E'; text++) {
        decimals += point && isdigit((unsigned char)*text);
        point = point || *text == '.';
    }
    return 0.5 * pow(10, (double)(text < end ? strtol(text + 1, NULL, 10) : 0) - decimals);
}

/* Finds `key = number` in a line, where the key is a separate word. Returns false when there is
 * none. */
static bool find_figure(const char *line, const char *key, struct number *number)
{
    size_t length = strlen(key);
    for (const char *at = line; *at != '\0'; at++) {
        if (at != line && isalnum((unsigned char)at[-1])) continue;
        if (strncasecmp(at, key, length) != 0) continue;
        const char *rest = at + length + strspn(at + length, " \t");
        if (*rest != '=' && *rest != ':') continue;
        char *end;
        double value = strtod(rest + 1, &end);
        bool address = memchr(rest + 1, 'x', (size_t)(end - rest - 1)) != NULL;
        if (end == rest + 1 || address) continue;
        number->value = value * scale_of(end);
        number->half = half_of(rest + 1, end) * scale_of(end);
        return true;
    }
    return false;
}

static struct figures parse_figures(const char *line)
{
    static const struct number none = {NAN, NAN};
    struct figures figures = {.seconds = none, .gflops = none, .gbytes = none, .threads = NAN};
    const char *label = line + strspn(line, " \t");
    size_t length = 0;
    while (isalnum((unsigned char)label[length]) || label[length] == '_')
        length++;
    const char *colon = label + length + strspn(label + length, " \t");
    if (length == 0 || *colon != ':') return figures;
    bool time = find_figure(colon + 1, "t0", &figures.seconds);
    bool work = find_figure(colon + 1, "P", &figures.gflops);
    bool rate = find_figure(colon + 1, "B", &figures.gbytes);
    struct number threads = none;
    find_figure(colon + 1, "nthr", &threads);
    figures.threads = threads.value;
    figures.label = strncasecmp(label, "CPU", length) == 0   ? LABEL_CPU
                    : strncasecmp(label, "GPU", length) == 0 ? LABEL_GPU
                                                             : LABEL_OTHER;
    figures.present = time || work || rate;
    return figures;
}

/* The first line labelled CPU is part A, the last one labelled GPU is part B. Lines with other
 * labels count only when one of these is missing: the first for A, the last for B. */
static void take_line(const struct figures *line, struct printed *printed)
{
    bool better_a = line->label == LABEL_CPU && printed->a.label != LABEL_CPU;
    if (better_a || !printed->a.present) {
        if (printed->a.present && !printed->b.present) printed->b = printed->a;
        printed->a = *line;
    } else if (line->label == LABEL_GPU || printed->b.label != LABEL_GPU) {
        printed->b = *line;
    }
}

static void parse_line(const char *line, struct printed *printed)
{
    struct number diff;
    struct figures figures = parse_figures(line);
    if (figures.present)
        take_line(&figures, printed);
    else if (find_figure(line, "Diff", &diff)) {
        printed->has_diff = true;
        printed->diff = diff.value;
    }
}

struct printed printed_parse(const char *text)
{
    struct printed printed = {.diff = NAN};
    while (*text != '\0') {
        char line[LINE_MAX_BYTES + 1];
        size_t length = strcspn(text, "\n");
        size_t kept = length < LINE_MAX_BYTES ? length : LINE_MAX_BYTES;
        memcpy(line, text, kept);
        line[kept] = '\0';
        parse_line(line, &printed);
        text += length + (text[length] == '\n');
    }
    return printed;
}
