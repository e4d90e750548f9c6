/*
 * tracer_events.c: keeps the events of a run, in the program's order, and the work of the GPU, in
 * the order in which CUPTI reports it. At the end it writes them as a trace. It joins the two by
 * the correlation id that CUPTI gives to a call and to its work.
 */
#define _GNU_SOURCE
#include "tracer/tracer_events.h"
#include "tracer/tracer_errors.h"
#include "trace/trace.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A growing array of one size of item; items move when it grows. */
struct list {
    char *items;
    size_t item_bytes, count, room;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct list events = {.item_bytes = sizeof(struct event)};
static struct list activities = {.item_bytes = sizeof(struct activity)};
static struct list names = {.item_bytes = sizeof(char *)};

/* Appends a copy of `item`; the caller holds the lock. SIZE_MAX if there is no memory left. */
static size_t list_add(struct list *list, const void *item)
{
    if (list->count == list->room) {
        size_t room = list->room == 0 ? 256 : 2 * list->room;
        char *larger = realloc(list->items, room * list->item_bytes);
        if (larger == NULL) {
            trace_dropped(1);
            return SIZE_MAX;
        }
        list->items = larger;
        list->room = room;
    }
    memcpy(list->items + list->count * list->item_bytes, item, list->item_bytes);
    return list->count++;
}

static struct event *event_at(size_t index)
{
    return (struct event *)(void *)events.items + index;
}

static struct activity *activity_at(size_t index)
{
    return (struct activity *)(void *)activities.items + index;
}

size_t event_add(const struct event *event)
{
    pthread_mutex_lock(&lock);
    size_t index = list_add(&events, event);
    pthread_mutex_unlock(&lock);
    return index;
}

void event_set_data(size_t index, const char *file)
{
    if (file == NULL || index == SIZE_MAX) return;
    pthread_mutex_lock(&lock);
    snprintf(event_at(index)->data, sizeof event_at(index)->data, "%s", file);
    pthread_mutex_unlock(&lock);
}

void activity_add(const struct activity *activity)
{
    pthread_mutex_lock(&lock);
    list_add(&activities, activity);
    pthread_mutex_unlock(&lock);
}

const char *interned(const char *text)
{
    if (text == NULL) return NULL;
    pthread_mutex_lock(&lock);
    const char *found = NULL;
    for (size_t i = 0; i < names.count && found == NULL; i++) {
        const char *one = ((char **)(void *)names.items)[i];
        if (strcmp(one, text) == 0) found = one;
    }
    if (found == NULL) {
        found = strdup(text);
        if (found != NULL) list_add(&names, &found);
    }
    pthread_mutex_unlock(&lock);
    return found;
}

/* Where a demangled name's argument list begins: the first parenthesis outside <>, apart from
 * "(anonymous namespace)". */
static char *argument_list(char *name)
{
    int depth = 0;
    for (char *c = name; *c != '\0'; c++) {
        if (*c == '<') depth++;
        if (*c == '>') depth--;
        if (*c == '(' && depth == 0 && strncmp(c, "(anonymous", 10) != 0) return c;
    }
    return NULL;
}

/* Skips what comes before the name itself: a template's return type, an anonymous namespace. */
static const char *without_prefix(const char *name)
{
    static const char *const prefixes[] = {"void ", "(anonymous namespace)::"};
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0) name += strlen(prefixes[i]);
    return name;
}

/* Writes a kernel's name as in the source: "_Z4axpyifPKfPf" becomes "axpy". The demangler comes
 * from libstdc++, which every program that nvcc links has loaded. */
static void write_kernel_name(const char *symbol)
{
    typedef char *demangler(const char *, char *, size_t *, int *);
    static demangler *demangle;
    if (demangle == NULL) {
        void *library = dlopen("libstdc++.so.6", RTLD_LAZY);
        if (library != NULL) *(void **)&demangle = dlsym(library, "__cxa_demangle");
    }
    char *name = symbol != NULL && demangle != NULL ? demangle(symbol, NULL, NULL, NULL) : NULL;
    char *arguments = name != NULL ? argument_list(name) : NULL;
    if (arguments != NULL) *arguments = '\0';
    trace_string("kernel", name == NULL ? symbol : without_prefix(name));
    free(name);
}

static int by_correlation(const void *left, const void *right)
{
    const struct activity *a = left, *b = right;
    if (a->correlation != b->correlation) return a->correlation < b->correlation ? -1 : 1;
    return a->start < b->start ? -1 : a->start > b->start;
}

static int by_start(const void *left, const void *right)
{
    const struct activity *a = left, *b = right;
    return a->start < b->start ? -1 : a->start > b->start;
}

/* The place of the first activity of a call, or the end of the list if it has none. The activities
 * of one call are next to each other. */
