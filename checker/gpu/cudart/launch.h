/*
 * launch.h: a kernel's parameters, for launches and nodes of graphs.
 */
#ifndef WARPUP_CLIENT_LAUNCH_H
#define WARPUP_CLIENT_LAUNCH_H

#include "gpu/cudart/register.h"

#include <stdbool.h>

/* Copies the arguments to `to`, which has room for layout->bytes. False if there are none where
 * some are needed. */
bool launch_pack(const struct layout *layout, void **arguments, unsigned char *to);

#endif
