/*
 * record.h: what the lab remembers of one exercise: the file EXERCISE/progress.tsv.
 */
#ifndef WARPUP_RECORD_H
#define WARPUP_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RUNGS_MAX = 50, RATES_MAX = 20, TEXT_MAX = 300, UNIT_MAX = 16 };

/* The best rate on one device. `how` is measured or modelled; the two are never compared. */
struct rate {
    char how[UNIT_MAX], unit[UNIT_MAX], device[TEXT_MAX];
    double value, share; /* of the limit; 0 if it is not known */
};

struct record {
    int rung, rungs, required; /* of the latest check */
    int perhaps;               /* the rung that a GPU may show to be reached; 0 if there is none */
    int64_t checked;           /* when that was, in seconds since 1970; 0 if there was none */
    uint64_t source;           /* a sum of the program that it checked */
    int attempts;              /* different programs checked since a new rung was reached */
    char open[TEXT_MAX];       /* the first criterion that failed, and what to do next; */
    char next[TEXT_MAX];       /* "" if nothing is left to do */
    int64_t
        reached[RUNGS_MAX + 1]; /* when a rung was first reached (rung 0: the first check); or 0 */
    struct rate rates[RATES_MAX];
    size_t rate_count;
    double guess[RUNGS_MAX + 1];   /* what the student expects of a rung (predict.h); or 0 */
    struct rate at[RUNGS_MAX + 1]; /* the best rate of a program that stood on this rung */
};

/* The highest rung that was ever reached. */
int highest_rung(const struct record *record);

enum reading { WHOLE, DAMAGED, ABSENT, UNREADABLE };

/* Reads a file. Of a damaged one, *record gets what can be read. errno says why it is UNREADABLE.
 */
enum reading read_record(const char *path, struct record *record);

/* Writes a file beside `path`, and then gives it this name. Returns false and sets errno if that
 * was not possible; the old file is then still there. */
bool write_record(const char *path, const struct record *record);

#endif
