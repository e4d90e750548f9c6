/* taint.c: see taint.h. The number may be stored as a float or as a double. */
#include "sim/gpu/taint.h"

#include "sim/gpu/memory.h"
#include "sim/image/program.h"

#include "trace/trace.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES_MAX = 64 };

/* The bytes of the number, as it is and changed. */
struct pattern {
    size_t bytes;
    char old[8], new[8];
};

static struct {
    bool wanted;
    struct pattern patterns[2];
    struct {
        char *at;
        const struct pattern *pattern;
    } places[PLACES_MAX];
    int count;
} taint;

static void set_pattern(struct pattern *pattern, const void *old, const void *new, size_t bytes)
{
    pattern->bytes = bytes;
    memcpy(pattern->old, old, bytes);
    memcpy(pattern->new, new, bytes);
}

void taint_begin(void)
{
    const char *text = getenv("WARPUP_PROBE");
    if (text == NULL || text[0] == '\0') return;
    uint32_t bits = (uint32_t)strtoul(text, NULL, 16);
    float single, altered;
    memcpy(&single, &bits, sizeof single);
    altered = single + 1;
    double twice = single, altered_twice = twice + 1;
    taint.wanted = true;
    set_pattern(&taint.patterns[0], &single, &altered, sizeof single);
    set_pattern(&taint.patterns[1], &twice, &altered_twice, sizeof twice);
}

static void alter(char *low, size_t bytes, const struct pattern *pattern)
{
    for (size_t at = 0; at + pattern->bytes <= bytes; at += pattern->bytes) {
        if (memcmp(low + at, pattern->old, pattern->bytes) != 0) continue;
        if (taint.count == PLACES_MAX) return;
        memcpy(low + at, pattern->new, pattern->bytes);
        taint.places[taint.count].at = low + at;
        taint.places[taint.count++].pattern = pattern;
    }
}

static void alter_variables(void)
{
    char *low;
    size_t bytes;
    for (size_t index = 0; program_next_variables(&index, &low, &bytes);)
        for (int i = 0; i < 2; i++)
            alter(low, bytes, &taint.patterns[i]);
}

void taint_alter(void)
{
    if (!taint.wanted) return;
    taint.count = 0;
    for (struct allocation *one = memory_next(NULL); one != NULL; one = memory_next(one))
        for (int i = 0; i < 2 && !one->freed; i++)
            alter(one->base, one->bytes, &taint.patterns[i]);
    alter_variables();
    trace_begin("probe");
    trace_integer("places", taint.count);
    trace_end();
}

void taint_restore(void)
{
    for (int i = 0; i < taint.count; i++) {
        const struct pattern *pattern = taint.places[i].pattern;
        if (memcmp(taint.places[i].at, pattern->new, pattern->bytes) == 0)
            memcpy(taint.places[i].at, pattern->old, pattern->bytes);
    }
    taint.count = 0;
}
