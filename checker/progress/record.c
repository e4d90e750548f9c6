/*
 * record.c: reads and writes EXERCISE/progress.tsv: one fact per line, its name first, separated by
 * tabs. The first line says what the file is, and the last one shows that it is whole.
 */
#define _GNU_SOURCE
#include "progress/record.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIELDS_MAX = 8, LINES_MAX = 300 };
static const int64_t time_max = 253402300799; /* the last second of the year 9999 */

static const char head[] = "# What make progress shows of this exercise; a check writes it.";

int highest_rung(const struct record *record)
{
    int rung = RUNGS_MAX;
    while (rung > 0 && record->reached[rung] == 0)
        rung--;
    return rung;
}

/* Reads a whole number of at most `most`; false if the text is none. */
static bool read_number(const char *text, int64_t most, int64_t *number)
{
    char *end;
    errno = 0;
    *number = strtoll(text, &end, 10);
    return end != text && *end == '\0' && errno == 0 && *number >= 0 && *number <= most;
}

static bool read_count(const char *text, int most, int *count)
{
    int64_t number;
    bool good = read_number(text, most, &number);
    if (good) *count = (int)number;
    return good;
}

static bool read_real(const char *text, double *number)
{
    char *end;
    double value = strtod(text, &end);
    bool good = end != text && *end == '\0' && isfinite(value) && value >= 0;
    if (good) *number = value;
    return good;
}

static bool read_sum(const char *text, uint64_t *sum)
{
    char *end;
    errno = 0;
    *sum = strtoull(text, &end, 16);
    return end != text && *end == '\0' && errno == 0;
}

static void copy(char *to, size_t bytes, const char *from)
{
    snprintf(to, bytes, "%s", from);
}

static bool read_rate(struct record *record, char *fields[])
{
    struct rate rate = {.value = 0};
    bool valid = strcmp(fields[1], "measured") == 0 || strcmp(fields[1], "modelled") == 0;
    if (!valid || !read_real(fields[2], &rate.value) || !read_real(fields[4], &rate.share))
        return false;
    if (record->rate_count == RATES_MAX) return false;
    copy(rate.how, sizeof rate.how, fields[1]);
    copy(rate.unit, sizeof rate.unit, fields[3]);
    copy(rate.device, sizeof rate.device, fields[5]);
    record->rates[record->rate_count++] = rate;
    return true;
}

/* "at", a rung, and then what a rate has. */
static bool read_rate_at(struct record *record, char *fields[])
{
    int rung;
    struct rate rate = {.value = 0};
    if (!read_count(fields[1], RUNGS_MAX, &rung) || !read_real(fields[3], &rate.value))
        return false;
    copy(rate.how, sizeof rate.how, fields[2]);
    copy(rate.unit, sizeof rate.unit, fields[4]);
    copy(rate.device, sizeof rate.device, fields[5]);
    record->at[rung] = rate;
    return true;
}

static bool read_guess(struct record *record, char *fields[])
{
    int rung;
    return read_count(fields[1], RUNGS_MAX, &rung) && read_real(fields[2], &record->guess[rung]);
}

static bool read_rung(struct record *record, char *fields[])
{
    int rung;
    int64_t when;
    if (!read_count(fields[1], RUNGS_MAX, &rung)) return false;
    if (!read_number(fields[2], time_max, &when) || when == 0) return false;
    record->reached[rung] = when;
    return true;
}

/* Reads the fields of one line; false if the line does not belong there. */
static bool read_fields(struct record *record, char *fields[], size_t count)
{
    const char *name = fields[0];
    if (strcmp(name, "check") == 0 && count == 6)
        return read_count(fields[1], RUNGS_MAX, &record->rung) &&
               read_count(fields[2], RUNGS_MAX, &record->rungs) &&
               read_count(fields[3], RUNGS_MAX, &record->required) &&
               read_number(fields[4], time_max, &record->checked) &&
               read_sum(fields[5], &record->source);
    if (strcmp(name, "next") == 0 && count == 3) {
        copy(record->open, sizeof record->open, fields[1]);
        copy(record->next, sizeof record->next, fields[2]);
        return true;
    }
    if (strcmp(name, "attempts") == 0 && count == 2)
        return read_count(fields[1], INT_MAX, &record->attempts);
    if (strcmp(name, "perhaps") == 0 && count == 2)
        return read_count(fields[1], RUNGS_MAX, &record->perhaps);
    if (strcmp(name, "reached") == 0 && count == 3) return read_rung(record, fields);
    if (strcmp(name, "rate") == 0 && count == 6) return read_rate(record, fields);
    if (strcmp(name, "at") == 0 && count == 6) return read_rate_at(record, fields);
    if (strcmp(name, "guess") == 0 && count == 3) return read_guess(record, fields);
    return false;
}

