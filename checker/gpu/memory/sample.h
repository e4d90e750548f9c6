/*
 * sample.h: a few whole requests of each access instruction, lane by lane, so that they can be
 * drawn. The first ones are of one warp of the first block, in their order: the first iterations of
 * a loop. Another is the one with the fewest lanes in the last block, at the grid's edge. The last
 * is the worst one. Only the first launches of a kernel are sampled.
 */
#ifndef WARPUP_SAMPLE_H
#define WARPUP_SAMPLE_H

#include "gpu/memory/tally.h"

#include <stdbool.h>
#include <stdint.h>

struct request;

/* Are requests of the next launch of this kernel kept? Asked once per launch. */
bool sample_wanted(const char *kernel);

/* The tally keeps samples from now on; the launch has `blocks` blocks. */
void sample_begin(struct tally *tally, const struct ptx_function *kernel, const uint32_t grid[3],
                  uint32_t dynamic);

/* Keeps the request if it is one to show; `used` is its sectors or wavefronts. */
void sample_take(struct tally *tally, const struct request *request, uint32_t mask, bool shared,
                 uint32_t used, uint32_t block, uint32_t warp);

/* Adds another worker's samples. Of two that are equally bad, the one in the earlier block is kept.
 */
void sample_add(struct tally *tally, const struct tally *more);
void sample_free(struct tally *tally);

/* Are there samples of this access instruction in shared or global memory? Writes their records;
 * `site` is the number of the `access` record just written. */
bool sample_any(const struct tally *tally, uint32_t access, bool shared);
void sample_write(const struct tally *tally, uint32_t access, bool shared, uint64_t launch,
                  uint64_t site);

/* Adds the samples of an access instruction to those of another one of the same place: copies of a
 * loop's body become its iterations again. */
void sample_join(const struct tally *tally, uint32_t to, uint32_t from, bool shared);

/* Would a request of 32 lanes to shared memory add nothing to the samples? */
bool sample_is_known(const struct tally *tally, uint32_t access, uint32_t used, uint32_t block);

#endif
