/*
 * request.c: counts and checks a request: its sectors, the caches, whether its words were written
 * before, and races. Together with access.c this is the simulated GPU's inner loop. The common
 * case, 32 lanes that access neighbouring elements, is handled as one row.
 */
#include "sim/requests/request.h"

#include "sim/gpu/memory.h"
#include "sim/requests/fault.h"
#include "sim/requests/contention.h"
#include "sim/requests/flight.h"
#include "sim/requests/footprint.h"
#include "sim/requests/sample.h"
#include "sim/gpu/profile.h"
#include "sim/gpu/shadow.h"

#include <stdlib.h>
#include <string.h>

/* Independent loads that a thread has in flight. Compilers also unroll loops whose number of rounds
 * is not known. These have registers for the loads of some rounds, and half of them if rounds are
 * long. All loads of one round are in flight together. */
enum { LOADS_IN_FLIGHT = 8, REGISTERS_IN_FLIGHT = 16, REGISTER_BYTES = 4 };

/* ---- sites ---------------------------------------------------------------------------------- */

static struct site *add_site(struct tally *tally, uint32_t event, bool shared)
{
    uint16_t *index = &tally->site_at[event_place(event)];
    if (tally->site_count == tally->site_room) {
        tally->site_room = tally->site_room == 0 ? 32 : 2 * tally->site_room;
        tally->sites = realloc(tally->sites, tally->site_room * sizeof *tally->sites);
        if (tally->sites == NULL) abort();
    }
    tally->sites[tally->site_count] =
        (struct site){.event = event, .shared = shared, .known = tally->known[event_place(event)]};
    if (*index == 0) *index = (uint16_t)(tally->site_count + 1);
    return &tally->sites[tally->site_count++];
}

static bool is_site(const struct site *site, uint32_t event, bool shared)
{
    return site->event == event && site->shared == shared;
}

/* Nearly every place has one site. A copy has two, and so has a pointer to both kinds of memory. */
struct site *request_site(struct tally *tally, uint32_t event, bool shared)
{
    uint16_t index = tally->site_at[event_place(event)];
    if (index == 0) return add_site(tally, event, shared);
    for (size_t i = index - 1u; i < tally->site_count; i++)
        if (is_site(&tally->sites[i], event, shared)) return &tally->sites[i];
    return add_site(tally, event, shared);
}

/* ---- faults ---------------------------------------------------------------------------------- */

static void note_unwritten(const struct warp *warp, const struct request *request, uint32_t lane)
{
    struct fault fault = fault_of_lane(warp, request, lane, "uninitialised-read");
    fault_note(&fault);
}

static void note_race(const struct warp *warp, const struct request *request, uint32_t lane,
                      const struct race *race)
{
    const char *name = race->between_blocks ? "race-between-blocks" : "race-in-block";
    struct fault fault = fault_of_lane(warp, request, lane, name);
    if (race->other_thread < THREADS_MAX)
        fault_set_other(&fault, race->other_block, race->other_thread);
    fault.other_kind = access_name(race->other_kind);
    fault_note(&fault);
}

/* ---- one request ---------------------------------------------------------------------------- */

static void count_lone(struct lone *lone, bool pair, bool far, uint64_t bytes)
{
    if (pair) {
        lone->bytes -= bytes < lone->bytes ? bytes : lone->bytes;
        return;
    }
    lone->bytes += bytes;
    if (far) lone->far_bytes += bytes;
}

/* A request may need only one half of a line. If the L2 has the other half, and the instruction
 * goes through memory in some order, a request shortly before needed that: DRAM moves both
 * together. */
static void count_half(struct warp *warp, const struct request *request, uint64_t line,
                       unsigned sectors, uint64_t bytes)
{
    enum { LOW = 3, HIGH = 12 };
    enum { NEAR_LINES = 512 }; /* 64 KB: the next row of a matrix is near */
    struct tally *tally = warp->tally;
    uint64_t last = request->site->last_miss, apart = line > last ? line - last : last - line;
    bool near = apart <= NEAR_LINES, load = request->kind == ACCESS_LOAD;
    request->site->last_miss = line;
    if ((sectors & LOW) != 0 && (sectors & HIGH) != 0) return;
    bool pair = near && cache_has(warp->l2, line, (sectors & LOW) != 0 ? HIGH : LOW, !load);
    bool far = !near && !access_is_atomic(request->kind); /* the L2 does atomics */
    count_lone(load ? &tally->lone_loads : &tally->lone_stores, pair, far, bytes);
}

