/*
 * dynamic_shared.h: the shared memory whose size the launch gives. sim/compile includes this file
 * for programs that declare an extern __shared__ array.
 */
#ifndef WARPUP_DYNAMIC_SHARED_H
#define WARPUP_DYNAMIC_SHARED_H

#include "warpup/runtime.h"

/* One for all files of the program */
__asm__(
    ".pushsection .tbss.warpup_dynamic_shared, \"awTG\", @nobits, warpup_dynamic_shared, comdat\n"
    ".zero 1024\n" /* a gap, as after every shared variable */
    ".balign 128\n"
    ".weak warpup_dynamic_shared\n"
    ".type warpup_dynamic_shared, @object\n"
    ".size warpup_dynamic_shared, " WARPUP_TEXT(
        WARPUP_DYNAMIC_SHARED_BYTES) "\n"
                                     "warpup_dynamic_shared:\n"
#ifdef __CUDA_ARCH__
                                     ".zero " WARPUP_TEXT(
                                         WARPUP_DYNAMIC_SHARED_BYTES) "\n"
#endif
                                                                      ".popsection\n");
extern "C" __thread char warpup_dynamic_shared[];

/* Becomes a reference to an array of any type. */
struct warpup_dynamic_shared_array {
    template <class Array> __attribute__((always_inline)) operator Array &() const
    {
        return reinterpret_cast<Array &>(warpup_dynamic_shared);
    }
};

#endif
