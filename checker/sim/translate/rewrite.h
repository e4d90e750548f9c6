/*
 * rewrite.h: turns CUDA source, before preprocessing, into C++ for g++. rewrite.c lists the
 * changes; everything else stays, and every line keeps its number.
 */
#ifndef WARPUP_REWRITE_H
#define WARPUP_REWRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Writes a line that makes the compiler call the file `name`, and then the rewritten text. The text
 * may hold any bytes at all. False, with nothing written, when there is not enough memory. */
bool rewrite(FILE *out, const char *name, const char *text, size_t length);

#endif
