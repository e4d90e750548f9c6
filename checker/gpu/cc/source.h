/*
 * source.h: what the text of a program says, where compilers do not.
 */
#ifndef WARPUP_CC_SOURCE_H
#define WARPUP_CC_SOURCE_H

#include "gpu/cc/options.h"

/* Is the source host code alone, by its name (.c, .cc, .cpp, .cxx)? */
bool source_is_hosts(const char *path);

/* The name of the function in whose body the line is; NULL: it is in none, or the file cannot be
 * read. */
const char *source_function(const char *file, int line);

/* Writes an error for what nvcc refuses and clang accepts: a lambda that has a mark such as
 * __device__, which nvcc only takes with --extended-lambda, and a kernel with an ellipsis. True if
 * there is one. */
bool source_is_refused(const struct options *options);

/* Does a source name one of C++'s special mathematical functions? The headers leave them out
 * otherwise, because they take long to compile. */
bool source_names_special_functions(const struct options *options);

/* True if a type of 16 bits is named, or a number of blocks is computed in float: an index may pass
 * through either. */
bool source_narrows(const struct options *options);

/* The line in which a source declares this `extern __shared__` array; 0: none does. */
int source_dynamic_array(const char *source, const char *name);

/* The alignment of the type with which the sources declare this __shared__ variable; 16 if it is
 * not known, the largest if there are several, 0 if there is none. */
unsigned source_shared_alignment(const struct options *options, const char *name);

#endif
