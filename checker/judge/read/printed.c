/* printed.c: the lenient reader behind printed.h. */
#include "judge/read/printed.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LINE_MAX_BYTES = 1000 };

/* What a unit multiplies: to seconds, to Gflop/s or to GB/s; without a unit these are meant. */
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

/* Finds `key = number` in a line, the key standing alone. False when it is not there. */
static bool find_figure(const char *line, const char *key, double *value)
{
    size_t length = strlen(key);
    for (const char *at = line; *at != '\0'; at++) {
        if (at != line && isalnum((unsigned char)at[-1])) continue;
        if (strncasecmp(at, key, length) != 0) continue;
        const char *rest = at + length + strspn(at + length, " \t");
        if (*rest != '=' && *rest != ':') continue;
        char *end;
        double number = strtod(rest + 1, &end);
        if (end == rest + 1) continue;
        *value = number * scale_of(end);
        return true;
    }
    return false;
}

static struct figures parse_figures(const char *line)
{
    struct figures figures = {.seconds = NAN, .gflops = NAN, .gbytes = NAN, .threads = NAN};
    const char *label = line + strspn(line, " \t");
    size_t length = 0;
    while (isalnum((unsigned char)label[length]) || label[length] == '_')
        length++;
    const char *colon = label + length + strspn(label + length, " \t");
    if (length == 0 || *colon != ':') return figures;
    bool time = find_figure(colon + 1, "t0", &figures.seconds);
    bool work = find_figure(colon + 1, "P", &figures.gflops);
    bool rate = find_figure(colon + 1, "B", &figures.gbytes);
    find_figure(colon + 1, "nthr", &figures.threads);
    figures.present = time || work || rate;
    return figures;
}

static void parse_line(const char *line, struct printed *printed)
{
    double diff;
    struct figures figures = parse_figures(line);
    if (figures.present && !printed->a.present)
        printed->a = figures;
    else if (figures.present)
        printed->b = figures;
    else if (find_figure(line, "Diff", &diff)) {
        printed->has_diff = true;
        printed->diff = diff;
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

double printed_seconds(const struct figures *figures, double bytes, double flops)
{
    bool few_digits = figures->gbytes < 1 && figures->gflops > figures->gbytes;
    if (!isnan(figures->gbytes) && !few_digits)
        return figures->gbytes > 0 ? bytes / figures->gbytes * 1e-9 : 0;
    if (!isnan(figures->gflops)) return figures->gflops > 0 ? flops / figures->gflops * 1e-9 : 0;
    return figures->seconds;
}
