/* log.c: see log.h. */
#include "gpu/warp/log.h"

#include "gpu/warp/control.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

void (*warp_print)(const char *text, size_t bytes);

struct commits {
    pthread_mutex_t lock;
    uint64_t next;       /* all before it are done */
    struct log *waiting; /* in the order of their numbers */
    struct log *spare;
    struct log printed; /* all text */
};

/* ---- a log ---------------------------------------------------------------------------------- */

static void empty(struct log *log)
{
    if (log->words_room > 0 && log->count > 0)
        memset(log->words, 0, log->words_room * sizeof *log->words);
    log->length = log->count = 0;
    log->first = UINT64_MAX;
    log->last = 0;
}

struct log *log_make(bool keeps)
{
    struct log *log = obtain(1, sizeof *log);
    log->keeps = keeps;
    empty(log);
    return log;
}

void log_free(struct log *log)
{
    if (log == NULL) return;
    free(log->text);
    free(log->reductions);
    free(log->words);
    free(log);
}

void log_print(struct log *log, const char *text, size_t bytes)
{
    while (log->length + bytes > log->text_room)
        log->text = obtain_more(log->text, &log->text_room, 256, 1);
    memcpy(log->text + log->length, text, bytes);
    log->length += bytes;
}

static size_t slot_of(const struct log *log, uint64_t word)
{
    size_t at = (size_t)(word * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (log->words_room - 1);
    while (log->words[at] != 0 && log->words[at] != word)
        at = (at + 1) & (log->words_room - 1);
    return at;
}

static void grow_words(struct log *log)
{
    free(log->words);
    log->words_room = log->words_room > 0 ? 2 * log->words_room : 64;
    log->words = obtain(log->words_room, sizeof *log->words);
    for (size_t i = 0; i < log->count; i++) {
        uint64_t word = log->reductions[i].address / 8;
        log->words[slot_of(log, word)] = word;
    }
}

void log_reduction(struct log *log, const struct operation *operation, uint64_t address,
                   uint64_t value)
{
    if (log->count == log->room)
        log->reductions = obtain_more(log->reductions, &log->room, 64, sizeof *log->reductions);
    log->reductions[log->count++] = (struct reduction){address, value, *operation};
    if (2 * log->count > log->words_room) grow_words(log);
    log->words[slot_of(log, address / 8)] = address / 8;
    if (address < log->first) log->first = address;
    if (address > log->last) log->last = address;
}

bool log_touches(const struct log *log, const uint64_t *address, uint32_t mask, uint32_t bytes)
{
    EACH_LANE (lane, mask) {
        uint64_t from = address[lane], to = from + bytes - 1;
        if (to < log->first || from > log->last + 7) continue;
        for (uint64_t word = from / 8; word <= to / 8; word++)
            if (log->words[slot_of(log, word)] == word) return true;
    }
    return false;
}

/* ---- the logs of a launch ------------------------------------------------------------------- */

struct commits *commits_make(void)
{
    struct commits *commits = obtain(1, sizeof *commits);
    pthread_mutex_init(&commits->lock, NULL);
    return commits;
}

static void do_log(struct commits *commits, struct log *log)
{
    for (size_t i = 0; i < log->count; i++) {
        const struct reduction *one = &log->reductions[i];
        operation_do(&one->operation, (void *)(uintptr_t)one->address, one->value, 0);
    }
    if (log->length > 0) log_print(&commits->printed, log->text, log->length);
    empty(log);
}

/* Keeps a log until its turn comes: its contents move to another one. */
static void keep(struct commits *commits, uint64_t number, struct log *log)
{
    struct log *kept = commits->spare;
    if (kept != NULL)
        commits->spare = kept->next;
    else
        kept = log_make(log->keeps);
    struct log moved = *log;
    *log = *kept;
    *kept = moved;
    kept->number = number;
    struct log **at = &commits->waiting;
    while (*at != NULL && (*at)->number < number)
        at = &(*at)->next;
    kept->next = *at;
    *at = kept;
}

void commits_end(struct commits *commits, uint64_t number, struct log *log)
{
    pthread_mutex_lock(&commits->lock);
    if (number != commits->next) {
        keep(commits, number, log);
    } else {
        do_log(commits, log);
        commits->next++;
        while (commits->waiting != NULL && commits->waiting->number == commits->next) {
            struct log *one = commits->waiting;
            commits->waiting = one->next;
            do_log(commits, one);
            commits->next++;
            one->next = commits->spare;
            commits->spare = one;
        }
    }
    pthread_mutex_unlock(&commits->lock);
}

void commits_print(struct commits *commits)
{
    if (commits->printed.length > 0 && warp_print != NULL)
        warp_print(commits->printed.text, commits->printed.length);
}

static void free_list(struct log *log)
{
    while (log != NULL) {
        struct log *next = log->next;
        log_free(log);
        log = next;
    }
}

void commits_free(struct commits *commits)
{
    free_list(commits->waiting);
    free_list(commits->spare);
    free(commits->printed.text);
    pthread_mutex_destroy(&commits->lock);
    free(commits);
}
