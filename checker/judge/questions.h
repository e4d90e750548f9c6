/*
 * questions.h: what a check asks the judge before its end, to choose its next runs. Other such
 * questions are in measure/plan.h and measure/perturbed.h.
 */
#ifndef WARPUP_QUESTIONS_H
#define WARPUP_QUESTIONS_H

#include "judge/read/runs.h"

/* True if the result of one of these runs is wrong, or if a device saw a fault in one: such a
 * program need not be timed. */
bool question_wrong(const struct ended *const *ended, size_t count);

/* The first launch whose inputs a perturbed run perturbs, in a run like this one. */
uint64_t question_first_timed(const struct ended *ended);

#endif
