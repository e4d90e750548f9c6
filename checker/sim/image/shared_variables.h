/*
 * shared_variables.h: the shared memory of the program's kernels. Its variables are the
 * thread-local variables of the device image, with gaps between them. A kernel uses those that it
 * declares, and a block has each of them once.
 */
#ifndef WARPUP_SHARED_VARIABLES_H
#define WARPUP_SHARED_VARIABLES_H

#include "sim/image/program.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Is it what `extern __shared__` stands for? Its size is then the most that there can be. */
bool shared_variables_is_dynamic(const struct device_symbol *variable);

/* The name that the student gave it, into `name`. */
void shared_variables_name(const struct device_symbol *variable, char *name, size_t room);

/* The kernel that contains the code at `pc`: its first address in the device image; NULL if it is
 * not known. */
const void *shared_variables_kernel(uintptr_t pc);

/* Is the variable declared in the kernel itself? */
bool shared_variables_declares(const void *kernel, const struct device_symbol *variable);

/* Bytes of static shared memory that the kernel itself declares. A GPU would put the largest
 * alignments first, without gaps. */
size_t shared_variables_static_bytes(const void *kernel);

#endif
