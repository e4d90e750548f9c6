/*
 * run.h: what the page shows of one run, from its trace: its kernels with their places, samples and
 * times, its faults, and what happened when.
 */
#ifndef WARPUP_VIEW_RUN_H
#define WARPUP_VIEW_RUN_H

#include <jansson.h>

/* The run in `folder` as an object; NULL if it has no trace. `source` is the text of the program.
 * Records that cannot be read are left out. */
json_t *run_read(const char *folder, const char *source);

#endif
