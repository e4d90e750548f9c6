/*
 * view.h: what every format is given: the verdict, where other texts are, and what the terminal
 * can show. A format is one function that prints to stdout.
 */
#ifndef WARPUP_VIEW_H
#define WARPUP_VIEW_H

#include <jansson.h>
#include <stdbool.h>

struct view {
    json_t *verdict;
    const char *log;           /* the compiler's message, a file; NULL when the program compiled */
    const char *hints;         /* the exercise's hints.md */
    const char *pages;         /* the directory of the diagnoses' pages */
    const char *profile;       /* what the simulated GPU plays, where the verdict names no device */
    const char *next_exercise; /* the directory of the next exercise; NULL after the last one */
    const char *file;        /* the source as the reader finds it; NULL: as the verdict names it */
    const char *name, *with; /* of the format "line" */
    bool unicode, colour;    /* what stdout can show */
    bool plain;              /* words in the place of symbols */
};

#endif
