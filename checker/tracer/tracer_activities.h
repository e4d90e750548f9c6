/*
 * tracer_activities.h: what the GPU did, from CUPTI's activity records.
 */
#ifndef WARPUP_TRACER_ACTIVITIES_H
#define WARPUP_TRACER_ACTIVITIES_H

#include <stdbool.h>

/* Asks CUPTI for all kernels, copies and sets. Returns CUPTI's result code, and in `asked` the step
 * that it belongs to. */
int activities_begin(const char **asked);

/* Asks CUPTI for all records that it still holds; the GPU must be idle. */
void activities_collect(void);

#endif
