/*
 * natives.h: what natives.c uses: formatted printing, and the heap of malloc() in kernels.
 */
#ifndef WARPUP_NATIVES_H
#define WARPUP_NATIVES_H

#include "gpu/warp/control.h"

/* Copies what a lane's generic pointer points to. False: that is not the GPU's memory. */
bool peek(const struct warp *warp, uint32_t lane, uint64_t address, void *to, size_t bytes);
bool peek_text(const struct warp *warp, uint32_t lane, uint64_t address, char *text, size_t room);

/* Prints as printf() does for a lane; its arguments are at a generic address, aligned as
 * vprintf()'s are. Returns the number of arguments, as CUDA does; negative: an error. */
int print_formatted(struct warp *warp, uint32_t lane, const char *format, uint64_t arguments);

/* malloc(): an address of global memory, or 0. free(): false if it was not taken. */
uint64_t heap_take(uint64_t bytes);
bool heap_give(uint64_t address);

#endif
