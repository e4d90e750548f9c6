/*
 * whole_program.h: device code that is all of its program.
 */
#ifndef WARPUP_CC_WHOLE_PROGRAM_H
#define WARPUP_CC_WHOLE_PROGRAM_H

/* Makes the inline functions in a file of LLVM's code the only ones of their name. Returns NULL, or
 * why it cannot. */
const char *whole_program(const char *path);

#endif
