/*
 * tracer_graphs.h: what was put into graphs. It happens when the graph is launched, not before.
 * tracer_calls.c calls these, with its lock held.
 */
#ifndef WARPUP_TRACER_GRAPHS_H
#define WARPUP_TRACER_GRAPHS_H

#include "tracer/tracer_events.h"

/* A launch, a copy or a set of a graph. */
struct graph_work {
    struct event event;
    bool whole; /* a copy without gaps */
    int graph;  /* 1, 2, … in the order in which they began */
    struct graph_work *next;
};

/* A stream is being captured; what is put into it belongs to the graph that the end returns. */
void graph_capture_begins(void);
void graph_capture_ends(const void *graph);
/* Keeps this work for the graph being captured. False if no capture is under way: it runs now. */
bool graph_takes(const struct event *event, bool whole);
/* Adds a node to a graph that the program makes itself. */
void graph_add(const void *graph, const struct event *event, bool whole);
void graph_instantiated(const void *executable, const void *graph);
/* The work of a graph that can be launched, in the order of its calls; NULL if none is known. The
 * work of other graphs is between them. */
const struct graph_work *graph_first_work(const void *executable);
const struct graph_work *graph_next_work(const struct graph_work *work);

#endif
