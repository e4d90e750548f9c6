/*
 * runs.h: one check, read from its directory: how the program was compiled, and for each run how it
 * ended, what it printed and what the device saw. Errors of the directory itself, for which the
 * student's program is not responsible, become internal_errors. With any internal_error, the
 * verdict is "could not check".
 */
#ifndef WARPUP_RUNS_H
#define WARPUP_RUNS_H

#include "judge/oracle/oracle.h"
#include "judge/read/printed.h"
#include "judge/read/arena.h"
#include "judge/read/trace_read.h"

#include <jansson.h>
#include <stdint.h>

enum device { DEVICE_SIM, DEVICE_REAL };

struct compile {
    enum device device;
    int exit;
    const char *log; /* what the compiler said; "" when nothing */
};

/* The timed kernels of a run: timer.h. */
struct timed {
    double start, end;    /* start of the first one and end of the last one, ns; 0 when none ran */
    double last_start;    /* of the last one */
    double ns;            /* that they took, without the pauses that the timer left out */
    uint64_t first, last; /* the smallest and the largest number of their launches */
    bool chosen;          /* else all kernels are taken */
};

/* The launches that wrote an array that came to the host. */
struct maker {
    uint64_t last;          /* the last one that wrote any of it */
    struct writer *writers; /* all, and how many bytes of it each wrote last; NULL: not known */
    size_t count;
    double copied; /* when the last copy began that brought it, ns */
};
enum { MAKERS_MAX = 4 };

struct run {
    const char *dir, *path; /* its directory's name in messages, and its path */
    enum device device;
    bool speed;        /* its time counts; every run's result counts */
    bool second_shape; /* the same, at the timed size of the second shape: its rate is a measure of
                          its own */
    bool may_refuse;   /* a run with arguments that the program may refuse */
    bool perturbed;    /* numbers of the inputs are perturbed in it */
    int argc;
    char **argv;
    const char *arguments; /* argv in one text: "1000" */
    struct oracle_problem problem;

    bool died; /* it crashed, was stopped or did not return 0 */
    int exit, signal;
    bool timed_out;
    double seconds, processor_seconds;
    bool truncated;        /* it printed more than was kept */
    bool silent;           /* it printed nothing */
    const char *complaint; /* first line of its stderr; "" when none */
    struct printed printed;
    struct trace trace;
    bool traced;                     /* false when there is no trace.jsonl */
    struct maker makers[MAKERS_MAX]; /* of each array with the right result, or with a part of it;
                                        none if that is not known */
    size_t maker_count;
    struct timed timed;
    const struct record *job; /* faults from here on are the whole job's; NULL: it has none */
};

/* A rate: what this GPU can do, or what the program did. */
struct rate {
    double value;           /* NAN when not known */
    const char *unit, *how; /* "GB/s", "Gflop/s"; "measured", "modelled" */
};

struct check {
    struct arena *arena;
    const char *directory;
    const char *source; /* the student's file; NULL before the end of a check */
    uint64_t seed;
    struct compile *compiles;
    size_t compile_count;
    struct run *runs; /* those that count */
    size_t run_count;
    struct run *perturbed_runs; /* perturbed runs: only provenance.h looks at them */
    size_t perturbed_run_count;
    struct rate measured_limit; /* of the real GPU */
    struct rate measured_bus;   /* of each direction of its bus, while both are busy */
    const char **notes;
    size_t note_count;
    bool keyed; /* traces have a checksum, made with this key */
    uint64_t key[2];
    const char *incomplete; /* why a trace is not complete; NULL when all are */
    const char *internal_errors[8];
    size_t internal_error_count;
    /* The name that the simulated GPU does not know, or NULL. If it is set, the simulated GPU's
     * runs do not count. */
    const char *unknown, *unknown_file;
    int unknown_line;
    struct {
        const char *name, *profile; /* profile is NULL for a real GPU */
        bool simulated;
    } devices[2];
    size_t device_count;
};

/* A run that has ended, read alone: the check with this run and with what is wrong with its files.
 */
struct ended {
    struct check check;
};

/* Reads a run from the directory of its check; `record` is its entry in check.json. */
struct ended *ended_read(struct arena *arena, const char *directory, uint64_t seed,
                         const char *key_text, const json_t *record);

/* Reads CHECKDIR. `seed` replaces the one in check.json unless it is UINT64_MAX. `records`, an
 * object like the one in check.json, replaces that file unless it is NULL. Runs that are among
 * `ended` are not read again. */
void check_load(struct check *check, struct arena *arena, const char *directory, uint64_t seed,
                json_t *records, const struct ended *const *ended, size_t ended_count);

/* Adds an internal error. After the eighth, further ones are dropped. */
void check_internal_error(struct check *check, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* From here on, all elements of a timed run's result are compared, as they are of other runs: where
 * a sample of them is wrong, the others show why. */
void run_compare_whole(struct run *run);

/* True for a kernel that is one of the timed ones. */
static inline bool run_times(const struct run *run, const struct record *kernel)
{
    return kernel->start >= run->timed.start && kernel->start <= run->timed.last_start;
}

/* A loop over the runs whose time counts: those of the last speed size, on the real GPU if there is
 * one, else on the simulated GPU. Without speed runs, it is the last run that may not refuse. Begin
 * with NULL; NULL is also the end.
 */
const struct run *check_next_timed(const struct check *check, const struct run *r);

/* The run that provides the simulated GPU's counts: its last speed run, else its last run that may
 * not refuse. NULL when there is none. */
const struct run *check_counted(const struct check *check);

bool check_has(const struct check *check, enum device device);

/* The check as it would be with the timed size of the second shape alone. `indices` gets, for each
 * of its runs, its place among those of the whole check. */
struct check check_at_second_shape(const struct check *check, size_t **indices);

#endif
