/*
 * collect.h: what a step leaves.
 */
#ifndef WARPUP_CAGE_COLLECT_H
#define WARPUP_CAGE_COLLECT_H

#include "cage/step.h"

/* When no process of the step lives: copies its files with known names to where they are expected,
 * and removes the others. False if that is not possible. */
bool collect(const struct step *step);

#endif
