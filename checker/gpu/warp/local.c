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

uint32_t local_access(struct warp *warp, const struct ptx_instruction *at, bool store,
                      uint32_t mask, const uint64_t address[LANES], uint32_t bytes,
                      unsigned char *data)
{
    uint64_t end = used_bytes(warp);
    unsigned char *local = warp->control->local;
    uint64_t first = address[__builtin_ctz(mask)], differs = 0;
    EACH_LANE (lane, mask) {
        uint64_t offset = address[lane];
        if (UNLIKELY(offset % bytes != 0 || offset + bytes > end || offset > end)) {
            report(warp, at, lane, offset, bytes);
            return 0;
        }
        differs |= offset ^ first;
    }
    if (differs == 0 && bytes == 4 && mask == FULL_MASK) {
        unsigned char *words = local + first * LANES;
        if (store)
            memcpy(words, data, 4 * LANES);
        else
            memcpy(data, words, 4 * LANES);
        return mask;
    }
    EACH_LANE (lane, mask)
        move_lane(local, lane, address[lane], bytes, store, data + (size_t)lane * bytes);
    return mask;
}
