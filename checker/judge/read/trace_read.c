/*
 * trace_read.c: reads a trace line by line. Every line must be one JSON object with fields of the
 * right types and ranges. The first line must be `begin` of version 1. The last line must be `end`,
 * with the right number of records, and none dropped.
 */
#include "judge/read/trace_read.h"
#include "judge/read/json_read.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A program with a larger trace cannot be judged: there would not be enough memory. */
enum { TRACE_BYTES_MAX = 256 << 20, LINE_BYTES_MAX = 1 << 20, RECORDS_MAX = 1 << 20 };
enum { SOURCE_LINES_MAX = 1 << 30, RECORDS_FIRST = 64 };

static const double OFFSET_MAX = 9007199254740992.0; /* bytes: 2^53, the last exact double */

static const double SAME_LEAST = 0.9; /* of the bytes that a launch writes, if it does the same */

struct reader {
    struct arena *arena;
    struct trace *trace;
    size_t capacity;
    bool begun, ended;
    size_t lines; /* read so far */
};

/* A field of a record, and where it is kept. Its name is the member's, or given. */
struct field {
    const char *key;
    enum { IS_COUNT, IS_WHOLE, IS_NUMBER, IS_TEXT, IS_TRIPLE, IS_FLAG } kind;
    size_t at;
    const char *otherwise; /* of a text that is missing */
};

#define FIELD(key, kind, member, otherwise)                                                        \
    {                                                                                              \
        key, kind, offsetof(struct record, member), otherwise                                      \
    }
#define COUNT(event, name)           FIELD(#name, IS_COUNT, event.name, NULL)
#define WHOLE(event, name)           FIELD(#name, IS_WHOLE, event.name, NULL) /* a count, as a double */
#define NUMBER(event, name)          FIELD(#name, IS_NUMBER, event.name, NULL)
#define TRIPLE(event, name)          FIELD(#name, IS_TRIPLE, event.name, NULL)
#define TEXT(event, name, otherwise) FIELD(#name, IS_TEXT, event.name, otherwise)
#define TRAFFIC(which, name)         FIELD(#which "_" #name, IS_NUMBER, kernel.which.name, NULL)
#define FIELDS(...)                                                                                \
    (const struct field[])                                                                         \
    {                                                                                              \
        __VA_ARGS__, FIELD(NULL, IS_COUNT, alloc, NULL)                                            \
    }

