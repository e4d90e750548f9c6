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

struct reader {
    struct arena *arena;
    struct trace *trace;
    size_t capacity;
    bool begun, ended;
    size_t lines; /* read so far */
};

static const char *const event_names[EVENT_KINDS] = {
    [EVENT_ALLOC] = "alloc",           [EVENT_COPY] = "copy",     [EVENT_SET] = "set",
    [EVENT_LAUNCH] = "launch",         [EVENT_KERNEL] = "kernel", [EVENT_ACCESS] = "access",
    [EVENT_CLOCK] = "clock",           [EVENT_MARK] = "mark",     [EVENT_ERROR] = "error",
    [EVENT_FAULT] = "fault",           [EVENT_FINAL] = "final",   [EVENT_UNKNOWN] = "unknown",
    [EVENT_ELAPSED] = "elapsed",       [EVENT_PROBE] = "probe",   [EVENT_SYNC] = "sync",
    [EVENT_ARITHMETIC] = "arithmetic",
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
    trace->copy_gbs = json_read_number(fields, "copy_gbs", 0);
    trace->gflops = json_read_number(fields, "cublas_gflops", 0);
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

static void read_copy(struct json_read *fields, struct record *r)
{
    r->copy.direction = json_read_text(fields, "direction", "");
    r->copy.bytes = json_read_count(fields, "bytes", 0);
    r->copy.host = json_read_count(fields, "host", 0);
    r->copy.from = json_read_count(fields, "from", 0);
    r->copy.to = json_read_count(fields, "to", 0);
    r->copy.offset = json_read_count(fields, "offset", 0);
    r->copy.data = json_read_text(fields, "data", NULL);
    r->copy.kernel_bytes = json_read_count(fields, "kernel_bytes", 0);
    r->copy.last_kernel = json_read_count(fields, "last_kernel", 0);
    uint64_t kernel_bytes = json_read_count(fields, "kernel_bytes", r->copy.bytes);
    if (kernel_bytes < r->copy.bytes) r->copy.host_bytes = r->copy.bytes - kernel_bytes;
}

static void read_launch(struct json_read *fields, struct record *r)
{
    r->launch.id = json_read_count(fields, "id", 0);
    r->launch.kernel = json_read_text(fields, "kernel", "kernel");
    json_read_triple(fields, "grid", r->launch.grid);
    json_read_triple(fields, "block", r->launch.block);
    r->launch.error = json_read_count(fields, "error", 0);
    r->launch.shared = (double)json_read_count(fields, "shared", 0);
    r->launch.library = json_read_text(fields, "library", NULL);
    r->launch.error_name = json_read_text(fields, "error_name", NULL);
    r->launch.returned = json_read_number(fields, "returned", r->start);
}

static void read_kernel(struct json_read *fields, struct record *r)
{
    r->kernel.id = json_read_count(fields, "id", 0);
    r->kernel.counted = json_object_get(fields->object, "load_requests") != NULL;
    r->kernel.registers = (double)json_read_count(fields, "registers", 0);
    r->kernel.static_shared = (double)json_read_count(fields, "static_shared", 0);
    r->kernel.library = json_read_text(fields, "library", NULL);
    r->kernel.dram_bytes = json_read_number(fields, "dram_bytes", 0);
    r->kernel.moved_bytes = json_read_number(fields, "moved_bytes", 0);
    r->kernel.overlap_bytes = json_read_number(fields, "overlap_bytes", 0);
    r->kernel.start_ns = json_read_number(fields, "start_ns", 0);
    r->kernel.doubles_cost_ns = json_read_number(fields, "doubles_cost_ns", 0);
    r->kernel.divisions_cost_ns = json_read_number(fields, "divisions_cost_ns", 0);
    r->kernel.threads = (double)json_read_count(fields, "threads", 0);
    r->kernel.atomic_bytes = json_read_number(fields, "atomic_bytes", 0);
    r->kernel.load = (struct traffic){
        json_read_number(fields, "load_requests", 0), json_read_number(fields, "load_sectors", 0),
        json_read_number(fields, "load_ideal", 0), json_read_number(fields, "load_bytes", 0)};
    r->kernel.store = (struct traffic){
        json_read_number(fields, "store_requests", 0), json_read_number(fields, "store_sectors", 0),
        json_read_number(fields, "store_ideal", 0), json_read_number(fields, "store_bytes", 0)};
}

static void read_access(struct json_read *fields, struct record *r)
{
    r->access.kernel = json_read_count(fields, "kernel", 0);
    r->access.kind = json_read_text(fields, "kind", "load");
    r->access.size = json_read_count(fields, "size", 0);
    r->access.shared = strcmp(json_read_text(fields, "space", "global"), "shared") == 0;
    r->access.requests = json_read_number(fields, "requests", 0);
    r->access.lanes = json_read_number(fields, "lanes", 0);
    r->access.used = json_read_number(fields, r->access.shared ? "wavefronts" : "sectors", 0);
    r->access.ideal = json_read_number(fields, "ideal", 0);
    r->access.worst_lanes = json_read_count(fields, "worst_lanes", 0);
    r->access.worst_used =
        json_read_count(fields, r->access.shared ? "worst_wavefronts" : "worst_sectors", 0);
}

static void read_arithmetic(struct json_read *fields, struct record *r)
{
    r->arithmetic.kernel = json_read_count(fields, "kernel", 0);
    r->arithmetic.floats = (double)json_read_count(fields, "floats", 0);
    r->arithmetic.float_divisions = (double)json_read_count(fields, "float_divisions", 0);
    r->arithmetic.doubles = (double)json_read_count(fields, "doubles", 0);
    r->arithmetic.double_divisions = (double)json_read_count(fields, "double_divisions", 0);
    r->arithmetic.conversions = (double)json_read_count(fields, "conversions", 0);
    r->arithmetic.divisions = (double)json_read_count(fields, "divisions", 0);
    r->arithmetic.divisions_64 = (double)json_read_count(fields, "divisions_64", 0);
}

static void read_fault(struct json_read *fields, struct record *r)
{
    r->fault.name = json_read_text(fields, "name", "fault");
    r->fault.in_kernel = json_object_get(fields->object, "block") != NULL;
    json_read_triple(fields, "block", r->fault.block);
    json_read_triple(fields, "thread", r->fault.thread);
    r->fault.has_other = json_object_get(fields->object, "other_thread") != NULL;
    json_read_triple(fields, "other_block", r->fault.other_block);
    json_read_triple(fields, "other_thread", r->fault.other_thread);
    r->fault.alloc = json_read_count(fields, "alloc", 0);
    r->fault.offset =
        (int64_t)fmax(-OFFSET_MAX, fmin(json_read_number(fields, "offset", 0), OFFSET_MAX));
    r->fault.alloc_bytes = json_read_count(fields, "alloc_bytes", 0);
    r->fault.bytes = json_read_count(fields, "bytes", 0);
    r->fault.count = json_read_count(fields, "count", 1);
    r->fault.shared = strcmp(json_read_text(fields, "space", "global"), "shared") == 0;
    uint64_t line = json_read_count(fields, "other_line", 0);
    r->fault.other_line = line < SOURCE_LINES_MAX ? (int)line : 0;
    r->fault.kind = json_read_text(fields, "kind", NULL);
    r->fault.detail = json_read_text(fields, "detail", NULL);
}

static void read_payload(struct json_read *fields, struct record *r)
{
    switch (r->event) {
    case EVENT_ALLOC:
        r->alloc.id = json_read_count(fields, "id", 0);
        r->alloc.bytes = json_read_count(fields, "bytes", 0);
        r->alloc.address = json_read_count(fields, "address", 0);
        r->alloc.space = json_read_text(fields, "space", "device");
        break;
    case EVENT_COPY: read_copy(fields, r); break;
    case EVENT_LAUNCH: read_launch(fields, r); break;
    case EVENT_KERNEL: read_kernel(fields, r); break;
    case EVENT_ACCESS: read_access(fields, r); break;
    case EVENT_ARITHMETIC: read_arithmetic(fields, r); break;
    case EVENT_MARK: r->mark.id = json_read_count(fields, "id", 0); break;
    case EVENT_ELAPSED:
        r->elapsed.from = json_read_count(fields, "from", 0);
        r->elapsed.to = json_read_count(fields, "to", 0);
        r->elapsed.ms = json_read_number(fields, "ms", 0);
        break;
    case EVENT_ERROR:
        r->error.call = json_read_text(fields, "call", "a call");
        r->error.code = json_read_count(fields, "code", 0);
        r->error.name = json_read_text(fields, "name", "an error");
        r->error.text = json_read_text(fields, "text", NULL);
        break;
    case EVENT_FAULT: read_fault(fields, r); break;
    case EVENT_FINAL:
        r->final.alloc = json_read_count(fields, "alloc", 0);
        r->final.bytes = json_read_count(fields, "bytes", 0);
        r->final.kernel_bytes = json_read_count(fields, "kernel_bytes", 0);
        r->final.data = json_read_text(fields, "data", NULL);
        r->final.leaked = json_read_flag(fields, "leaked", false);
        break;
    case EVENT_PROBE: r->probe.places = json_read_count(fields, "places", 0); break;
    case EVENT_UNKNOWN: r->unknown.what = json_read_text(fields, "what", "something"); break;
    default: break;
    }
}

static const char *read_record(struct reader *reader, struct json_read *fields, enum event event)
{
    struct trace *trace = reader->trace;
    if (trace->count == RECORDS_MAX) return "the trace has too many records";
    if (trace->count == reader->capacity) {
        reader->capacity = reader->capacity > 0 ? 2 * reader->capacity : RECORDS_FIRST;
        struct record *grown = arena_take(reader->arena, reader->capacity * sizeof *grown);
        if (trace->count > 0) memcpy(grown, trace->records, trace->count * sizeof *grown);
        trace->records = grown;
    }
    struct record *r = &trace->records[trace->count];
    memset(r, 0, sizeof *r);
    r->event = event;
    r->file = json_read_text(fields, "file", NULL);
    uint64_t line = json_read_count(fields, "line", 0);
    r->line = r->file != NULL && line < SOURCE_LINES_MAX ? (int)line : 0;
    r->start = json_read_number(fields, "start", json_read_number(fields, "t", 0));
    r->end = json_read_number(fields, "end", r->start);
    read_payload(fields, r);
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
        if (strcmp(event, event_names[e]) == 0) return read_record(reader, &fields, (enum event)e);
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

/* What the records of a kind are found by: kernels by their start, others by their id, which a
 * double holds. */
static double key_of(const struct record *r)
{
    if (r->event == EVENT_KERNEL) return r->start;
    return (double)(r->event == EVENT_ALLOC ? r->alloc.id : r->launch.id);
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
    struct trace_index index = {.list = arena_take(arena, trace->count * sizeof *index.list)};
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
