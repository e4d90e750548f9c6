/*
 * costs.h: what calls cost on the host, besides the work of the GPU. The virtual clock advances by
 * it. Launches and waits have figures of the profile; the others are those of one machine, because
 * they are the driver's work.
 */
#ifndef WARPUP_COSTS_H
#define WARPUP_COSTS_H

#include "gpu/server/call.h"

/* A call begins. */
void costs_call(const struct call *call);

/* A kernel is launched: one of this routine of cuBLAS, or one of the program (NULL). The first one
 * has to be loaded. */
void costs_launch(const char *routine);

#endif
