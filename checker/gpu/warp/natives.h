/*
 * natives.h: functions that kernels call and that are not PTX. Each is executed like an
 * instruction; arguments and results are bytes of each lane's call area.
 */
#ifndef WARPUP_NATIVES_H
#define WARPUP_NATIVES_H

#include "gpu/warp/warp.h"

/* The linker puts the rows of all files side by side. */
struct native {
    const char *name;
    ptx_execute *execute;
};
#define NATIVE_ROW(name, function)                                                                 \
    static const struct native __attribute__((used, section("natives"), aligned(8)))               \
    name##_row = {#name, function};

/* The function of this name; NULL: there is none. */
ptx_execute *native_named(const char *name);

static inline unsigned char *native_argument(const struct warp *warp,
                                             const struct ptx_instruction *at, uint32_t lane,
                                             uint32_t number)
{
    return warp->call_area + (size_t)lane * warp->call_stride + at->call->argument[number];
}

static inline unsigned char *native_result(const struct warp *warp,
                                           const struct ptx_instruction *at, uint32_t lane)
{
    return warp->call_area + (size_t)lane * warp->call_stride + at->call->result[0];
}

/* Copies what a lane's generic pointer points to, without counting it. False: that is not the GPU's
 * memory. */
bool peek_text(const struct warp *warp, uint32_t lane, uint64_t address, char *text, size_t room);

/* Prints as printf() does for a lane; its arguments are at a generic address, aligned as
 * vprintf()'s are. Returns the number of arguments, as CUDA does; negative: an error (print.c). */
int print_formatted(struct warp *warp, uint32_t lane, const char *format, uint64_t arguments);

#endif
