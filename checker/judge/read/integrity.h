/*
 * integrity.h: is a trace the one that its writer wrote, from the first record to the last? Its
 * `end` record holds checksums that nobody can make without the check's key (../trace/seal.h).
 */
#ifndef WARPUP_INTEGRITY_H
#define WARPUP_INTEGRITY_H

#include "judge/read/runs.h"

/* Says in one sentence what is wrong with the run's trace, and NULL when its seals are right. */
const char *integrity_check(struct arena *arena, const struct run *run, const uint64_t key[2]);

#endif
