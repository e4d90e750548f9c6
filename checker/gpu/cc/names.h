/*
 * names.h: names that CUDA has and the simulated GPU has not.
 */
#ifndef WARPUP_CC_NAMES_H
#define WARPUP_CC_NAMES_H

#include "gpu/cc/options.h"

/* Is it a function, type, constant or member ("type::member") of CUDA's that the lab does not know?
 */
bool names_are_lacking(const struct options *options, const char *name);

/* One of the warp functions that no GPU has since Volta: those without a mask. */
bool names_without_mask(const char *name);

/* A header of CUDA's or of its libraries, by its name. */
bool names_cuda_header(const char *name);

#endif
