/*
 * hint.h: the hint for the next rung.
 */
#ifndef WARPUP_HINT_H
#define WARPUP_HINT_H

#include "show/view.h"

void show_hint(const struct view *view);

#endif
