/* runs.c: reads check.json, and for each run in it run.json, stdout, stderr and the trace. */
#include "judge/read/runs.h"
#include "judge/read/json_read.h"
#include "trace/mac.h"
#include "judge/read/integrity.h"

#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Multiply-adds that comparing one array may take: about half a second on one core, and a hundredth
 * of that at the timed size, which is compared after smaller ones have been right. */
static const double WORK_MAX = 1e8, WORK_OF_TIMED_MAX = 1e6;

enum {
    JSON_BYTES_MAX = 1 << 20,   /* of check.json and run.json, which the lab writes */
    OUTPUT_BYTES_MAX = 4 << 20, /* of stdout and stderr: the runner keeps fewer */
    RUNS_MAX = 1000,            /* runs, compilations, notes and arguments of a check: */
    COMPILES_MAX = 8,           /* far more than any check has */
    NOTES_MAX = 100,
    ARGUMENTS_MAX = 64,
    CODES = 256, /* exit codes and signals are below */
};

void check_internal_error(struct check *check, const char *format, ...)
{
    va_list arguments;
    if (check->internal_error_count ==
        sizeof check->internal_errors / sizeof check->internal_errors[0])
        return;
    va_start(arguments, format);
    check->internal_errors[check->internal_error_count++] =
        arena_format_list(check->arena, format, arguments);
    va_end(arguments);
}

/* Reads a file that is one JSON object; whole numbers become doubles. Returns NULL, with a
 * internal_error, when it is none. */
static json_t *load_object(struct check *check, const char *path, const char *name)
{
    char *text;
    size_t length;
    const char *why = arena_read(check->arena, path, JSON_BYTES_MAX, &text, &length);
    if (why != NULL) {
        check_internal_error(check, "%s %s", name, why);
        return NULL;
    }
    arena_make_utf8(text, length);
    json_error_t error;
    json_t *object = json_loadb(text, length, JSON_DECODE_INT_AS_REAL, &error);
    if (json_is_object(object)) return object;
    int line = object == NULL ? error.line : 1;
    json_decref(object);
    check_internal_error(check, "%s:%d: not a JSON object", name, line);
    return NULL;
}

static void add_field_error(struct check *check, const char *name, const struct json_read *fields)
{
    if (fields->error != NULL) check_internal_error(check, "%s: %s", name, fields->error);
}

/* How many elements of a list count. */
static size_t size_of(const json_t *list, size_t most)
{
    return json_array_size(list) < most ? json_array_size(list) : most;
}

/* A file of the program's output; "" when there is none. */
static const char *load_output(struct check *check, const char *directory, const char *name)
{
    char *text;
    size_t length;
    const char *path = arena_format(check->arena, "%s/%s", directory, name);
    if (arena_read(check->arena, path, OUTPUT_BYTES_MAX, &text, &length) != NULL) return "";
    arena_make_plain(text, length);
    return text;
}

/* A name in check.json must be that of something in the check's own directory. */
static bool plain_name(const char *name)
{
    return name[0] != '\0' && name[0] != '.' && strchr(name, '/') == NULL;
}

static enum device device_of(struct json_read *fields)
{
    const char *device = json_read_text(fields, "device", "");
    if (strcmp(device, "sim") == 0) return DEVICE_SIM;
    if (strcmp(device, "real") != 0 && fields->error == NULL)
        fields->error = "`device` is neither sim nor real";
    return DEVICE_REAL;
}

static void load_compile(struct check *check, const json_t *object, struct compile *compile)
{
    struct json_read fields = {.arena = check->arena, .object = object};
    compile->device = device_of(&fields);
    uint64_t code = json_read_count(&fields, "exit", 127);
    compile->exit = code < CODES ? (int)code : CODES - 1;
    const char *log = json_read_text(&fields, "log", "");
    compile->log = plain_name(log) ? load_output(check, check->directory, log) : "";
    add_field_error(check, "check.json: compile", &fields);
}

