/*
 * global.c: watches a request to global memory: where its lanes access (bounds, alignment, freed
 * memory, null and host pointers), whether what they read was written, whether they race, and what
 * it costs. The common case, 32 lanes that access neighbouring elements, is handled as one row.
 */
#include "gpu/memory/watching.h"

#include "gpu/memory/memory.h"
#include "gpu/memory/fault.h"
#include "gpu/memory/race.h"

#include <stdio.h>
#include <string.h>

enum { NULL_BYTES = 65536, NEAR_VARIABLE = 256 << 10 };

/* ---- bounds --------------------------------------------------------------------------------- */

/* A pointer to a variable, or near to one. */
static void describe_variable(struct fault *fault, uint64_t address)
{
    const struct ptx_variable *one = name_of_global(watching.module, address, NEAR_VARIABLE);
    if (one == NULL) return;
    const char *name = name_in_words(one);
    if (address - one->address < one->bytes)
        snprintf(fault->detail, sizeof fault->detail,
                 "%s is constant memory, which kernels can only read", name);
    else
        name_address(fault->detail, sizeof fault->detail, name, address, one->address, one->bytes);
}

static bool is_freed(const struct allocation *allocation, uint64_t address)
{
    return allocation != NULL && allocation->freed &&
           address - (uint64_t)(uintptr_t)allocation->base < allocation->bytes;
}

/* Why the lane's access is refused. */
static void refuse(const struct watched_warp *warp, const struct looked *looked, uint32_t lane,
                   int *error)
{
    const struct request *request = looked->request;
    uint64_t address = request->address[lane], offset = address - shadow.base;
    bool own = offset < shadow.extent, alias = !own && memory_alias(address) != UINT64_MAX;
    struct fault fault = fault_of_lane(warp, looked, lane, "out-of-bounds");
    *error = ERROR_ADDRESS;
    if (address < NULL_BYTES) {
        fault.name = "null-pointer";
    } else if (!own && !alias) {
        fault.name = "host-pointer-in-kernel";
    } else if (!is_aligned(address, request->bytes)) {
        fault.name = "misaligned-access";
        *error = ERROR_MISALIGNED;
    } else if (is_freed(memory_find((const void *)(uintptr_t)address), address)) {
        fault.name = "use-after-free";
    } else {
        describe_variable(&fault, address);
    }
    fault_note(&fault);
}

/* May the bytes of one lane be accessed? An aligned access is inside one granule. */
static inline bool is_valid(uint64_t offset, uint32_t bytes, bool stores)
{
    uint32_t valid = shadow.valid[offset / GRANULE];
    if (stores && (valid & READ_ONLY)) return false;
    return (offset & (GRANULE - 1)) + bytes <= (valid & ~(uint32_t)READ_ONLY);
}

/* May all lanes of a row access their words? */
static inline bool row_is_valid(uint64_t first, uint32_t bytes, bool stores)
{
    uint64_t last = first + bytes - 1;
    if (last >= shadow.extent || first > last) return false;
    for (uint64_t granule = first / GRANULE; granule < last / GRANULE; granule++)
        if ((shadow.valid[granule] & ~(stores ? 0 : READ_ONLY)) != GRANULE) return false;
    return is_valid(last, 1, stores);
}

/* The lane's place in the range; false if it may not be accessed. */
static inline bool find_offset(const struct request *request, uint32_t lane, bool stores,
                               uint64_t *found_at)
{
    uint64_t address = request->address[lane], offset = address - shadow.base;
    if (offset >= shadow.extent) {
        offset = memory_alias(address);
        if (offset == UINT64_MAX) return false;
    }
    *found_at = offset;
    return is_aligned(address, request->bytes) && is_valid(offset, request->bytes, stores);
}

/* ---- initialisation ------------------------------------------------------------------------- */

