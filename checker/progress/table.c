/*
 * table.c: what the lab remembers of all exercises, 80 columns wide. Measured and modelled rates
 * have lines of their own.
 */
#define _POSIX_C_SOURCE 200809L
#include "progress/table.h"

#include "progress/record.h"
#include "show/pretty.h"
#include "show/print.h"
#include "show/words.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { NAME_COLUMNS = 16, LINE_MAX_BYTES = 4000 };

struct exercise {
    const char *folder;
    enum reading reading;
    int reason; /* errno, if the record is unreadable */
    struct record record;
};

static bool is_checked(const struct exercise *exercise)
{
    return exercise->record.checked != 0;
}

/* An exercise stays complete, whatever becomes of the program. */
static bool is_complete(const struct exercise *exercise)
{
    return is_checked(exercise) && highest_rung(&exercise->record) >= exercise->record.required;
}

/* Complete, or only a GPU can tell: then the next exercise is open. */
static bool is_perhaps_complete(const struct exercise *exercise)
{
    const struct record *record = &exercise->record;
    return is_complete(exercise) || (is_checked(exercise) && record->perhaps >= record->required);
}

/* Something is left to climb, bonus rungs too. */
static bool is_open(const struct exercise *exercise)
{
    return !is_checked(exercise) || highest_rung(&exercise->record) < exercise->record.rungs;
}

static struct exercise *read_all(int count, char *folders[])
{
    struct exercise *exercises = calloc((size_t)count, sizeof *exercises);
    char path[PATH_MAX];
    for (int i = 0; exercises != NULL && i < count; i++) {
        exercises[i].folder = folders[i];
        snprintf(path, sizeof path, "%s/progress.tsv", folders[i]);
        exercises[i].reading = read_record(path, &exercises[i].record);
        exercises[i].reason = errno;
    }
    return exercises;
}

/* The exercise to go on with. Of those with a rung that are not complete, it is the one with the
 * latest new program. If there is none, it is the first one that is not complete, and then the
 * first one with a bonus rung left. NULL if nothing is left. */
static const struct exercise *next_of(const struct exercise *exercises, int count)
{
    const struct exercise *latest = NULL, *first = NULL, *bonus = NULL;
    for (int i = 0; i < count; i++) {
        const struct exercise *exercise = &exercises[i];
        if (exercise->reading == UNREADABLE) continue;
        if (bonus == NULL && is_open(exercise)) bonus = exercise;
        if (is_perhaps_complete(exercise)) continue;
        if (first == NULL) first = exercise;
        if (highest_rung(&exercise->record) > 0 &&
            (latest == NULL || exercise->record.checked > latest->record.checked))
            latest = exercise;
    }
    return latest != NULL ? latest : first != NULL ? first : bonus;
}

static const char *base(const char *folder)
{
    const char *slash = strrchr(folder, '/');
    return slash != NULL ? slash + 1 : folder;
}

/* The minute of a time, as this place's clocks show it. */
static void write_time(FILE *to, int64_t when)
{
    char text[40] = "an unknown time";
    time_t seconds = (time_t)when;
    struct tm parts;
    if (localtime_r(&seconds, &parts) != NULL) strftime(text, sizeof text, "%F %H:%M", &parts);
    fputs(text, to);
}

/* Writes "rung 1 on DATE TIME, rungs 2 to 3 on ...". */
static void write_times(FILE *to, const struct record *record)
{
    const char *comma = "";
    int last, highest = highest_rung(record);
    for (int rung = 1; rung <= highest; rung = last + 1) {
        last = rung;
        while (last < highest && record->reached[last + 1] == record->reached[rung])
            last++;
        if (record->reached[rung] == 0) continue;
        fprintf(to, last > rung ? "%srungs %d to %d on " : "%srung %d on ", comma, rung, last);
        write_time(to, record->reached[rung]);
        comma = ", ";
    }
}

