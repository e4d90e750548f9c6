/*
 * depth.h: how long a warp needs for its own instructions if nothing else holds it up: in a basic
 * block each instruction waits for the results of those before it. Loads do not
 * count here: memory/ adds up how long a warp waits for its accesses.
 */
#ifndef WARPUP_DEPTH_H
#define WARPUP_DEPTH_H

#include "gpu/memory/tally.h"

/* Clocks, of all warps of the launch together. */
double depth_clocks(const struct tally *tally);

#endif