static void load_end(struct check *check, struct run *run)
{
    const char *name = arena_format(check->arena, "%s/run.json", run->dir);
    json_t *object = load_object(check, arena_format(check->arena, "%s/run.json", run->path), name);
    if (object == NULL) return;
    struct json_read fields = {.arena = check->arena, .object = object};
    uint64_t code = json_read_count(&fields, "exit", CODES);
    uint64_t number = json_read_count(&fields, "signal", 0);
    const char *internal_error = json_read_text(&fields, "internal_error", NULL);
    run->exit = code < CODES ? (int)code : -1;
    run->signal = number < CODES ? (int)number : CODES - 1;
    run->timed_out = json_read_flag(&fields, "timed_out", false);
    run->processor_seconds = json_read_number(&fields, "processor_seconds", 0);
    run->seconds = json_read_number(&fields, "seconds", 0);
    run->truncated = json_read_flag(&fields, "stdout_truncated", false);
    run->died = run->timed_out || run->exit != 0;
    if (run->exit < 0 && run->signal == 0 && !run->timed_out && internal_error == NULL)
        internal_error = "it has neither an exit code nor a signal";
    if (internal_error != NULL) check_internal_error(check, "%s: %s", name, internal_error);
    add_field_error(check, name, &fields);
    json_decref(object);
}

/* The line of stderr in which the simulated GPU or the tracer reports what it could not do; NULL
 * when there is none. */
static const char *lab_complaint(struct check *check, const char *text)
{
    static const char mark[] = "warp-up: ";
    for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, mark, strlen(mark)) != 0) continue;
        line += strlen(mark);
        return arena_copy(check->arena, line, strcspn(line, "\n"));
    }
    return NULL;
}

static void load_trace(struct check *check, struct run *run)
{
    const char *path = arena_format(check->arena, "%s/trace.jsonl", run->path);
    const char *name = arena_format(check->arena, "%s/trace.jsonl", run->dir);
    const char *wrong = trace_read(check->arena, path, name, run->died, &run->trace);
    run->traced = run->trace.device != NULL;
    const char *incomplete = NULL;
    if (check->keyed && !run->died && (run->traced || strstr(wrong, "is missing") == NULL))
        incomplete = integrity_check(check->arena, run, check->key);
    if (incomplete != NULL && check->incomplete == NULL) check->incomplete = incomplete;
    if (wrong == NULL) wrong = incomplete;
    if (wrong != NULL && (run->traced || strstr(wrong, "is missing") == NULL))
        check_internal_error(check, "%s", wrong);
    else if (run->traced && run->trace.simulated != (run->device == DEVICE_SIM))
        check_internal_error(check, "%s:1: this trace is from another device", name);
}

static void load_arguments(struct check *check, const json_t *list, struct run *run)
{
    const char *all = "";
    run->argc = (int)size_of(list, ARGUMENTS_MAX);
    run->argv = arena_alloc(check->arena, ((size_t)run->argc + 1) * sizeof *run->argv);
    for (int i = 0; i < run->argc; i++) {
        const json_t *value = json_array_get(list, (size_t)i);
        run->argv[i] =
            arena_copy(check->arena, json_is_string(value) ? json_string_value(value) : "",
                       json_string_length(value));
        all = arena_format(check->arena, "%s%s%s", all, i > 0 ? " " : "", run->argv[i]);
    }
    run->arguments = all;
}

