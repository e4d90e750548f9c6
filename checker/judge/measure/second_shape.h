/*
 * second_shape.h: the measure of the timed size of the second shape. Some rungs are about problems
 * of another shape than the usual timed size. A row `speed_second_shape` in sizes.tsv gives their
 * size, and `share_second_shape` is the share of the limit there. The program runs it only once it
 * has reached the rung below.
 */
#ifndef WARPUP_SECOND_SHAPE_H
#define WARPUP_SECOND_SHAPE_H

#include "judge/measure/metrics.h"

/* Takes MEASURE_SHARE_SECOND_SHAPE, after all other measures; `results` has one entry per run. */
void measure_second_shape(struct measures *measures, const struct check *check,
                          const struct result *results, bool in_flops);

#endif
