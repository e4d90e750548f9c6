/*
 * special_functions.h: C++17's special mathematical functions, which cuda_runtime.h leaves out of
 * <cmath>. sim/compile includes this file for programs that name one.
 */
#ifndef WARPUP_SPECIAL_FUNCTIONS_H
#define WARPUP_SPECIAL_FUNCTIONS_H

#define _GLIBCXX_USE_STD_SPEC_FUNCS 1
#include <bits/specfun.h>

#endif
