/* perturb.c: see perturb.h. A number is looked for as a float and as a double. */
#include "gpu/memory/perturb.h"

#include "gpu/memory/memory.h"

#include "trace/trace.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    NUMBERS_MAX = 8,
    FOUND_MAX = 4096,
    CHUNK = 4096 /* bytes that are compared without a branch */
};

/* One way to write a number, as it is and perturbed. */
struct pattern {
    size_t bytes;
    char old[8], new[8];
};

static struct {
    struct pattern patterns[2 * NUMBERS_MAX];
    int patterns_count;       /* 0: nothing is perturbed */
    unsigned long long first; /* launches before this one find nothing perturbed */
    struct {
        char *at;
        const struct pattern *pattern;
    } found[FOUND_MAX];
    int count; /* of all numbers; those beyond FOUND_MAX are not kept */
} perturb;

static void add_pattern(const void *old, const void *perturbed, size_t bytes)
{
    struct pattern *pattern = &perturb.patterns[perturb.patterns_count++];
    pattern->bytes = bytes;
    memcpy(pattern->old, old, bytes);
    memcpy(pattern->new, perturbed, bytes);
}

static void add_number(uint32_t bits)
{
    float single, perturbed;
    memcpy(&single, &bits, sizeof single);
    perturbed = single < 0 ? single + 1 : single - 1; /* as judge/oracle/inputs.h does */
    double twice = single, perturbed_twice = perturbed;
    add_pattern(&single, &perturbed, sizeof single);
    add_pattern(&twice, &perturbed_twice, sizeof twice);
}

void perturb_begin(void)
{
    const char *text = getenv("WARPUP_PERTURB"), *colon = text == NULL ? NULL : strchr(text, ':');
    if (colon != NULL) {
        perturb.first = strtoull(text, NULL, 10);
        text = colon + 1;
    }
    while (text != NULL && text[0] != '\0' && perturb.patterns_count < 2 * NUMBERS_MAX) {
        char *end;
        uint32_t bits = (uint32_t)strtoul(text, &end, 16);
        if (end == text) break;
        add_number(bits);
        text = *end == ',' ? end + 1 : end;
    }
    trace_forget("WARPUP_PERTURB");
}

static void note_location(char *at, const struct pattern *pattern)
{
    if (perturb.count < FOUND_MAX) {
        perturb.found[perturb.count].at = at;
        perturb.found[perturb.count].pattern = pattern;
    }
    perturb.count++;
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
        for (const struct pattern *one = perturb.patterns;
             one < perturb.patterns + perturb.patterns_count; one++) {
            if (end - start == CHUNK && !chunk_has(low + start, one)) continue;
            for (size_t at = start; at + one->bytes <= end; at += one->bytes)
                if (memcmp(low + at, one->old, one->bytes) == 0) note_location(low + at, one);
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

/* Where there are too many numbers none is perturbed: a part of them would make a wrong result. */
void perturb_apply(uint64_t launch)
{
    if (perturb.patterns_count == 0 || launch < perturb.first) return;
    perturb.count = 0;
    find_everywhere();
    bool all = perturb.count <= FOUND_MAX;
    for (int i = 0; all && i < perturb.count; i++)
        memcpy(perturb.found[i].at, perturb.found[i].pattern->new, perturb.found[i].pattern->bytes);
    if (!all) {
        perturb.count = 0;
        return;
    }
    trace_begin("perturbed");
    trace_integer("numbers", perturb.count);
    trace_end();
}

void perturb_restore(void)
{
    for (int i = 0; i < perturb.count; i++) {
        const struct pattern *pattern = perturb.found[i].pattern;
        if (memcmp(perturb.found[i].at, pattern->new, pattern->bytes) == 0)
            memcpy(perturb.found[i].at, pattern->old, pattern->bytes);
    }
    perturb.count = 0;
}
