/*
 * joins.c: gives the tracer's second half events and activities as CUPTI would deliver them, in an
 * order of its own, and has it write the trace. tracer.bats looks at what comes out. With the
 * argument `lost`, the record of an accepted launch is missing; with `fault`, an error says why.
 * With `graph`, a graph was launched too; with `node`, CUPTI also reports a copy that no event
 * announced. With the number of a signal, this program gets that signal before the trace is
 * written.
 */
#include "tracer/tracer_events.h"
#include "tracer/tracer_crash.h"
#include "trace/trace.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t ZERO = 1000000; /* CUPTI's time at `begin` */

static void launch(uint64_t id, uint32_t correlation, const char *name, int error)
{
    event_add(&(struct event){.kind = EVENT_LAUNCH,
                              .correlation = correlation,
                              .start = ZERO + 100 * id,
                              .end = ZERO + 100 * id + 10,
                              .id = id,
                              .name = interned(name),
                              .grid = {4, 1, 1},
                              .block = {256, 1, 1},
                              .value = error});
}

static void kernel(uint32_t correlation, uint64_t start, const char *name)
{
    activity_add(&(struct activity){.kind = ACTIVITY_KERNEL,
                                    .correlation = correlation,
                                    .start = ZERO + start,
                                    .end = ZERO + start + 50,
                                    .name = name,
                                    .grid = {4, 1, 1},
                                    .block = {256, 1, 1},
                                    .registers = 16});
}

/* Two pieces, each copied down, through a kernel and back; the second one's kernel ran first. */
static void graph(bool node)
{
    static const char *const directions[] = {"h2d", "d2h"};
    struct event event = {
        .correlation = 20, .start = ZERO + 2000, .end = ZERO + 2010, .in_graph = true};
    for (int piece = 0; piece < 2; piece++) {
        for (int i = 0; i < 2; i++) {
            event.kind = EVENT_COPY, event.name = directions[i], event.bytes = piece == 0 ? 32 : 16;
            event_add(&event);
            if (i == 1) continue;
            event.kind = EVENT_LAUNCH, event.id = (uint64_t)piece + 4;
            event.name = interned(piece == 0 ? "one" : "two");
            event_add(&event);
        }
    }
    event_add(&(struct event){.kind = EVENT_GRAPH, .correlation = 20, .start = ZERO + 2000});
    static const struct activity copies[] = {{.start = 2100, .bytes = 32},
                                             {.start = 2150, .bytes = 16},
                                             {.start = 2400, .bytes = 16},
                                             {.start = 2500, .bytes = 32},
                                             {.start = 2600, .bytes = 8}};
    kernel(20, 2300, interned("one"));
    kernel(20, 2200, interned("two"));
    for (size_t i = 0; i < sizeof copies / sizeof copies[0] - !node; i++) {
        struct activity copy = copies[i];
        copy.kind = ACTIVITY_COPY, copy.correlation = 20;
        copy.start += ZERO, copy.end = copy.start + 10;
        activity_add(&copy);
    }
}

static void end(const char *how)
{
    events_write(ZERO);
    trace_close(how);
}

int main(int argc, char *argv[])
{
    const char *which = argc > 1 ? argv[1] : "";
    if (!trace_open()) return 2;
    event_add(&(struct event){.kind = EVENT_ALLOC, .id = 1, .name = "device", .bytes = 64});
    launch(1, 11, "_Z5scaleILi3EEviPf", 0);
    size_t copy = event_add(&(struct event){.kind = EVENT_COPY,
                                            .correlation = 12,
                                            .start = ZERO + 300,
                                            .end = ZERO + 900,
                                            .name = "d2h",
                                            .bytes = 64,
                                            .from = 1});
    launch(2, 13, "_ZN12_GLOBAL__N_16hiddenEPf", 1);
    launch(3, 14, "plain", 0);
    if (strcmp(which, "fault") == 0)
        event_add(&(struct event){.kind = EVENT_ERROR, .name = "cudaFree", .value = 700});

    if (strcmp(which, "graph") == 0 || strcmp(which, "node") == 0) graph(which[0] == 'n');
    kernel(99, 700, "_ZN6cublas4axpyEPfi");
    if (strcmp(which, "lost") != 0 && strcmp(which, "fault") != 0) kernel(14, 500, "plain");
    activity_add(&(struct activity){
        .kind = ACTIVITY_COPY, .correlation = 12, .start = ZERO + 400, .end = ZERO + 450});
    activity_add(&(struct activity){
        .kind = ACTIVITY_COPY, .correlation = 12, .start = ZERO + 450, .end = ZERO + 480});
    kernel(11, 200, "_Z5scaleILi3EEviPf");

    event_set_data(copy, trace_snapshot("0123456789", 10));
    crash_watch(end);
    if (atoi(which) > 0) raise(atoi(which));
    end("exit");
    return 0;
}
