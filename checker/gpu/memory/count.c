/*
 * count.c: counts a request whose lanes' places are known: requests, sectors, ideal and wavefronts
 * of its access instruction, lines of the L1, bytes of the L2. trace/README.md, "Counts", says what
 * each means.
 */
#include "gpu/memory/watching.h"

#include "gpu/memory/sample.h"
#include "gpu/memory/tag.h"

#include <string.h>

/* Which of the sectors that a warp stores join its last stores, as those of the members of
 * structures do. They go to the L2 with these, unless it has loaded anything since. */
static unsigned joined_sectors(struct watched_warp *warp, uint64_t line, unsigned sectors)
{
    struct stored_line *stored = warp->stored;
    for (int i = 0; i < STORED_LINES; i++)
        if (stored[i].sectors != 0 && stored[i].line == line) {
            unsigned joined = stored[i].sectors & sectors;
            stored[i].sectors |= (uint8_t)sectors;
            return joined;
        }
    memmove(stored + 1, stored, (STORED_LINES - 1) * sizeof *stored);
    stored[0] = (struct stored_line){.line = line, .sectors = (uint8_t)sectors};
    return 0;
}

/* `partial`: sectors of which the request does not touch all bytes. */
static void touch_line(struct watched_warp *warp, struct looked *looked, uint64_t line,
                       unsigned sectors, unsigned partial)
{
    struct watcher *watcher = warp->block->watcher;
    bool load = is_load(looked->request->kind);
    unsigned asked =
        load ? cache_load(&watcher->l1, line, sectors) : sectors; /* stores are written through */
    uint32_t count = (uint32_t)__builtin_popcount(sectors);
    looked->lines++;
    looked->sectors += count;
    if (load) memset(warp->stored, 0, sizeof warp->stored);
    if (asked == 0) return;
    uint32_t missing = asked == sectors ? count : (uint32_t)__builtin_popcount(asked);
    looked->missing += missing;
    if (looked->request->kind == ACCESS_STORE) {
        uint32_t joined = (uint32_t)__builtin_popcount(joined_sectors(warp, line, sectors));
        missing -= joined;
        watcher->tally->store_sectors += missing;
        watcher->tally->store_lines += missing > 0;
    }
    watcher->tally->l2_bytes += (uint64_t)missing * SECTOR_BYTES;
    watcher->tally->l2_lines += load;
    traffic_add(&watcher->traffic, line, asked, !load, load ? 0 : partial);
    shadow_note_use(line * LINE_BYTES, tag_first);
}

static enum access_class class_of(enum access_kind kind)
{
    return is_load(kind) ? CLASS_LOAD : is_atomic(kind) ? CLASS_ATOMIC : CLASS_STORE;
}

static inline uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Adds requests of an access instruction that are alike. */
static inline void add_requests(struct tally *tally, uint32_t access, bool shared,
                                enum access_class class, uint64_t requests, uint32_t used,
                                uint32_t bytes, uint32_t lanes)
{
    struct access_site *site = &tally->sites[access];
    uint32_t unit = shared ? LINE_BYTES : SECTOR_BYTES, ideal = (bytes + unit - 1) / unit;
    struct access_counts counts = {.requests = requests,
                                   .sectors = shared ? 0 : requests * used,
                                   .wavefronts = shared ? requests * used : 0,
                                   .ideal = requests * smaller(ideal, used),
                                   .bytes = requests * bytes,
                                   .lanes = requests * lanes};
    tally_add_counts(shared ? &site->shared : &site->global, &counts);
    tally_add_counts(shared ? &tally->shared[class] : &tally->global[class], &counts);
    if (!shared && used * SECTOR_BYTES > 2 * bytes) tally_add_counts(&site->poor, &counts);
    if (shared)
        tally_take_worse(&site->worst_shared_lanes, &site->worst_wavefronts, lanes, used);
    else
        tally_take_worse(&site->worst_lanes, &site->worst_sectors, lanes, used);
}

/* Bytes of global memory that each lane has asked for. */
static inline void note_bytes(struct watched_warp *warp, uint32_t mask, uint32_t bytes)
{
    warp->touched |= mask;
    if (mask == UINT32_MAX) {
        warp->bytes_of_all += bytes;
        return;
    }
    warp->uneven = true;
    EACH_LANE (lane, mask)
        warp->bytes_of[lane] += bytes;
}

void count_constants(struct watched_warp *warp, const struct looked *looked)
{
    uint64_t words[LANES];
    uint32_t count = 0;
    EACH_LANE (lane, looked->mask) {
        uint32_t i = count;
        while (i > 0 && words[i - 1] != looked->offset[lane] / 4)
            i--;
        if (i == 0) words[count++] = looked->offset[lane] / 4;
    }
    warp->block->watcher->tally->constant_passes += count - 1;
}

