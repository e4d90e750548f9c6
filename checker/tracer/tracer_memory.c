/*
 * tracer_memory.c: keeps a list of the program's memory, and saves its contents when it is freed or
 * the program ends. The contents of a copy to the host are saved when the copy is complete. The
 * callers in tracer_calls.c hold its lock.
 */
#include "tracer/tracer_memory.h"
#include "tracer/tracer_events.h"
#include "tracer/tracer_gpu.h"
#include "trace/trace.h"

#include <stdlib.h>

/* Device memory of this size or more is not saved. Nor is pinned memory, if copies have brought as
 * many bytes to the host: the result is among them, and saving it again takes long. */
static const size_t SNAPSHOT_BYTES_MAX = (size_t)64 << 20;

const char DEVICE[] = "device", MANAGED[] = "managed", PINNED[] = "pinned";

/* An asynchronous copy to the host. Its contents can be saved after a wait for its stream. */
struct pending {
    size_t event; /* its place */
    const void *stream, *host;
    size_t bytes;
    struct pending *next;
};

static struct allocation *live, *gone; /* newest first */
static struct pending *in_flight;
static uint64_t allocations;
static size_t arrived_bytes; /* of all copies to the host */

void *item_new(size_t bytes)
{
    void *made = calloc(1, bytes);
    if (made == NULL) trace_dropped(1);
    return made;
}

static struct allocation *find(struct allocation *list, const void *address)
{
    for (struct allocation *one = list; one != NULL; one = one->next)
        if ((const char *)address >= one->base && (const char *)address < one->base + one->bytes)
            return one;
    return NULL;
}

struct allocation *memory_of(const void *address)
{
    return find(live, address);
}

struct allocation *memory_was(const void *address)
{
    return memory_of(address) == NULL ? find(gone, address) : NULL;
}

struct allocation *device_memory_of(const void *address)
{
    struct allocation *found = memory_of(address);
    return found != NULL && found->space != PINNED ? found : NULL;
}

struct allocation *memory_at(const void *base)
{
    struct allocation *found = memory_of(base);
    return found != NULL && found->base == base ? found : NULL;
}

struct allocation *memory_add(const char *space, void *base, size_t bytes)
{
    struct allocation *fresh = base != NULL ? item_new(sizeof *fresh) : NULL;
    if (fresh == NULL) return NULL;
    *fresh = (struct allocation){++allocations, space, base, bytes, live};
    live = fresh;
    return fresh;
}

void memory_remove(struct allocation *one)
{
    struct allocation **link = &live;
    while (*link != NULL && *link != one)
        link = &(*link)->next;
    if (*link == NULL) return;
    *link = one->next;
    one->next = gone;
    gone = one;
}

/* Saves the contents of device memory, if requested; returns the file's name or NULL. */
static const char *device_snapshot(const struct allocation *one)
{
    const char *wanted = getenv("WARPUP_SNAPSHOT");
    if (wanted == NULL || wanted[0] != '1') return NULL;
    void *contents = malloc(one->bytes);
    const char *file = NULL;
    if (contents != NULL && gpu_read(contents, one->base, one->bytes))
        file = trace_snapshot(contents, one->bytes);
    free(contents);
    return file;
}

void memory_save(const struct allocation *one, bool leaked, bool idle)
{
    const char *file = NULL;
    bool is_large = one->bytes >= SNAPSHOT_BYTES_MAX;
    bool is_known = one->space == DEVICE || (one->space == PINNED && arrived_bytes >= one->bytes);
    if (idle && !(is_large && is_known))
        file = one->space == DEVICE ? device_snapshot(one) : trace_snapshot(one->base, one->bytes);
    struct event event = {
        .kind = EVENT_FINAL, .id = one->id, .bytes = one->bytes, .leaked = leaked};
    event_set_data(event_add(&event), file);
}

void memory_finish(bool idle)
{
    while (live != NULL) {
        memory_save(live, true, idle);
        memory_remove(live);
    }
}

void arrival_expect(size_t event, bool now, const void *host, size_t bytes, const void *stream)
{
    struct pending *fresh = now ? NULL : item_new(sizeof *fresh);
    arrived_bytes += bytes;
    if (fresh == NULL) {
        event_set_data(event, trace_snapshot(host, bytes));
        return;
    }
    *fresh = (struct pending){event, stream, host, bytes, in_flight};
    in_flight = fresh;
}

void arrivals_save(bool all, const void *stream, size_t before)
{
    struct pending **link = &in_flight;
    while (*link != NULL) {
        struct pending *one = *link;
        if (!all && (one->stream != stream || one->event >= before)) {
            link = &one->next;
            continue;
        }
        event_set_data(one->event, trace_snapshot(one->host, one->bytes));
        *link = one->next;
        free(one);
    }
}
