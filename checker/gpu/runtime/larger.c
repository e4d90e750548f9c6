/* larger.c: see larger.h. */
#include "gpu/runtime/larger.h"

#include "gpu/memory/memory.h"
#include "gpu/runtime/request.h"
#include "gpu/server/call.h"
#include "gpu/warp/trial.h"

#include "trace/trace.h"

#include <stdlib.h>
#include <string.h>

enum {
    ARGUMENTS_MAX = 2,
    SIZES_MAX = ARGUMENTS_MAX + 1, /* with their product, or the square of a single one */
    LAUNCHES_MAX = 8,              /* different ones of a run */
    PARAMETERS_MAX = 4096,
    TEXT_MAX = 64,
    MULTIPLE_MAX = 64, /* of a size: elements of 64 bytes */
    TILE_MIN = 8,      /* elements on a side */
    TILE_MAX = 256,
    DIVISOR_BITS_MAX = 16 /* a size is divided by up to 2^16, or by a block's threads */
};

/* How often a warp jumps back before it leaves its loops, which may run for seconds. Leaving them
 * must not be what moves an index out of its array: so the launch is first tried with few jumps as
 * it is. */
enum { JUMPS = 256, JUMPS_FEW = 8 };

/* A number up to the first of these may be a constant of the program. So may a power of two, and a
 * multiple of 32. If nothing explains a number, it is kept up to the second. From the third on,
 * 4 bytes are a float or a negative number. */
enum { CONSTANT_SURE = 16, CONSTANT_MAX = 4096, FLOAT_FROM = 1 << 24 };

/* What an allocation has besides its arrays: at most these bytes, and a 16th of the arrays. */
enum { MORE_BYTES = 4096, MORE_MAX = 16 };

struct size {
    uint64_t small, large;
};

static struct {
    struct size sizes[SIZES_MAX];
    uint32_t count; /* 0: nothing is tried */
    char arguments[TEXT_MAX];
    struct launch tried[LAUNCHES_MAX];
    bool says[LAUNCHES_MAX]; /* that launch's trial has an answer */
    uint32_t tried_count;
} larger;

/* ---- sizes ---------------------------------------------------------------------------------- */

static uint32_t read_numbers(const char *text, uint64_t numbers[ARGUMENTS_MAX])
{
    uint32_t count = 0;
    for (char *end; count < ARGUMENTS_MAX; text = end) {
        numbers[count] = strtoull(text, &end, 10);
        if (end == text) break;
        count++;
    }
    return count;
}

void larger_begin(void)
{
    const char *text = getenv("WARPUP_LARGER"), *colon = text == NULL ? NULL : strchr(text, ':');
    uint64_t small[ARGUMENTS_MAX], large[ARGUMENTS_MAX];
    if (colon != NULL && strlen(colon + 1) < TEXT_MAX) {
        uint32_t count = read_numbers(text, small);
        if (read_numbers(colon + 1, large) != count) count = 0;
        for (uint32_t i = 0; i < count; i++)
            if (small[i] != large[i])
                larger.sizes[larger.count++] = (struct size){small[i], large[i]};
        if (larger.count > 0)
            larger.sizes[larger.count++] =
                (struct size){small[0] * small[count - 1], large[0] * large[count - 1]};
        strcpy(larger.arguments, colon + 1);
    }
    trace_forget("WARPUP_LARGER");
}

/* ---- numbers -------------------------------------------------------------------------------- */

/* How a number of the launch changes for the larger problem. */
enum grown { GROWN_YES, GROWN_KEPT, GROWN_UNKNOWN };

/* A small multiple of a size, or one more or less than a size. */
static bool is_multiple(uint64_t value, uint64_t *grown)
{
    uint64_t least = MULTIPLE_MAX + 1;
    for (uint32_t i = 0; i < larger.count; i++) {
        const struct size *size = &larger.sizes[i];
        uint64_t times = value / size->small;
        if (value % size->small == 0 && times > 0 && times < least) {
            least = times;
            *grown = times * size->large;
        }
        if (least > 1 && size->small > CONSTANT_SURE &&
            (value + 1 == size->small || value == size->small + 1)) {
            least = 1;
            *grown = size->large + value - size->small;
        }
    }
    return least <= MULTIPLE_MAX;
}

/* The k-th number by which programs divide sizes: the threads of a block, or of a row or column of
 * it, up to 8 elements each; powers of two. 0 after the last one. */