static inline bool few_written(uint64_t first, uint32_t count, bool mark)
{
    uint64_t bits = ~UINT64_C(0) >> (64 - count) << first % 64;
    if (!mark) return (shadow.written[first / 64] & bits) == bits;
    shadow_mark(first / 64, bits);
    return true;
}

/* Were all words of a row written? Marks them when `mark`. */
static inline bool row_is_written(uint64_t offset, uint32_t bytes, bool mark)
{
    uint64_t first = offset / 4;
    uint32_t count = bytes / 4;
    bool all = true;
    while (count > 0) {
        uint32_t here = 64 - (uint32_t)(first % 64) < count ? 64 - (uint32_t)(first % 64) : count;
        all &= few_written(first, here, mark);
        first += here;
        count -= here;
    }
    return all;
}

/* An exchange does not look at what was there, unless its result is used. */
static bool reads(const struct request *request)
{
    if (request->kind == ACCESS_STORE) return false;
    return !is_atomic(request->kind) || !request->instruction->unused ||
           !ptx_has(request->instruction, M_exch);
}

/* A float4 that begins within an array may end in its padding, and the build near the source reads
 * it in halves: of such an access, all of the aligned 16 bytes have to be unwritten. */
enum { PAIR_BYTES = 8 };

/* Is what a lane reads unwritten? Of several words all have to be, or half of a double. */
static bool is_unwritten(const struct request *request, uint64_t written)
{
    uint64_t half = written ^ written >> 1;
    return written == 0 || (is_of_doubles(request) && (half & UINT64_C(0x5555555555555555)) != 0);
}

static void check_written(const struct watched_warp *warp, const struct looked *looked,
                          uint32_t lane)
{
    const struct request *request = looked->request;
    uint64_t offset = looked->offset[lane];
    uint64_t first = offset / 4, last = (offset + request->bytes - 1) / 4;
    uint64_t bits = ((UINT64_C(2) << (last - first)) - 1) << first % 64;
    uint64_t asked = request->bytes < PAIR_BYTES ? bits : bits | UINT64_C(15) << first % 64 / 4 * 4;
    if (reads(request) && is_unwritten(request, shadow.written[first / 64] & asked)) {
        struct fault fault = fault_of_lane(warp, looked, lane, "uninitialised-read");
        fault_note(&fault);
    }
    shadow_mark(first / 64, bits); /* reported once; then it counts as written */
}

/* ---- one request ---------------------------------------------------------------------------- */

/* 32 lanes side by side, 4 bytes or more each. False if they have to be looked at one by one. */
static inline bool take_row(struct watched_warp *warp, const struct request *request,
                            struct looked *looked)
{
    bool stores = request->kind == ACCESS_STORE;
    uint64_t first = request->address[0] - shadow.base;
    uint32_t bytes = LANES * request->bytes;
    if (!is_aligned(request->address[0], request->bytes) || !row_is_valid(first, bytes, stores))
        return false;
    race_fetch_early(first, bytes);
    if (!row_is_written(first, bytes, stores)) return false;
    if (!race_row(warp, request, first)) return false;
    looked->mask = UINT32_MAX;
    count_row(warp, looked, first, bytes);
    return true;
}

/* The places of a run's lanes, if all of them are in one array of the range; else false. */
static inline bool find_run(const struct looked *looked, const struct lane_run *run, bool stores,
                            uint64_t *found_at)
{
    const struct request *request = looked->request;
    uint64_t first = request->address[run->lane] - shadow.base;
    uint32_t bytes = request->bytes, step = run->same ? 0 : bytes;
    if (!is_aligned(first, bytes) || !row_is_valid(first, run_bytes(looked, run), stores))
        return false;
    __builtin_prefetch(
        &shadow.words[first / 4]); /* the tags are looked at when all places are known */
    for (uint32_t i = 0; i < run->length; i++)
        found_at[run->lane + i] = first + i * step;
    return true;
}