static size_t activities_of(uint32_t correlation)
{
    size_t low = 0, high = activities.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (activity_at(middle)->correlation < correlation)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool belongs(size_t index, uint32_t correlation)
{
    return index < activities.count && activity_at(index)->correlation == correlation;
}

static void write_time(const char *key, uint64_t time, uint64_t zero)
{
    trace_integer(key, (long long)(time - zero));
}

static void write_kernel(uint64_t launch, const struct activity *kernel, uint64_t zero)
{
    trace_begin("kernel");
    trace_integer("id", (long long)launch);
    write_time("start", kernel->start, zero);
    write_time("end", kernel->end, zero);
    trace_integer("registers", kernel->registers);
    trace_integer("static_shared", kernel->static_shared);
    trace_end();
}

/* Writes a launch record, for a launch of the program or of a library. */
static void write_launch_record(const struct event *event, uint64_t zero)
{
    trace_begin("launch");
    trace_integer("id", (long long)event->id);
    write_kernel_name(event->name);
    trace_triple("grid", event->grid[0], event->grid[1], event->grid[2]);
    trace_triple("block", event->block[0], event->block[1], event->block[2]);
    trace_integer("shared", (long long)event->bytes);
    trace_integer("stream", event->stream);
    trace_integer("error", event->value);
    trace_string("error_name", error_name(event->value));
    write_time("t", event->start, zero);
    if (event->end >= event->start) write_time("returned", event->end, zero);
    trace_end();
}

/* Takes what the GPU did for an event. Of a graph's activities, the first that fits and that no
 * other event has: of a kernel the name, of a copy or a set the bytes. NULL if CUPTI did not report
 * it.
 */
static const struct activity *take_activity(const struct event *event, enum activity_kind kind)
{
    for (size_t i = activities_of(event->correlation); belongs(i, event->correlation); i++) {
        struct activity *one = activity_at(i);
        if (one->kind != kind) continue;
        bool fits = kind == ACTIVITY_KERNEL ? one->name == event->name : one->bytes == event->bytes;
        if (event->in_graph && (!fits || one->written)) continue;
        one->written = true;
        return one;
    }
    return NULL;
}

/* Writes a launch and its kernel. If CUPTI did not report a kernel that was accepted, this counts
 * as a dropped record, unless the run had an error: after a fault, CUPTI loses the kernel's record.
 */
static void write_launch(const struct event *event, bool faultless, uint64_t zero)
{
    write_launch_record(event, zero);
    if (event->value != 0) return;
    const struct activity *kernel = take_activity(event, ACTIVITY_KERNEL);
    if (kernel != NULL)
        write_kernel(event->id, kernel, zero);
    else if (faultless)
        trace_dropped(1);
}

/* Writes the time of a copy or a set on the GPU; without an activity, the time of the call. */
static void write_span(const struct event *event, uint64_t zero)
{
    uint64_t start = event->start, end = event->end;
    if (event->in_graph) {
        enum activity_kind kind = event->kind == EVENT_COPY ? ACTIVITY_COPY : ACTIVITY_SET;
        const struct activity *done = take_activity(event, kind);
        if (done != NULL) start = done->start, end = done->end;
    } else {
        size_t first = activities_of(event->correlation);
        for (size_t i = first; belongs(i, event->correlation); i++) {
            if (i == first) start = activity_at(i)->start;
            if (i == first || activity_at(i)->end > end) end = activity_at(i)->end;
        }
    }
    write_time("start", start, zero);
    write_time("end", end, zero);
    trace_integer("stream", event->stream);
}

static void write_id(const char *key, uint64_t id)
{
    if (id != 0) trace_integer(key, (long long)id);
}

static void write_copy(const struct event *event, uint64_t zero)
{
    trace_begin("copy");
    trace_string("direction", event->name);
    trace_integer("bytes", (long long)event->bytes);
    if (event->address != NULL) trace_integer("host", (long long)(uintptr_t)event->address);
    write_id("from", event->from);
    write_id("to", event->to);
    trace_integer("offset", (long long)event->offset);
    if (event->data[0] != '\0') trace_string("data", event->data);
    write_span(event, zero);
    trace_flag("async", event->async);
    trace_end();
}

static void write_set(const struct event *event, uint64_t zero)
{
    trace_begin("set");
    write_id("to", event->to);
    trace_integer("offset", (long long)event->offset);
    trace_integer("bytes", (long long)event->bytes);
    trace_integer("value", event->value);
    write_span(event, zero);
    trace_end();
}

static void write_alloc(const struct event *event, uint64_t zero)
{
    trace_begin("alloc");
    trace_integer("id", (long long)event->id);
    trace_string("space", event->name);
    trace_integer("bytes", (long long)event->bytes);
    trace_integer("address", (long long)(uintptr_t)event->address);
    write_time("t", event->end, zero);
    trace_end();
}

static void write_final(const struct event *event)
{
    trace_begin("final");
    trace_integer("alloc", (long long)event->id);
    trace_integer("bytes", (long long)event->bytes);
    trace_string("data", event->data[0] != '\0' ? event->data : NULL);
    trace_flag("leaked", event->leaked);
    trace_end();
}

static void write_error(const struct event *event, uint64_t zero)
{
    trace_begin("error");
    trace_string("call", event->name);
    trace_integer("code", event->value);
    trace_string("name", error_name(event->value));
    trace_string("text", error_text(event->value));
    if (event->bytes > 0) trace_integer("bytes", (long long)event->bytes);
    write_time("t", event->end, zero);
    trace_end();
}

static void write_fault(const struct event *event)
{
    trace_begin("fault");
    trace_string("name", event->name);
    trace_integer("address", (long long)(uintptr_t)event->address);
    if (event->id != 0) {
        trace_integer("alloc", (long long)event->id);
        trace_integer("offset", (long long)event->offset);
    }
    if (event->bytes != 0) trace_integer("bytes", (long long)event->bytes);
    trace_string("kind", event->deed);
    trace_string("detail", event->detail);
    trace_integer("count", 1);
    trace_end();
}

static void write_sync(const struct event *event, uint64_t zero)
{
    trace_begin("sync");
    trace_string("what", event->name);
    write_time("start", event->start, zero);
    write_time("end", event->end, zero);
    trace_end();
}

/* Writes a free, a mark or an elapsed time: records with little more than ids. */
static void write_small(const struct event *event, uint64_t zero)
{
    if (event->kind == EVENT_ELAPSED) {
        trace_begin("elapsed");
        trace_integer("from", (long long)event->from);
        trace_integer("to", (long long)event->to);
        trace_number("ms", event->ms);
    } else {
        trace_begin(event->kind == EVENT_MARK ? "mark" : "free");
        trace_integer("id", (long long)event->id);
        if (event->kind == EVENT_MARK) trace_integer("stream", event->stream);
        write_time("t", event->end, zero);
    }
    trace_end();
}

/* Launches that are not calls of the program get numbers after those of the program. */
static uint64_t launches_written;

/* Writes a kernel with a launch record that is made from its activity. */
static void write_kernel_alone(struct activity *kernel, uint64_t start, uint64_t end, uint64_t zero)
{
    struct event launch = {.kind = EVENT_LAUNCH,
                           .id = ++launches_written,
                           .name = kernel->name,
                           .bytes = kernel->dynamic_shared,
                           .stream = (int)kernel->stream,
                           .start = start,
                           .end = end};
    memcpy(launch.grid, kernel->grid, sizeof launch.grid);
    memcpy(launch.block, kernel->block, sizeof launch.block);
    kernel->written = true;
    write_launch_record(&launch, zero);
    write_kernel(launch.id, kernel, zero);
}

/* Writes the kernels of a launched graph that no event announced. Such a copy counts as dropped:
 * what it copied is not known. */
static void write_graph(const struct event *event, uint64_t zero)
{
    for (size_t i = activities_of(event->correlation); belongs(i, event->correlation); i++) {
        struct activity *one = activity_at(i);
        if (one->written) continue;
        if (one->kind == ACTIVITY_KERNEL) write_kernel_alone(one, event->start, event->end, zero);
        if (one->kind == ACTIVITY_COPY) trace_dropped(1);
    }
}

/* Writes kernels without a launch of the program: those of a library, which calls the driver. */
static void write_other_kernels(uint64_t zero)
{
    if (activities.count > 0)
        qsort(activities.items, activities.count, sizeof(struct activity), by_start);
    for (size_t i = 0; i < activities.count; i++) {
        struct activity *kernel = activity_at(i);
        if (kernel->kind == ACTIVITY_KERNEL && !kernel->written)
            write_kernel_alone(kernel, kernel->start, 0, zero);
    }
}

static void write_event(const struct event *event, bool faultless, uint64_t zero)
{
    switch (event->kind) {
    case EVENT_ALLOC: write_alloc(event, zero); break;
    case EVENT_COPY: write_copy(event, zero); break;
    case EVENT_SET: write_set(event, zero); break;
    case EVENT_LAUNCH: write_launch(event, faultless, zero); break;
    case EVENT_GRAPH: write_graph(event, zero); break;
    case EVENT_SYNC: write_sync(event, zero); break;
    case EVENT_ERROR: write_error(event, zero); break;
    case EVENT_FAULT: write_fault(event); break;
    case EVENT_FINAL: write_final(event); break;
    case EVENT_FREE:
    case EVENT_MARK:
    case EVENT_ELAPSED: write_small(event, zero); break;
    }
}

void events_write(uint64_t zero)
{
    bool faultless = true;
    launches_written = 0;
    for (size_t i = 0; i < events.count; i++) {
        if (event_at(i)->kind == EVENT_ERROR) faultless = false;
        if (event_at(i)->kind == EVENT_LAUNCH) launches_written++;
    }
    if (activities.count > 0)
        qsort(activities.items, activities.count, sizeof(struct activity), by_correlation);
    for (size_t i = 0; i < events.count; i++)
        write_event(event_at(i), faultless, zero);
    write_other_kernels(zero);
}
