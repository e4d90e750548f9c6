/*
 * job_metrics.h: the measures of the whole job (job.h): its result, the time in which its copies go
 * in both directions, and its rate.
 */
#ifndef WARPUP_JOB_METRICS_H
#define WARPUP_JOB_METRICS_H

#include "judge/measure/metrics.h"

/* Takes MEASURE_JOB, MEASURE_JOB_OVERLAP and MEASURE_JOB_SHARE, after those of the runs' ends. */
void measure_job(struct measures *measures, const struct check *check);

#endif
