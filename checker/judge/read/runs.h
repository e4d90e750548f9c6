/*
 * runs.h: one check, read from its directory: how the program was compiled, and each of its runs
 * with the way it ended, what it printed and what the device saw. What is wrong with the directory
 * itself, not with the student's program, is gathered as troubles: with any of them the verdict
 * is "could not check".
 */
#ifndef WARPUP_RUNS_H
#define WARPUP_RUNS_H

#include "judge/oracle/oracle.h"
#include "judge/read/printed.h"
#include "judge/read/arena.h"
#include "judge/read/trace_read.h"

#include <stdint.h>

enum device { DEVICE_SIM, DEVICE_REAL };

struct compile {
    enum device device;
    int exit;
    const char *log; /* what the compiler said; "" when nothing */
};

/* The timed kernels of a run: timer.h. */
struct timed {
    double start, end;    /* of the first one and of the last one, ns; 0 when none ran */
    double last_start;    /* of the last one */
    double pauses;        /* ns between two of them that the timer left out */
    uint64_t first, last; /* the smallest and the largest number of their launches */
};

enum { MAKERS_MAX = 4 };

struct run {
    const char *dir, *path; /* its directory's name in messages, and where it is */
    enum device device;
    bool speed;      /* its time counts; every run's result counts */
    bool may_refuse; /* of arguments that the program may refuse */
    int argc;
    char **argv;
    const char *arguments; /* argv in one text: "1000" */
    struct oracle_problem problem;

    bool died; /* it crashed, was stopped or returned other than 0 */
    int exit, signal;
    bool timed_out;
    double seconds;
    bool truncated;        /* it printed more than was kept */
    bool silent;           /* it printed nothing */
    const char *complaint; /* first line of its stderr; "" when none */
    struct printed printed;
    struct trace trace;
    bool traced;                 /* false: there is no trace.jsonl */
    uint64_t makers[MAKERS_MAX]; /* the last launches that wrote an array that holds the right
                                    result; none where that is not known */
    size_t maker_count;
    struct timed timed;
};

/* A rate: what this GPU can do, or what the program did. */
struct rate {
    double value;           /* NAN when not known */
    const char *unit, *how; /* "GB/s", "Gflop/s"; "measured", "modelled" */
};

struct check {
    struct arena *arena;
    const char *directory;
    uint64_t seed;
    struct compile *compiles;
    size_t compile_count;
    struct run *runs; /* those that count */
    size_t run_count;
    struct run *probes; /* runs that only provenance.h looks at */
    size_t probe_count;
    struct rate measured_limit; /* of the real GPU */
    const char **notes;
    size_t note_count;
    bool sealed; /* traces bear a seal, made with this key */
    uint64_t key[2];
    const char
        *incomplete; /* why a trace is not the whole one that its writer wrote; NULL when all are */
    const char *troubles[8];
    size_t trouble_count;
    /* What the simulated GPU does not know, so that its runs were set aside; NULL when nothing. */
    const char *unknown, *unknown_file;
    int unknown_line;
    struct {
        const char *name, *profile; /* profile is NULL for a real GPU */
        bool simulated;
    } devices[2];
    size_t device_count;
};

/* Reads CHECKDIR. `seed` replaces the one in check.json unless it is UINT64_MAX. */
void check_load(struct check *check, struct arena *arena, const char *directory, uint64_t seed);

/* Adds a trouble; those beyond the eighth are dropped. */
void check_trouble(struct check *check, const char *sentence);

/* True when a run ended by itself, with an exit code and a word why, and launched nothing: it
 * refused its arguments. */
bool run_refused(const struct run *run);

/* True when the device saw a fault in it. A leak is none: it changes no result. */
bool run_saw_fault(const struct run *run);

/* True when a kernel ended in an error, after which no call does anything. */
bool run_was_aborted(const struct run *run);

/* The last launch of a run; NULL when there is none. */
const struct record *run_last_launch(const struct run *run);

/* The runs whose time counts: those of the last speed size on the real GPU where there is one,
 * else on the simulated; without speed runs, the last run that may not refuse. Walk: r = NULL
 * first, NULL at the end.
 */
const struct run *check_next_timed(const struct check *check, const struct run *r);

/* The run that the simulated GPU's counts are taken from: its last speed run, else its last that
 * may not refuse. NULL when there is none. */
const struct run *check_counted(const struct check *check);

bool check_has(const struct check *check, enum device device);

#endif
