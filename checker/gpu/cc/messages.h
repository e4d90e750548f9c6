/*
 * messages.h: what a compiler says, in the student's terms: only about the student's own files. A
 * message about a header moves to the student's line that led there.
 */
#ifndef WARPUP_CC_MESSAGES_H
#define WARPUP_CC_MESSAGES_H

#include "gpu/cc/options.h"

/* Exit codes of build/cc. */
enum { COMPILED, REFUSED, UNKNOWN };

/* Writes the errors in the logs of a compilation that failed; the same error of host code and of
 * device code once. Returns REFUSED; UNKNOWN if the cause is something that the simulated GPU does
 * not know, which then is one line; COMPILED if there is no error. */
int messages_explain(const struct options *options, const struct list *logs);

/* Writes where variables are declared that may be used before they are set, of a compilation that
 * succeeded. */
void messages_unset(const struct options *options, const struct list *logs);

/* Writes what the linker says. Returns REFUSED, or COMPILED if no line of it is about the program.
 */
int messages_link(const struct options *options, const char *log);

/* The name of a file in messages: without the folder of the source. */
const char *messages_file(const struct options *options, const char *path);

#endif
