/*
 * device.h: the PTX of a program, as the simulated GPU will read it. What ptxas would refuse is an
 * error of the program, with its line.
 */
#ifndef WARPUP_CC_DEVICE_H
#define WARPUP_CC_DEVICE_H

#include "gpu/cc/options.h"

/* The text of a PTX file, in which the names of the student's files are short: without the folder
 * of the source. NULL if there is no such file. */
char *device_text(const struct options *options, const char *path);

/* The source's __device__ variables in unnamed namespaces that the optimised PTX lacks, as C++
 * names them: clang drops those that kernels only store to, though the host may read them. */
struct list device_lost_variables(const char *near_source, const char *optimised);

/* Facts about a program's numbers, for the check. converts: device code makes floats of whole
 * numbers; an index may be among them. multiplies: a kernel multiplies a parameter or a constant
 * variable of 32 bits by another number that is not a constant. Such a product may be too large for
 * an int, although both numbers are not. */
struct numbers {
    bool converts, multiplies;
};

/* Reads the text, writes its errors, and adds to what is known of numbers. Returns an exit code of
 * messages.h. */
int device_check(const struct options *options, const char *text, const char *source,
                 struct numbers *numbers);

/* Makes the inline functions in a file of LLVM's code the only ones of their name. Returns NULL, or
 * why it cannot. */
const char *whole_program(const char *path);

#endif
