/*
 * end_to_end_metrics.h: the measures of the whole job (end_to_end.h): its result, the time in which
 * its copies go in both directions, and its rate.
 */
#ifndef WARPUP_END_TO_END_METRICS_H
#define WARPUP_END_TO_END_METRICS_H

#include "judge/measure/metrics.h"

/* Takes MEASURE_END_TO_END, MEASURE_COPY_OVERLAP and MEASURE_BUS_SHARE, after those of the runs'
 * ends. `faults` names the faults of the job; NULL: it has none. */
void measure_end_to_end(struct measures *measures, const struct check *check, const char *faults);

#endif
