/*
 * filter.h: the system calls that a step may not make.
 */
#ifndef WARPUP_CAGE_FILTER_H
#define WARPUP_CAGE_FILTER_H

#include <stdbool.h>

/* Returns a file that holds the filter in the form that bwrap's --seccomp reads, or -1. Only with
 * may_hoard may the step have memory that belongs to no process. */
int filter_file(bool may_hoard);

#endif
