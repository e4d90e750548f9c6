/*
 * table.h: what each call of wire/calls.def is: see table.c.
 */
#ifndef WARPUP_TABLE_H
#define WARPUP_TABLE_H

#include "gpu/server/call.h"

struct table_entry {
    const char *name;
    serve_function *serve;
    bool own; /* served by server/ itself: no CUDA call */
};

extern const struct table_entry table[WIRE_CALLS];

#endif
