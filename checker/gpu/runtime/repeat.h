/*
 * repeat.h: a launch that is the same as the one before it, in memory that nobody has changed, need
 * not run again. Benchmarks launch a kernel hundreds of times. The second launch shows whether it
 * leaves memory unchanged, and the later ones take its counts.
 */
#ifndef WARPUP_REPEAT_H
#define WARPUP_REPEAT_H

#include "gpu/memory/tally.h"
#include "gpu/warp/launch.h"

#include <stdbool.h>

/* Call it before a launch runs. True if the launch repeats the one before: *tally is then that of
 * that launch. Otherwise it is the tally for launch_run(). It stays as it is until the next launch.
 */
bool repeat_take(const struct launch *launch, struct tally **tally);

/* The launch whose kernel ran for the latest launch: an earlier one, if that repeats it. */
uint64_t repeat_ran(void);

/* The latest launch that repeats the one whose kernel ran; that one itself if none does. */
uint64_t repeat_latest(uint64_t ran);

/* To be called after a launch that repeat_take() did not take has run. */
void repeat_learn(bool succeeded);

/* Set by the runtime as what kernels print with: a launch that prints is not repeated. */
void repeat_print(const char *text, size_t bytes);

#endif
