/* taint.c: see taint.h. A number is looked for as a float and as a double. */
#include "gpu/memory/taint.h"

#include "gpu/memory/memory.h"

#include "trace/trace.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    NUMBERS_MAX = 8,
    PLACES_MAX = 4096,
    CHUNK = 4096 /* bytes that are compared without a branch */
};

/* One way to write a number, as it is and altered. */
struct pattern {
    size_t bytes;
    char old[8], new[8];
};

static struct {
    struct pattern patterns[2 * NUMBERS_MAX];
    int patterns_count;       /* 0: nothing is probed */
    unsigned long long first; /* launches before this one find nothing altered */
    struct {
        char *at;
        const struct pattern *pattern;
    } places[PLACES_MAX];
    int count; /* of all places; those beyond PLACES_MAX are not kept */
} taint;

static void add_pattern(const void *old, const void *altered, size_t bytes)
{
    struct pattern *pattern = &taint.patterns[taint.patterns_count++];
    pattern->bytes = bytes;
    memcpy(pattern->old, old, bytes);
    memcpy(pattern->new, altered, bytes);
}

static void add_number(uint32_t bits)
{
    float single, altered;
    memcpy(&single, &bits, sizeof single);
    altered = single < 0 ? single + 1 : single - 1; /* as judge/oracle/inputs.h does */
    double twice = single, altered_twice = altered;
    add_pattern(&single, &altered, sizeof single);
    add_pattern(&twice, &altered_twice, sizeof twice);
}

void taint_begin(void)
{
    const char *text = getenv("WARPUP_PROBE"), *colon = text == NULL ? NULL : strchr(text, ':');
    if (colon != NULL) {
        taint.first = strtoull(text, NULL, 10);
        text = colon + 1;
    }
    while (text != NULL && text[0] != '\0' && taint.patterns_count < 2 * NUMBERS_MAX) {
        char *end;
        uint32_t bits = (uint32_t)strtoul(text, &end, 16);
        if (end == text) break;
        add_number(bits);
        text = *end == ',' ? end + 1 : end;
    }
    trace_forget("WARPUP_PROBE");
}

static void note_place(char *at, const struct pattern *pattern)
{
    if (taint.count < PLACES_MAX) {
        taint.places[taint.count].at = at;
        taint.places[taint.count].pattern = pattern;
    }
    taint.count++;
}

/* Do these words have the number? The loops end in no branch, so the compiler compares many words
 * at a time: all memory is looked through before each launch. */
static bool chunk_has_float(const char *chunk, const struct pattern *pattern)
{
    uint32_t wanted, word, found = 0;
    memcpy(&wanted, pattern->old, sizeof wanted);
    for (size_t at = 0; at < CHUNK; at += sizeof word) {
        memcpy(&word, chunk + at, sizeof word);
        found |= word == wanted;
    }
    return found != 0;
}

static bool chunk_has_double(const char *chunk, const struct pattern *pattern)
{
    uint64_t wanted, word, found = 0;
    memcpy(&wanted, pattern->old, sizeof wanted);
    for (size_t at = 0; at < CHUNK; at += sizeof word) {
        memcpy(&word, chunk + at, sizeof word);
        found |= word == wanted;
    }
    return found != 0;
}

static bool chunk_has(const char *chunk, const struct pattern *pattern)
{
    return pattern->bytes == sizeof(float) ? chunk_has_float(chunk, pattern)
                                           : chunk_has_double(chunk, pattern);
}

/* Notes where the numbers stand, aligned, in [low, low + bytes). */
static void find(char *low, size_t bytes)
{
    for (size_t start = 0; start < bytes; start += CHUNK) {
        size_t end = bytes - start < CHUNK ? bytes : start + CHUNK;
        for (const struct pattern *one = taint.patterns;
             one < taint.patterns + taint.patterns_count; one++) {
            if (end - start == CHUNK && !chunk_has(low + start, one)) continue;
            for (size_t at = start; at + one->bytes <= end; at += one->bytes)
                if (memcmp(low + at, one->old, one->bytes) == 0) note_place(low + at, one);
        }
    }
}

static void find_everywhere(void)
{
    char *low;
    size_t bytes;
    EACH_ALLOCATION (one)
        find(one->base, one->bytes);
    for (size_t index = 0; memory_next_variable(&index, &low, &bytes);)
        find(low, bytes);
}

/* Where there are too many places none is altered: a part of them would make a wrong result. */
void taint_alter(uint64_t launch)
{
    if (taint.patterns_count == 0 || launch < taint.first) return;
    taint.count = 0;
    find_everywhere();
    bool all = taint.count <= PLACES_MAX;
    for (int i = 0; all && i < taint.count; i++)
        memcpy(taint.places[i].at, taint.places[i].pattern->new, taint.places[i].pattern->bytes);
    if (!all) {
        taint.count = 0;
        return;
    }
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
