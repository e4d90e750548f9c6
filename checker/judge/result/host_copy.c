/*
 * host_copy.c: see host_copy.h. Host memory is a list of spans, sorted by address and without
 * overlaps. A copy replaces what it covers. Neighbouring spans are then joined to arrays.
 * Snapshots of 64 KB and more are mapped, and smaller ones are read, so that many small copies need
 * few mappings.
 */
#define _GNU_SOURCE
#include "judge/result/host_copy.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    MAP_FROM_BYTES =
        1 << 16,        /* smaller snapshots are read, because a mapping takes at least a page */
    FINALS_MAX = 1000,  /* `final` records: more allocations than a program of the lab has */
    ROWS_MAX = 1 << 12, /* of one copy: each is a span, and a span among others costs time */
    THREADS_FROM_BYTES =
        1 << 24,      /* of an array in pieces: smaller ones are joined before threads begin */
    OFFSET_BITS = 40, /* an origin is one number: the allocation, and 40 bits of offset */
};

struct span {
    uint64_t host, end; /* addresses */
    const unsigned char *data;
    const struct record *record;
};

struct mapping {
    void *data;
    size_t bytes;
    struct mapping *next;
};

/* Sorted by address. */
struct spans {
    struct span *list;
    size_t count, capacity;
};

/* Everything that host_copy_free() frees. */
struct storage {
    struct arena arena; /* small snapshots and joined arrays */
    struct mapping *mappings;
    struct spans host,
        origin; /* spans by the places that copies went to, and that they came from */
};

/* A snapshot has the name that the trace writer gave it, data-N.bin. No other file is opened. */
static bool snapshot_name(const char *name)
{
    if (strncmp(name, "data-", 5) != 0) return false;
    size_t digits = strspn(name + 5, "0123456789");
    return digits > 0 && digits < 12 && strcmp(name + 5 + digits, ".bin") == 0;
}

/* All pages are mapped together: a sample of the elements touches most of them. */
static const unsigned char *map_file(struct storage *storage, int file, size_t bytes)
{
    void *data = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
    if (data == MAP_FAILED) return NULL;
    struct mapping *mapping = arena_alloc(&storage->arena, sizeof *mapping);
    *mapping = (struct mapping){data, bytes, storage->mappings};
    storage->mappings = mapping;
    return data;
}

static const unsigned char *load_file(struct storage *storage, int file, size_t bytes)
{
    if (bytes >= MAP_FROM_BYTES) return map_file(storage, file, bytes);
    unsigned char *data = arena_alloc(&storage->arena, bytes + 1);
    return read(file, data, bytes) == (ssize_t)bytes ? data : NULL;
}

/* The contents of a snapshot; NULL, with `wrong` set, when it is not `bytes` bytes long. */
static const unsigned char *load_snapshot(struct arena *arena, struct storage *storage,
                                          const struct run *run, const char *name, uint64_t bytes,
                                          const char **wrong)
{
    struct stat status = {0};
    if (!snapshot_name(name)) {
        *wrong = arena_format(arena, "%s/trace.jsonl: `%.80s` is not the name of a snapshot",
                              run->dir, name);
        return NULL;
    }
    int file = open(arena_format(arena, "%s/%s", run->path, name),
                    O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0) {
        *wrong = arena_format(arena, "%s/%s is missing", run->dir, name);
        return NULL;
    }
    const unsigned char *data = NULL;
    if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode) || (uint64_t)status.st_size != bytes)
        *wrong = arena_format(arena, "%s/%s has %lld bytes, but its record says %llu", run->dir,
                              name, (long long)status.st_size, (unsigned long long)bytes);
    else if ((data = load_file(storage, file, bytes)) == NULL)
        *wrong = arena_format(arena, "%s/%s cannot be read", run->dir, name);
    close(file);
    return data;
}

