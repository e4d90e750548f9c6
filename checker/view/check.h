/*
 * check.h: all that the page shows of one check, from the folder that the check has kept: its
 * verdict, the program, and the runs worth seeing.
 */
#ifndef WARPUP_VIEW_CHECK_H
#define WARPUP_VIEW_CHECK_H

#include <jansson.h>

/* The check in `folder` as an object; NULL, with one line on stderr, if it cannot be read. `pages`
 * is the directory of the diagnoses' pages; `title` says what the program is, such as "stage 3". */
json_t *check_read(const char *folder, const char *pages, const char *title);

/* All bytes of a file as text, which the caller frees; NULL if it cannot be read. */
char *check_file(const char *path);

#endif
