/* lz4.c: see lz4.h. */
#include "gpu/server/lz4.h"

#include <stdint.h>
#include <string.h>

/* A length of 15 goes on in the next bytes, until one is not 255. False at the end of the block. */
static bool read_length(const uint8_t **at, const uint8_t *end, size_t *length)
{
    uint8_t more = 255;
    if (*length != 15) return true;
    while (more == 255) {
        if (*at == end) return false;
        more = *(*at)++;
        *length += more;
    }
    return true;
}

bool lz4_unpack(const char *packed, size_t packed_bytes, char *text, size_t bytes)
{
    const uint8_t *at = (const uint8_t *)packed, *end = at + packed_bytes;
    size_t done = 0;
    while (at < end) {
        uint8_t token = *at++;
        size_t literals = token >> 4, match = token & 15, back;
        if (!read_length(&at, end, &literals)) return false;
        if (literals > (size_t)(end - at) || literals > bytes - done) return false;
        memcpy(text + done, at, literals);
        at += literals;
        done += literals;
        if (at == end) break; /* the last sequence has no match */
        if (end - at < 2) return false;
        back = at[0] | (size_t)at[1] << 8;
        at += 2;
        if (!read_length(&at, end, &match)) return false;
        match += 4;
        if (back == 0 || back > done || match > bytes - done) return false;
        for (size_t i = 0; i < match; i++, done++)
            text[done] = text[done - back]; /* the two may overlap */
    }
    return done == bytes;
}
