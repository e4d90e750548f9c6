/*
 * line.h: a check in one line.
 */
#ifndef WARPUP_LINE_H
#define WARPUP_LINE_H

#include "show/view.h"

void show_line(const struct view *view);

#endif
