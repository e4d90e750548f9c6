/*
 * options.h: what build/cc is asked to compile, and where the lab is.
 */
#ifndef WARPUP_CC_OPTIONS_H
#define WARPUP_CC_OPTIONS_H

#include "gpu/cc/text.h"

struct options {
    struct list sources; /* absolute paths */
    struct list folders; /* of -I, absolute */
    struct list macros;  /* -D…, -U… */
    const char
        *headers; /* the folder of compiled headers that serve this compilation; NULL: none do */
    const char *standard; /* "-std=gnu++17" */
    const char *out;      /* absolute */
    bool gnu_alignas;     /* clang has to read alignas() as an attribute of GNU's, which may stand
                             anywhere */
    const char *joined;   /* a file for -ivfsoverlay (brackets.h); NULL: none is needed */
    int max_registers;    /* of -maxrregcount; 0: not said */
    bool fast_math, constexpr_both, marked_lambdas;
    const char *checker, *build; /* the lab's folders, absolute */
    const char *folder; /* of the first source: compilers run here, so messages have short names */
    double capability;  /* of the profile: 90 for 9.0 */
};

/* Reads the command line and the environment (WARPUP_BUILD, WARPUP_LIB, WARPUP_PROFILE), makes
 * OUTDIR, and changes to the folder of the first source. Does not return if something is wrong:
 * exit code 3. */
void options_read(struct options *options, int argc, char *argv[]);

#endif
