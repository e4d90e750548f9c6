/*
 * bus.h: when copies between host and GPU run. Each direction has a copy engine, which does one
 * copy after another. So copies of different streams run at the same time only if their directions
 * differ. While both directions are busy, each is slower.
 */
#ifndef WARPUP_BUS_H
#define WARPUP_BUS_H

#include <stdbool.h>
#include <stdint.h>

struct bus_copy {
    bool to_device, pinned, async;
    double bytes;
};

/* Takes the engine for a copy that may begin at `start`, and moves `start` to the time when it does
 * begin. Returns the time when it ends. */
int64_t bus_take(const struct bus_copy *copy, int64_t *start);

#endif
