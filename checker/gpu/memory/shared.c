/*
 * shared.c: watches a request to shared memory: its bounds (there are gaps between the variables),
 * whether what it reads was written by the block, asynchronous copies in flight, races, banks. The
 * tags of a word say all of it: words of no variable, and words in flight, have tags that name no
 * thread. When a block begins, its bytes are 0xff, a NaN: a value that nothing has written must not
 * look right.
 */
#include "gpu/memory/watching.h"
#include "gpu/memory/obtain.h"

#include "gpu/memory/fault.h"
#include "gpu/memory/order.h"
#include "gpu/memory/race.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The first KB is the system's, as on an H200: programs that compute addresses with exclusive or
 * rely on the alignment that this gives. */
enum { ROW = 128 /* all banks */, RED_ZONE = 128, FIRST = 1024 };

/* ---- where variables are -------------------------------------------------------------------- */

/* Where ptxas puts the variable in a function's shared memory; UINT64_MAX: it does not use it. */
static uint64_t place_in(const struct ptx_function *function, uint32_t variable)
{
    for (uint32_t i = 0; i < function->shared_used_count; i++)
        if (function->shared_used[i] == variable) return function->shared_at[i];
    return UINT64_MAX;
}

/* Does some function use both? Only then their bytes must be apart. */
static bool meet(const struct ptx_module *module, uint32_t a, uint32_t b)
{
    for (uint32_t i = 0; i < module->function_count; i++)
        if (place_in(module->functions[i], a) != UINT64_MAX &&
            place_in(module->functions[i], b) != UINT64_MAX)
            return true;
    return false;
}

static bool is_static(const struct ptx_variable *variable)
{
    return variable->space == SPACE_SHARED && !variable->external;
}

static uint64_t round_up(uint64_t value, uint64_t step)
{
    return (value + step - 1) / step * step;
}

/* The variable's place in a row of `row` bytes. Of several kernels, that in which it is aligned
 * best: it has one place for all of them here. */
static uint64_t place_in_row(const struct ptx_module *module, uint32_t variable, uint64_t row)
{
    uint64_t best = UINT64_MAX;
    for (uint32_t i = 0; i < module->function_count; i++) {
        uint64_t place = place_in(module->functions[i], variable);
        if (!module->functions[i]->entry || place == UINT64_MAX) continue;
        place %= row;
        if (best == UINT64_MAX || place == 0 || (best != 0 && (place & -place) > (best & -best)))
            best = place;
    }
    return best == UINT64_MAX ? 0 : best;
}

/* The lowest offset at which the variable is apart from those before it. Its banks and its
 * alignment are those that it has on a GPU, where nothing is between variables. */
static uint64_t lowest_offset(const struct ptx_module *module, uint32_t index)
{
    const struct ptx_variable *one = module->variables[index];
    uint64_t row = one->align > ROW ? one->align : ROW, place = place_in_row(module, index, row),
             offset = round_up(FIRST, row) + place;
    for (uint32_t i = 0; i < index; i++) {
        const struct ptx_variable *other = module->variables[i];
        if (!is_static(other) || other->address + other->bytes + RED_ZONE <= offset) continue;
        if (offset + one->bytes + RED_ZONE <= other->address || !meet(module, index, i)) continue;
        offset = round_up(other->address + other->bytes + RED_ZONE, row) + place;
        i = UINT32_MAX; /* look at all of them once more */
    }
    return offset;
}

size_t layout_shared(struct ptx_module *module)
{
    uint64_t end = FIRST;
    for (uint32_t i = 0; i < module->variable_count; i++) {
        struct ptx_variable *one = module->variables[i];
        if (!is_static(one)) continue;
        one->address = lowest_offset(module, i);
        uint64_t next = round_up(one->address + one->bytes + RED_ZONE, ROW);
        if (next > end) end = next;
    }
    for (uint32_t i = 0; i < module->variable_count; i++)
        if (module->variables[i]->space == SPACE_SHARED && module->variables[i]->external)
            module->variables[i]->address = end;
    return end;
}

/* ---- blocks --------------------------------------------------------------------------------- */

/* The words of a variable are there, and unwritten. */
static void open_variable(struct watched_block *block, uint64_t offset, uint64_t bytes)
{
    uint64_t end = offset + bytes < block->shared_bytes ? offset + bytes : block->shared_bytes;
    if (offset >= end) return;
    memset(block->shared + offset, 0xff, end - offset);
    memset(&block->words[offset / 4], 0, ((end + 3) / 4 - offset / 4) * sizeof *block->words);
}

