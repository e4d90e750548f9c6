/*
 * records.h: what a check notes about itself while it runs: one line per record, with tabs between
 * its fields. The judge makes the object of check.json from it (../README.md), so the shell writes
 * no JSON. The key of the seal stays out of every file until the last run has ended.
 *
 *     compile DEVICE EXIT
 *     run     DEVICE PURPOSE NUMBER ARGUMENTS KIND     DEVICE-PURPOSE-NUMBER is its directory
 *     limit   FILE
 *     note    TEXT
 */
#ifndef WARPUP_RECORDS_H
#define WARPUP_RECORDS_H

#include "judge/read/arena.h"

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

/* Reads all records of a file. `seal` may be NULL. Returns NULL when one of them is none of these,
 * or when no memory is left. */
json_t *records_read(struct arena *arena, FILE *file, uint64_t seed, const char *seal);

#endif