/* Counts for the time model; `dram_bytes` are those of these sectors of a line. */
static void count_stores(struct tally *tally, const struct request *request, unsigned sectors,
                         uint64_t dram_bytes)
{
    if (request->kind == ACCESS_LOAD) return;
    tally->dirty_bytes += dram_bytes;
    if (request->kind != ACCESS_STORE) return;
    if (request->scattered) tally->store_lines++;
    tally->store_sectors += (uint32_t)__builtin_popcount(sectors);
}

/* How many sectors are wanted without the other half of their pair */
static unsigned singles(unsigned sectors)
{
    return (unsigned)__builtin_popcount((sectors ^ sectors >> 1) & 5);
}

static void touch_line(struct warp *warp, struct request *request, uint64_t line, unsigned sectors)
{
    struct tally *tally = warp->tally;
    uint64_t before = tally->dram_bytes, l2_before = tally->l2_bytes;
    request->lines++;
    request->sectors += (uint32_t)__builtin_popcount(sectors);
    if (request->kind == ACCESS_LOAD) {
        enum cache_level level =
            cache_load(warp->l1, warp->l2, line, sectors, &tally->l2_bytes, &tally->dram_bytes);
        if (level > request->level) request->level = level;
        if (tally->l2_bytes > l2_before) tally->single_bytes += singles(sectors) * SECTOR_BYTES;
    } else {
        tally->unread_bytes += SECTOR_BYTES * cache_store(warp->l1, warp->l2, line, sectors,
                                                          &tally->l2_bytes, &tally->dram_bytes);
    }
    count_stores(tally, request, sectors, tally->dram_bytes - before);
    if (tally->dram_bytes == before) return;
    count_half(warp, request, line, sectors, tally->dram_bytes - before);
    enum memory_reach reach = memory_reach(line * LINE_BYTES);
    if (reach == REACH_MOVES) tally->moved_bytes += tally->dram_bytes - before;
    if (reach == REACH_BUS) tally->bus_bytes += tally->dram_bytes - before;
}

/* Is each lane's offset this far from that of the lane before? */
static inline __attribute__((always_inline)) bool is_stride(const uint64_t *offset, uint64_t lanes,
                                                            uint64_t stride)
{
    uint64_t apart = 0, expected = offset[0];
    for (uint64_t lane = 0; lane < lanes; lane++, expected += stride)
        apart |= offset[lane] ^ expected;
    return apart == 0;
}

/* Were these words written, all of one entry of the shadow? Marks them when `mark`. */
static inline bool few_written(uint64_t first, uint64_t count, bool mark)
{
    uint64_t bits = ~UINT64_C(0) >> (64 - count) << first % 64;
    if (!mark) return (shadow.written[first / 64] & bits) == bits;
    shadow_mark(first / 64, bits);
    return true;
}

static __attribute__((noinline)) bool many_written(uint64_t first, uint64_t count, bool mark)
{
    bool all = true;
    while (count > 0) {
        uint64_t here = 64 - first % 64 < count ? 64 - first % 64 : count;
        all &= few_written(first, here, mark);
        first += here;
        count -= here;
    }
    return all;
}

/* Were all words of [offset, offset + bytes) written? Marks them when `mark`. */
static inline bool words_written(uint64_t offset, unsigned bytes, bool mark)
{
    uint64_t first = offset / 4, count = bytes / 4;
    if (first % 64 + count <= 64) return few_written(first, count, mark);
    return many_written(first, count, mark);
}

static void check_written(const struct warp *warp, const struct request *request, uint32_t lane)
{
    uint64_t first = request->offset[lane] / 4,
             last = (request->offset[lane] + request->size - 1) / 4;
    uint64_t bits = ((UINT64_C(2) << (last - first)) - 1) << first % 64;
    if (access_reads(request->kind) && (shadow.written[first / 64] & bits) != bits)
        note_unwritten(warp, request, lane);
    shadow_mark(first / 64, bits); /* reported once; then it counts as written */
}

/* The shadow only knows words. Neighbouring bytes of one word may belong to different threads, so
 * smaller accesses are not checked. */
