/*
 * request.h: one warp-level access instruction, carried out by the lanes that came to it together.
 */
#ifndef WARPUP_REQUEST_H
#define WARPUP_REQUEST_H

#include "sim/requests/warp.h"

/* A request under way. */
struct request {
    struct site *site;
    enum access_kind kind;
    unsigned size;          /* bytes a lane */
    uint32_t mask;          /* active lanes */
    const uint64_t *offset; /* by lane */
    const bool *same;       /* by lane: a store that left there what was there */
    uint32_t lanes, lines, sectors, wavefronts;
    enum cache_level level;
};

/* Takes stock of the request that the lanes of `mask` make at the place of `event`; offset[lane]
 * is what each touches, same[lane] says of a store whether it left there what was there. */
void request_take(struct warp *warp, uint32_t event, const uint64_t offset[LANES],
                  const bool same[LANES], uint32_t mask);

/* The tally's site of such an event in shared or global memory; a new one, with no counts, where
 * there was none. */
struct site *request_site(struct tally *tally, uint32_t event, bool shared);

/* Ends the batch of loads under way and returns the warp's time so far. */
double request_settle(struct chain *chain);

#endif
