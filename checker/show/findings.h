/*
 * findings.h: what a check has to say about places of the source, as a compiler's messages: the
 * compiler's own, the diagnoses of what failed, and what failed without a diagnosis.
 */
#ifndef WARPUP_FINDINGS_H
#define WARPUP_FINDINGS_H

#include "show/view.h"

struct finding {
    const char *rule;  /* a diagnosis, a criterion, or "could-not-check" */
    const char *level; /* "error", "warning" or "note" */
    const char *file;  /* as the reader finds it */
    int line, column;  /* from 1 on; 0 where nothing is known */
    const char *text;
};

/* Hands every finding of a verdict to a function, the most important one first. */
void each_finding(const struct view *view, void (*take)(void *to, const struct finding *finding),
                  void *to);

#endif