void shared_begin(struct watched_block *block, const struct ptx_function *kernel, uint32_t dynamic)
{
    size_t words = (block->shared_bytes + 3) / 4;
    if (block->room < words || block->words == NULL) {
        free(block->words);
        free(block->quiet);
        block->words = obtain(words + 1, sizeof *block->words);
        block->quiet = obtain(words / QUIET_WORDS + 1, sizeof *block->quiet);
        block->room = words;
        block->kernel = NULL;
    }
    if (block->kernel != kernel || block->dynamic != dynamic)
        memset(block->words, 0xff, (block->room + 1) * sizeof *block->words);
    memset(block->quiet, 0, (block->room / QUIET_WORDS + 1) * sizeof *block->quiet);
    block->kernel = kernel;
    block->dynamic = dynamic;
    bool opened = false;
    for (uint32_t i = 0; i < kernel->shared_used_count; i++) {
        const struct ptx_variable *one = kernel->module->variables[kernel->shared_used[i]];
        if (one->external && opened) continue;
        opened |= one->external;
        open_variable(block, one->address, one->external ? dynamic : one->bytes);
    }
    race_shared_begin(block);
}

/* ---- faults --------------------------------------------------------------------------------- */

void shared_note_outside(const struct watched_warp *warp, const struct looked *looked,
                         uint32_t lane)
{
    const struct watched_block *block = warp->block;
    uint64_t at = looked->offset[lane];
    struct fault fault = fault_of_lane(warp, looked, lane, "shared-out-of-bounds");
    const struct ptx_variable *one =
        name_of_shared(watching.module, block->kernel, at, block->dynamic);
    if (one != NULL)
        name_address(fault.detail, sizeof fault.detail, name_in_words(one), at, one->address,
                     one->external ? block->dynamic : one->bytes);
    fault_note(&fault);
}

/* Says whether it is the variable that is not aligned: ptxas aligns it as its type only. */
static void note_misaligned(const struct watched_warp *warp, const struct looked *looked,
                            uint32_t lane)
{
    const struct watched_block *block = warp->block;
    struct fault fault = fault_of_lane(warp, looked, lane, "misaligned-access");
    const struct ptx_variable *one =
        name_of_shared(watching.module, block->kernel, looked->offset[lane], block->dynamic);
    if (one != NULL && !is_aligned(one->address, looked->request->bytes))
        snprintf(fault.detail, sizeof fault.detail, "%s is only aligned to %llu bytes",
                 name_in_words(one), (unsigned long long)one->align);
    fault_note(&fault);
}

/* ---- one request ---------------------------------------------------------------------------- */

static bool is_inside(const struct watched_block *block, uint64_t at, uint32_t bytes)
{
    return at < block->shared_bytes && bytes <= block->shared_bytes - at;
}

/* Are the bytes of all runs inside, and aligned? */
static inline bool runs_are_inside(const struct watched_block *block, const struct looked *looked)
{
    uint32_t bytes = looked->request->bytes, odd = 0;
    for (uint32_t i = 0; i < looked->run_count; i++) {
        const struct lane_run *run = &looked->run[i];
        uint64_t at = looked->offset[run->lane];
        odd |= !is_aligned(at, bytes) ||
               !is_inside(block, at, run->same ? bytes : run->length * bytes);
    }
    return !odd;
}

/* A lane accesses what the block does not have: the executor cannot go on. */
static uint32_t check_offsets(struct watched_warp *warp, const struct looked *looked, int *error)
{
    const struct request *request = looked->request;
    uint32_t good = 0;
    bool refused = false;
    EACH_LANE (lane, request->mask) {
        uint64_t at = looked->offset[lane];
        bool inside = is_inside(warp->block, at, request->bytes);
        if (inside && is_aligned(at, request->bytes)) {
            good |= 1u << lane;
        } else if (!refused && inside) {
            note_misaligned(warp, looked, lane);
            *error = ERROR_MISALIGNED;
            refused = true;
        } else if (!refused) {
            shared_note_outside(warp, looked, lane);
            *error = ERROR_ADDRESS;
            refused = true;
        }
    }
    return good;
}

uint32_t watch_shared(struct watched_warp *warp, const struct request *request, int *error)
{
    struct looked looked;
    looked.request = request;
    looked.shared = true;
    looked.offset = request->address;
    looked.lines = looked.sectors = looked.wavefronts = looked.missing = 0;
    looked.mask = request->mask;
    runs_find(&looked);
    if (!runs_are_inside(warp->block, &looked)) {
        looked.mask = check_offsets(warp, &looked, error);
        if (looked.mask == 0) return 0;
        runs_split(&looked);
    }
    race_shared(warp, &looked);
    count_shared(warp, &looked);
    return looked.mask;
}

bool watch_shared_whole(struct watched_warp *warp, const struct ptx_instruction *instruction,
                        uint64_t offset, bool same)
{
    const struct watched_block *block = warp->block;
    if (!is_aligned(offset, 4) || !is_inside(block, offset, same ? 4 : 4 * LANES)) return false;
    return count_is_known(warp, instruction, same) && race_shared_whole(warp, offset, same) &&
           (count_whole_load(warp, instruction, same), true);
}