/* Index of the first span that ends after `host`. */
static size_t find_span(const struct spans *spans, uint64_t host)
{
    size_t low = 0, high = spans->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (spans->list[middle].end > host)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static void reserve_spans(struct arena *arena, struct spans *spans, size_t more)
{
    if (spans->count + more <= spans->capacity) return;
    spans->capacity = 2 * (spans->count + more);
    struct span *grown = arena_alloc(arena, spans->capacity * sizeof *grown);
    if (spans->count > 0) memcpy(grown, spans->list, spans->count * sizeof *grown);
    spans->list = grown;
}

/* Puts `new` over everything that it covers. At most one span is cut in two. */
static void paint(struct arena *arena, struct spans *spans, struct span new)
{
    reserve_spans(arena, spans, 2);
    struct span *list = spans->list;
    size_t first = find_span(spans, new.host), last = first, made = 0;
    while (last < spans->count && list[last].host < new.end)
        last++;
    struct span parts[3];
    if (first < last && list[first].host < new.host) {
        parts[made] = list[first];
        parts[made++].end = new.host;
    }
    parts[made++] = new;
    if (first < last && list[last - 1].end > new.end) {
        parts[made] = list[last - 1];
        parts[made].data += new.end - parts[made].host;
        parts[made++].host = new.end;
    }
    memmove(list + first + made, list + last, (spans->count - last) * sizeof *list);
    memcpy(list + first, parts, made * sizeof *parts);
    spans->count = spans->count - (last - first) + made;
}

/* Joins the spans first..last-1 of a list, which touch one another, to one array. */
static struct host_array join(struct arena *arena, const struct span *first,
                              const struct span *last)
{
    struct host_array array = {.data = first->data,
                               .bytes = last[-1].end - first->host,
                               .start = first->host,
                               .record = first->record};
    if (last - first > 1) {
        unsigned char *joined = arena_alloc(arena, array.bytes);
#pragma omp parallel for schedule(dynamic) if (array.bytes > THREADS_FROM_BYTES)
        for (const struct span *p = first; p < last; p++)
            memcpy(joined + (p->host - first->host), p->data, p->end - p->host);
        array.data = joined;
    }
    return array;
}

/* Are all bytes of a copy still where it put them? */
static bool is_still_there(const struct spans *on_host, const struct record *copy)
{
    size_t i = find_span(on_host, copy->copy.host);
    const struct span *span = &on_host->list[i];
    return i < on_host->count && span->record == copy && span->host == copy->copy.host &&
           span->end == span->host + copy->copy.bytes;
}

/* Are neighbouring spans neighbours on the host as well, and still there? */
static bool are_still_there(const struct spans *on_host, const struct span *first,
                            const struct span *last)
{
    for (const struct span *p = first; p < last; p++)
        if (!is_still_there(on_host, p->record) ||
            p->record->copy.host - first->record->copy.host != p->host - first->host)
            return false;
    return true;
}

/* Adds the arrays that spans make. By where copies came from, the bytes are often already among
 * the host's arrays: if no later copy has replaced them, and they have the same order there. */
static void add_joined(struct host_copy *host, const struct spans *spans, bool by_origin)
{
    const struct span *list = spans->list;
    for (size_t first = 0, last; first < spans->count; first = last) {
        for (last = first + 1; last < spans->count && list[last].host == list[last - 1].end;)
            last++;
        if (by_origin && are_still_there(&host->storage->host, &list[first], &list[last])) continue;
        struct host_array array = join(&host->storage->arena, &list[first], &list[last]);
        if (by_origin) {
            array.alloc = array.start >> OFFSET_BITS;
            array.start &= (UINT64_C(1) << OFFSET_BITS) - 1;
        }
        host->arrays[host->all++] = array;
    }
}

/* Puts a copy, or each row of a copy whose rows are apart, over what is on the host. Too many rows
 * are left out: they are still known by where they came from. */
static void paint_rows(struct storage *storage, const struct record *r, const unsigned char *data)
{
    uint64_t row = r->copy.row_bytes, pitch = r->copy.host_pitch, bytes = r->copy.bytes;
    uint64_t rows = row == 0 ? 1 : bytes / row;
    if (rows > ROWS_MAX || pitch >= UINT64_C(1) << OFFSET_BITS) return;
    if (row == 0) row = bytes;
    for (uint64_t i = 0; i < rows; i++) {
        uint64_t at = r->copy.host + i * pitch;
        paint(&storage->arena, &storage->host, (struct span){at, at + row, data + i * row, r});
    }
}

/* Adds a copy to the host to both lists: where it went to, and where it came from. */
static void paint_copy(struct storage *storage, const struct record *r, const unsigned char *data)
{
    uint64_t from = r->copy.from << OFFSET_BITS | r->copy.offset;
    uint64_t bytes = r->copy.bytes, most = UINT64_C(1) << OFFSET_BITS;
    paint_rows(storage, r, data);
    if (r->copy.from > 0 && r->copy.from < UINT64_MAX >> OFFSET_BITS && r->copy.offset < most &&
        bytes < most - r->copy.offset)
        paint(&storage->arena, &storage->origin, (struct span){from, from + bytes, data, r});
}

static const char *read_copies(struct arena *arena, const struct run *run, struct host_copy *host)
{
    const char *wrong = NULL;
    host->copies =
        arena_alloc(&host->storage->arena, (run->trace.count + 1) * sizeof *host->copies);
    TRACE_EACH (&run->trace, EVENT_COPY, r) {
        if (strcmp(r->copy.direction, "d2h") != 0 || r->copy.bytes == 0) continue;
        if (r->copy.data == NULL) {
            host->complete = false;
            continue;
        }
        const unsigned char *data =
            load_snapshot(arena, host->storage, run, r->copy.data, r->copy.bytes, &wrong);
        if (data == NULL) return wrong;
        host->copies[host->copy_count++] = (struct host_brought){r, data};
        paint_copy(host->storage, r, data);
    }
    return NULL;
}

static const char *read_finals(struct arena *arena, const struct run *run, struct host_copy *host)
{
    const char *wrong = NULL;
    size_t finals = 0;
    TRACE_EACH (&run->trace, EVENT_FINAL, r) {
        if (++finals > FINALS_MAX) {
            host->complete = false;
            break;
        }
        const struct record *alloc = trace_alloc(&run->trace, r->final.alloc);
        bool on_device = alloc == NULL || strcmp(alloc->alloc.space, "device") == 0;
        if (r->final.bytes == 0) continue;
        if (r->final.data == NULL) {
            if (!on_device) host->complete = false;
            continue;
        }
        const unsigned char *data =
            load_snapshot(arena, host->storage, run, r->final.data, r->final.bytes, &wrong);
        if (data == NULL) return wrong;
        host->arrays[host->all++] = (struct host_array){.data = data,
                                                        .bytes = r->final.bytes,
                                                        .on_device = on_device,
                                                        .alloc = r->final.alloc,
                                                        .record = r};
    }
    return NULL;
}

/* If managed or pinned memory has no `final` record, it may have held the result. */
static bool all_contents_known(const struct run *run)
{
    size_t shared = 0, kept = 0;
    TRACE_EACH (&run->trace, EVENT_ALLOC, r)
        if (strcmp(r->alloc.space, "managed") == 0) shared++;
    if (shared > FINALS_MAX) return false;
    TRACE_EACH (&run->trace, EVENT_FINAL, r) {
        const struct record *alloc = trace_alloc(&run->trace, r->final.alloc);
        if (alloc != NULL && strcmp(alloc->alloc.space, "managed") == 0) kept++;
    }
    return kept >= shared;
}

const char *host_copy_read(struct arena *arena, const struct run *run, struct host_copy *host)
{
    *host = (struct host_copy){.complete = all_contents_known(run)};
    struct storage *storage = host->storage = arena_alloc(arena, sizeof *storage);
    const char *wrong = read_copies(arena, run, host);
    if (wrong != NULL) return wrong;
    size_t most = storage->host.count + FINALS_MAX + storage->origin.count;
    host->arrays = arena_alloc(&storage->arena, most * sizeof *host->arrays);
    add_joined(host, &storage->host, false);
    wrong = read_finals(arena, run, host);
    host->count = host->all;
    if (wrong == NULL) add_joined(host, &storage->origin, true);
    return wrong;
}

void host_copy_free(struct host_copy *host)
{
    struct storage *storage = host->storage;
    if (storage == NULL) return;
    for (struct mapping *mapping = storage->mappings; mapping != NULL; mapping = mapping->next)
        munmap(mapping->data, mapping->bytes);
    arena_free(&storage->arena);
    host->storage = NULL;
}

float host_array_float(const struct host_array *array, size_t index)
{
    float value;
    memcpy(&value, array->data + index * sizeof value, sizeof value);
    return value;
}

bool host_array_by_kernels(const struct host_array *array, const struct run *run)
{
    const struct record *first = array->record;
    uint64_t begin = array->start, end = begin + run->problem.elements * sizeof(float);
    if (first->event == EVENT_FINAL) return first->final.kernel_bytes == first->final.bytes;
    TRACE_EACH (&run->trace, EVENT_COPY, r)
        if (strcmp(r->copy.direction, "d2h") == 0 && r->copy.host < end &&
            r->copy.host + r->copy.bytes > begin && r->copy.kernel_bytes < r->copy.bytes)
            return false;
    return true;
}