static void check_race(const struct warp *warp, const struct request *request, uint32_t lane)
{
    uint32_t thread = warp->first_thread + lane;
    bool same = request->kind == ACCESS_STORE && request->same[lane];
    struct race race;
    for (unsigned done = 0; done + 4 <= request->size; done += 4) {
        uint64_t offset = request->offset[lane] + done;
        if (!race_check_alone(warp->segment, thread, offset, request->kind) &&
            race_check(warp->segment, thread, offset, request->kind, same, &race)) {
            note_race(warp, request, lane, &race);
            return;
        }
    }
}

static void check_lane(const struct warp *warp, const struct request *request, uint32_t lane)
{
    check_written(warp, request, lane);
    check_race(warp, request, lane);
}

static __attribute__((noinline)) void check_lanes(const struct warp *warp,
                                                  const struct request *request)
{
    EACH_LANE (lane, request->mask)
        check_lane(warp, request, lane);
}

/* The next warps mostly access what comes next. */
static void look_ahead(uint64_t offset)
{
    enum { AHEAD_BYTES = 2048, CPU_LINE_BYTES = 64 };
    for (uint64_t at = offset + AHEAD_BYTES, end = at + LINE_BYTES; at < end;
         at += CPU_LINE_BYTES) {
        __builtin_prefetch(shadow.base + at);
        __builtin_prefetch((const char *)shadow.writer + at);
    }
}

static __attribute__((noinline)) void touch_lines(struct warp *warp, struct request *request,
                                                  uint64_t first, uint64_t end)
{
    for (uint64_t line = first / LINE_BYTES; line * LINE_BYTES < end; line++) {
        uint64_t low = first > line * LINE_BYTES ? first % LINE_BYTES / SECTOR_BYTES : 0;
        uint64_t past = end - line * LINE_BYTES;
        uint64_t high = past >= LINE_BYTES ? 4 : (past + SECTOR_BYTES - 1) / SECTOR_BYTES;
        touch_line(warp, request, line, (1u << high) - (1u << low));
    }
}

/* 32 lanes side by side, 4 bytes or more each. */
static inline void take_row(struct warp *warp, struct request *request)
{
    uint64_t first = request->offset[0];
    unsigned bytes = LANES * request->size;
    bool written = words_written(first, bytes, !access_reads(request->kind));
    uint32_t thread = warp->first_thread;
    look_ahead(first);
    if (!written ||
        !race_check_row(warp->segment, thread, first, LANES, request->size / 4, request->kind))
        check_lanes(warp, request);
    if (first % LINE_BYTES == 0 && bytes == LINE_BYTES)
        touch_line(warp, request, first / LINE_BYTES, 15);
    else
        touch_lines(warp, request, first, first + bytes);
    request->clocks = request->size / (double)BANK_BYTES;
}

/* Lanes are also checked in groups: those of a block that is 8 or 16 threads wide often access the
 * same word, or neighbouring ones. */
enum { GROUP = 8 };

/* Checks a whole group together. If its lanes have to be checked one by one, returns false and
 * changes nothing. */
static bool check_group(const struct warp *warp, const struct request *request, uint32_t lane)
{
    const uint64_t *offset = request->offset + lane;
    uint32_t thread = warp->first_thread + lane;
    unsigned size = request->size;
    if (size < 4 || (request->mask >> lane & 0xff) != 0xff) return false;
    if (size == 4 && request->kind == ACCESS_LOAD && is_stride(offset, GROUP, 0))
        return shadow_is_written(offset[0]) && race_check_same(warp->segment, thread, offset[0]);
    if (!is_stride(offset, GROUP, size)) return false;
    return words_written(offset[0], GROUP * size, !access_reads(request->kind)) &&
           race_check_row(warp->segment, thread, offset[0], GROUP, size / 4, request->kind);
}

