/*
 * convert.h: how cvt converts a number, for the files that convert in other ways.
 */
#ifndef WARPUP_CONVERT_H
#define WARPUP_CONVERT_H

#include "gpu/warp/half.h"

struct conversion {
    enum ptx_type to, from;
    enum rounding rounding; /* to a real number */
    unsigned form;
};

/* The conversion that types and modifiers name; false if one of them is not known. */
bool conversion_of(const struct ptx_instruction *instruction, struct conversion *how);

/* The bits of one number converted; whole numbers are not yet cut to their type. The processor's
 * rounding is set. */
uint64_t converted(const struct conversion *how, uint64_t bits);

#endif
