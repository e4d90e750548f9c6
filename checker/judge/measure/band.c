/*
 * band.c: see band.h. The figures are from kernels whose times were measured on an H100 and an H200
 * (solutions/measured/kernels.md and README.md).
 */
#include "judge/measure/band.h"

/* The kernels' time is that of DRAM. Of the kernels that only stream, none in the half that fits
 * the model is slower than modelled by more than 2 %; the ones that rotate points are up to 1.2
 * times as fast. */
static const struct band STREAMS = {0.98, 1.2};

/* All others. With large matrices, the stages of the matrix product reach 1.0 to 1.25 times the
 * modelled share. Small tiles reach up to 1.5 times, and tiles with padding 0.97 times. */
static const struct band OTHERS = {0.95, 1.5};

/* Copies between host and GPU, at the rates that were measured. */
static const struct band COPIES = {0.95, 1.05};

/* of the kernels' time without their start; above it, DRAM limits them */
static const double DRAM_LEAST = 0.9;

static bool is_exact(const struct run *run)
{
    return run == NULL || run->device == DEVICE_REAL;
}

struct band band_of_kernels(const struct run *run, const struct counts *counts)
{
    if (is_exact(run)) return (struct band){0, 0};
    bool streams = counts->dram_ns >= DRAM_LEAST * (counts->kernel_ns - counts->start_ns);
    return streams ? STREAMS : OTHERS;
}

struct band band_of_copies(const struct run *run)
{
    return is_exact(run) ? (struct band){0, 0} : COPIES;
}