/* Sectors that the warp's last store touched too are stored together with it. */
static void join_with_last(struct warp *warp, const struct footprint *print)
{
    struct last_store *last = &warp->last_store, now = {0};
    if (print->count > JOINED_LINES) return;
    for (unsigned i = 0; i < print->count; i++) {
        unsigned sectors = footprint_sectors(print->words[i]), before = 0;
        for (unsigned k = 0; k < last->lines; k++)
            if (last->at[k].line == print->line[i]) before = last->at[k].sectors;
        uint32_t joined = (uint32_t)__builtin_popcount(sectors & before);
        if (print->count > ALL_JOINED_LINES) joined /= JOINED_PART;
        warp->tally->store_sectors -= joined;
        warp->tally->l2_bytes -= joined * SECTOR_BYTES;
        now.at[i].line = print->line[i];
        now.at[i].sectors = sectors | before;
    }
    now.lines = print->count;
    *last = now;
}

/* Any lanes, anywhere. */
static void take_scattered(struct warp *warp, struct request *request)
{
    struct footprint print;
    print.count = 0;
    request->scattered = true;
    for (uint32_t first = 0; first < LANES; first += GROUP) {
        bool checked = check_group(warp, request, first);
        EACH_LANE (lane, request->mask & 0xffu << first) {
            footprint_add(&print, request->offset[lane], request->size);
            if (!checked) check_lane(warp, request, lane);
        }
    }
    for (unsigned i = 0; i < print.count; i++)
        touch_line(warp, request, print.line[i], footprint_sectors(print.words[i]));
    if (request->kind == ACCESS_STORE) join_with_last(warp, &print);
    /* The L1 looks up some lines per clock, and its banks deliver a word each. */
    double lookups = print.count / profile()->tags_per_clock,
           busiest = footprint_busiest_bank(&print);
    request->clocks = lookups > busiest ? lookups : busiest;
}

/* To the block's shared memory: banks instead of sectors. */
static void take_shared(struct warp *warp, struct request *request)
{
    request->wavefronts = shared_take(warp, request);
    /* For the time: the L1 and shared memory are one unit, which delivers 128 bytes per clock, also
     * when lanes share the words. */
    uint32_t bytes = (uint32_t)__builtin_popcount(request->mask) * request->size;
    uint32_t clocks = (bytes + BANKS * BANK_BYTES - 1) / (BANKS * BANK_BYTES);
    request->lines = request->wavefronts > clocks ? request->wavefronts : clocks;
    request->clocks = request->lines;
}

/* Can a lane's word be part of a load of 16 bytes in all lanes alike? */
static bool is_alike(const struct request *request)
{
    uint64_t first = request->offset[__builtin_ctz(request->mask)], apart = 0;
    if (request->mask == UINT32_MAX)
        for (int lane = 0; lane < LANES; lane++) /* without a branch */
            apart |= request->offset[lane] ^ first;
    else
        EACH_LANE (lane, request->mask)
            apart |= request->offset[lane] ^ first;
    return apart % 16 == 0;
}

/* Does the load go on where one of the warp's last loads ended? Nested loops have several such
 * places in turn; the newest is the first. */
static bool goes_on_elsewhere(struct chain *chain, uint64_t offset)
{
    unsigned i = 0;
    while (i < ENDS && chain->ends[i] != offset)
        i++;
    bool found = i < ENDS;
    for (i = found ? i : ENDS - 1; i > 0; i--)
        chain->ends[i] = chain->ends[i - 1];
    chain->ends[0] = offset + BANK_BYTES;
    return found;
}

/* If each lane goes on with the next word of shared memory, nvcc unrolls the loop and loads four
 * words together. They have to be aligned to 16 bytes. Then the request is a quarter of one for the
 * modelled time, but not for the counts. */
static __attribute__((noinline)) double merged_weight(const struct warp *warp,
                                                      const struct request *request)
{
    struct site *site = request->site;
    if (request->size != BANK_BYTES || request->kind != ACCESS_LOAD || (site->known & KNOWN_MASKED))
        return 1;
    uint64_t offset = request->offset[__builtin_ctz(request->mask)];
    bool goes_on = offset == site->next && warp == site->next_of;
    site->next_of = warp;
    site->next = offset + request->size;
    if (!goes_on && !(site->known & KNOWN_LOOPED)) goes_on = goes_on_elsewhere(warp->chain, offset);
    return goes_on && is_alike(request) ? 0.25 : 1;
}

static double latency(const struct tally *tally, const struct request *request)
{
    const struct profile *gpu = profile();
    double level = request->level == LEVEL_L1   ? gpu->l1_latency_ns
                   : request->level == LEVEL_L2 ? gpu->l2_latency_ns
                                                : tally->miss_ns;
    if (request->lines == 1) return level;
    return level + (request->lines - 1) / (gpu->lines_per_clock * gpu->clock_ghz);
}

