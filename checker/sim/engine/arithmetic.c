/* arithmetic.c: see arithmetic.h. */
#include "sim/engine/arithmetic.h"

#include "sim/image/program.h"
#include "sim/image/source_line.h"

#include "trace/trace.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    COUNTERS = 16384, /* arithmetic.awk gives no more */
    CACHE_LINES = 128 /* bytes: CPUs fetch them in pairs */
};

/* For OS threads that run no kernel. */
static uint64_t nobody[COUNTERS];

/* Compiled kernels read this. */
_Thread_local uint64_t *warpup_counters = nobody;

/* A row of the table of arithmetic.awk: what one source line computes in one run of its piece of
 * code. The rows of a piece follow each other. */
struct row {
    int32_t place; /* of a return address in the code, as an offset from here */
    uint32_t counter;
    uint16_t unused, count[ARITHMETIC_KINDS];
};

/* Of the device image. */
static struct {
    const struct row *rows;
    uintptr_t at; /* where they are in memory */
    size_t count, counters;
} table;

/* A row of the other table, of instructions.awk, has a counter in the same place. */
static void count_instructions(void)
{
    enum { ROW_BYTES = INSTRUCTIONS_ROW_BYTES, COUNTER = 4 };
    uintptr_t at;
    size_t bytes = 0;
    const char *rows = program_section(".warpup.instructions", &at, &bytes);
    for (size_t row = 0; rows != NULL && row + ROW_BYTES <= bytes; row += ROW_BYTES) {
        uint32_t counter;
        memcpy(&counter, rows + row + COUNTER, sizeof counter);
        if (counter >= table.counters) table.counters = counter + 1;
    }
}

size_t arithmetic_counters(void)
{
    return table.counters;
}

/* Aligned to cache lines, so that no two cores share one. */
uint64_t *arithmetic_make(void)
{
    size_t bytes = 0;
    table.rows = program_section(".warpup.arithmetic", &table.at, &bytes);
    table.count = table.rows == NULL ? 0 : bytes / sizeof *table.rows;
    table.counters = table.count == 0 ? 0 : table.rows[table.count - 1].counter + 1;
    count_instructions();
    size_t lines = table.counters * sizeof(uint64_t) / CACHE_LINES + 1;
    return aligned_alloc(CACHE_LINES, lines * CACHE_LINES);
}

void arithmetic_count(uint64_t *counters)
{
    if (counters != NULL) memset(counters, 0, table.counters * sizeof *counters);
    warpup_counters = counters != NULL ? counters : nobody;
}

void arithmetic_join(uint64_t *sum, const uint64_t *more)
{
    for (size_t i = 0; i < table.counters; i++)
        sum[i] += more[i];
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Adds this many runs of one piece. */
static void add(struct arithmetic *sum, const uint64_t piece[ARITHMETIC_KINDS], uint64_t times)
{
    for (int k = 0; k < ARITHMETIC_KINDS; k++)
        sum->count[k] += piece[k] * times;
    sum->float_fused += larger(piece[FLOAT_ADD], piece[FLOAT_MULTIPLY]) * times;
    sum->double_fused += larger(piece[DOUBLE_ADD], piece[DOUBLE_MULTIPLY]) * times;
}

struct arithmetic arithmetic_piece(size_t counter)
{
    struct arithmetic sum = {0};
    uint64_t piece[ARITHMETIC_KINDS] = {0};
    size_t low = 0, high = table.count; /* the rows are in the order of the counters */
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (table.rows[middle].counter < counter)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < table.count && table.rows[low].counter == counter; low++)
        for (int k = 0; k < ARITHMETIC_KINDS; k++)
            piece[k] += table.rows[low].count[k];
    add(&sum, piece, 1);
    return sum;
}

struct arithmetic arithmetic_sum(const uint64_t *counters)
{
    struct arithmetic sum = {0};
    for (size_t first = 0, i = 0; first < table.count; first = i) {
        uint64_t piece[ARITHMETIC_KINDS] = {0};
        uint32_t counter = table.rows[first].counter;
        for (; i < table.count && table.rows[i].counter == counter; i++)
            for (int k = 0; k < ARITHMETIC_KINDS; k++)
                piece[k] += table.rows[i].count[k];
        add(&sum, piece, counters[counter]);
    }
    return sum;
}

/* ---- by source line ------------------------------------------------------------------------- */

struct line {
    struct source_place place; /* no file: not known */
    uint64_t count[ARITHMETIC_KINDS];
};

static bool is_at(const struct line *line, const struct source_place *place)
{
    if (line->place.file == NULL || place->file == NULL) return line->place.file == place->file;
    return line->place.line == place->line && strcmp(line->place.file, place->file) == 0;
}

/* Adds the operations of a row to those of its line. Returns the number of lines after that. */
static size_t add_row(struct line *lines, size_t count, const struct row *row, uint64_t times)
{
    uintptr_t at = table.at + (uintptr_t)((const char *)row - (const char *)table.rows);
    struct source_place place = {0};
    if (!source_line_of(at + (uintptr_t)(intptr_t)row->place, &place)) place.file = NULL;
    size_t i = 0;
    while (i < count && !is_at(&lines[i], &place))
        i++;
    if (i == count) lines[i] = (struct line){.place = place};
    for (int k = 0; k < ARITHMETIC_KINDS; k++)
        lines[i].count[k] += row->count[k] * times;
    return i == count ? count + 1 : count;
}

void arithmetic_fields(const uint64_t count[ARITHMETIC_KINDS])
{
    trace_fields("floats:%lu float_divisions:%lu doubles:%lu double_divisions:%lu",
                 count[FLOAT_ADD] + count[FLOAT_MULTIPLY], count[FLOAT_DIVIDE],
                 count[DOUBLE_ADD] + count[DOUBLE_MULTIPLY], count[DOUBLE_DIVIDE]);
    trace_fields("conversions:%lu divisions:%lu divisions_64:%lu", count[CONVERT], count[DIVIDE],
                 count[DIVIDE_64]);
}

void arithmetic_write(const uint64_t *counters, uint64_t launch)
{
    struct line *lines = malloc((table.count + 1) * sizeof *lines);
    size_t count = 0;
    for (size_t i = 0; i < table.count && lines != NULL; i++) {
        const struct row *row = &table.rows[i];
        if (counters[row->counter] > 0) count = add_row(lines, count, row, counters[row->counter]);
    }
    for (size_t i = 0; i < count; i++) {
        trace_begin("arithmetic");
        trace_fields("kernel:%lu", launch);
        arithmetic_fields(lines[i].count);
        trace_source(lines[i].place.file, lines[i].place.line);
        trace_end();
    }
    free(lines);
}
