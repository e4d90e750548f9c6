/*
 * machine.h: the verdict for other programs: TAP, JUnit, and the check.bats of an exercise.
 */
#ifndef WARPUP_MACHINE_H
#define WARPUP_MACHINE_H

#include "show/view.h"

void show_tap(const struct view *view);
void show_junit(const struct view *view);
void show_bats(const struct view *view);

#endif
