/*
 * fragment.h: what PTX shares with mma.h: the running lane waits for its warp, and multiplies.
 */
#ifndef WARPUP_SIM_FRAGMENT_H
#define WARPUP_SIM_FRAGMENT_H

#include "sim/requests/lane.h"
#include "sim/requests/warp.h"
#include "warpup/fragment.h"

/* Waits for all lanes of the warp, and gets what they bring; returns those that came. Missing lanes
 * are reported. */
uint32_t fragment_gather(uint64_t value, uint64_t from[LANES], uintptr_t pc);

/* d = a b + c, in the place of all lanes. */
void fragment_multiply(struct warpup_fragments *fragments, uintptr_t pc);

#endif
