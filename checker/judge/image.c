/*
 * image.c: see image.h. Host memory is a list of pieces, sorted by address and free of overlaps; a
 * copy paints over what it covers. Neighbouring pieces are then joined to arrays. Snapshots of
 * 64 KB and more are mapped, smaller ones read, so that many small copies need few mappings.
 */
#define _POSIX_C_SOURCE 200809L
#include "image.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAP_FROM_BYTES = 1 << 16, FINALS_MAX = 1000 };

struct piece {
    uint64_t host, end; /* addresses */
    const unsigned char *data;
    const struct record *record;
};

struct mapping {
    void *data;
    size_t bytes;
    struct mapping *next;
};

/* Everything that image_free() gives back. */
struct storage {
    struct arena arena; /* small snapshots and joined arrays */
    struct mapping *mappings;
    struct piece *pieces;
    size_t count, capacity;
    size_t array_capacity;
};

/* Snapshot names are the trace writer's: data-N.bin. Nothing else is opened. */
static bool snapshot_name(const char *name)
{
    if (strncmp(name, "data-", 5) != 0) return false;
    size_t digits = strspn(name + 5, "0123456789");
    return digits > 0 && digits < 12 && strcmp(name + 5 + digits, ".bin") == 0;
}

static const unsigned char *map_file(struct storage *storage, int file, size_t bytes)
{
    void *data = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, file, 0);
    if (data == MAP_FAILED) return NULL;
    struct mapping *mapping = arena_take(&storage->arena, sizeof *mapping);
    *mapping = (struct mapping){data, bytes, storage->mappings};
    storage->mappings = mapping;
    return data;
}

static const unsigned char *load_file(struct storage *storage, int file, size_t bytes)
{
    if (bytes >= MAP_FROM_BYTES) return map_file(storage, file, bytes);
    unsigned char *data = arena_take(&storage->arena, bytes + 1);
    return read(file, data, bytes) == (ssize_t)bytes ? data : NULL;
}

/* The contents of a snapshot; NULL, with `wrong` set, when it is not `bytes` bytes long. */
static const unsigned char *load_snapshot(struct arena *arena, struct storage *storage,
                                          const struct run *run, const char *name, uint64_t bytes,
                                          const char **wrong)
{
    struct stat status = {0};
    if (!snapshot_name(name)) {
        *wrong =
            text_format(arena, "%s/trace.jsonl: `%.80s` is no snapshot's name", run->dir, name);
        return NULL;
    }
    int file = open(text_format(arena, "%s/%s", run->path, name),
                    O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0) {
        *wrong = text_format(arena, "%s/%s is missing", run->dir, name);
        return NULL;
    }
    const unsigned char *data = NULL;
    if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode) || (uint64_t)status.st_size != bytes)
        *wrong = text_format(arena, "%s/%s holds %lld bytes, its record says %llu", run->dir, name,
                             (long long)status.st_size, (unsigned long long)bytes);
    else if ((data = load_file(storage, file, bytes)) == NULL)
        *wrong = text_format(arena, "%s/%s cannot be read", run->dir, name);
    close(file);
    return data;
}

