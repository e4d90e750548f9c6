/*
 * local.c: a thread's local memory. The words of a warp's lanes are side by side: word w of lane l
 * is at (32 w + l) 4, so that lanes that access the same variable access neighbours, as on a GPU.
 */
#include "gpu/warp/access.h"

#include "gpu/memory/fault.h"

#include <stdio.h>
#include <string.h>

struct limits {
    uint64_t from, to;
};

/* Local memory that a thread's calls use now. */
static struct limits limits_of_thread(const struct warp *warp)
{
    const struct activation *one = warp->control->running_in;
    return (struct limits){0, (uint64_t)one->local + (one->function->local_bytes + 3) / 4 * 4};
}

/* The bytes that the instruction may access: the variable to which it has a pointer, if that is
 * known. */
static struct limits limits_of(const struct warp *warp, const struct ptx_instruction *at)
{
    uint64_t frame = warp->control->running_in->local;
    if (at->local_to == 0) return limits_of_thread(warp);
    return (struct limits){frame + at->local_from, frame + at->local_to};
}

static bool is_inside(struct limits limits, uint64_t offset, uint32_t bytes)
{
    return offset >= limits.from && offset < limits.to && offset + bytes <= limits.to;
}

/* Is the access aligned? A wide one only has to be whole words: nvcc keeps arrays in registers, or
 * places them better than the compiler for the simulated GPU does. */
static bool is_aligned(uint64_t offset, uint32_t bytes)
{
    return offset % (bytes < 4 ? bytes : 4) == 0;
}

/* Refuses what a GPU refuses. May the lane go on? Another variable's bytes are there, and a GPU
 * does not notice. */
static bool report(struct warp *warp, const struct ptx_instruction *at, uint32_t lane,
                   uint64_t offset, uint32_t bytes)
{
    char detail[160];
    struct limits limits = limits_of(warp, at);
    const char *name = at->local_name != NULL ? at->local_name : "a local variable";
    bool aligned = is_aligned(offset, bytes),
         goes_on = is_inside(limits_of_thread(warp), offset, bytes);
    if (!aligned)
        snprintf(detail, sizeof detail, "a local variable's address is not a multiple of %u",
                 bytes < 4 ? bytes : 4);
    else if (at->local_to == 0)
        snprintf(detail, sizeof detail, "the address is outside of the thread's local variables");
    else
        name_address(detail, sizeof detail, name, offset, limits.from, limits.to - limits.from);
    warp_fault(warp, at, lane, aligned ? "out-of-bounds" : "misaligned-access", detail);
    if (aligned && goes_on) return true;
    warp_fail(warp, aligned ? LAUNCH_ILLEGAL_ADDRESS : LAUNCH_MISALIGNED);
    return false;
}

static void copy(bool store, unsigned char *memory, unsigned char *data, size_t bytes)
{
    memcpy(store ? memory : data, store ? data : memory, bytes);
}

static void move_lane(unsigned char *local, uint32_t lane, uint64_t offset, uint32_t bytes,
                      bool store, unsigned char *data)
{
    for (uint32_t done = 0, some; done < bytes; done += some, offset += some) {
        some = bytes - done < 4 ? bytes - done : 4;
        copy(store, local + (offset / 4 * LANES + lane) * 4 + offset % 4, data + done, some);
    }
}

/* All lanes access the same variable: word after word, those of 32 lanes side by side. */
static void move_words(unsigned char *words, uint32_t bytes, bool store, unsigned char *data)
{
    if (bytes == 4)
        copy(store, words, data, 4 * LANES);
    else
        for (uint32_t word = 0; word < bytes / 4; word++, words += 4 * LANES)
            for (uint32_t lane = 0; lane < LANES; lane++)
                copy(store, words + 4 * lane, data + (size_t)lane * bytes + 4 * word, 4);
}

uint32_t local_access(struct warp *warp, const struct ptx_instruction *at, bool store,
                      uint32_t mask, const uint64_t address[LANES], uint32_t bytes,
                      unsigned char *data)
{
    struct limits limits = limits_of(warp, at);
    unsigned char *local = warp->control->local;
    uint64_t first = address[__builtin_ctz(mask)], differs = 0;
    if (LIKELY(mask == FULL_MASK)) {
        for (int lane = 0; lane < LANES; lane++)
            differs |= address[lane] ^ first;
        if (differs == 0 && bytes % 4 == 0 && first % bytes == 0 &&
            is_inside(limits, first, bytes)) {
            move_words(local + first * LANES, bytes, store, data);
            watch_local(warp->watched, at, store, mask, address, bytes);
            return mask;
        }
    }
    EACH_LANE (lane, mask) {
        uint64_t offset = address[lane];
        if (LIKELY(is_aligned(offset, bytes) && is_inside(limits, offset, bytes))) continue;
        if (!report(warp, at, lane, offset, bytes)) return 0;
    }
    EACH_LANE (lane, mask)
        move_lane(local, lane, address[lane], bytes, store, data + (size_t)lane * bytes);
    watch_local(warp->watched, at, store, mask, address, bytes);
    return mask;
}
