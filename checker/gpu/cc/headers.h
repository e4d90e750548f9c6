/*
 * headers.h: CUDA's headers, compiled once: they take clang five times as long as most programs.
 * The lab's make has them compiled; a compilation uses them if its compiler and its flags are the
 * same.
 */
#ifndef WARPUP_CC_HEADERS_H
#define WARPUP_CC_HEADERS_H

#include "gpu/cc/compiler.h"

/* Compiles CUDA's headers into the folder, for this compiler and profile. Returns an exit code of
 * messages.h. */
int headers_compile(const struct compiler *compiler, struct options *options);

/* The folder, if its content serves this compilation; else NULL. */
const char *headers_find(const struct compiler *compiler, const struct options *options);

/* The file for one build. */
const char *headers_file(const char *folder, enum build build);

/* Does the compiler say that they do not serve it, such as after a header was changed? */
bool headers_refused(const char *said);

#endif
