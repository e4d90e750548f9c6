/*
 * integrity.h: finds out whether a trace is unchanged, from the first record to the last. Its `end`
 * record holds checksums that nobody can compute without the check's key (../trace/mac.h).
 */
#ifndef WARPUP_INTEGRITY_H
#define WARPUP_INTEGRITY_H

#include "judge/read/runs.h"

/* Returns one sentence that says what is wrong with the run's trace, or NULL when its checksums are
 * right. */
const char *integrity_check(struct arena *arena, const struct run *run, const uint64_t key[2]);

#endif
