/* mac.c: see mac.h. Words have the byte order of this machine: the judge runs on the machine that
 * wrote the trace, or on one with the same byte order. */
#include "trace/mac.h"

#include <stdlib.h>
#include <string.h>

static uint64_t rotated(uint64_t word, int bits)
{
    return word << bits | word >> (64 - bits);
}

static inline __attribute__((always_inline)) void mix(uint64_t v[4])
{
    v[0] += v[1];
    v[2] += v[3];
    v[1] = rotated(v[1], 13) ^ v[0];
    v[3] = rotated(v[3], 16) ^ v[2];
    v[0] = rotated(v[0], 32) + v[3];
    v[2] += v[1];
    v[1] = rotated(v[1], 17) ^ v[2];
    v[3] = rotated(v[3], 21) ^ v[0];
    v[2] = rotated(v[2], 32);
}

static inline __attribute__((always_inline)) void add_word(uint64_t v[4], uint64_t word)
{
    v[3] ^= word;
    mix(v);
    v[0] ^= word;
}

bool mac_key(const char *text, uint64_t key[2])
{
    char half[17] = "";
    if (text == NULL || strlen(text) != 32 || strspn(text, "0123456789abcdef") != 32) return false;
    memcpy(half, text, 16);
    key[0] = strtoull(half, NULL, 16);
    key[1] = strtoull(text + 16, NULL, 16);
    return true;
}

void mac_begin(struct mac *mac, const uint64_t key[2])
{
    *mac = (struct mac){.v = {key[0] ^ 0x736f6d6570736575, key[1] ^ 0x646f72616e646f6d,
                              key[0] ^ 0x6c7967656e657261, key[1] ^ 0x7465646279746573}};
}

void mac_add(struct mac *mac, const void *data, size_t bytes)
{
    const unsigned char *at = data, *end = at + bytes;
    uint64_t v[4], word;
    while (at < end && mac->bytes % 8 != 0) {
        mac->tail[mac->bytes++ % 8] = *at++;
        if (mac->bytes % 8 != 0) continue;
        memcpy(&word, mac->tail, 8);
        add_word(mac->v, word);
    }
    memcpy(v, mac->v, sizeof v);
    for (; end - at >= 8; at += 8) {
        memcpy(&word, at, 8);
        add_word(v, word);
        mac->bytes += 8;
    }
    memcpy(mac->v, v, sizeof v);
    while (at < end)
        mac->tail[mac->bytes++ % 8] = *at++;
}

uint64_t mac_value(const struct mac *mac)
{
    uint64_t v[4], word = 0;
    memcpy(v, mac->v, sizeof v);
    memcpy(&word, mac->tail, mac->bytes % 8);
    add_word(v, word | mac->bytes << 56);
    v[2] ^= 0xff;
    for (int i = 0; i < 3; i++)
        mix(v);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}
