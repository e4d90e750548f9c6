/* directory.h: the folder of a check in EXERCISE/build. */
#ifndef WARPUP_DIRECTORY_H
#define WARPUP_DIRECTORY_H

#include <stdbool.h>

/* Makes the folder, puts a copy of the student's file into it, and enters the file's own folder.
 * Removes what killed checks have left. */
void open_directory(void);

/* Removes the folder, or moves it to WARPUP_KEEP. */
void close_directory(void);

/* Restores the student's file if the program has removed it; true if it had. */
bool restore_source(void);

/* True if a run with this name has ended. */
bool has_run(const char *name);

/* True for a file that has something in it. */
bool file_is_full(const char *path);

/* Copies a file with its times; false if that is not possible. */
bool copy_file(const char *from, const char *to);

#endif
