/*
 * race.h: finds races.
 */
#ifndef WARPUP_RACE_H
#define WARPUP_RACE_H

#include "gpu/memory/watching.h"

bool race_row(struct watched_warp *warp, const struct request *request, uint64_t first);
void race_lanes(struct watched_warp *warp, const struct looked *looked);
void race_shared_begin(struct watched_block *block);
void race_shared(struct watched_warp *warp, const struct looked *looked);

#endif
