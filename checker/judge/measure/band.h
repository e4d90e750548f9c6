/*
 * band.h: how exact a modelled share is. On a GPU, the share is from `least` to `most` times as
 * much. If only a part of this band meets a criterion, only a GPU can decide.
 */
#ifndef WARPUP_BAND_H
#define WARPUP_BAND_H

#include "judge/measure/counts.h"

struct band {
    double least, most; /* factors; 0 if the value is exact */
};

/* The band of the share of a run's timed kernels, or of its copies. Exact on a real GPU. */
struct band band_of_kernels(const struct run *run, const struct counts *counts);
struct band band_of_copies(const struct run *run);

#endif