/* The name of each event, and its fields, except those of read_others(). */
static const struct {
    const char *name;
    const struct field *fields;
} events[EVENT_KINDS] = {
    [EVENT_ALLOC] = {"alloc", FIELDS(COUNT(alloc, id), COUNT(alloc, bytes), COUNT(alloc, address),
                                     TEXT(alloc, space, "device"))},
    [EVENT_COPY] = {"copy", FIELDS(TEXT(copy, direction, ""), COUNT(copy, bytes), COUNT(copy, host),
                                   COUNT(copy, from), COUNT(copy, to), COUNT(copy, offset),
                                   TEXT(copy, data, NULL), COUNT(copy, kernel_bytes),
                                   COUNT(copy, last_kernel), COUNT(copy, row_bytes),
                                   NUMBER(copy, stream), COUNT(copy, host_pitch))},
    [EVENT_SET] = {"set", NULL},
    [EVENT_FREE] = {"free", FIELDS(COUNT(free, id))},
    [EVENT_LAUNCH] = {"launch",
                      FIELDS(COUNT(launch, id), TEXT(launch, kernel, "kernel"),
                             TRIPLE(launch, grid), TRIPLE(launch, block), TRIPLE(launch, cluster),
                             COUNT(launch, error), WHOLE(launch, shared),
                             TEXT(launch, library, NULL), TEXT(launch, error_name, NULL),
                             TEXT(launch, same_shared, NULL))},
    [EVENT_KERNEL] = {"kernel",
                      FIELDS(COUNT(kernel, id), WHOLE(kernel, registers),
                             WHOLE(kernel, static_shared), TEXT(kernel, library, NULL),
                             NUMBER(kernel, dram_bytes), NUMBER(kernel, moved_bytes),
                             NUMBER(kernel, overlap_bytes), NUMBER(kernel, tensor_flops),
                             NUMBER(kernel, start_ns), NUMBER(kernel, part_ns),
                             TEXT(kernel, kind, NULL), NUMBER(kernel, doubles_cost_ns),
                             NUMBER(kernel, divisions_cost_ns), WHOLE(kernel, threads),
                             TRAFFIC(load, requests), TRAFFIC(load, sectors), TRAFFIC(load, ideal),
                             TRAFFIC(load, bytes), TRAFFIC(store, requests),
                             TRAFFIC(store, sectors), TRAFFIC(store, ideal), TRAFFIC(store, bytes),
                             TRAFFIC(atomic, requests), TRAFFIC(atomic, sectors),
                             FIELD("repeats", IS_FLAG, kernel.repeats, NULL))},
    [EVENT_SYNC] = {"sync", FIELDS(COUNT(sync, running))},
    [EVENT_ACCESS] = {"access",
                      FIELDS(COUNT(access, kernel), TEXT(access, kind, "load"), COUNT(access, size),
                             NUMBER(access, requests), NUMBER(access, lanes), NUMBER(access, ideal),
                             NUMBER(access, poor_requests), NUMBER(access, poor_lanes),
                             NUMBER(access, poor_ideal), COUNT(access, worst_lanes))},
    [EVENT_ARITHMETIC] = {"arithmetic",
                          FIELDS(COUNT(arithmetic, kernel), WHOLE(arithmetic, floats),
                                 WHOLE(arithmetic, float_divisions), WHOLE(arithmetic, doubles),
                                 WHOLE(arithmetic, double_divisions),
                                 WHOLE(arithmetic, conversions), WHOLE(arithmetic, divisions),
                                 WHOLE(arithmetic, divisions_64))},
    [EVENT_CLOCK] = {"clock", NULL},
    [EVENT_MARK] = {"mark", FIELDS(COUNT(mark, id), COUNT(mark, running))},
    [EVENT_ELAPSED] = {"elapsed",
                       FIELDS(COUNT(elapsed, from), COUNT(elapsed, to), NUMBER(elapsed, ms))},
    [EVENT_ERROR] = {"error",
                     FIELDS(TEXT(error, call, "a call"), COUNT(error, code), COUNT(error, bytes),
                            TEXT(error, name, "an error"), TEXT(error, text, NULL))},
    [EVENT_FAULT] = {"fault",
                     FIELDS(TEXT(fault, name, "fault"), TRIPLE(fault, block), TRIPLE(fault, thread),
                            TRIPLE(fault, other_block), TRIPLE(fault, other_thread),
                            COUNT(fault, alloc), COUNT(fault, alloc_bytes), COUNT(fault, bytes),
                            TEXT(fault, kind, NULL), TEXT(fault, other_kind, NULL),
                            TEXT(fault, detail, NULL),
                            FIELD("same_warp", IS_FLAG, fault.same_warp, NULL))},
    [EVENT_FINAL] = {"final",
                     FIELDS(COUNT(final, alloc), COUNT(final, bytes), COUNT(final, kernel_bytes),
                            TEXT(final, data, NULL), FIELD("leaked", IS_FLAG, final.leaked, NULL))},
    [EVENT_UNKNOWN] = {"unknown", FIELDS(TEXT(unknown, what, "something"))},
    [EVENT_PERTURBED] = {"perturbed", FIELDS(COUNT(perturbed, numbers))},
    [EVENT_LARGER] = {"larger",
                      FIELDS(COUNT(larger, kernel), TEXT(larger, arguments, "larger sizes"),
                             TEXT(larger, why, NULL),
                             FIELD("outside", IS_FLAG, larger.outside, NULL),
                             FIELD("silent", IS_FLAG, larger.silent, NULL), TRIPLE(larger, grid),
                             TRIPLE(larger, block), TRIPLE(larger, thread), COUNT(larger, alloc),
                             COUNT(larger, alloc_bytes), COUNT(larger, bytes),
                             TEXT(larger, kind, "load"))},
};

static const char *read_begin(struct reader *reader, struct json_read *fields)
{
    struct trace *trace = reader->trace;
    uint64_t version = json_read_count(fields, "version", 0);
    if (version != 1)
        return arena_format(reader->arena,
                            "this is version %llu of the trace, but the judge reads version 1",
                            (unsigned long long)version);
    const char *kind = json_read_text(fields, "kind", "");
    trace->simulated = strcmp(kind, "simulated") == 0;
    if (!trace->simulated && strcmp(kind, "real") != 0)
        return "`kind` is neither simulated nor real";
    trace->device = json_read_text(fields, "device", "a GPU without a name");
    trace->profile = json_read_text(fields, "profile", NULL);
    trace->capability = (double)json_read_count(fields, "capability", 0);
    trace->sms = (double)json_read_count(fields, "sms", 0);
    trace->memory_bytes = json_read_count(fields, "memory_bytes", 0);
    trace->l2_bytes = json_read_count(fields, "l2_bytes", 0);
    trace->copy_gbs = json_read_number(fields, "copy_gbs", 0);
    trace->gflops = json_read_number(fields, "cublas_gflops", 0);
    trace->bus_gbs = json_read_number(fields, "bus_gbs", 0);
    return fields->error;
}