/* Passes a counted request on to all that follows the warp, and to the samples. */
static void follow(struct watched_warp *warp, const struct looked *looked, bool shared,
                   uint32_t bytes, uint32_t used)
{
    const struct request *request = looked->request;
    struct tally *tally = warp->block->watcher->tally;
    if (is_atomic(request->kind)) (shared ? contention_shared : contention_global)(warp, looked);
    flight_follow(warp, request->kind, shared, bytes);
    stall_extend(warp, looked, shared);
    if (!shared) handoff_follow(warp, looked);
    if (watching.sampled && tally->samples != NULL)
        sample_take(tally, request, looked->mask, shared, used, warp->block->index, warp->index);
}

/* `clocks`: of the L1, times L1_PARTS. */
static void add_global(struct watched_warp *warp, const struct looked *looked, uint64_t clocks)
{
    const struct request *request = looked->request;
    struct tally *tally = warp->block->watcher->tally;
    uint32_t lanes =
        looked->mask == UINT32_MAX ? LANES : (uint32_t)__builtin_popcount(looked->mask);
    uint32_t bytes = lanes * request->bytes;
    add_requests(tally, (uint32_t)request->instruction->access, false, class_of(request->kind), 1,
                 looked->sectors, bytes, lanes);
    tally->l1_clocks += clocks;
    note_bytes(warp, looked->mask, request->bytes);
    if (!is_load(request->kind)) warp->gave |= looked->mask;
    follow(warp, looked, false, bytes, looked->sectors);
}

/* The L1 looks up some lines per clock, and its banks deliver a word each: `busiest` is the number
 * of words of the busiest one. */
static uint64_t clocks_of_l1(const struct looked *looked, uint32_t busiest)
{
    if (!is_load(looked->request->kind)) return (uint64_t)looked->lines * L1_PARTS;
    uint64_t lookups = (uint64_t)looked->lines * watching.figures.lookup_parts,
             words = (uint64_t)busiest * L1_PARTS;
    return lookups > words ? lookups : words;
}

void count_row(struct watched_warp *warp, struct looked *looked, uint64_t first, uint32_t bytes)
{
    uint64_t end = first + bytes;
    for (uint64_t line = first / LINE_BYTES; line * LINE_BYTES < end; line++) {
        uint64_t start = line * LINE_BYTES,
                 low = first > start ? (first - start) / SECTOR_BYTES : 0;
        uint64_t past = end - start,
                 high = past >= LINE_BYTES ? 4 : (past + SECTOR_BYTES - 1) / SECTOR_BYTES;
        unsigned partial = 0;
        if (start + low * SECTOR_BYTES < first) partial |= 1u << low;
        if (past < high * SECTOR_BYTES) partial |= 1u << (high - 1);
        touch_line(warp, looked, line, (1u << high) - (1u << low), partial);
    }
    add_global(warp, looked, clocks_of_l1(looked, bytes / LINE_BYTES));
}

/* The lines that scattered lanes touch, in the order of the lanes, and their sectors. */
struct footprint {
    uint64_t line[LANES];
    uint8_t sectors[LANES];
    uint8_t bytes[LANES][4]; /* of each sector that are touched; those that several lanes touch
                                count more than once, up to all */
    uint8_t at[64];          /* hash table: an index into `line` + 1, or 0 */
    uint32_t count;
};

static inline uint32_t index_of(struct footprint *print, uint64_t line)
{
    if (print->count > 0 && print->line[print->count - 1] == line) return print->count - 1;
    uint32_t hash = (uint32_t)((line * UINT64_C(0x9e3779b97f4a7c15)) >> 58);
    while (print->at[hash] != 0 && print->line[print->at[hash] - 1] != line)
        hash = (hash + 1) % 64;
    if (print->at[hash] == 0) {
        print->line[print->count] = line;
        memset(print->bytes[print->count], 0, 4);
        print->sectors[print->count++] = 0;
        print->at[hash] = (uint8_t)print->count;
    }
    return print->at[hash] - 1u;
}

static inline void add_locations(struct footprint *print, uint64_t offset, uint32_t bytes)
{
    uint64_t end = offset + bytes;
    while (offset < end) {
        uint64_t past = (offset / SECTOR_BYTES + 1) * SECTOR_BYTES;
        uint32_t some = (uint32_t)((past < end ? past : end) - offset);
        uint32_t index = index_of(print, offset / LINE_BYTES),
                 sector = (uint32_t)(offset % LINE_BYTES) / SECTOR_BYTES;
        uint8_t *touched = &print->bytes[index][sector];
        print->sectors[index] |= (uint8_t)(1u << sector);
        *touched = (uint8_t)smaller(*touched + some, SECTOR_BYTES);
        offset += some;
    }
}

static inline unsigned partial_sectors(const struct footprint *print, uint32_t index)
{
    unsigned partial = 0;
    for (unsigned s = 0; s < 4; s++)
        if (print->bytes[index][s] < SECTOR_BYTES) partial |= 1u << s;
    return partial & print->sectors[index];
}