static void load_run(struct check *check, const json_t *object, struct run *run)
{
    struct json_read fields = {.arena = check->arena, .object = object};
    run->dir = json_read_text(&fields, "dir", "");
    run->path = arena_format(check->arena, "%s/%s", check->directory, run->dir);
    run->device = device_of(&fields);
    const char *purpose = json_read_text(&fields, "purpose", "");
    run->speed = strcmp(purpose, "speed") == 0;
    run->second_shape = strcmp(purpose, "speed_second_shape") == 0;
    run->may_refuse = strcmp(purpose, "may_refuse") == 0;
    run->perturbed = strcmp(purpose, "perturbed") == 0;
    load_arguments(check, json_object_get(object, "arguments"), run);
    run->complaint = "";
    if (fields.error == NULL && !plain_name(run->dir)) fields.error = "`dir` is not a plain name";
    if (fields.error == NULL && !run->speed && !run->second_shape && !run->may_refuse &&
        !run->perturbed && strcmp(purpose, "right") != 0)
        fields.error =
            "`purpose` is none of right, may_refuse, speed, speed_second_shape, perturbed";
    add_field_error(check, "check.json: run", &fields);
    if (fields.error != NULL) return;

    run->problem = oracle_prepare(run->argc, run->argv, check->seed);
    run->problem.sample = (struct oracle_sample){
        .work = run->speed || run->second_shape ? WORK_OF_TIMED_MAX : WORK_MAX,
        .draw = check->key[0]};
    if (run->problem.elements == 0 || run->problem.elements > SIZE_MAX / 16)
        check_internal_error(check, "%s: `%s` are not valid arguments of this exercise", run->dir,
                             run->arguments);
    load_end(check, run);
    const char *output = load_output(check, run->path, "stdout");
    run->silent = output[strspn(output, " \t\n")] == '\0';
    run->printed = printed_parse(output, &run->problem);
    const char *complaint = load_output(check, run->path, "stderr");
    run->complaint = arena_copy(check->arena, complaint, strcspn(complaint, "\n"));
    load_trace(check, run);
    const char *lab = run->exit == 2 || !run->traced ? lab_complaint(check, complaint) : NULL;
    if (lab != NULL) check_internal_error(check, "%s: %s", run->dir, lab);
}

/* Takes what was read when the run ended; false if it was not. */
static bool take_ended(struct check *check, const struct ended *const *ended, size_t count,
                       const json_t *object, struct run *run)
{
    const char *dir = json_string_value(json_object_get(object, "dir"));
    for (size_t i = 0; i < count; i++) {
        const struct check *one = &ended[i]->check;
        if (dir == NULL || strcmp(one->runs[0].dir, dir) != 0) continue;
        *run = one->runs[0];
        for (size_t t = 0; t < one->internal_error_count; t++)
            check_internal_error(check, "%s", one->internal_errors[t]);
        if (check->incomplete == NULL) check->incomplete = one->incomplete;
        return true;
    }
    return false;
}

struct ended *ended_read(struct arena *arena, const char *directory, uint64_t seed,
                         const char *key_text, const json_t *record)
{
    struct ended *ended = arena_alloc(arena, sizeof *ended);
    struct check *check = &ended->check;
    *check = (struct check){.arena = arena, .directory = directory, .seed = seed, .run_count = 1};
    check->keyed = mac_key(key_text, check->key);
    check->runs = arena_alloc(arena, sizeof *check->runs);
    load_run(check, record, check->runs);
    return ended;
}

/* Moves perturbed runs to a list of their own: they show only where the result comes from. */
static void set_aside_perturbed(struct check *check)
{
    size_t kept = 0;
    check->perturbed_runs =
        arena_alloc(check->arena, check->run_count * sizeof *check->perturbed_runs);
    for (size_t i = 0; i < check->run_count; i++)
        if (check->runs[i].perturbed)
            check->perturbed_runs[check->perturbed_run_count++] = check->runs[i];
        else
            check->runs[kept++] = check->runs[i];
    check->run_count = kept;
}

static void load_limit(struct check *check, const json_t *entry, struct rate *limit)
{
    struct json_read outer = {.arena = check->arena, .object = entry};
    const char *name = json_read_text(&outer, "dir", "");
    limit->value = NAN;
    if (!plain_name(name)) return;
    json_t *object =
        load_object(check, arena_format(check->arena, "%s/%s", check->directory, name), name);
    if (object == NULL) return;
    struct json_read fields = {.arena = check->arena, .object = object};
    double value = json_read_number(&fields, "value", 0);
    if (value > 0)
        *limit = (struct rate){value, json_read_text(&fields, "unit", "GB/s"),
                               json_read_text(&fields, "how", "measured")};
    else if (fields.error == NULL)
        fields.error = "`value` is not above 0";
    add_field_error(check, name, &fields);
    json_decref(object);
}

