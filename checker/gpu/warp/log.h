/*
 * log.h: what blocks do in the order of blocks though they run at the same time: printing, and
 * additions of floats whose result nobody uses. Each group of blocks keeps its own; they are done
 * when all groups before it have ended.
 */
#ifndef WARPUP_LOG_H
#define WARPUP_LOG_H

#include "gpu/warp/warp.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An atomic operation on a word of memory. */
struct operation {
    uint8_t kind; /* M_add, M_cas … */
    uint8_t type; /* enum ptx_type */
    uint8_t bytes;
};

/* Does the operation on a word that others may use at the same time (operations.c). Returns the
 * old value. */
uint64_t operation_do(const struct operation *operation, void *at, uint64_t value,
                      uint64_t compare);

struct reduction {
    uint64_t address, value;
    struct operation operation;
};

struct log {
    char *text;
    size_t length, text_room;
    struct reduction *reductions;
    size_t count, room;
    bool keeps;           /* reductions: blocks run in parallel */
    uint64_t first, last; /* addresses of its reductions; first > last: none */
    uint64_t *words;      /* a hash table of their words */
    size_t words_room;
    uint64_t number; /* of the group */
    struct log *next;
};

/* The logs of a launch. */
struct commits;

struct log *log_make(bool keeps);
void log_print(struct log *log, const char *text, size_t bytes);
void log_reduction(struct log *log, const struct operation *operation, uint64_t address,
                   uint64_t value);
/* Does one of these lanes access a word that a reduction of the log is to change? */
bool log_touches(const struct log *log, const uint64_t *address, uint32_t mask, uint32_t bytes);

struct commits *commits_make(void);
/* The group with this number has ended: each number comes once, in any order. The log is empty
 * afterwards. */
void commits_end(struct commits *commits, uint64_t number, struct log *log);
/* Prints what was printed; or forgets it. */
void commits_print(struct commits *commits);
void commits_free(struct commits *commits);
void log_free(struct log *log);

#endif
