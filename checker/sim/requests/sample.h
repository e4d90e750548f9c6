/*
 * sample.h: a few whole requests of each place in the source, lane by lane, so that they can be
 * drawn. The first ones are of one warp of the first block, in their order: the first iterations of
 * a loop. Another is the one with the fewest lanes in the last block, at the grid's edge. The last
 * is the worst one. Only the first launches of a kernel are sampled.
 */
#ifndef WARPUP_SAMPLE_H
#define WARPUP_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/requests/request.h"

/* Requests in a row that are kept of a place. Six show the step of a loop, and its repetition. */
enum { SAMPLES_IN_A_ROW = 6 };

struct sample {
    uint64_t offset[LANES]; /* as in the log */
    uint32_t mask;          /* lanes that took part; 0: there is no sample */
    uint32_t used;          /* sectors, or wavefronts */
    uint32_t block, warp;
};

/* The samples of one site. */
struct samples {
    struct sample row[SAMPLES_IN_A_ROW], edge, worst;
    uint32_t count; /* in the row */
};

/* Says whether requests of the next launch are kept, by the name of its kernel. */
bool sample_wanted(const char *kernel);

/* Begins a launch of this many blocks: no site has samples. */
void sample_begin(struct tally *tally, bool wanted, uint64_t blocks);

/* Keeps the request if it is one to show. */
void sample_take(const struct warp *warp, const struct request *request);

/* Adds the samples that another worker has of a place to those of `site`. */
void sample_join(struct tally *tally, struct site *site, const struct tally *other,
                 const struct site *more);

/* Writes a record for each sample of the site. `number` is the site's in this launch, and `launch`
 * the launch's id. */
void sample_write(const struct tally *tally, const struct site *site, uint64_t launch,
                  uint64_t number);

#endif
