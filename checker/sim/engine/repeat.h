/*
 * repeat.h: a launch that is the same as the one before it, in memory that nobody has changed, need
 * not run again. Benchmarks launch a kernel hundreds of times. The second launch shows whether it
 * leaves memory unchanged, and the later ones take its counts.
 */
#ifndef WARPUP_REPEAT_H
#define WARPUP_REPEAT_H

#include "sim/engine/engine.h"
#include "sim/engine/model.h"

/* Call it before a launch runs, with device memory open. `argument_bytes` is the size of what the
 * kernel is called with. True if the launch repeats the one before: the outcome and the records of
 * its accesses are then those of that launch. */
bool repeat_take(const struct kernel_launch *launch, size_t argument_bytes,
                 struct kernel_outcome *outcome);

/* To be called after a launch that repeat_take() did not take has run. */
void repeat_learn(const struct kernel_outcome *outcome);

#endif
