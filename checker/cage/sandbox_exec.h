/*
 * sandbox_exec.h: the way into the sandbox.
 */
#ifndef WARPUP_CAGE_SANDBOX_EXEC_H
#define WARPUP_CAGE_SANDBOX_EXEC_H

#include "cage/step.h"

/* Makes the directories of a step; false if that is not possible. */
bool sandbox_prepare(struct step *step);

/* Starts bwrap with the step in it. Returns its process, or -1; `status` becomes readable when the
 * step has begun and when it has ended. */
pid_t sandbox_start(const struct step *step, int *status);

/* Becomes the simulated GPU, in the control groups of the step. It stays this user until it has
 * started the program; WARPUP_USER says whom it becomes then. The trace's directory is that user's.
 */
_Noreturn void sandbox_gpu(const struct step *step);

#endif