static void load_lists(struct check *check, const json_t *object, const struct ended *const *ended,
                       size_t ended_count)
{
    const json_t *compiles = json_object_get(object, "compile");
    const json_t *runs = json_object_get(object, "runs");
    const json_t *notes = json_object_get(object, "notes");
    size_t note_count = size_of(notes, NOTES_MAX);
    check->compile_count = size_of(compiles, COMPILES_MAX);
    check->run_count = size_of(runs, RUNS_MAX);
    check->compiles = arena_alloc(check->arena, check->compile_count * sizeof *check->compiles);
    check->runs = arena_alloc(check->arena, check->run_count * sizeof *check->runs);
    check->notes = arena_alloc(check->arena, note_count * sizeof *check->notes);
    for (size_t i = 0; i < check->compile_count; i++)
        load_compile(check, json_array_get(compiles, i), &check->compiles[i]);
    for (size_t i = 0; i < check->run_count; i++)
        if (!take_ended(check, ended, ended_count, json_array_get(runs, i), &check->runs[i]))
            load_run(check, json_array_get(runs, i), &check->runs[i]);
    set_aside_perturbed(check);
    for (size_t i = 0; i < note_count; i++) {
        const json_t *note = json_array_get(notes, i);
        if (json_is_string(note))
            check->notes[check->note_count++] =
                arena_copy(check->arena, json_string_value(note), json_string_length(note));
    }
}

bool check_has(const struct check *check, enum device device)
{
    for (size_t i = 0; i < check->run_count; i++)
        if (check->runs[i].device == device) return true;
    return false;
}

static int compile_exit(const struct check *check, enum device device)
{
    for (size_t i = 0; i < check->compile_count; i++)
        if (check->compiles[i].device == device) return check->compiles[i].exit;
    return -1;
}

/* Splits `SOURCE:LINE: the simulated GPU does not know X` into the place and the X. */
static void note_unknown(struct check *check, const char *log)
{
    static const char phrase[] = "the simulated GPU does not know ";
    const char *what = strstr(log, phrase);
    if (what == NULL) {
        check->unknown = "a part of this program";
        return;
    }
    what += strlen(phrase);
    check->unknown = arena_copy(check->arena, what, strcspn(what, "\n"));
    const char *colon = strchr(log, ':');
    int line;
    if (colon == NULL || colon > what || sscanf(colon + 1, "%9d:", &line) != 1) return;
    check->unknown_file = arena_copy(check->arena, log, (size_t)(colon - log));
    check->unknown_line = line;
}

/* Finds out whether the program uses something that the simulated GPU does not know. Then its runs
 * do not count, and without a real GPU nothing can be checked. */
static void set_aside_simulation(struct check *check)
{
    int exit = compile_exit(check, DEVICE_SIM);
    for (size_t i = 0; i < check->compile_count; i++)
        if (check->compiles[i].device == DEVICE_SIM &&
            (exit == 2 || (exit == 1 && compile_exit(check, DEVICE_REAL) == 0)))
            note_unknown(check, check->compiles[i].log);
    for (size_t i = 0; i < check->run_count && check->unknown == NULL; i++) {
        if (check->runs[i].trace.count == 0 || check->runs[i].device != DEVICE_SIM) continue;
        const struct record *r = trace_first(&check->runs[i].trace, EVENT_UNKNOWN);
        if (r == NULL) continue;
        check->unknown = r->unknown.what;
        check->unknown_file = r->file;
        check->unknown_line = r->line;
    }
    if (check->unknown == NULL) return;
    check->perturbed_run_count = 0;
    size_t kept = 0;
    for (size_t i = 0; i < check->run_count; i++)
        if (check->runs[i].device == DEVICE_REAL) check->runs[kept++] = check->runs[i];
    check->run_count = kept;
    if (kept == 0 && compile_exit(check, DEVICE_REAL) <= 0)
        check_internal_error(
            check, "the simulated GPU does not know %s, and this machine has no GPU to check it on",
            check->unknown);
}

