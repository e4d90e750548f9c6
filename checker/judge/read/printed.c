/* printed.c: a lenient reader of a program's output: see printed.h. */
#include "judge/read/printed.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LINE_MAX_BYTES = 1000 };

/* of a time; t0 has enough digits if its rounding error is below this, as in "0.0123" */
static const double DIGITS_ENOUGH = 0.005;
/* of a time; P and B may be rounded, and may count a GB as 2^30 bytes, which is 7 % more */
static const double RATES_APART = 0.15;

/* The factor of a unit: to seconds, to Gflop/s or to GB/s, which are meant if there is no unit. */
static double scale_of(const char *unit)
{
    static const struct {
        const char *name;
        double scale;
    } units[] = {{"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {"Tf", 1e3}, {"TB", 1e3},
                 {"Mf", 1e-3}, {"MB", 1e-3}, {"kB", 1e-6}, {"kf", 1e-6}};
    while (*unit == ' ' || *unit == '\t')
        unit++;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strncmp(unit, units[i].name, 2) == 0) return units[i].scale;
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
    struct figures figures = {.t0 = none, .gflops = none, .gbytes = none, .threads = NAN};
    const char *label = line + strspn(line, " \t");
    size_t length = 0;
    while (isalnum((unsigned char)label[length]) || label[length] == '_')
        length++;
    const char *colon = label + length + strspn(label + length, " \t");
    if (length == 0 || *colon != ':') return figures;
    bool time = find_figure(colon + 1, "t0", &figures.t0);
    bool work = find_figure(colon + 1, "P", &figures.gflops);
    bool rate = find_figure(colon + 1, "B", &figures.gbytes);
    struct number threads = none;
    find_figure(colon + 1, "nthr", &threads);
    figures.threads = threads.value;
    figures.label = strncasecmp(label, "CPU", length) == 0   ? LABEL_CPU
                    : strncasecmp(label, "GPU", length) == 0 ? LABEL_GPU
                    : strncasecmp(label, "JOB", length) == 0 ? LABEL_JOB
                                                             : LABEL_OTHER;
    figures.present = time || work || rate;
    return figures;
}

/* The first line labelled CPU is part A, the last one labelled GPU is part B. Lines with other
 * labels count only when one of these is missing: the first for A, the last for B. */
static void take_line(const struct figures *line, struct printed *printed)
{
    if (line->label == LABEL_JOB) {
        printed->job = *line;
        return;
    }
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

/* `amount` / rate, as a time; NAN for a rate of 0, which has lost all its digits. */
static struct printed_time time_by(struct number rate, double amount)
{
    double most = rate.value > rate.half ? amount / (rate.value - rate.half) : INFINITY;
    if (rate.value == 0) return (struct printed_time){NAN, NAN, NAN};
    return (struct printed_time){amount / rate.value, amount / (rate.value + rate.half), most};
}

/* Half of the interval / the time; NAN or infinity when nothing is known. */
static double rounding(struct printed_time time)
{
    return time.seconds > 0 ? (time.most - time.least) / 2 / time.seconds : NAN;
}

static bool agree(struct printed_time a, struct printed_time b)
{
    return a.least <= (1 + RATES_APART) * b.most && b.least <= (1 + RATES_APART) * a.most;
}

/* Adds a time that a line can mean; the first one is the most exact. */
static void add_time(struct figures *figures, struct printed_time time)
{
    struct printed_time *times = figures->times;
    if (isnan(time.seconds)) return;
    times[figures->time_count] = time;
    if (figures->time_count++ == 0 || !(rounding(time) < rounding(times[0]))) return;
    times[figures->time_count - 1] = times[0];
    times[0] = time;
}

/* Finds the times that a line can mean, and how far P and B are from the most exact one. */
static void find_times(struct figures *figures, const struct oracle_problem *problem)
{
    struct number t0 = figures->t0;
    struct printed_time by_t0 = {t0.value, t0.value - t0.half, t0.value + t0.half};
    const struct printed_time rates[] = {time_by(figures->gbytes, problem->bytes * 1e-9),
                                         time_by(figures->gflops, problem->flops * 1e-9)};
    bool exact = t0.value < 0 || rounding(by_t0) <= DIGITS_ENOUGH;
    bool refuted =
        exact && agree(rates[0], rates[1]) && !agree(by_t0, rates[0]) && !agree(by_t0, rates[1]);
    figures->time = NAN;
    figures->rates = 1;
    if (!figures->present) return;
    for (int i = 0; i < 2 && (!exact || refuted); i++)
        add_time(figures, rates[i]);
    if (!refuted) add_time(figures, by_t0);
    if (figures->time_count > 0) figures->time = figures->times[0].seconds;
    for (int i = 0; i < 2 && figures->time > 0; i++) {
        double time = figures->time, ratio = rates[i].seconds / time;
        bool apart = !agree(rates[i], (struct printed_time){time, time, time});
        if (apart && fabs(log(ratio)) > fabs(log(figures->rates))) figures->rates = ratio;
    }
}

struct printed printed_parse(const char *text, const struct oracle_problem *problem)
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
    find_times(&printed.a, problem);
    find_times(&printed.b, problem);
    find_times(&printed.job, problem);
    return printed;
}
