/*
 * terminal.h: which colours and symbols the user of this terminal wants and can see.
 */
#ifndef WARPUP_TERMINAL_H
#define WARPUP_TERMINAL_H

#include "show/view.h"

/* Sets unicode, colour and plain. ASCII where the locale is not one of UTF-8. Words in the place of
 * symbols with WARPUP_PLAIN=1, and where the locale is not one of UTF-8. Colours with
 * CLICOLOR_FORCE=1, or on a terminal that is not dumb; never with NO_COLOR or WARPUP_PLAIN. */
void find_terminal(struct view *view);

#endif
