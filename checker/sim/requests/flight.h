/*
 * flight.h: follows the bytes that a warp loads from global memory and stores to shared memory, and
 * which of them are in flight while it computes (struct flight in warp.h).
 */
#ifndef WARPUP_FLIGHT_H
#define WARPUP_FLIGHT_H

#include "sim/requests/request.h"
#include "sim/requests/warp.h"

#include <stdint.h>

void flight_follow(struct warp *warp, const struct request *request);

/* Bytes of asynchronous copies have arrived. */
void flight_arrive(struct warp *warp, uint64_t bytes);

/* The last store to shared memory has happened. */
void flight_land(struct warp *warp);

#endif
