/*
 * editor.h: the verdict for editors and code hosts: as gcc writes its messages, and as SARIF.
 */
#ifndef WARPUP_EDITOR_H
#define WARPUP_EDITOR_H

#include "show/view.h"

void show_gcc(const struct view *view);
void show_sarif(const struct view *view);

#endif