static void add_missing(struct check *check, const struct run *run)
{
    const char *sentence = arena_format(check->arena, "%s/trace.jsonl is missing", run->dir);
    if (check->keyed && check->incomplete == NULL) check->incomplete = sentence;
    check_internal_error(check, "%s", sentence);
}

/* A program that never calls CUDA leaves no trace on a real GPU. This is accepted when the
 * simulated GPU saw no launch either. Any other missing trace is an internal error. */
static void judge_missing_traces(struct check *check)
{
    bool launches = !check_has(check, DEVICE_SIM);
    for (size_t i = 0; i < check->run_count; i++)
        if (check->runs[i].device == DEVICE_SIM &&
            trace_first(&check->runs[i].trace, EVENT_LAUNCH) != NULL)
            launches = true;
    for (size_t i = 0; i < check->run_count; i++) {
        const struct run *run = &check->runs[i];
        if (!run->traced && !run->died && (run->device == DEVICE_SIM || launches))
            add_missing(check, run);
    }
}

static void note_devices(struct check *check)
{
    for (int device = DEVICE_SIM; device <= DEVICE_REAL; device++)
        for (size_t i = 0; i < check->run_count; i++) {
            const struct trace *trace = &check->runs[i].trace;
            if ((int)check->runs[i].device != device || trace->device == NULL) continue;
            check->devices[check->device_count].name = trace->device;
            check->devices[check->device_count].profile = trace->profile;
            check->devices[check->device_count++].simulated = trace->simulated;
            break;
        }
}

static bool failed_with(const struct run *run, uint64_t code)
{
    TRACE_EACH (&run->trace, EVENT_ERROR, r)
        if (r->error.code == code) return true;
    return false;
}

enum { NO_MEMORY = 2 }; /* cudaErrorMemoryAllocation */

/* True when other programs hold the memory of the GPU: this one got none although it asked for at
 * most half of it, or for none at all. The pinned memory of the host is counted too, which only
 * makes the answer more careful. */
static bool is_held_by_others(const struct run *run, const struct record *error)
{
    const double share = 0.5; /* nobody can have it all: the driver and the context need some */
    bool allocates = strstr(error->error.call, "Malloc") || strstr(error->error.call, "Alloc");
    if (run->trace.memory_bytes == 0 || (allocates && error->error.bytes == 0)) return false;
    double asked = (double)error->error.bytes;
    TRACE_EACH (&run->trace, EVENT_ALLOC, r)
        asked += (double)r->alloc.bytes;
    return asked <= share * (double)run->trace.memory_bytes;
}

/* True for errors that show that the GPU cannot be used: no program causes them. If there is too
 * little memory only on the real GPU, this is not the program's fault either. */
static bool is_of_machine(const struct check *check, const struct run *run,
                          const struct record *error)
{
    static const uint64_t codes[] = {
        3,             /* cudaErrorInitializationError */
        35,            /* cudaErrorInsufficientDriver */
        46,            /* cudaErrorDevicesUnavailable: another program has the GPU for itself */
        100,           /* cudaErrorNoDevice */
        209,           /* cudaErrorNoKernelImageForDevice: nvcc compiled for another GPU */
        214,           /* cudaErrorECCUncorrectable */
        222,           /* cudaErrorUnsupportedPtxVersion: the driver is older than nvcc */
        802, 803, 804, /* the driver is not ready, or does not match the system */
    };
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
        if (codes[i] == error->error.code) return true;
    if (error->error.code != NO_MEMORY) return false;
    if (!check_has(check, DEVICE_SIM)) return is_held_by_others(run, error);
    for (size_t i = 0; i < check->run_count; i++)
        if (check->runs[i].device == DEVICE_SIM && failed_with(&check->runs[i], NO_MEMORY))
            return false;
    return true;
}

/* A GPU that cannot be used says nothing about the program. */
static void judge_machine(struct check *check)
{
    for (size_t i = 0; i < check->run_count; i++) {
        const struct run *run = &check->runs[i];
        if (run->device != DEVICE_REAL) continue;
        TRACE_EACH (&run->trace, EVENT_ERROR, r) {
            if (!is_of_machine(check, run, r)) continue;
            check_internal_error(
                check, "the GPU could not be used: %.60s failed: %.200s (%.60s)", r->error.call,
                r->error.text != NULL ? r->error.text : "no reason given", r->error.name);
            return;
        }
    }
}

