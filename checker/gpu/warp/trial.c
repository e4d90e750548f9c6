/* trial.c: see trial.h. */
#include "gpu/warp/trial.h"

#include "gpu/memory/memory.h"
#include "gpu/warp/control.h"

static const uint64_t REACH = UINT64_C(1) << 39; /* on both sides of an array's start */

/* A few bytes past the end may come from a grid that was guessed wrong; an index that has lost its
 * upper bits is far away. */
static const uint64_t FAR = 2;

static bool is_load(enum access_kind kind)
{
    return kind == ACCESS_LOAD || kind == ACCESS_COPY_READ;
}

/* The array at whose start an address is, or near it; TRIAL_ARRAYS: none. */
static uint32_t array_near(const struct trial *trial, uint64_t address)
{
    uint64_t array = (address + REACH - trial_address(0)) >> 40;
    return array < trial->count ? (uint32_t)array : TRIAL_ARRAYS;
}

static void note_outside(struct warp *warp, const struct request *request, uint32_t lane,
                         uint32_t array)
{
    struct trial *trial = warp->block->run->launch->trial;
    if (trial->outside) return;
    trial->outside = true;
    trial->left = array;
    trial->offset = (int64_t)(request->address[lane] - trial_address(array));
    trial->bytes = request->bytes;
    trial->location = request->location;
    trial->kind = is_load(request->kind)          ? "load"
                  : request->kind == ACCESS_STORE ? "store"
                                                  : "atomic";
    for (int i = 0; i < 3; i++)
        trial->block[i] = warp->block->at[i];
    thread_at(warp, lane, trial->thread);
}

/* Does the program's own memory have these bytes? */
static bool is_real(uint64_t address, uint32_t bytes)
{
    const char *at = (const char *)(uintptr_t)address;
    if (!memory_owns(at)) return false;
    const struct allocation *one = memory_find(at);
    if (one == NULL) return memory_holds_variable(at, bytes);
    return !one->freed && at >= one->base && (uint64_t)(at - one->base) + bytes <= one->bytes;
}

uint32_t trial_access(struct warp *warp, const struct request *request)
{
    struct trial *trial = warp->block->run->launch->trial;
    uint32_t real = 0;
    if (!is_load(request->kind) && warp->block->index == 0) trial->stored = true;
    EACH_LANE (lane, request->mask) {
        uint64_t address = request->address[lane];
        uint32_t array = array_near(trial, address);
        if (array == TRIAL_ARRAYS && is_real(address, request->bytes))
            real |= 1u << lane;
        else if (array == TRIAL_ARRAYS)
            trial->elsewhere = true;
        else if (address < trial_address(array) ||
                 address - trial_address(array) > FAR * trial->array[array].bytes)
            note_outside(warp, request, lane, array);
        else if (address - trial_address(array) + request->bytes > trial->array[array].bytes)
            trial->elsewhere = true;
    }
    return is_load(request->kind) ? real : 0;
}

uint32_t trial_shared(struct warp *warp, const struct request *request)
{
    const uint64_t room = warp->block->run->shared_bytes;
    uint32_t inside = 0;
    EACH_LANE (lane, request->mask)
        if (request->address[lane] < room && request->bytes <= room - request->address[lane])
            inside |= 1u << lane;
    return inside;
}
