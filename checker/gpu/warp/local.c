/*
 * local.c: a thread's local memory. The words of a warp's lanes are side by side: word w of lane l
 * is at (32 w + l) 4, so that lanes that access the same variable access neighbours, as on a GPU.
 */
#include "gpu/warp/access.h"

#include <stdio.h>
#include <string.h>

/* Bytes of local memory that a thread's calls use now. */
static uint64_t used_bytes(const struct warp *warp)
{
    const struct activation *one = warp->control->running_in;
    return (uint64_t)one->local + (one->function->local_bytes + 3) / 4 * 4;
}

static void report(struct warp *warp, const struct ptx_instruction *at, uint32_t lane,
                   uint64_t offset, uint32_t bytes)
{
    char detail[120];
    bool aligned = offset % bytes == 0;
    snprintf(detail, sizeof detail,
             aligned ? "the address is outside of the thread's local variables"
                     : "a local variable's address is not a multiple of %u",
             bytes);
    warp_fault(warp, at, lane, aligned ? "out-of-bounds" : "misaligned-access", detail);
    warp_fail(warp, aligned ? LAUNCH_ILLEGAL_ADDRESS : LAUNCH_MISALIGNED);
}

static void move_lane(unsigned char *local, uint32_t lane, uint64_t offset, uint32_t bytes,
                      bool store, unsigned char *data)
{
    for (uint32_t done = 0; done < bytes;) {
        unsigned char *word =
            local + ((offset + done) / 4 * LANES + lane) * 4 + (offset + done) % 4;
        uint32_t some = bytes - done < 4 ? bytes - done : 4;
        if (store)
            memcpy(word, data + done, some);
        else
            memcpy(data + done, word, some);
        done += some;
    }
}

/* All lanes access the same variable: word after word, those of 32 lanes side by side. */
static void move_words(unsigned char *words, uint32_t bytes, bool store, unsigned char *data)
{
    if (bytes == 4) {
        if (store)
            memcpy(words, data, 4 * LANES);
        else
            memcpy(data, words, 4 * LANES);
        return;
    }
    for (uint32_t word = 0; word < bytes / 4; word++, words += 4 * LANES)
        for (uint32_t lane = 0; lane < LANES; lane++) {
            unsigned char *value = data + (size_t)lane * bytes + 4 * word;
            if (store)
                memcpy(words + 4 * lane, value, 4);
            else
                memcpy(value, words + 4 * lane, 4);
        }
}

uint32_t local_access(struct warp *warp, const struct ptx_instruction *at, bool store,
                      uint32_t mask, const uint64_t address[LANES], uint32_t bytes,
                      unsigned char *data)
{
    uint64_t end = used_bytes(warp);
    unsigned char *local = warp->control->local;
    uint64_t first = address[__builtin_ctz(mask)], differs = 0;
    if (LIKELY(mask == FULL_MASK)) {
        for (int lane = 0; lane < LANES; lane++)
            differs |= address[lane] ^ first;
        if (differs == 0 && bytes % 4 == 0 && first % bytes == 0 && first + bytes <= end &&
            first < end) {
            move_words(local + first * LANES, bytes, store, data);
            watch_local(warp->watched, at, store, mask, address, bytes);
            return mask;
        }
    }
    EACH_LANE (lane, mask) {
        uint64_t offset = address[lane];
        if (UNLIKELY(offset % bytes != 0 || offset + bytes > end || offset > end)) {
            report(warp, at, lane, offset, bytes);
            return 0;
        }
    }
    EACH_LANE (lane, mask)
        move_lane(local, lane, address[lane], bytes, store, data + (size_t)lane * bytes);
    watch_local(warp->watched, at, store, mask, address, bytes);
    return mask;
}