/* Adds one line to the record, all of it or nothing. */
static bool read_line(struct record *record, char *line)
{
    struct record with = *record;
    char *fields[FIELDS_MAX] = {line};
    size_t count = 0;
    while (line != NULL && count < FIELDS_MAX)
        fields[count++] = strsep(&line, "\t");
    if (!read_fields(&with, fields, count)) return false;
    *record = with;
    return true;
}

enum reading read_record(const char *path, struct record *record)
{
    FILE *file = fopen(path, "re");
    char *line = NULL;
    size_t capacity = 0;
    bool whole = true, ended = false;
    ssize_t length;
    *record = (struct record){.rung = 0};
    if (file == NULL) return errno == ENOENT ? ABSENT : UNREADABLE;
    errno = 0;
    for (int i = 0; (length = getline(&line, &capacity, file)) >= 0; i++) {
        if (i == LINES_MAX) break;
        if (line[length - 1] == '\n') line[--length] = '\0';
        if (ended || strlen(line) != (size_t)length)
            whole = false;
        else if (i == 0)
            whole = strcmp(line, head) == 0;
        else if (strcmp(line, "end") == 0)
            ended = true;
        else
            whole = read_line(record, line) && whole;
    }
    enum reading reading = ferror(file) ? UNREADABLE : whole && ended ? WHOLE : DAMAGED;
    int reason = errno;
    free(line);
    fclose(file);
    errno = reason;
    return reading;
}

/* Prints a text as one field: what separates fields and lines becomes a blank. */
static void print_field(FILE *file, const char *text, char end)
{
    for (; *text != '\0'; text++)
        fputc((unsigned char)*text < ' ' ? ' ' : *text, file);
    fputc(end, file);
}

static void print_record(FILE *file, const struct record *record)
{
    fprintf(file, "%s\n", head);
    fprintf(file, "check\t%d\t%d\t%d\t%" PRId64 "\t%016" PRIx64 "\n", record->rung, record->rungs,
            record->required, record->checked, record->source);
    fprintf(file, "attempts\t%d\nnext\t", record->attempts);
    print_field(file, record->open, '\t');
    print_field(file, record->next, '\n');
    if (record->perhaps > 0) fprintf(file, "perhaps\t%d\n", record->perhaps);
    for (int rung = 0; rung <= RUNGS_MAX; rung++)
        if (record->reached[rung] != 0)
            fprintf(file, "reached\t%d\t%" PRId64 "\n", rung, record->reached[rung]);
    for (size_t i = 0; i < record->rate_count; i++) {
        const struct rate *rate = &record->rates[i];
        fprintf(file, "rate\t%s\t%.6g\t%s\t%.6g\t", rate->how, rate->value, rate->unit,
                rate->share);
        print_field(file, rate->device, '\n');
    }
    for (int rung = 0; rung <= RUNGS_MAX; rung++) {
        const struct rate *at = &record->at[rung];
        if (record->guess[rung] > 0) fprintf(file, "guess\t%d\t%.6g\n", rung, record->guess[rung]);
        if (at->value == 0) continue;
        fprintf(file, "at\t%d\t%s\t%.6g\t%s\t", rung, at->how, at->value, at->unit);
        print_field(file, at->device, '\n');
    }
    fprintf(file, "end\n");
}

bool write_record(const char *path, const struct record *record)
{
    char beside[PATH_MAX];
    if (snprintf(beside, sizeof beside, "%s.%ld", path, (long)getpid()) >= (int)sizeof beside) {
        errno = ENAMETOOLONG;
        return false;
    }
    FILE *file = fopen(beside, "we");
    if (file == NULL) return false;
    print_record(file, record);
    bool written = fflush(file) == 0 && fsync(fileno(file)) == 0;
    if (fclose(file) != 0) written = false;
    if (written && rename(beside, path) == 0) return true;
    int reason = errno;
    unlink(beside);
    errno = reason;
    return false;
}
