/*
 * instructions.h: how many instructions the warps of a launch issue besides their accesses to
 * memory. instructions.awk estimates for each piece of the code what one run of it by a warp needs.
 * A piece with arithmetic has a counter (arithmetic.h), which counts the runs of lanes. How many
 * warps that were is known of a sample of the warps: their lanes count apart. A piece with only an
 * access to memory runs as often as this access makes a request.
 */
#ifndef WARPUP_INSTRUCTIONS_H
#define WARPUP_INSTRUCTIONS_H

#include "sim/engine/arithmetic.h"
#include "sim/requests/warp.h"

#include <stddef.h>
#include <stdint.h>

/* What all warps together need. */
struct instructions {
    double issued;           /* without accesses, and what arithmetic.h counts */
    double logic;            /* of them: comparisons, shifts, and operations on bits */
    double special;          /* of them: to the unit for special functions */
    double doubles;          /* instructions of functions in double */
    double floats;           /* other instructions of functions */
    double local;            /* clocks of an SM's L1 for accesses to local memory */
    double roots;            /* of floats, of lanes: no divisions */
    struct arithmetic lanes; /* as if all lanes of a warp did what one of them does */
    double depth, depth_max; /* clocks of a warp that nothing holds up: the mean, the most */
};

/* Of a worker: counters for each lane of the warp that is in the sample, and sums of those. */
struct warp_sample {
    uint64_t *lane[LANES];
    uint64_t *warp_runs, *lane_runs; /* of each counter */
    uint64_t (*rounds)[LANES];       /* of each loop, scratch: of the lanes */
    double *warp_rounds;             /* the same, of the warp */
    struct turns turns;              /* of the warp that is counted now */
    uint64_t warps, depth_sum, depth_max;
    const struct warp *warp; /* that is counted now; NULL: none */
};

/* What is known of the accesses, by place (warp.h). NULL if there is no memory. */
const uint16_t *instructions_known(void);

/* False if there is no memory. */
bool instructions_make(struct warp_sample *sample);

void instructions_begin_launch(struct warp_sample *sample);

/* Adds the counts of the sampled warp, which has ended, to the sums and to `counters`. */
void instructions_end_warp(struct warp_sample *sample, uint64_t *counters);

/* The clocks of an SM's schedulers for what threads have computed, of which these are the counters.
 */
double instructions_clocks(const uint64_t *counters);

/* Adds another worker's sample. */
void instructions_join(struct warp_sample *sum, const struct warp_sample *more);

struct instructions instructions_sum(const struct tally *tally, const struct warp_sample *sample,
                                     uint64_t warps);

#endif
