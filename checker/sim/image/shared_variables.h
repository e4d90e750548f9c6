/*
 * shared_variables.h: the shared memory of the program's kernels. Its variables are the
 * thread-local variables of the device image, with gaps between them. A kernel uses those that it
 * declares, and a block has each of them once.
 */
#ifndef WARPUP_SHARED_VARIABLES_H
#define WARPUP_SHARED_VARIABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct shared_variable {
    const char *symbol; /* as the compiler calls it */
    size_t offset;      /* into the block's shared memory */
    size_t bytes;       /* of dynamic shared memory: the most that there can be */
    bool is_dynamic;    /* `extern __shared__` */
};

/* All variables, in the order of their offsets. */
const struct shared_variable *shared_variables_list(size_t *count);

/* The name that the student gave it, into `name`. */
void shared_variables_name(const struct shared_variable *variable, char *name, size_t room);

/* The kernel that contains the code at `pc`: its first address in the device image; NULL if it is
 * not known. */
const void *shared_variables_kernel(uintptr_t pc);

/* Is the variable declared in the kernel itself? */
bool shared_variables_declares(const void *kernel, const struct shared_variable *variable);

/* Bytes of static shared memory that the kernel itself declares. A GPU would put the largest
 * alignments first, without gaps. */
size_t shared_variables_static_bytes(const void *kernel);

#endif
