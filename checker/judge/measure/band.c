/*
 * band.c: see band.h. bands.def has the errors of the time model for kernels that an H100 and an
 * H200 ran: solutions/kernels/compare writes it.
 */
#include "judge/measure/band.h"

#include <string.h>

static const struct {
    const char *kind; /* as the simulated GPU's trace says */
    struct band band;
} kinds[] = {
#define BAND(kind, least, most, kernels) {kind, {least, most}},
#include "judge/measure/bands.def"
};

/* Copies between host and GPU, at the rates that were measured. */
static const struct band COPIES = {0.95, 1.05};

static bool is_exact(const struct run *run)
{
    return run == NULL || run->device == DEVICE_REAL;
}

/* The first row holds for all kernels, and so for those whose kind is not known. */
struct band band_of_kernels(const struct run *run, const struct counts *counts)
{
    if (is_exact(run)) return (struct band){0, 0};
    struct band band = kinds[0].band;
    for (size_t i = 1; i < sizeof kinds / sizeof *kinds; i++)
        if (counts->kind != NULL && strcmp(kinds[i].kind, counts->kind) == 0) band = kinds[i].band;
    return band;
}

struct band band_of_copies(const struct run *run)
{
    return is_exact(run) ? (struct band){0, 0} : COPIES;
}
