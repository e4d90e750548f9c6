/* tracer_graphs.c: see tracer_graphs.h. */
#include "tracer/tracer_graphs.h"
#include "tracer/tracer_memory.h"

/* A graph, or what was instantiated from it. A handle may be used again after it is destroyed: the
 * newest counts. */
struct graph {
    const void *handle;
    int number;
    struct graph *next;
};

static struct graph *graphs;
static struct graph_work *first, *last;
static int numbers, captures, captured; /* graphs begun; captures under way; the latest of them */

static int number_of(const void *handle)
{
    for (const struct graph *one = graphs; one != NULL; one = one->next)
        if (one->handle == handle) return one->number;
    return 0;
}

static void name_graph(const void *handle, int number)
{
    struct graph *fresh = item_new(sizeof *fresh);
    if (fresh == NULL) return;
    *fresh = (struct graph){handle, number, graphs};
    graphs = fresh;
}

static void keep(int graph, const struct event *event, bool whole)
{
    struct graph_work *fresh = item_new(sizeof *fresh);
    if (fresh == NULL) return;
    *fresh = (struct graph_work){.event = *event, .whole = whole, .graph = graph};
    if (last == NULL)
        first = fresh;
    else
        last->next = fresh;
    last = fresh;
}

void graph_capture_begins(void)
{
    captures++;
    captured = ++numbers;
}

void graph_capture_ends(const void *graph)
{
    if (captures == 0) return;
    captures--;
    name_graph(graph, captured);
}

bool graph_takes(const struct event *event, bool whole)
{
    if (captures == 0) return false;
    keep(captured, event, whole);
    return true;
}

void graph_add(const void *graph, const struct event *event, bool whole)
{
    if (number_of(graph) == 0) name_graph(graph, ++numbers);
    keep(number_of(graph), event, whole);
}

void graph_instantiated(const void *executable, const void *graph)
{
    name_graph(executable, number_of(graph));
}

static const struct graph_work *from(const struct graph_work *work, int graph)
{
    while (work != NULL && work->graph != graph)
        work = work->next;
    return work;
}

const struct graph_work *graph_first_work(const void *executable)
{
    int graph = number_of(executable);
    return graph == 0 ? NULL : from(first, graph);
}

const struct graph_work *graph_next_work(const struct graph_work *work)
{
    return from(work->next, work->graph);
}
