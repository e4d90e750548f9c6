/*
 * mac.h: a checksum with a key (SipHash-1-3 by Aumasson and Bernstein, 64 bits). With it, the
 * judge knows that nobody changed a trace after it was written. Each check makes a new key. It is
 * in the environment variable WARPUP_KEY until the writer of the trace removes it.
 */
#ifndef WARPUP_MAC_H
#define WARPUP_MAC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mac {
    uint64_t v[4];
    unsigned char tail[8]; /* bytes that do not fill a word yet */
    uint64_t bytes;        /* so far, including the tail */
};

/* Reads a key of 32 hexadecimal digits; false if the text is not a key. */
bool mac_key(const char *text, uint64_t key[2]);

void mac_begin(struct mac *mac, const uint64_t key[2]);
void mac_add(struct mac *mac, const void *data, size_t bytes);
/* The checksum of all bytes so far; more may be added after it. */
uint64_t mac_value(const struct mac *mac);

#endif