/* Index of the first piece that ends behind `host`. */
static size_t find_piece(const struct storage *storage, uint64_t host)
{
    size_t low = 0, high = storage->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (storage->pieces[middle].end > host)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static void reserve_pieces(struct storage *storage, size_t more)
{
    if (storage->count + more <= storage->capacity) return;
    storage->capacity = 2 * (storage->count + more);
    struct piece *grown = arena_take(&storage->arena, storage->capacity * sizeof *grown);
    if (storage->count > 0) memcpy(grown, storage->pieces, storage->count * sizeof *grown);
    storage->pieces = grown;
}

/* Puts `new` over whatever it covers: at most one piece is cut in two. */
static void paint(struct storage *storage, struct piece new)
{
    reserve_pieces(storage, 2);
    size_t first = find_piece(storage, new.host), last = first, made = 0;
    while (last < storage->count && storage->pieces[last].host < new.end)
        last++;
    struct piece parts[3];
    if (first < last && storage->pieces[first].host < new.host) {
        parts[made] = storage->pieces[first];
        parts[made++].end = new.host;
    }
    parts[made++] = new;
    if (first < last && storage->pieces[last - 1].end > new.end) {
        parts[made] = storage->pieces[last - 1];
        parts[made].data += new.end - parts[made].host;
        parts[made++].host = new.end;
    }
    memmove(storage->pieces + first + made, storage->pieces + last,
            (storage->count - last) * sizeof *storage->pieces);
    memcpy(storage->pieces + first, parts, made * sizeof *parts);
    storage->count = storage->count - (last - first) + made;
}

static void add_array(struct image *image, struct array array)
{
    struct storage *storage = image->storage;
    if (image->count == storage->array_capacity) {
        storage->array_capacity = storage->array_capacity > 0 ? 2 * storage->array_capacity : 16;
        struct array *grown = arena_take(&storage->arena, storage->array_capacity * sizeof *grown);
        if (image->count > 0) memcpy(grown, image->arrays, image->count * sizeof *grown);
        image->arrays = grown;
    }
    image->arrays[image->count++] = array;
}

/* Joins pieces[first..last), which touch one another, to one array. */
static void join(struct image *image, size_t first, size_t last)
{
    struct storage *storage = image->storage;
    const struct piece *pieces = storage->pieces;
    size_t bytes = pieces[last - 1].end - pieces[first].host;
    struct array array = {
        .data = pieces[first].data, .bytes = bytes, .record = pieces[first].record};
    if (last - first > 1) {
        unsigned char *joined = arena_take(&storage->arena, bytes), *at = joined;
        for (size_t i = first; i < last; i++) {
            memcpy(at, pieces[i].data, pieces[i].end - pieces[i].host);
            at += pieces[i].end - pieces[i].host;
        }
        array.data = joined;
    }
    add_array(image, array);
}

static void join_all(struct image *image)
{
    const struct storage *storage = image->storage;
    for (size_t first = 0, last; first < storage->count; first = last) {
        last = first + 1;
        while (last < storage->count && storage->pieces[last].host == storage->pieces[last - 1].end)
            last++;
        join(image, first, last);
    }
}

static const char *read_copies(struct arena *arena, const struct run *run, struct image *image)
{
    const char *wrong = NULL;
    TRACE_EACH (&run->trace, EVENT_COPY, r) {
        if (strcmp(r->copy.direction, "d2h") != 0 || r->copy.bytes == 0) continue;
        if (r->copy.data == NULL) {
            image->complete = false;
            continue;
        }
        const unsigned char *data =
            load_snapshot(arena, image->storage, run, r->copy.data, r->copy.bytes, &wrong);
        if (data == NULL) return wrong;
        paint(image->storage, (struct piece){r->copy.host, r->copy.host + r->copy.bytes, data, r});
    }
    return NULL;
}

static const char *read_finals(struct arena *arena, const struct run *run, struct image *image)
{
    const char *wrong = NULL;
    size_t finals = 0;
    TRACE_EACH (&run->trace, EVENT_FINAL, r) {
        if (++finals > FINALS_MAX) {
            image->complete = false;
            break;
        }
        const struct record *alloc = trace_alloc(&run->trace, r->final.alloc);
        bool on_device = alloc == NULL || strcmp(alloc->alloc.space, "device") == 0;
        if (r->final.bytes == 0) continue;
        if (r->final.data == NULL) {
            if (!on_device) image->complete = false;
            continue;
        }
        const unsigned char *data =
            load_snapshot(arena, image->storage, run, r->final.data, r->final.bytes, &wrong);
        if (data == NULL) return wrong;
        add_array(image, (struct array){.data = data,
                                        .bytes = r->final.bytes,
                                        .on_device = on_device,
                                        .alloc = r->final.alloc,
                                        .record = r});
    }
    return NULL;
}

/* Managed or pinned memory without a `final` record may have held the result. */
static bool all_contents_known(const struct run *run)
{
    size_t shared = 0, told = 0;
    TRACE_EACH (&run->trace, EVENT_ALLOC, r)
        if (strcmp(r->alloc.space, "managed") == 0) shared++;
    if (shared > FINALS_MAX) return false;
    TRACE_EACH (&run->trace, EVENT_FINAL, r) {
        const struct record *alloc = trace_alloc(&run->trace, r->final.alloc);
        if (alloc != NULL && strcmp(alloc->alloc.space, "managed") == 0) told++;
    }
    return told >= shared;
}

const char *image_read(struct arena *arena, const struct run *run, struct image *image)
{
    *image = (struct image){.complete = true};
    image->storage = arena_take(arena, sizeof(struct storage));
    const char *wrong = read_copies(arena, run, image);
    if (wrong == NULL) {
        join_all(image);
        wrong = read_finals(arena, run, image);
    }
    image->complete = image->complete && all_contents_known(run);
    return wrong;
}

void image_free(struct image *image)
{
    struct storage *storage = image->storage;
    if (storage == NULL) return;
    for (struct mapping *mapping = storage->mappings; mapping != NULL; mapping = mapping->next)
        munmap(mapping->data, mapping->bytes);
    arena_free(&storage->arena);
    image->storage = NULL;
}

float array_float(const struct array *array, size_t index)
{
    float value;
    memcpy(&value, array->data + index * sizeof value, sizeof value);
    return value;
}
