/*
 * request.h: one warp-level access instruction, carried out by the lanes that came to it together.
 */
#ifndef WARPUP_REQUEST_H
#define WARPUP_REQUEST_H

#include "warp.h"

/* A request under way. */
struct request {
    struct site *site;
    enum access_kind kind;
    unsigned size;          /* bytes a lane */
    uint32_t mask;          /* active lanes */
    const uint64_t *offset; /* by lane */
    uint32_t lanes, lines, sectors;
    enum cache_level level;
};

/* Takes stock of the request that the lanes of `mask` make at the place of `event`; offset[lane]
 * is what each touches. */
void request_take(struct warp *warp, uint32_t event, const uint64_t offset[LANES], uint32_t mask);

/* A new site of the tally, with no counts yet. */
struct site *request_add_site(struct tally *tally, uint32_t event);

/* Ends the batch of loads under way and returns the warp's time so far. */
double request_settle(struct chain *chain);

#endif