static uint64_t divisor(uint32_t number, const uint32_t block[3])
{
    const uint64_t threads[] = {(uint64_t)block[0] * block[1] * block[2], block[0], block[1]};
    const uint32_t kinds = sizeof threads / sizeof *threads, each = 4;
    if (number < kinds * each) return threads[number % kinds] << number / kinds;
    number -= kinds * each;
    return number < DIVISOR_BITS_MAX ? UINT64_C(2) << number : 0;
}

/* The quotient of a size, rounded up or down: the first one that is found. `several`: there are
 * others. */
static bool is_quotient(uint64_t value, const uint32_t block[3], uint64_t *grown, bool *several)
{
    bool found = false;
    *several = false;
    for (uint32_t k = 0; divisor(k, block) != 0; k++)
        for (uint32_t i = 0; i < larger.count; i++) {
            const struct size *size = &larger.sizes[i];
            uint64_t by = divisor(k, block);
            bool up = (size->small + by - 1) / by == value;
            if (by < 2 || size->small < by || (!up && size->small / by != value)) continue;
            uint64_t large = (size->large + (up ? by - 1 : 0)) / by;
            *several = *several || (found && large != *grown);
            if (!found) *grown = large;
            found = true;
        }
    return found;
}

static uint64_t padded(uint64_t bytes, uint64_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

/* A size of 1, 2, 4 or 8 bytes each, rounded up to a multiple of 32 to 4096; or two of them: where
 * a third array begins. */
static bool is_padded(uint64_t value, uint64_t *grown)
{
    for (uint64_t unit = 32; unit <= CONSTANT_MAX; unit *= 2)
        for (uint64_t bytes = 1; bytes <= 8; bytes *= 2)
            for (uint32_t i = 0; i < larger.count; i++) {
                const struct size *size = &larger.sizes[i];
                uint64_t one = padded(size->small * bytes, unit);
                if (one != value && 2 * one != value) continue;
                *grown = padded(size->large * bytes, unit) * (value / one);
                return true;
            }
    return false;
}

static enum grown grow(uint64_t value, uint32_t bytes, const uint32_t block[3], uint64_t *grown)
{
    bool several, plain = value <= CONSTANT_SURE || (value & (value - 1)) == 0 || value % 32 == 0;
    bool is_float = (bytes == 4 && value >= FLOAT_FROM) || value >> 40 != 0;
    if (value > CONSTANT_SURE && is_multiple(value, grown)) return GROWN_YES;
    *grown = value;
    if (is_float) return GROWN_KEPT;
    if (!plain && is_quotient(value, block, grown, &several))
        return several ? GROWN_UNKNOWN : GROWN_YES;
    if (value > CONSTANT_MAX && is_padded(value, grown)) return GROWN_YES;
    *grown = value;
    return value <= CONSTANT_MAX ? GROWN_KEPT : GROWN_UNKNOWN;
}

/* ---- a launch ------------------------------------------------------------------------------- */

/* The launch as it is, and as it would be. Both have the trial's arrays in place of the program's.
 */
struct pair {
    struct launch small, large;
    bool stores; /* block 0 does, as the launch is, even if its loops are cut short */
    unsigned char small_parameters[PARAMETERS_MAX], large_parameters[PARAMETERS_MAX];
    struct trial small_trial, large_trial;
};

/* An allocation of several arrays of floats and a little more: gaps between them, or a sum per
 * block. All of it grows with the size here, so that the array is not too short. */
static bool is_nearly(uint64_t bytes, uint64_t *grown)
{
    for (uint32_t i = 0; i < larger.count; i++) {
        const struct size *size = &larger.sizes[i];
        uint64_t times = bytes / size->small, more = bytes % size->small;
        if (size->small < MORE_BYTES * MORE_MAX || more > MORE_BYTES || times > MULTIPLE_MAX ||
            times == 0 || times % sizeof(float) != 0)
            continue;
        *grown = times * size->large + (more * size->large + size->small - 1) / size->small;
        return true;
    }
    return false;
}

/* The number of the trial's array that stands for an allocation; TRIAL_ARRAYS: it has none, because
 * its bytes do not follow from the sizes. */
static uint32_t array_of(struct pair *pair, const struct allocation *allocation)
{
    struct trial *small = &pair->small_trial, *large = &pair->large_trial;
    uint64_t bytes;
    for (uint32_t i = 0; i < small->count; i++)
        if (small->array[i].id == allocation->id) return i;
    if (small->count == TRIAL_ARRAYS ||
        (grow(allocation->bytes, 8, pair->small.block, &bytes) != GROWN_YES &&
         !is_nearly(allocation->bytes, &bytes)))
        return TRIAL_ARRAYS;
    small->array[small->count++] = (struct trial_array){allocation->id, allocation->bytes};
    large->array[large->count++] = (struct trial_array){allocation->id, bytes};
    return small->count - 1;
}

/* A pointer of the parameters. False: where it points to in the larger array is not known. */
static bool grow_pointer(struct pair *pair, size_t at, const struct allocation *allocation)
{
    uint64_t pointer, grown;
    memcpy(&pointer, pair->small_parameters + at, sizeof pointer);
    uint64_t offset = (uint64_t)((const char *)here(pointer) - allocation->base);
    uint32_t array = array_of(pair, allocation);
    if (array == TRIAL_ARRAYS) return true;
    if (grow(offset, 8, pair->small.block, &grown) == GROWN_UNKNOWN) return false;
    uint64_t small = trial_address(array) + offset, large = trial_address(array) + grown;
    memcpy(pair->small_parameters + at, &small, sizeof small);
    memcpy(pair->large_parameters + at, &large, sizeof large);
    return true;
}

static bool grow_word(struct pair *pair, size_t at, uint32_t bytes)
{
    uint64_t value = 0, grown;
    memcpy(&value, pair->small_parameters + at, bytes);
    const struct allocation *one =
        bytes == 8 && memory_owns(here(value)) ? memory_find(here(value)) : NULL;
    if (one != NULL && !one->freed && one->space != SPACE_REGISTERED)
        return grow_pointer(pair, at, one);
    enum grown how = grow(value, bytes, pair->small.block, &grown);
    memcpy(pair->large_parameters + at, &grown, bytes);
    return how != GROWN_UNKNOWN;
}

/* A parameter that is larger than a number is a struct: words of 8 bytes that are pointers or
 * sizes, else pairs of 4. A float before a pointer has a gap of 4 bytes after it. */
static bool grow_parameters(struct pair *pair)
{
    const struct ptx_function *kernel = pair->small.kernel;
    for (uint32_t i = 0; i < kernel->param_count; i++) {
        const struct ptx_param *one = &kernel->params[i];
        for (uint32_t at = one->at, end = one->at + one->bytes; at + 4 <= end;) {
            uint64_t word = 0;
            bool whole = at % 8 == 0 && at + 8 <= end;
            if (whole) memcpy(&word, pair->small_parameters + at, sizeof word);
            if (one->bytes > 8 && word >> 32 != 0 && !memory_owns(here(word))) whole = false;
            if (whole && one->bytes > 8 && word >> 32 == 0 && !grow_word(pair, at, 8))
                whole = false;
            if (!grow_word(pair, at, whole ? 8 : 4)) return false;
            at += whole ? 8 : 4;
        }
    }
    return true;
}

/* Few blocks may be a constant of the program, unless the threads along their axis make a size. */
static bool is_by_threads(uint32_t blocks, uint32_t threads, uint64_t *grown)
{
    for (uint64_t by = threads; by > 1 && by <= 8 * (uint64_t)threads; by *= 2)
        for (uint32_t i = 0; i < larger.count; i++) {
            if ((larger.sizes[i].small + by - 1) / by != blocks) continue;
            *grown = (larger.sizes[i].large + by - 1) / by;
            return true;
        }
    return false;
}

/* Square tiles of a square matrix: as many blocks along x as along y. */
static bool is_by_tiles(const uint32_t grid[3], uint64_t *grown)
{
    const struct size *side = &larger.sizes[0];
    bool square = larger.count == 2 && larger.sizes[1].small == side->small * side->small;
    if (!square || grid[0] != grid[1] || grid[0] < 2) return false;
    for (uint64_t by = TILE_MIN; by <= TILE_MAX; by *= 2) {
        *grown = (side->large + by - 1) / by;
        if ((side->small + by - 1) / by == grid[0]) return true;
    }
    return false;
}

static void grow_grid(struct pair *pair)
{
    uint64_t tiles;
    if (is_by_tiles(pair->small.grid, &tiles)) {
        pair->large.grid[0] = pair->large.grid[1] = (uint32_t)tiles;
        return;
    }
    for (int i = 0; i < 3; i++) {
        uint64_t grown;
        uint32_t blocks = pair->small.grid[i];
        bool several, known = is_by_threads(blocks, pair->small.block[i], &grown);
        if (!known && blocks > CONSTANT_SURE)
            known = is_multiple(blocks, &grown) ||
                    is_quotient(blocks, pair->small.block, &grown, &several);
        if (known && blocks > 1)
            pair->large.grid[i] = grown < INT32_MAX ? (uint32_t)grown : INT32_MAX;
    }
}

/* Why the launch cannot be tried; NULL: `pair` is ready. */
static const char *prepare(struct pair *pair, const struct launch *launch)
{
    const struct ptx_function *kernel = launch->kernel;
    uint32_t cluster = launch->cluster[0] * launch->cluster[1] * launch->cluster[2];
    pair->small = pair->large = *launch;
    if (launch->cooperative || cluster > 1) return "its blocks wait for each other";
    if (kernel->param_bytes > PARAMETERS_MAX) return "its kernel has too many parameters";
    pair->small.trial = &pair->small_trial;
    pair->large.trial = &pair->large_trial;
    pair->small.parameters = pair->small_parameters;
    pair->large.parameters = pair->large_parameters;
    memcpy(pair->small_parameters, launch->parameters, kernel->param_bytes);
    memcpy(pair->large_parameters, launch->parameters, kernel->param_bytes);
    grow_grid(pair);
    if (!grow_parameters(pair))
        return "it is not known which of its numbers grow with the arguments";
    if (pair->small_trial.count == 0) return "it is not known how large its arrays would be";
    return NULL;
}

static void drop(const char *text, size_t bytes)
{
    (void)text, (void)bytes;
}

/* Tries the launch, as it is with two limits for its loops, and as it would be. Why the larger one
 * says nothing; NULL: it does. */
static const char *try_both(struct pair *pair)
{
    const uint32_t jumps[] = {JUMPS_FEW, JUMPS};
    struct trial *small = &pair->small_trial, *large = &pair->large_trial;
    void (*complain)(const char *, size_t) = warp_complain;
    warp_complain = drop;
    bool fits = true;
    pair->stores = true;
    for (size_t i = 0; i < sizeof jumps / sizeof *jumps && fits; i++) {
        small->jumps = jumps[i];
        small->stored = false;
        trial_run(&pair->small);
        fits = !small->outside && !small->elsewhere;
        pair->stores = pair->stores && small->stored;
    }
    large->jumps = JUMPS;
    if (fits) trial_run(&pair->large);
    warp_complain = complain;
    if (!fits || (large->elsewhere && !large->outside))
        return "its addresses may depend on the data";
    return NULL;
}

/* ---- records -------------------------------------------------------------------------------- */

static void record(const struct pair *pair, const struct launch *launch, const char *why)
{
    const struct trial *trial = &pair->large_trial;
    bool silent = pair->stores && !trial->stored;
    trace_begin("larger");
    trace_fields("kernel:%lu kernel_name:%s arguments:%s", launch->id, launch->kernel->plain_name,
                 larger.arguments);
    trace_triple("grid", pair->large.grid[0], pair->large.grid[1], pair->large.grid[2]);
    if (why != NULL) {
        trace_string("why", why);
    } else if (trial->outside) {
        const struct trial_array *array = &trial->array[trial->left];
        const struct ptx_module *module = launch->kernel->module;
        const struct ptx_location *location =
            trial->location < module->location_count ? &module->locations[trial->location] : NULL;
        trace_flag("outside", true);
        trace_triple("block", trial->block[0], trial->block[1], trial->block[2]);
        trace_triple("thread", trial->thread[0], trial->thread[1], trial->thread[2]);
        trace_fields("alloc:%lu alloc_bytes:%lu offset:%ld bytes:%u kind:%s", array->id,
                     array->bytes, trial->offset, trial->bytes, trial->kind);
        if (location != NULL) trace_source(location->file, location->line);
    } else if (silent) {
        trace_flag("silent", true);
    }
    trace_end();
}

static bool is_new(const struct launch *launch)
{
    for (uint32_t i = 0; i < larger.tried_count; i++) {
        const struct launch *one = &larger.tried[i];
        if (one->kernel == launch->kernel &&
            memcmp(one->grid, launch->grid, sizeof one->grid) == 0 &&
            memcmp(one->block, launch->block, sizeof one->block) == 0)
            return false;
    }
    return larger.tried_count < LAUNCHES_MAX;
}

/* Another launch of the kernel was tried: this one may have a piece of the work. */
static bool is_answered(const struct launch *launch)
{
    for (uint32_t i = 0; i < larger.tried_count; i++)
        if (larger.tried[i].kernel == launch->kernel && larger.says[i]) return true;
    return false;
}

void larger_try(const struct launch *launch)
{
    if (larger.count == 0 || !is_new(launch)) return;
    struct pair *pair = calloc(1, sizeof *pair);
    if (pair == NULL) return;
    const char *why = prepare(pair, launch);
    if (why == NULL) why = try_both(pair);
    if (why == NULL || !is_answered(launch)) record(pair, launch, why);
    larger.says[larger.tried_count] = why == NULL;
    larger.tried[larger.tried_count++] = *launch;
    free(pair);
}
