/* sizes.c: see sizes.h. The numbers are drawn by the mixing steps of the exercises' inputs. */
#define _GNU_SOURCE
#include "driver/sizes.h"

#include "driver/driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_BYTES_MAX = 1 << 16, COLUMNS = 4, CHOICES_MAX = 16 };

static const uint64_t SEED_FACTOR = 1000003; /* seeds that follow each other share no row */

/* A number below `count` that follows from `hash`, which becomes the next one. */
static uint64_t next_random(uint64_t *hash, uint64_t count)
{
    *hash = (*hash ^ (*hash >> 33 & 0x7fffffff)) * 0xff51afd7ed558ccd + 0x9e3779b97f4a7c15;
    *hash = (*hash ^ (*hash >> 33 & 0x7fffffff)) * 0xc4ceb9fe1a85ec53;
    return (*hash >> 33 & 0x7fffffff) % count;
}

static bool is_prime(uint64_t number)
{
    for (uint64_t divisor = 2; divisor * divisor <= number; divisor++)
        if (number % divisor == 0) return false;
    return number > 1;
}

/* The number that stands for one argument: 1000, 31,33, 97..101 or prime:1001..3000. False if the
 * text is none of these. */
static bool draw(char *text, uint64_t *hash, uint64_t *number)
{
    char *choices[CHOICES_MAX], *end;
    uint64_t count = 0;
    for (char *rest = text, *choice; (choice = strsep(&rest, ",")) != NULL;)
        if (count < CHOICES_MAX) choices[count++] = choice;
    char *choice = choices[next_random(hash, count)];
    bool prime = strncmp(choice, "prime:", 6) == 0;
    if (prime) choice += 6;
    uint64_t from = strtoull(choice, &end, 10), to = from;
    if (end != choice && strncmp(end, "..", 2) == 0) to = strtoull(end + 2, &end, 10);
    if (choice[0] < '0' || choice[0] > '9' || *end != '\0' || to < from) return false;
    *number = from + next_random(hash, to - from + 1);
    for (uint64_t tries = 0; prime && !is_prime(*number); tries++) {
        if (tries > to - from) return false;
        *number = *number < to ? *number + 1 : from;
    }
    return true;
}

static bool draw_arguments(char *text, uint64_t hash, struct size *size)
{
    uint64_t number;
    size->arguments = "";
    size->product = 1;
    for (char *rest = text, *word; (word = strsep(&rest, " ")) != NULL;) {
        if (word[0] == '\0') continue;
        if (size->argc == SIZE_ARGUMENTS_MAX || !draw(word, &hash, &number)) return false;
        char *one = arena_format(&arena, "%llu", (unsigned long long)number);
        size->arguments =
            arena_format(&arena, "%s%s%s", size->arguments, size->argc > 0 ? " " : "", one);
        size->argv[size->argc++] = one;
        size->product *= (double)number;
    }
    return size->argc > 0;
}

static bool is_purpose(const char *word)
{
    static const char *const purposes[] = {"right", "may_refuse", "speed", "speed_second_shape"};
    for (size_t i = 0; i < sizeof purposes / sizeof *purposes; i++)
        if (strcmp(word, purposes[i]) == 0) return true;
    return strncmp(word, "right_if_", 9) == 0;
}

static bool read_row(char *line, uint64_t hash, struct size *size)
{
    char *fields[COLUMNS];
    int count = arena_split(line, fields, COLUMNS);
    if (count < COLUMNS - 1) return false;
    bool both = strcmp(fields[0], "both") == 0;
    *size = (struct size){.sim = both || strcmp(fields[0], "sim") == 0,
                          .real = both || strcmp(fields[0], "real") == 0,
                          .purpose = fields[1],
                          .larger = count == COLUMNS ? fields[3] : NULL};
    return (size->sim || size->real) && is_purpose(size->purpose) &&
           draw_arguments(fields[2], hash, size);
}

const char *sizes_read(const char *path, uint64_t seed, struct size_list *sizes)
{
    char *text;
    size_t length;
    *sizes = (struct size_list){0};
    const char *why = arena_read(&arena, path, FILE_BYTES_MAX, &text, &length);
    if (why != NULL) return arena_format(&arena, "%s %s", path, why);
    if (text[length - 1] != '\n')
        return arena_format(&arena, "%s is cut off: its last line has no end", path);
    size_t lines = 1;
    for (const char *c = text; *c != '\0'; c++)
        lines += *c == '\n';
    sizes->list = arena_alloc(&arena, lines * sizeof *sizes->list);
    uint64_t row = 0;
    for (char *rest = text, *line; (line = strsep(&rest, "\n")) != NULL;) {
        row++;
        if (line[0] == '\0' || strncmp(line, "device\t", 7) == 0) continue;
        if (!read_row(line, seed * SEED_FACTOR + row, &sizes->list[sizes->count++]))
            return arena_format(&arena, "%s:%llu is not a device, a purpose and arguments", path,
                                (unsigned long long)row);
    }
    return sizes_count(sizes, false, "right") > 0
               ? NULL
               : arena_format(&arena, "%s has no size whose result has to be right", path);
}

const struct size *sizes_next(const struct size_list *sizes, const struct size *before, bool real,
                              const char *purpose)
{
    for (size_t i = before == NULL ? 0 : (size_t)(before - sizes->list) + 1; i < sizes->count;
         i++) {
        const struct size *size = &sizes->list[i];
        if ((real ? size->real : size->sim) && strcmp(size->purpose, purpose) == 0) return size;
    }
    return NULL;
}

const struct size *sizes_last(const struct size_list *sizes, bool real, const char *purpose)
{
    const struct size *last = NULL;
    for (const struct size *s = NULL; (s = sizes_next(sizes, s, real, purpose)) != NULL;)
        last = s;
    return last;
}

int sizes_count(const struct size_list *sizes, bool real, const char *purpose)
{
    int count = 0;
    for (const struct size *s = NULL; (s = sizes_next(sizes, s, real, purpose)) != NULL;)
        count++;
    return count;
}