static const char *read_end(struct reader *reader, struct json_read *fields)
{
    uint64_t dropped = json_read_count(fields, "dropped", 0);
    uint64_t records = json_read_count(fields, "records", reader->lines - 1);
    if (dropped > 0)
        return arena_format(reader->arena, "%llu records were dropped while it was written",
                            (unsigned long long)dropped);
    if (records != reader->lines - 1)
        return arena_format(reader->arena, "`end` counts %llu records, but there are %zu",
                            (unsigned long long)records, reader->lines - 1);
    return fields->error;
}

static void read_field(struct json_read *fields, const struct field *field, struct record *r)
{
    void *at = (char *)r + field->at;
    switch (field->kind) {
    case IS_COUNT: *(uint64_t *)at = json_read_count(fields, field->key, 0); break;
    case IS_WHOLE: *(double *)at = (double)json_read_count(fields, field->key, 0); break;
    case IS_NUMBER: *(double *)at = json_read_number(fields, field->key, 0); break;
    case IS_TEXT: *(const char **)at = json_read_text(fields, field->key, field->otherwise); break;
    case IS_TRIPLE: json_read_triple(fields, field->key, at); break;
    case IS_FLAG: *(bool *)at = json_read_flag(fields, field->key, false); break;
    }
}

static bool has(const struct json_read *fields, const char *key)
{
    return json_object_get(fields->object, key) != NULL;
}

static int read_line_number(struct json_read *fields, const char *key)
{
    uint64_t line = json_read_count(fields, key, 0);
    return line < SOURCE_LINES_MAX ? (int)line : 0;
}

static void read_writers(struct json_read *fields, struct record *r)
{
    enum { WRITERS_MAX = 16 };
    uint64_t launches[WRITERS_MAX] = {0}, bytes[WRITERS_MAX] = {0};
    struct writer *writers = NULL;
    json_read_counts(fields, "writers", WRITERS_MAX, launches);
    json_read_counts(fields, "written", WRITERS_MAX, bytes);
    size_t count = 0;
    while (count < WRITERS_MAX && launches[count] != 0)
        count++;
    if (count > 0) writers = arena_alloc(fields->arena, count * sizeof *writers);
    for (size_t i = 0; i < count; i++)
        writers[i] = (struct writer){launches[i], (double)bytes[i]};
    r->copy.writers = writers;
    r->copy.writer_count = count;
}

/* Bytes from the start of an array, negative before it. */
static int64_t read_offset(struct json_read *fields)
{
    return (int64_t)fmax(-OFFSET_MAX, fmin(json_read_number(fields, "offset", 0), OFFSET_MAX));
}

