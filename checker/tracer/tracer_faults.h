/*
 * tracer_faults.h: what is wrong with a call's pointers. Only tracer_calls.c calls it, with its
 * lock held.
 */
#ifndef WARPUP_TRACER_FAULTS_H
#define WARPUP_TRACER_FAULTS_H

#include "tracer/tracer_calls.h"

/* Adds a fault event if the pointers of a copy, a set or a free do not match the program's memory:
 * copy-direction, copy-out-of-bounds, use-after-free, double-free, bad-free. `call` has just
 * returned, and its own event is not added yet. */
void faults_of(const struct call *call);

#endif
