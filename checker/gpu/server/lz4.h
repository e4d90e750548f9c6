/*
 * lz4.h: unpacks a block of LZ4 (its block format is public: github.com/lz4/lz4,
 * doc/lz4_Block_format.md).
 */
#ifndef WARPUP_LZ4_H
#define WARPUP_LZ4_H

#include <stdbool.h>
#include <stddef.h>

/* Fills `text`, which has room for exactly the `bytes` bytes that the block makes. False if it does
 * not. */
bool lz4_unpack(const char *packed, size_t packed_bytes, char *text, size_t bytes);

#endif