/* The fields that depend on others. */
static void read_others(struct json_read *fields, struct record *r)
{
    bool shared = strcmp(json_read_text(fields, "space", ""), "shared") == 0;
    if (r->event == EVENT_COPY) {
        r->copy.pageable = !json_read_flag(fields, "pinned", true);
        uint64_t by_kernels = json_read_count(fields, "kernel_bytes", r->copy.bytes);
        if (by_kernels < r->copy.bytes) r->copy.host_bytes = r->copy.bytes - by_kernels;
        read_writers(fields, r);
    } else if (r->event == EVENT_LAUNCH) {
        const uint32_t *grid = r->launch.grid, *block = r->launch.block;
        r->launch.blocks = (double)grid[0] * grid[1] * grid[2];
        r->launch.threads = (double)block[0] * block[1] * block[2];
        json_read_counts(fields, "pointers", LAUNCH_POINTERS, r->launch.pointers);
        r->launch.returned = json_read_number(fields, "returned", r->start);
    } else if (r->event == EVENT_KERNEL) {
        double atomics = json_read_number(fields, "atomic_bytes", 0);
        r->kernel.even_threads = json_read_number(fields, "even_threads", r->kernel.threads);
        r->kernel.counted = has(fields, "load_requests");
        r->kernel.lost_file = json_read_text(fields, "lost_file", NULL);
        r->kernel.lost_line = read_line_number(fields, "lost_line");
        r->kernel.loaded = r->kernel.load.bytes + atomics;
        r->kernel.written = r->kernel.store.bytes + atomics;
        if (r->kernel.library != NULL && !(r->kernel.loaded > 0))
            r->kernel.loaded = r->kernel.dram_bytes;
    } else if (r->event == EVENT_ACCESS) {
        r->access.shared = shared;
        r->access.used = json_read_number(fields, shared ? "wavefronts" : "sectors", 0);
        r->access.poor_used = json_read_number(fields, "poor_sectors", 0);
        r->access.worst_used =
            json_read_count(fields, shared ? "worst_wavefronts" : "worst_sectors", 0);
    } else if (r->event == EVENT_FAULT) {
        r->fault.shared = shared;
        r->fault.in_kernel = has(fields, "block");
        r->fault.has_other = has(fields, "other_thread");
        r->fault.offset = read_offset(fields);
        r->fault.count = json_read_count(fields, "count", 1);
        r->fault.other_line = read_line_number(fields, "other_line");
    } else if (r->event == EVENT_LARGER) {
        r->larger.offset = read_offset(fields);
    }
}

static const char *read_record(struct reader *reader, struct json_read *fields, enum event event)
{
    struct trace *trace = reader->trace;
    if (trace->count == RECORDS_MAX) return "the trace has too many records";
    if (trace->count == reader->capacity) {
        reader->capacity = reader->capacity > 0 ? 2 * reader->capacity : RECORDS_FIRST;
        struct record *grown = arena_alloc(reader->arena, reader->capacity * sizeof *grown);
        if (trace->count > 0) memcpy(grown, trace->records, trace->count * sizeof *grown);
        trace->records = grown;
    }
    struct record *r = &trace->records[trace->count];
    memset(r, 0, sizeof *r);
    r->event = event;
    r->file = json_read_text(fields, "file", NULL);
    int line = read_line_number(fields, "line");
    if (r->file != NULL) r->line = line;
    r->start = json_read_number(fields, "start", json_read_number(fields, "t", 0));
    r->end = json_read_number(fields, "end", r->start);
    for (const struct field *f = events[event].fields; f != NULL && f->key != NULL; f++)
        read_field(fields, f, r);
    read_others(fields, r);
    if (fields->error == NULL && r->end < r->start) fields->error = "`end` is before `start`";
    if (fields->error == NULL) trace->count++;
    return fields->error;
}

static const char *read_object(struct reader *reader, const json_t *object)
{
    struct json_read fields = {.arena = reader->arena, .object = object};
    const char *event = json_string_value(json_object_get(object, "event"));
    if (event == NULL) return "not a record: it has no `event`";
    if (reader->ended) return "a record after `end`";
    if (!reader->begun) {
        reader->begun = true;
        return strcmp(event, "begin") == 0 ? read_begin(reader, &fields)
                                           : "the first record is not `begin`";
    }
    if (strcmp(event, "begin") == 0) return "a second `begin`";
    if (strcmp(event, "end") == 0) {
        reader->ended = true;
        return read_end(reader, &fields);
    }
    for (int e = 0; e < EVENT_KINDS; e++)
        if (strcmp(event, events[e].name) == 0) return read_record(reader, &fields, (enum event)e);
    return NULL;
}

static const char *read_line(struct reader *reader, char *line, size_t length)
{
    if (length > LINE_BYTES_MAX) return "the line is too long";
    arena_make_utf8(line, length);
    json_error_t error;
    json_t *object = json_loadb(line, length, 0, &error);
    if (object == NULL || !json_is_object(object)) {
        json_decref(object);
        return "not a JSON object";
    }
    const char *wrong = read_object(reader, object);
    json_decref(object);
    return wrong;
}

static const char *read_lines(struct reader *reader, const char *name, char *text, size_t length)
{
    for (size_t at = 0; at < length;) {
        char *newline = memchr(text + at, '\n', length - at);
        reader->lines++;
        const char *wrong = newline == NULL
                                ? "the line is cut off"
                                : read_line(reader, text + at, (size_t)(newline - text) - at);
        if (wrong != NULL)
            return arena_format(reader->arena, "%s:%zu: %s", name, reader->lines, wrong);
        at = (size_t)(newline - text) + 1;
    }
    if (!reader->ended)
        return arena_format(reader->arena, "%s:%zu: the trace stops here, before its `end` record",
                            name, reader->lines);
    return NULL;
}