void count_scattered(struct watched_warp *warp, struct looked *looked)
{
    struct footprint print;
    print.count = 0;
    memset(print.at, 0, sizeof print.at);
    for (uint32_t i = 0; i < looked->run_count; i++)
        add_locations(&print, looked->offset[looked->run[i].lane],
                      run_bytes(looked, &looked->run[i]));
    for (uint32_t i = 0; i < print.count; i++)
        touch_line(warp, looked, print.line[i], print.sectors[i], partial_sectors(&print, i));
    bool load = is_load(looked->request->kind);
    uint32_t busiest =
        load ? banks_of(warp->block->watcher, looked, looked->request->bytes, true) : 0;
    add_global(warp, looked, clocks_of_l1(looked, busiest));
}

/* ---- shared memory -------------------------------------------------------------------------- */

static uint32_t joined_bytes(const struct ptx_instruction *instruction, uint32_t bytes)
{
    return instruction->joined > 0 ? (uint32_t)instruction->joined : bytes;
}

static struct whole_loads *whole_loads(const struct watcher *watcher,
                                       const struct ptx_instruction *instruction, bool same)
{
    return &watcher->whole[2 * instruction->access + same];
}

bool count_is_known(const struct watched_warp *warp, const struct ptx_instruction *instruction,
                    bool same)
{
    const struct watcher *watcher = warp->block->watcher;
    const struct tally *tally = watcher->tally;
    uint32_t used = whole_loads(watcher, instruction, same)->wavefronts;
    if (instruction->joined == 0) return true;
    if (watching.sampled && tally->samples != NULL &&
        !sample_is_known(tally, (uint32_t)instruction->access, used, warp->block->index))
        return false;
    return used != 0;
}

void count_whole_load(struct watched_warp *warp, const struct ptx_instruction *instruction,
                      bool same)
{
    struct whole_loads *loads = whole_loads(warp->block->watcher, instruction, same);
    flight_follow(warp, ACCESS_LOAD, true, 4 * LANES);
    if (instruction->joined == 0) return;
    loads->requests++;
    stall_load(warp, instruction, watching.figures.l1_ns + loads->wavefronts - 1, true);
}

void count_whole_loads(struct watcher *watcher)
{
    const struct ptx_module *module = watcher->tally->module;
    for (uint32_t i = 0; i < 2 * module->access_count; i++) {
        struct whole_loads *loads = &watcher->whole[i];
        if (loads->requests > 0)
            add_requests(watcher->tally, i / 2, true, CLASS_LOAD, loads->requests,
                         loads->wavefronts, LANES * joined_bytes(module->accesses[i / 2], 4),
                         LANES);
        loads->requests = 0;
    }
}

/* Counts an access to shared memory. The first of several loads that ptxas joins counts with the
 * bytes of all, and the others do not count. */
void count_shared(struct watched_warp *warp, struct looked *looked)
{
    const struct request *request = looked->request;
    if (!is_load(request->kind)) warp->gave |= looked->mask;
    if (request->instruction->joined == 0) {
        flight_follow(warp, request->kind, true,
                      (uint64_t)__builtin_popcount(looked->mask) * request->bytes);
        return;
    }
    uint32_t each = request->kind == ACCESS_LOAD
                        ? joined_bytes(request->instruction, request->bytes)
                        : request->bytes;
    uint32_t lanes = (uint32_t)__builtin_popcount(looked->mask);
    uint32_t used = looked->wavefronts =
        banks_of(warp->block->watcher, looked, each, request->kind == ACCESS_LOAD);
    add_requests(warp->block->watcher->tally, (uint32_t)request->instruction->access, true,
                 class_of(request->kind), 1, used, lanes * each, lanes);
    if (lanes == LANES && looked->run_count == 1 && request->bytes == 4)
        whole_loads(warp->block->watcher, request->instruction, looked->run[0].same)->wavefronts =
            used;
    follow(warp, looked, true, lanes * request->bytes, used);
}

/* ---- local memory --------------------------------------------------------------------------- */

/* Lanes that access the same variable touch a line per word; others each a sector per word, of a
 * line that they share with the lanes beside them if those want the same word. */
void watch_local(struct watched_warp *warp, const struct ptx_instruction *instruction, bool store,
                 uint32_t mask, const uint64_t offset[LANES], uint32_t bytes)
{
    struct tally *tally = warp->block->watcher->tally;
    uint64_t words[LANES];
    uint32_t lines = 0, sectors = 0;
    uint64_t last = UINT64_MAX;
    EACH_LANE (lane, mask) {
        uint64_t word = offset[lane] / 4, sector = word * 4 + lane / 8;
        uint32_t i = lines;
        while (i > 0 && words[i - 1] != word)
            i--;
        if (i == 0) words[lines++] = word;
        sectors += sector != last;
        last = sector;
    }
    uint32_t each = (bytes + 3) / 4;
    *(store ? &tally->local_stores : &tally->local_loads) += sectors * each;
    if (store)
        tally->local_store_lines += lines * each;
    else
        stall_load(warp, instruction, watching.figures.l1_ns + lines - 1, false);
}
