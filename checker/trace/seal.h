/*
 * seal.h: a checksum with a key (SipHash-1-3 by Aumasson and Bernstein, 64 bits), by which the
 * judge knows that a trace is the one that its writer wrote. The key of a check is made for it, and
 * stands in the environment variable WARPUP_SEAL until the writer has taken it from there.
 */
#ifndef WARPUP_SEAL_H
#define WARPUP_SEAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct seal {
    uint64_t v[4];
    unsigned char tail[8]; /* bytes that do not make a word yet */
    uint64_t bytes;        /* so far; those of the tail too */
};

/* Reads a key of 32 hexadecimal digits; false when the text is none. */
bool seal_key(const char *text, uint64_t key[2]);

void seal_begin(struct seal *seal, const uint64_t key[2]);
void seal_add(struct seal *seal, const void *data, size_t bytes);
/* The checksum of all that was added; the seal itself may go on. */
uint64_t seal_value(const struct seal *seal);

#endif
