/*
 * request.h: one warp-level access instruction of the lanes that came to it together.
 */
#ifndef WARPUP_REQUEST_H
#define WARPUP_REQUEST_H

#include "sim/requests/warp.h"

/* A request while it is examined. */
struct request {
    struct site *site;
    enum access_kind kind;
    unsigned size;          /* bytes per lane */
    uint32_t mask;          /* active lanes */
    const uint64_t *offset; /* by lane */
    const bool *same;       /* by lane: a store that changed nothing */
    uint32_t lanes, lines, sectors, wavefronts;
    bool scattered; /* not 32 lanes side by side */
    double clocks;  /* of the L1 */
    enum cache_level level;
};

/* Counts and checks the request of the lanes of `mask` at the place of `event`. offset[lane] is
 * what each accesses, and same[lane] says of a store whether it changed nothing. */
void request_take(struct warp *warp, uint32_t event, const uint64_t offset[LANES],
                  const bool same[LANES], uint32_t mask);

/* The tally's site of this event in shared or global memory; a new one without counts if there was
 * none. */
struct site *request_site(struct tally *tally, uint32_t event, bool shared);

/* Ends the batch of loads in flight, and returns the warp's time so far. */
double request_settle(struct chain *chain);

#endif
