/* names.h: the variable of a module that an address belongs to, for messages. */
#ifndef WARPUP_NAMES_H
#define WARPUP_NAMES_H

#include "gpu/ptx/ptx.h"

#include <stddef.h>
#include <stdint.h>

/* The variable in global or constant memory that contains this address, or is nearest to it and at
 * most `near` bytes away; NULL if there is none. */
const struct ptx_variable *name_of_global(const struct ptx_module *module, uint64_t address,
                                          uint64_t near);

/* The variable in shared memory that contains this offset or is nearest to it, among those that the
 * kernel uses. Dynamic shared memory has `dynamic` bytes. */
const struct ptx_variable *name_of_shared(const struct ptx_module *module,
                                          const struct ptx_function *kernel, uint64_t offset,
                                          uint64_t dynamic);

/* Writes into a fault's detail where an access at `at` is, of `bytes` bytes that begin at `from`
 * and have this name. */
void name_address(char *detail, size_t room, const char *name, uint64_t at, uint64_t from,
                  uint64_t bytes);

/* The variable's name, as messages say it, or "the dynamic shared memory". */
const char *name_in_words(const struct ptx_variable *variable);

#endif
