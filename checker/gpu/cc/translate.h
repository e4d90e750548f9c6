/*
 * translate.h: messages of compilers, read and reworded.
 */
#ifndef WARPUP_CC_TRANSLATE_H
#define WARPUP_CC_TRANSLATE_H

#include "gpu/cc/options.h"

enum message_kind { MESSAGE_ERROR, MESSAGE_WARNING, MESSAGE_NOTE };

struct message {
    enum message_kind kind;
    const char *file;
    int line, column; /* 0: not known */
    const char *text;
    const char *body; /* the lines of source below it; NULL: none */
    const char
        *from_file; /* the student's line that includes the header in which it is; NULL: none */
    int from_line;
    bool fatal;   /* the compiler read no further */
    bool foreign; /* it is about a file of the lab or of the system */
    bool moved;   /* it was, and has the student's place now */
};

struct message_list {
    struct message *items;
    size_t count;
};

struct message_list messages_read(const struct options *options, const char *log);

/* Says an error that reads badly for a beginner in plain words, those of nvcc where it has good
 * ones. True if it did; the notes then say nothing more. */
bool translate_error(struct message *error, const struct message *notes, size_t count);

/* Is it the second error that clang has for one use of a variable such as threadIdx in host code?
 */
bool translate_repeats(const struct message *error);

/* The name that an error is about if it says that the name is not there: "f", "space::f" or
 * "type::member"; NULL. */
const char *translate_missing_name(const struct message *error);

/* The header that is not there, or NULL. */
const char *translate_missing_header(const struct message *error);

/* Does the program say "using namespace cooperative_groups", or its usual short name? */
bool translate_uses_groups(const struct options *options);

#endif
