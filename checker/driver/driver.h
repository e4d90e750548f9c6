/*
 * driver.h: what the parts of a check share: what it was asked for, its directory, and how it ends
 * when it cannot go on.
 */
#ifndef WARPUP_DRIVER_H
#define WARPUP_DRIVER_H

#include "judge/read/arena.h"

#include <stdbool.h>
#include <stdint.h>

enum { FLAGS_MAX = 16 };

/* The options of this program: bin/check has found them out. */
struct request {
    const char *exercise;              /* its folder; `name` is the folder's own name */
    const char *name;                  /* the folder's own name */
    const char *source_dir;            /* the folder of the student's file */
    const char *source;                /* the name of the student's file */
    const char *shown;                 /* the student's file as editors find it */
    const char *format;                /* pretty, json, ... */
    const char *checker, *build;       /* the lab's folders */
    const char *note;                  /* for the verdict, or NULL: why a GPU is not used */
    const char *next;                  /* the exercise after this one, or "" */
    bool own;                          /* the exercise's own file: the verdict is kept */
    const char *nvcc;                  /* NULL: no real GPU */
    const char *nvcc_flags[FLAGS_MAX]; /* those that make code for this GPU alone, quickly */
    int nvcc_flag_count;
    uint64_t seed;
    const char *seed_text;
    double seconds; /* of processor time, that a run may take */
};

extern struct request request;
extern struct arena arena;    /* of the whole check */
extern const char *directory; /* of this check, removed at its end */

/* From now on, SIGINT, SIGTERM and SIGHUP end the check in order. */
void watch_signals(void);

/* Ends the check: one line on stderr, exit code 2. */
_Noreturn void cannot(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Ends the check if a signal asked for it. */
void stop_if_interrupted(void);

/* Shows on a terminal what happens, in a line that the next one replaces; "" erases it. */
void doing(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A path in the check's directory. */
#define in_directory(...)                                                                          \
    arena_format(&arena, "%s/%s", directory, arena_format(&arena, __VA_ARGS__))

#endif
