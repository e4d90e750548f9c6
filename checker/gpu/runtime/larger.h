/*
 * larger.h: would a launch stay inside its arrays if the problem were larger? WARPUP_LARGER has the
 * program's arguments and the larger ones: "263 1030:50021 46337". The numbers of a launch are its
 * grid, its kernel's parameters, and the bytes of the arrays that these point to. They are compared
 * with the arguments, and with what programs compute from them: multiples, products, quotients that
 * are rounded up or down. So the launch of the larger problem is known without the program. Some of
 * its blocks are tried (warp/trial.h), and a record says what they did. A launch is not tried if
 * one of its numbers cannot be explained. Nor is it if a trial with the program's own numbers
 * leaves an array.
 */
#ifndef WARPUP_LARGER_H
#define WARPUP_LARGER_H

#include "gpu/warp/launch.h"

/* Reads WARPUP_LARGER, and removes it from the environment. */
void larger_begin(void);

/* The launch has run, and ended well. */
void larger_try(const struct launch *launch);

#endif