static void show_times(const struct view *view, const struct record *record)
{
    char text[LINE_MAX_BYTES] = "";
    FILE *to = fmemopen(text, sizeof text - 1, "w");
    if (to == NULL) return;
    write_times(to, record);
    fclose(to);
    if (text[0] != '\0') put_wrapped(view, 4, "    ", text);
}

static void show_rate(const struct view *view, const struct rate *rate)
{
    char text[LINE_MAX_BYTES], share[40] = "";
    if (rate->share > 0)
        snprintf(share, sizeof share, ", %s %% of the limit", figure(100 * rate->share));
    snprintf(text, sizeof text, "    best %s: %s %s%s, ", rate->how, figure(rate->value),
             rate->unit, share);
    int wide = put(view, text, WIDTH);
    if (strcmp(rate->how, "measured") == 0)
        put(view, rate->device, WIDTH - wide);
    else
        put_profile(view, rate->device), fputs(" profile", stdout);
    putchar('\n');
}

/* The highest rung, that of the latest program if it is lower, and the attempts since. */
static void show_standing(const struct view *view, const struct exercise *exercise)
{
    const struct record *record = &exercise->record;
    int highest = highest_rung(record);
    const char *comma = "   ";
    put_rung(view, highest, record->perhaps, record->rungs);
    if (is_complete(exercise)) printf("%scomplete", comma), comma = ", ";
    if (record->perhaps > highest)
        printf("%sperhaps rung %d: a GPU can tell", comma, record->perhaps), comma = ", ";
    if (record->rung < highest) printf("%snow rung %d", comma, record->rung), comma = ", ";
    if (record->attempts > 0)
        printf("%s%d attempt%s%s", comma, record->attempts, record->attempts == 1 ? "" : "s",
               highest > 0 ? " since then" : "");
    putchar('\n');
}

static void show_exercise(const struct view *view, const struct exercise *exercise)
{
    const struct record *record = &exercise->record;
    int wide = put(view, base(exercise->folder), INT_MAX);
    printf("%*s", wide < NAME_COLUMNS ? NAME_COLUMNS - wide : 1, "");
    if (exercise->reading == UNREADABLE) {
        printf("progress.tsv cannot be read: %s\n", strerror(exercise->reason));
        return;
    }
    if (is_checked(exercise))
        show_standing(view, exercise);
    else
        printf("not checked yet\n");
    if (exercise->reading == DAMAGED)
        printf("    progress.tsv is damaged: this is what can be read of it\n");
    if (!is_checked(exercise)) return;
    show_times(view, record);
    for (size_t i = 0; i < record->rate_count; i++)
        show_rate(view, &record->rates[i]);
}

/* Which exercise and rung is next, what it asks for, and the command that checks it. */
static void show_next(const struct view *view, const struct exercise *exercise)
{
    if (exercise == NULL) {
        printf("next: nothing, every rung of every exercise is reached\n");
        return;
    }
    const struct record *record = &exercise->record;
    fputs("next: ", stdout);
    put(view, base(exercise->folder), INT_MAX);
    if (is_checked(exercise)) {
        printf(", %srung %d", record->rung + 1 > record->required ? "bonus " : "",
               record->rung + 1);
        if (record->open[0] != '\0') printf(": ");
        put(view, record->open, WIDTH);
        putchar('\n');
        if (record->next[0] != '\0') put_wrapped(view, 6, "      ", record->next);
    } else {
        fputs(", which is not checked yet\n", stdout);
    }
    fputs("      in ", stdout);
    put(view, base(exercise->folder), INT_MAX);
    fputs(": make check\n", stdout);
}

void show_progress(const struct view *view, int count, char *folders[])
{
    struct exercise *exercises = read_all(count, folders);
    if (exercises == NULL) return;
    for (int i = 0; i < count; i++)
        show_exercise(view, &exercises[i]);
    putchar('\n');
    show_next(view, next_of(exercises, count));
    free(exercises);
}

void show_what_is_next(const struct view *view, int count, char *folders[])
{
    struct exercise *exercises = read_all(count, folders);
    if (exercises == NULL) return;
    show_next(view, next_of(exercises, count));
    free(exercises);
}
