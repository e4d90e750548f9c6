/*
 * other_size.h: the measure of the other timed size. Some rungs are about problems of another shape
 * than the usual timed size. A row `other_speed` in sizes.tsv gives their size, and `other_share`
 * is the share of the limit there. The program runs it only once it has reached the rung below.
 */
#ifndef WARPUP_OTHER_SIZE_H
#define WARPUP_OTHER_SIZE_H

#include "judge/measure/metrics.h"

/* Takes MEASURE_OTHER_SHARE, after all other measures; `results` has one entry per run. */
void measure_other_size(struct measures *measures, const struct check *check,
                        const struct result *results, bool in_flops);

#endif