static void judge_compiles(struct check *check)
{
    if (check->compile_count == 0) check_internal_error(check, "check.json: nothing was compiled");
    bool compiled = check->compile_count > 0;
    for (size_t i = 0; i < check->compile_count; i++) {
        const struct compile *compile = &check->compiles[i];
        if (compile->exit > 2)
            check_internal_error(check, "the compiler for the %s failed: %.*s",
                                 compile->device == DEVICE_SIM ? "simulated GPU" : "GPU",
                                 (int)strcspn(compile->log, "\n"), compile->log);
        if (compile->exit != 0) compiled = false;
    }
    if (compiled && check->run_count == 0)
        check_internal_error(check, "check.json: there was no run");
}

void check_load(struct check *check, struct arena *arena, const char *directory, uint64_t seed,
                json_t *records, const struct ended *const *ended, size_t ended_count)
{
    *check = (struct check){.arena = arena, .directory = directory};
    check->measured_limit.value = check->measured_bus.value = NAN;
    const char *path = arena_format(arena, "%s/check.json", directory);
    json_t *object =
        records != NULL ? json_incref(records) : load_object(check, path, "check.json");
    if (object == NULL) return;
    struct json_read fields = {.arena = arena, .object = object};
    check->seed = seed != UINT64_MAX ? seed : json_read_count(&fields, "seed", 1);
    const char *internal_error = json_read_text(&fields, "internal_error", NULL);
    if (internal_error != NULL) check_internal_error(check, "%s", internal_error);
    check->keyed = mac_key(json_read_text(&fields, "key", NULL), check->key);
    add_field_error(check, "check.json", &fields);
    load_lists(check, object, ended, ended_count);
    load_limit(check, json_object_get(object, "limit"), &check->measured_limit);
    load_limit(check, json_object_get(object, "bus"), &check->measured_bus);
    json_decref(object);
    judge_compiles(check);
    note_devices(check);
    set_aside_simulation(check);
    judge_machine(check);
    judge_missing_traces(check);
}

void run_compare_whole(struct run *run)
{
    run->problem.sample.work = WORK_MAX;
}

/* The last speed run on a device, or the last run that may not refuse when there is none. */
static const struct run *last_run(const struct check *check, enum device device)
{
    const struct run *last = NULL;
    for (size_t i = 0; i < check->run_count; i++) {
        const struct run *run = &check->runs[i];
        if (run->device == device && !run->may_refuse && !run->second_shape &&
            (last == NULL || run->speed || !last->speed))
            last = run;
    }
    return last;
}

const struct run *check_counted(const struct check *check)
{
    return last_run(check, DEVICE_SIM);
}

const struct run *check_next_timed(const struct check *check, const struct run *r)
{
    const struct run *last =
        last_run(check, check_has(check, DEVICE_REAL) ? DEVICE_REAL : DEVICE_SIM);
    for (size_t i = r == NULL ? 0 : (size_t)(r - check->runs) + 1;
         i < check->run_count && last != NULL; i++) {
        const struct run *run = &check->runs[i];
        if (run->device == last->device && run->speed == last->speed && !run->may_refuse &&
            !run->second_shape && strcmp(run->arguments, last->arguments) == 0)
            return run;
    }
    return NULL;
}

struct check check_at_second_shape(const struct check *check, size_t **indices)
{
    struct check other = *check;
    other.runs = arena_alloc(check->arena, check->run_count * sizeof *other.runs);
    *indices = arena_alloc(check->arena, check->run_count * sizeof **indices);
    other.run_count = other.perturbed_run_count = 0;
    for (size_t i = 0; i < check->run_count; i++) {
        if (!check->runs[i].second_shape) continue;
        struct run *run = &other.runs[other.run_count];
        *run = check->runs[i];
        run->second_shape = false;
        run->speed = true;
        (*indices)[other.run_count++] = i;
    }
    return other;
}
