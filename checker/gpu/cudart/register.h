/*
 * register.h: what the program has registered: its device code, with the names and addresses of
 * kernels and device variables. The GPU gets it when the program first needs it.
 */
#ifndef WARPUP_REGISTER_H
#define WARPUP_REGISTER_H

#include <stddef.h>
#include <stdint.h>

/* Sends what the GPU does not have yet. */
void register_load(void);

/* How a kernel's parameters are laid out. */
struct layout {
    uint32_t bytes, count;
    struct {
        uint32_t at, bytes;
    } parameter[];
};

/* The layout of the parameters of the kernel with this stub; NULL if the GPU does not know the
 * kernel. The layout lives as long as the process. */
const struct layout *register_layout(const void *stub);

#endif
