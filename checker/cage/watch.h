/*
 * watch.h: what a step uses while it runs.
 */
#ifndef WARPUP_CAGE_WATCH_H
#define WARPUP_CAGE_WATCH_H

#include "cage/step.h"

/* The limits that a step has reached: each is noted once. */
struct watch {
    bool memory, processes, space, busy;
    bool crowded; /* the last look has seen more processes than a usual step has */
};

/* Notes the limits that the step has reached by now. False if it uses too much memory: it has to
 * end. Control groups limit the memory immediately; without them, only this function does. */
bool watch_look(struct watch *watch, const struct step *step);

#endif
