/* folders.h: folders that are removed, renamed and exchanged. */
#ifndef WARPUP_FOLDERS_H
#define WARPUP_FOLDERS_H

#include <stdbool.h>

/* Removes a file, or a folder with all that is in it; true also if there is none. */
bool folder_remove(const char *path);

/* Renames a folder; what is at the new name is removed. False, with errno, if that is not possible.
 */
bool folder_rename(const char *from, const char *to);

/* `new` takes the place of `last`, which is removed. The two are exchanged in one step where the
 * file system can do that. So checks that end at the same time do not disturb each other. */
bool folder_keep(const char *new, const char *last);

#endif