/* Adding floats in shared memory takes a load, an addition and an exchange for each round. */
static double atomic_latency(const struct request *request)
{
    const struct profile *gpu = profile();
    if (!request->site->shared) return gpu->l2_latency_ns;
    if (request->kind == ACCESS_ADD_REAL) return request->lines * gpu->shared_real_atomic_ns;
    return gpu->l1_latency_ns + request->lines / gpu->clock_ghz;
}

double request_settle(struct chain *chain)
{
    if (chain->loads > 0 || chain->stored || chain->shared_stored)
        chain->ns += chain->rolled != 0 ? 0 : profile()->step_ns;
    for (int i = 0; i < WAITS; i++) {
        chain->ns += chain->batch_ns[i];
        chain->batch_ns[i] = 0;
    }
    chain->loads = 0;
    chain->registers = 0;
    chain->rolled = 0;
    chain->stored = chain->shared_stored = false;
    return chain->ns;
}

static void extend_chain(struct chain *chain, struct tally *tally, const struct request *request)
{
    if (request->kind == ACCESS_COPY) return; /* no thread waits for it here */
    if ((request->site->known & KNOWN_UNUSED) && !request->site->shared) return;
    if (request->kind == ACCESS_STORE) {
        *(request->site->shared ? &chain->shared_stored : &chain->stored) = true;
        return;
    }
    bool in_branch = chain->loads > 0 && chain->shared_stored && !request->site->shared &&
                     request->mask != chain->mask;
    bool held_up = chain->stored || in_branch || (chain->shared_stored && request->site->shared);
    bool again = chain->rolled == request->site->event;
    unsigned loop = request->site->known / KNOWN_LOOP,
             waits = request->site->known / KNOWN_WAITS % WAITS;
    bool enters = loop != 0 && loop != chain->loop;
    chain->loop = loop;
    unsigned registers = (request->size + REGISTER_BYTES - 1) / REGISTER_BYTES;
    unsigned room = REGISTERS_IN_FLIGHT / ((request->site->known & KNOWN_LARGE) ? 2 : 1);
    bool next_round = chain->loads > 0 && request->site->batch == chain->batch;
    bool full = (request->site->known & KNOWN_LOOPED)
                    ? next_round && chain->registers + registers > room
                    : chain->loads >= LOADS_IN_FLIGHT;
    if (held_up || again || full || enters) request_settle(chain);
    if (chain->loads == 0) chain->batch = ++tally->batches;
    request->site->batch = chain->batch;
    if ((request->site->known & KNOWN_ROLLED) && chain->rolled == 0)
        chain->rolled = request->site->event;
    double ns = access_is_atomic(request->kind) ? atomic_latency(request) : latency(tally, request);
    if (in_branch) ns = profile()->l2_latency_ns; /* the edge of a tile: other blocks load it too */
    if (ns > chain->batch_ns[waits]) chain->batch_ns[waits] = ns;
    chain->mask = request->mask;
    chain->loads++;
    chain->registers += registers;
}

static void add_counts(const struct request *request)
{
    struct site *site = request->site;
    uint32_t lanes = request->lanes, bytes = lanes * request->size;
    uint32_t used = site->shared ? request->wavefronts : request->sectors;
    if (site->worst_lanes == 0 || used * site->worst_lanes > site->worst_sectors * lanes) {
        site->worst_lanes = lanes;
        site->worst_sectors = used;
    }
    site->counts.requests++;
    site->counts.sectors += request->sectors;
    site->counts.wavefronts += request->wavefronts;
    uint32_t ideal = site->shared ? (bytes + BANKS * BANK_BYTES - 1) / (BANKS * BANK_BYTES)
                                  : (bytes + SECTOR_BYTES - 1) / SECTOR_BYTES;
    site->counts.ideal += used < ideal ? used : ideal; /* lanes may share words */
    site->counts.bytes += bytes;
    site->counts.lanes += lanes;
}