/* The key by which the records of a kind are found: kernels by their start, others by their id,
 * which a double holds. Those that have neither stay in the order of the file. */
static double key_of(const struct record *r)
{
    switch (r->event) {
    case EVENT_KERNEL: return r->start;
    case EVENT_ALLOC: return (double)r->alloc.id;
    case EVENT_LAUNCH: return (double)r->launch.id;
    case EVENT_MARK: return (double)r->mark.id;
    default: return 0;
    }
}

static int by_key(const void *left, const void *right)
{
    const struct record *a = *(const struct record *const *)left;
    const struct record *b = *(const struct record *const *)right;
    if (key_of(a) != key_of(b)) return key_of(a) < key_of(b) ? -1 : 1;
    return (a > b) - (a < b);
}

static struct trace_index index_of(struct arena *arena, const struct trace *trace, enum event event)
{
    struct trace_index index = {.list = arena_alloc(arena, trace->count * sizeof *index.list)};
    TRACE_EACH (trace, event, r)
        index.list[index.count++] = r;
    qsort(index.list, index.count, sizeof *index.list, by_key);
    return index;
}

/* The first record of this id; NULL when there is none. */
static const struct record *look_up(const struct trace_index *index, uint64_t id)
{
    size_t low = 0, high = index->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (key_of(index->list[middle]) < (double)id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < index->count && key_of(index->list[low]) == (double)id ? index->list[low] : NULL;
}

const char *trace_read(struct arena *arena, const char *path, const char *name, bool died,
                       struct trace *trace)
{
    char *text;
    size_t length;
    *trace = (struct trace){.device = NULL};
    const char *wrong = arena_read(arena, path, TRACE_BYTES_MAX, &text, &length);
    if (wrong != NULL) return died ? NULL : arena_format(arena, "%s %s", name, wrong);
    struct reader reader = {.arena = arena, .trace = trace};
    wrong = read_lines(&reader, name, text, length);
    trace->allocs = index_of(arena, trace, EVENT_ALLOC);
    trace->launches = index_of(arena, trace, EVENT_LAUNCH);
    trace->kernels = index_of(arena, trace, EVENT_KERNEL);
    trace->marks = index_of(arena, trace, EVENT_MARK);
    trace->clocks = index_of(arena, trace, EVENT_CLOCK);
    trace->elapsed = index_of(arena, trace, EVENT_ELAPSED);
    return died ? NULL : wrong;
}

const struct record *trace_next(const struct trace *trace, const struct record *from,
                                enum event event)
{
    if (trace->count == 0) return NULL;
    const struct record *end = trace->records + trace->count;
    while (from != end && from->event != event)
        from++;
    return from != end ? from : NULL;
}

const struct record *trace_launch(const struct trace *trace, uint64_t id)
{
    return look_up(&trace->launches, id);
}

const struct record *trace_alloc(const struct trace *trace, uint64_t id)
{
    return look_up(&trace->allocs, id);
}

const struct record *trace_mark(const struct trace *trace, uint64_t id)
{
    return look_up(&trace->marks, id);
}

bool trace_alike(const struct trace *trace, uint64_t left, uint64_t right)
{
    const struct record *a = trace_launch(trace, left), *b = trace_launch(trace, right);
    if (left == right || a == NULL || b == NULL) return left == right;
    return strcmp(a->launch.kernel, b->launch.kernel) == 0 &&
           memcmp(a->launch.grid, b->launch.grid, sizeof a->launch.grid) == 0 &&
           memcmp(a->launch.block, b->launch.block, sizeof a->launch.block) == 0;
}

static const struct record *kernel_of(const struct trace *trace, uint64_t launch)
{
    TRACE_EACH (trace, EVENT_KERNEL, r)
        if (r->kernel.id == launch) return r;
    return NULL;
}

bool trace_writes_alike(const struct trace *trace, uint64_t left, uint64_t right)
{
    const struct record *a = kernel_of(trace, left), *b = kernel_of(trace, right);
    if (!trace_alike(trace, left, right)) return false;
    if (a == NULL || b == NULL || !a->kernel.counted || !b->kernel.counted) return true;
    return a->kernel.written >= SAME_LEAST * b->kernel.written &&
           b->kernel.written >= SAME_LEAST * a->kernel.written;
}
