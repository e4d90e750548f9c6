/*
 * band.h: how exact a modelled time is. Of a share that the model gives, the share on a GPU lies
 * between `least` and `most` times as much. A criterion between the two cannot be told without a
 * GPU.
 */
#ifndef WARPUP_BAND_H
#define WARPUP_BAND_H

#include "judge/measure/counts.h"

struct band {
    double least, most; /* factors; 0 if the value is exact */
};

/* Of the share of a run's timed kernels, or of its copies. Exact on a real GPU. */
struct band band_of_kernels(const struct run *run, const struct counts *counts);
struct band band_of_copies(const struct run *run);

#endif
