/*
 * tracer_faults.h: what is wrong with a call's pointers. For tracer_calls.c alone, which calls it
 * under its lock.
 */
#ifndef WARPUP_TRACER_FAULTS_H
#define WARPUP_TRACER_FAULTS_H

#include "tracer.h"

/* Adds a fault event where the pointers of a copy, a set or a free do not fit the memory that the
 * program has: copy-direction, copy-out-of-bounds, use-after-free, double-free, bad-free. `call`
 * has just returned; what it did is not noted yet. */
void faults_of(const struct call *call);

#endif
