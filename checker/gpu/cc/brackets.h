/*
 * brackets.h: launches whose brackets are apart, k<< <1, 32>> >(x), as some formatters write them.
 * nvcc takes them, clang does not.
 */
#ifndef WARPUP_CC_BRACKETS_H
#define WARPUP_CC_BRACKETS_H

#include "gpu/cc/options.h"

/* Writes a copy of each source with such launches, in which the brackets are together and every
 * line and column stays. Returns the name of a file that makes clang read the copies instead of the
 * sources; NULL: no source has any. */
const char *brackets_joined(const struct options *options);

/* Removes what brackets_joined() wrote. */
void brackets_remove(const struct options *options);

#endif