/* The places of 32 lanes that are anywhere in the range; false if one may not be accessed. */
static inline bool find_all(const struct request *request, bool stores, uint64_t found_at[LANES])
{
    uint32_t bytes = request->bytes, odd = 0;
    uint64_t outside = 0;
    for (uint32_t lane = 0; lane < LANES; lane++) {
        found_at[lane] = request->address[lane] - shadow.base;
        outside |= (uint64_t)(found_at[lane] >= shadow.extent) | (found_at[lane] & (bytes - 1));
    }
    if (outside != 0) return false;
    for (uint32_t lane = 0; lane < LANES; lane++) {
        odd |= !is_valid(found_at[lane], bytes, stores);
        __builtin_prefetch(&shadow.words[found_at[lane] / 4]);
    }
    return odd == 0;
}

/* Finds the lanes' places. Returns the lanes that may go on. */
static uint32_t find_offsets(struct watched_warp *warp, struct looked *looked, uint64_t *found_at,
                             int *error)
{
    const struct request *request = looked->request;
    bool stores = !is_load(request->kind), refused = false;
    uint32_t good = 0;
    if (looked->run_count == LANES && find_all(request, stores, found_at)) return UINT32_MAX;
    for (uint32_t i = 0; i < looked->run_count; i++) {
        const struct lane_run *run = &looked->run[i];
        uint32_t lanes = (uint32_t)(((UINT64_C(1) << run->length) - 1) << run->lane);
        if (find_run(looked, run, stores, found_at)) {
            good |= lanes;
            continue;
        }
        EACH_LANE (lane, lanes) {
            bool found = find_offset(request, lane, stores, &found_at[lane]);
            if (found) good |= 1u << lane;
            if (!found && !refused) refuse(warp, looked, lane, error);
            refused |= !found;
        }
    }
    return good;
}

/* Reports what of a run was not written. A place is reported once; then it counts as written. */
static void check_run(const struct watched_warp *warp, const struct looked *looked,
                      const struct lane_run *run)
{
    uint64_t offset = looked->offset[run->lane], end = offset + run_bytes(looked, run);
    uint64_t first = offset / 4, last = (end - 1) / 4;
    bool stores = looked->request->kind == ACCESS_STORE;
    if (first == last && shadow_is_written(offset)) return;
    if (row_is_written(first * 4, (uint32_t)(last - first + 1) * 4, stores)) return;
    for (uint32_t i = 0; i < run->length; i++)
        check_written(warp, looked, run->lane + i);
}

static uint32_t __attribute__((noinline))
take_lanes(struct watched_warp *warp, struct looked *looked, int *error)
{
    const struct request *request = looked->request;
    uint64_t found_at[LANES];
    looked->offset = found_at;
    runs_find(looked);
    uint32_t good = looked->mask = find_offsets(warp, looked, found_at, error);
    if (good == 0) return good;
    if (request->instruction->space == SPACE_CONST) {
        count_constants(warp, looked);
        return good;
    }
    if (good != request->mask) runs_split(looked);
    if (!is_load(request->kind) && request->bytes < 4)
        warp->block->watcher->tally->narrow_stores = true;
    for (uint32_t i = 0; i < looked->run_count; i++)
        check_run(warp, looked, &looked->run[i]);
    race_lanes(warp, looked);
    count_scattered(warp, looked);
    return good;
}

uint32_t watch_global(struct watched_warp *warp, const struct request *request, int *error)
{
    struct looked looked;
    looked.request = request;
    looked.shared = false;
    looked.lines = looked.sectors = looked.wavefronts = looked.missing = 0;
    bool plain = request->kind == ACCESS_LOAD || request->kind == ACCESS_STORE;
    if (request->consecutive && request->bytes >= 4 && plain && !request->is_volatile &&
        request->instruction->space != SPACE_CONST && take_row(warp, request, &looked))
        return UINT32_MAX;
    return take_lanes(warp, &looked, error);
}
