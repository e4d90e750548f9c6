/*
 * fragment.h: what PTX shares with mma.h: the running lane waits for its warp, and multiplies.
 */
#ifndef WARPUP_SIM_FRAGMENT_H
#define WARPUP_SIM_FRAGMENT_H

#include "sim/requests/lane.h"
#include "sim/requests/warp.h"
#include "warpup/fragment.h"

/* Waits for all lanes of the warp. The first one that goes on gets what they bring. Returns those
 * that came; missing lanes are reported. */
uint32_t fragment_gather(uint64_t value, const uint64_t **from, uintptr_t pc);

/* d = a b + c, for all lanes that came: each has its share of the matrices. */
void fragment_multiply(struct warpup_fragments *const lanes[LANES], uint32_t came);

#endif
