/*
 * repeat.h: a launch that is the same as the one before it, in memory that nobody has changed, need
 * not run again. Benchmarks launch a kernel hundreds of times; the second launch shows whether it
 * leaves memory as it finds it, and the later ones take over what that one gave.
 */
#ifndef WARPUP_REPEAT_H
#define WARPUP_REPEAT_H

#include "sim/engine/engine.h"
#include "sim/engine/model.h"

/* To be called before a launch runs whose argument has so many bytes, with device memory open. True
 * if it repeats: the outcome and the records of its accesses are then those of the launch before.
 */
bool repeat_take(const struct kernel_launch *launch, size_t argument_bytes,
                 struct kernel_outcome *outcome);

/* To be called after a launch that repeat_take() did not take has run. */
void repeat_learn(const struct kernel_outcome *outcome);

#endif
