/*
 * calls.h: the numbers of the calls of calls.def.
 */
#ifndef WARPUP_CALLS_H
#define WARPUP_CALLS_H

enum wire_call {
#define CALL(name) WIRE_##name,
#define CUDA(name) WIRE_##name,
#define OWN(name)  WIRE_##name,
#include "gpu/wire/calls.def"
    WIRE_CALLS
};

#endif
