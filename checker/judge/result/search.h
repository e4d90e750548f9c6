/* search.h: looks for the oracle's result in an array, whatever its layout. */
#ifndef WARPUP_SEARCH_H
#define WARPUP_SEARCH_H

#include "judge/result/compare.h"

/* Looks for the result at the array's start, and at multiples of its length. */
bool search_plain(const struct host_array *array, const struct oracle_problem *problem,
                  struct layout *layout);

/* Looks for any layout by which the array holds the result. */
bool search_any(const struct host_array *array, const struct oracle_problem *problem,
                struct layout *layout);

#endif
