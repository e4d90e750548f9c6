/*
 * files.h: the descriptor that comes with the message being served.
 */
#ifndef WARPUP_FILES_H
#define WARPUP_FILES_H

/* Takes the descriptor that came with the message; -1: there was none. */
int call_take_file(void);

#endif
