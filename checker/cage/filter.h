/*
 * filter.h: the system calls that a step may not make.
 */
#ifndef WARPUP_CAGE_FILTER_H
#define WARPUP_CAGE_FILTER_H

/* Returns a file that holds the filter in the form that bwrap's --seccomp reads, or -1. */
int filter_file(void);

#endif
