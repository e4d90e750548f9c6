/*
 * container.c: see container.h. The lab's container is 16 bytes "WARPUP-PTX" filled with zeros, the
 * number of parts, and per part its kind (0 near the source, 1 as nvcc optimises), its bytes and
 * its text. The environment variable WARPUP_CODE (source, optimised) chooses.
 *
 * A fat binary of nvcc is a header and entries, each with a header of its own: PTX or machine code,
 * for one capability, compressed by LZ4 or (CUDA 13) zstd. NVIDIA does not describe it; the fields
 * below are known from cuobjdump's output and from programs that read it.
 */
#define _GNU_SOURCE
#include "gpu/server/container.h"

#include "gpu/server/call.h"
#include "gpu/time/profile.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>

/* ---- blocks of LZ4 -------------------------------------------------------------------------- */

/* Its format is public: github.com/lz4/lz4, doc/lz4_Block_format.md. */
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

/* Fills `text`, which has room for exactly the `bytes` bytes that the block makes. False if it does
 * not. */
static bool lz4_unpack(const char *packed, size_t packed_bytes, char *text, size_t bytes)
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

enum {
    PARTS_MAX = 64,
    TEXT_BYTES_MAX = 256 << 20,
    FAT_PTX = 1,
    FLAG_LZ4 = 0x2000,
    FLAG_ZSTD = 0x8000
};

static const char lab_magic[16] = "WARPUP-PTX";

struct fat_header {
    uint32_t magic;
    uint16_t version, header_bytes;
    uint64_t bytes; /* of all entries */
};

struct fat_entry {
    uint16_t kind, version;
    uint32_t header_bytes;
    uint64_t bytes; /* after the header, with padding */
    uint32_t packed_bytes, unknown;
    uint16_t minor, major;
    uint32_t capability;
    uint32_t name_at, name_bytes;
    uint64_t flags, zero;
    uint64_t unpacked_bytes;
};

static struct code no_code(const char *problem)
{
    return (struct code){.problem = problem};
}

static char *read_bytes(uint64_t address, size_t bytes)
{
    char *data = bytes > TEXT_BYTES_MAX ? NULL : malloc(bytes + 1);
    if (data != NULL && !call_read(address, data, bytes)) {
        free(data);
        return NULL;
    }
    if (data != NULL) data[bytes] = '\0';
    return data;
}

/* ---- the lab's own -------------------------------------------------------------------------- */

static struct code read_lab(uint64_t address)
{
    const char *choice = getenv("WARPUP_CODE");
    uint32_t wanted = choice != NULL && strcmp(choice, "source") == 0 ? 0 : 1;
    struct part {
        uint32_t kind, bytes;
    } part, best = {0};
    uint64_t best_at = 0, at = address + sizeof lab_magic;
    uint32_t count;
    if (!call_read(at, &count, sizeof count) || count > PARTS_MAX)
        return no_code("has damaged device code");
    at += sizeof count;
    for (uint32_t i = 0; i < count; i++) {
        if (!call_read(at, &part, sizeof part)) return no_code("has damaged device code");
        at += sizeof part;
        if (best_at == 0 || part.kind == wanted) best = part, best_at = at;
        at += part.bytes;
    }
    if (best_at == 0) return no_code("has no device code");
    char *text = read_bytes(best_at, best.bytes);
    if (text == NULL) return no_code("has damaged device code");
    return (struct code){text, best.bytes, best.kind == 0, NULL};
}

/* ---- nvcc's --------------------------------------------------------------------------------- */

static char *unpack_zstd(const char *packed, size_t packed_bytes, size_t bytes)
{
    static size_t (*decompress)(void *, size_t, const void *, size_t);
    if (decompress == NULL) {
        void *library = dlopen("libzstd.so.1", RTLD_NOW);
        if (library != NULL) *(void **)&decompress = dlsym(library, "ZSTD_decompress");
    }
    char *text = decompress == NULL ? NULL : malloc(bytes + 1);
    if (text != NULL && decompress(text, bytes, packed, packed_bytes) != bytes) {
        free(text);
        return NULL;
    }
    return text;
}

static char *unpack_lz4(const char *packed, size_t packed_bytes, size_t bytes)
{
    char *text = malloc(bytes + 1);
    if (text != NULL && !lz4_unpack(packed, packed_bytes, text, bytes)) {
        free(text);
        return NULL;
    }
    return text;
}

static struct code unpack(const struct fat_entry *entry, const char *data)
{
    bool lz4 = (entry->flags & FLAG_LZ4) != 0, zstd = (entry->flags & FLAG_ZSTD) != 0;
    size_t bytes = lz4 || zstd ? entry->unpacked_bytes : entry->bytes, packed = entry->packed_bytes;
    char *text = NULL;
    if (bytes > TEXT_BYTES_MAX || packed > entry->bytes) return no_code("has damaged device code");
    if (zstd)
        text = unpack_zstd(data, packed, bytes);
    else if (lz4)
        text = unpack_lz4(data, packed, bytes);
    else if ((text = malloc(bytes + 1)) != NULL)
        memcpy(text, data, bytes);
    if (text == NULL)
        return no_code(
            zstd ? "has PTX that zstd compressed: install libzstd, or compile it with --no-compress"
                 : "has PTX that cannot be unpacked");
    bytes = strnlen(text, bytes); /* zeros fill up its end */
    text[bytes] = '\0';
    return (struct code){text, bytes, strstr(text, ", debug") != NULL, NULL};
}

/* PTX for the highest capability that this GPU has, or else for the lowest one. */
static bool is_better(uint32_t capability, uint32_t best, uint32_t own)
{
    if (best == 0) return true;
    return capability <= own ? best > own || capability > best : best > own && capability < best;
}

static struct code read_fat(uint64_t address)
{
    struct fat_header header;
    if (!call_read(address, &header, sizeof header) || header.bytes > TEXT_BYTES_MAX)
        return no_code("has damaged device code");
    char *all = read_bytes(address + header.header_bytes, header.bytes);
    if (all == NULL) return no_code("has damaged device code");
    struct fat_entry entry, best = {0};
    size_t best_at = 0;
    for (size_t at = 0; at + sizeof entry <= header.bytes;) {
        memcpy(&entry, all + at, sizeof entry);
        size_t left = header.bytes - at;
        if (entry.header_bytes < 32 || entry.header_bytes > left ||
            entry.bytes > left - entry.header_bytes)
            break;
        if (entry.kind == FAT_PTX &&
            is_better(entry.capability, best.capability, (uint32_t)profile()->capability))
            best = entry, best_at = at + entry.header_bytes;
        at += entry.header_bytes + entry.bytes;
    }
    struct code code = best_at == 0 ? no_code("has no PTX, only machine code: compile it with "
                                              "-gencode arch=compute_80,code=compute_80")
                                    : unpack(&best, all + best_at);
    free(all);
    return code;
}

struct code container_read(uint64_t address)
{
    char magic[sizeof lab_magic];
    uint32_t number;
    if (!call_read(address, magic, sizeof magic)) return no_code("has damaged device code");
    memcpy(&number, magic, sizeof number);
    if (memcmp(magic, lab_magic, sizeof magic) == 0) return read_lab(address);
    if (number == UINT32_C(0xba55ed50)) return read_fat(address);
    return no_code("has device code that the simulated GPU does not know");
}