/* The lanes of the mask whose access is to shared memory. */
static uint32_t shared_lanes(const uint64_t offset[LANES], uint32_t mask)
{
    uint32_t shared = 0;
    if (mask == UINT32_MAX) {
        uint64_t all = UINT64_MAX, some = 0;
        for (int lane = 0; lane < LANES; lane++) {
            all &= offset[lane];
            some |= offset[lane];
        }
        if (shared_is_offset(all) && shared_is_offset(some)) return mask;
    }
    EACH_LANE (lane, mask)
        if (shared_is_offset(offset[lane])) shared |= 1u << lane;
    return shared;
}

static inline void note_bytes(struct warp *warp, uint32_t mask, unsigned bytes)
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

/* In a function of its own, so that the common cases need little of the stack. */
static __attribute__((noinline)) void take_apart(struct warp *warp, struct request *request)
{
    take_scattered(warp, request);
}

static void take(struct warp *warp, uint32_t event, const uint64_t offset[LANES],
                 const bool same[LANES], uint32_t mask, bool shared)
{
    struct request request = {.site = request_site(warp->tally, event, shared),
                              .kind = event_kind(event),
                              .size = 1u << (event_size_code(event) - 1),
                              .mask = mask,
                              .offset = offset,
                              .same = same,
                              .lanes = (uint32_t)__builtin_popcount(mask)};
    if (shared)
        take_shared(warp, &request);
    else if (mask == UINT32_MAX && request.size >= 4 && is_stride(offset, LANES, request.size))
        take_row(warp, &request);
    else
        take_apart(warp, &request);
    if (!shared) note_bytes(warp, mask, request.size);
    if (access_is_atomic(request.kind)) contention_count(warp, &request, shared);
    double weight = shared ? merged_weight(warp, &request) : 1;
    warp->tally->requests += weight;
    warp->tally->lines += weight * request.clocks;
    flight_follow(warp, &request);
    add_counts(&request);
    if (warp->tally->sampled) sample_take(warp, &request);
    extend_chain(warp->chain, warp->tally, &request);
}

/* Lanes that want different addresses of constant memory take turns. If all want the same, nvcc
 * makes the load part of another instruction, but not in a loop whose rounds it does not know. */
static void count_constants(struct tally *tally, uint32_t place, const uint64_t offset[LANES],
                            uint32_t mask)
{
    unsigned addresses = 0;
    if (tally->known[place] & KNOWN_LOOPED) tally->constant_loads++;
    for (uint32_t left = mask; left != 0; addresses++) {
        uint64_t first = offset[__builtin_ctz(left)];
        EACH_LANE (lane, left)
            if (offset[lane] == first) left &= ~(1u << lane);
    }
    if (addresses > 1) tally->constants += addresses;
}

/* Asynchronous copies that arrive, and constant memory. False for all other events. */
static __attribute__((noinline)) bool take_special(struct warp *warp, uint32_t event,
                                                   const uint64_t offset[LANES], uint32_t mask)
{
    if (event_kind(event) == ACCESS_CONSTANT) {
        count_constants(warp->tally, event_place(event), offset, mask);
        return true;
    }
    if (!(offset[__builtin_ctz(mask)] & SHARED_ARRIVED)) return false;
    unsigned size = 1u << (event_size_code(event) - 1);
    shared_arrive(warp, offset, mask, size);
    flight_arrive(warp, (uint64_t)__builtin_popcount(mask) * size);
    return true;
}

/* Some of the lanes access shared memory, or all. */
static __attribute__((noinline)) void take_parts(struct warp *warp, uint32_t event,
                                                 const uint64_t offset[LANES],
                                                 const bool same[LANES], uint32_t mask)
{
    uint32_t shared = shared_lanes(offset, mask);
    if (shared != 0) take(warp, event, offset, same, shared, true);
    if (shared != mask) take(warp, event, offset, same, mask & ~shared, false);
}

void request_take(struct warp *warp, uint32_t event, const uint64_t offset[LANES],
                  const bool same[LANES], uint32_t mask)
{
    enum access_kind kind = event_kind(event);
    uint32_t first = (uint32_t)__builtin_ctz(mask), last = 31 - (uint32_t)__builtin_clz(mask);
    if ((kind == ACCESS_CONSTANT || kind == ACCESS_COPY) && take_special(warp, event, offset, mask))
        return;
    if ((offset[first] | offset[last]) >= SHARED_OFFSET)
        take_parts(warp, event, offset, same, mask);
    else
        take(warp, event, offset, same, mask, false);
}
