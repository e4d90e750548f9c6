/*
 * race_shared.c: the tags of a block's shared memory (race.h). They also say which words belong to
 * no variable, which nothing has written, and to which an asynchronous copy is in flight. A granule
 * that is accessed in pieces of less than 4 bytes has tags for each byte.
 */
#include "gpu/memory/race.h"
#include "gpu/memory/obtain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- tags of bytes -------------------------------------------------------------------------- */

void race_shared_begin(struct watched_block *block)
{
    for (size_t i = 0; block->narrow != NULL && i < block->granules; i++)
        free(block->narrow[i]);
    free(block->narrow);
    block->narrow = NULL;
    block->granules = 0;
}

static struct tags *make_narrow(struct watched_block *block, uint64_t offset)
{
    uint64_t granule = offset / GRANULE, start = granule * GRANULE;
    if (block->narrow == NULL) {
        block->granules = (block->room * 4 + GRANULE - 1) / GRANULE;
        block->narrow = obtain(block->granules, sizeof *block->narrow);
    }
    if (block->narrow[granule] == NULL)
        block->narrow[granule] = obtain(GRANULE, sizeof **block->narrow);
    for (uint64_t at = 0; at < GRANULE; at++)
        block->narrow[granule][at] = (start + at) / 4 < block->room ? block->words[(start + at) / 4]
                                                                    : (struct tags){NOBODY, 0};
    return block->narrow[granule];
}

/* The tags of the byte at `offset` if its granule has tags of bytes; else NULL. */
static inline struct tags *byte_tags(const struct watched_block *block, uint64_t offset)
{
    struct tags *narrow = block->narrow == NULL ? NULL : block->narrow[offset / GRANULE];
    return narrow == NULL ? NULL : narrow + offset % GRANULE;
}

/* ---- faults --------------------------------------------------------------------------------- */

static bool has_ended_early(const struct ends *ends, uint32_t thread)
{
    return thread < THREADS_MAX && (ends->early[thread / LANES] >> thread % LANES & 1) != 0;
}

/* The thread that would write this word if neighbours write neighbouring words: it follows from the
 * nearest written word before it. THREADS_MAX if there is none. */
static uint32_t expected_writer(const struct watched_block *block, size_t word)
{
    for (size_t apart = 1; apart <= word && apart < THREADS_MAX; apart++) {
        uint32_t writer = block->words[word - apart].writer;
        if (writer == NOBODY || writer == IN_FLIGHT) break;
        if (writer != 0 && tag_is_lane(writer))
            return segments[tag_number(writer)].warp * LANES + writer % LANES + (uint32_t)apart;
    }
    return THREADS_MAX;
}

/* A thread that had ended before the last barrier, and so did not write this word; THREADS_MAX if
 * there is none. Any is better than none: the reader has no other reason. */
static uint32_t missing_writer(const struct watched_block *block, size_t word)
{
    const uint32_t *early = block->ends.early;
    uint32_t thread = THREADS_MAX, warp = 0;
    if (block->ends.any) thread = expected_writer(block, word);
    if (!block->ends.any || has_ended_early(&block->ends, thread)) return thread;
    while (warp < THREADS_MAX / LANES && early[warp] == 0)
        warp++;
    return warp * LANES + (warp < THREADS_MAX / LANES ? (uint32_t)__builtin_ctz(early[warp]) : 0);
}

static void note_unwritten(const struct access *access, size_t word)
{
    const struct watched_block *block = access->warp->block;
    struct fault fault =
        fault_of_lane(access->warp, access->looked, access->lane, "uninitialised-read");
    uint32_t missing = missing_writer(block, word);
    if (missing < THREADS_MAX) {
        fault_set_other(&fault, block->index, missing);
        fault.other_location = block->ends.location[missing];
    }
    fault_note(&fault);
}

static void note_in_flight(const struct access *access, const char *name)
{
    struct fault fault = fault_of_lane(access->warp, access->looked, access->lane, name);
    snprintf(fault.detail, sizeof fault.detail,
             "nothing has waited for the asynchronous copy to it (__pipeline_wait_prior)");
    fault_note(&fault);
}

/* ---- quiet words ---------------------------------------------------------------------------- */

/* Words go in groups of QUIET_WORDS. A group is quiet if all its words were written before the
 * block's last barrier and several warps have read each of them since: then no load changes their
 * tags. Its entry is the tag of that barrier. */
static inline bool are_quiet(const struct watched_block *block, uint64_t word, uint32_t count,
                             uint32_t floor)
{
    uint32_t others = 0;
    for (uint64_t i = word / QUIET_WORDS; i <= (word + count - 1) / QUIET_WORDS; i++)
        others |= block->quiet[i] ^ floor;
    return others == 0;
}

static inline void disturb(const struct watched_block *block, uint64_t word, uint32_t count)
{
    for (uint64_t i = word / QUIET_WORDS; i <= (word + count - 1) / QUIET_WORDS; i++)
        block->quiet[i] = 0;
}

/* Some of these words have just been read. */
static inline void note_quiet(const struct watched_block *block, uint64_t word, uint32_t count,
                              uint32_t floor)
{
    uint64_t first = (word + QUIET_WORDS - 1) / QUIET_WORDS, end = (word + count) / QUIET_WORDS;
    for (uint64_t i = first; i < end; i++) {
        const struct tags *tags = &block->words[i * QUIET_WORDS];
        uint32_t others = 0;
        for (uint32_t k = 0; k < QUIET_WORDS; k++)
            others |= (tag_form(tags[k].reader) ^ FORM_WARPS) | (tags[k].writer - 1 >= floor - 1) |
                      (tags[k].reader < floor);
        if (others == 0) block->quiet[i] = floor;
    }
}

/* ---- one access ----------------------------------------------------------------------------- */

static bool looks_at_old(const struct request *request)
{
    if (request->kind == ACCESS_LOAD) return true;
    return is_atomic(request->kind) &&
           (!request->instruction->unused || !ptx_has(request->instruction, M_exch));
}

/* Has another word been written of those that the lane reads together? Then this one may be a gap
 * between members, or a member that nobody uses. */
static bool may_be_gap(const struct access *access, uint64_t offset)
{
    const struct watched_block *block = access->warp->block;
    uint64_t first = access->looked->offset[access->lane] / 4;
    if (is_of_doubles(access->looked->request) && block->words[offset / 4 ^ 1].writer != 0)
        return false;
    for (uint64_t word = first; word < first + access->looked->request->bytes / 4; word++)
        if (word != offset / 4 && block->words[word].writer != 0) return true;
    return false;
}

/* Is it nobody's word, in flight, or unwritten? Reports it; true if its tags are not those of
 * threads. */
static bool check_state(struct access *access, struct tags *tags, uint64_t offset)
{
    const struct request *request = access->looked->request;
    if (tags->writer == NOBODY) {
        if (!access->reported) shared_note_outside(access->warp, access->looked, access->lane);
        access->reported = true;
        return true;
    }
    if (tags->writer == IN_FLIGHT) {
        if (request->kind == ACCESS_COPY_WRITE) return true;
        if (!access->reported)
            note_in_flight(access,
                           request->kind == ACCESS_LOAD ? "uninitialised-read" : "race-in-block");
        access->reported = true;
        if (access->writes) tags->writer = race_mine(access);
        return true;
    }
    if (tags->writer == 0 && looks_at_old(request) && !access->reported &&
        !may_be_gap(access, offset)) {
        note_unwritten(access, offset / 4);
        access->reported = true;
    }
    return false;
}

static void look_at_cell(struct access *access, struct tags *tags, uint64_t offset)
{
    if (check_state(access, tags, offset)) return;
    race_check(access, tags, 0);
    if (access->looked->request->kind == ACCESS_COPY_WRITE) tags->writer = IN_FLIGHT;
}

/* An atomic whose result nothing uses, on a word that atomics of several warps have changed since
 * the last barrier: this changes nothing, if only barriers order threads. */
static inline bool is_one_of_many(const struct access *access, const struct tags *tags,
                                  uint32_t floor)
{
    return order_is_plain && !access->reads && tags->reader < floor && tags->writer < IN_FLIGHT &&
           tag_form(tags->writer) == FORM_WARPS && tag_base(tags->writer) >= floor;
}

/* Written by the block before `floor`, or by this lane. */
static inline bool is_quick(const struct access *access, struct tags *tags, uint32_t floor)
{
    uint32_t mine = race_mine(access);
    if (access->form == FORM_ATOMIC) return is_one_of_many(access, tags, floor);
    if (access->form != FORM_PLAIN) return false;
    if (access->writes) return tags->writer < IN_FLIGHT && race_is_quick(access, tags, floor);
    return (tags->writer - 1 < floor - 1 || tags->writer == mine) &&
           race_is_quick(access, tags, floor);
}

static inline void look_at(struct access *access, uint64_t offset, uint32_t bytes, uint32_t floor)
{
    struct watched_block *block = access->warp->block;
    struct tags *tags = byte_tags(block, offset);
    disturb(block, offset / 4, (bytes + 3) / 4);
    if (bytes < 4 && tags == NULL) tags = make_narrow(block, offset) + offset % GRANULE;
    uint32_t step = tags != NULL ? 1 : 4;
    bool quick = access->looked->request->kind != ACCESS_COPY_WRITE;
    if (tags == NULL) tags = &block->words[offset / 4];
    access->size = step;
    access->reported = false;
    for (uint32_t done = 0; done < bytes; done += step, tags++) {
        if (quick && is_quick(access, tags, floor)) continue;
        access->done = done;
        look_at_cell(access, tags, offset + done);
    }
}

/* ---- many lanes ----------------------------------------------------------------------------- */

/* The tag of a word after this lane, or several lanes, of the warp have read it, too. If only
 * barriers of the whole block order its threads, one tag can stand for several warps: those that
 * have read a word since the last barrier. */
static inline uint32_t join(uint32_t reader, uint32_t mine, uint32_t own, uint32_t floor)
{
    if (reader < floor || reader == mine) return mine;
    if ((reader ^ own) <= FORM_SEVERAL) return own | FORM_SEVERAL;
    return tag_form(reader) == FORM_WARPS ? reader : own | FORM_WARPS;
}

/* Can join() say what the reader's tag will be, and was the word written before the last barrier?
 */
static inline bool is_joined(const struct access *access, const struct tags *tags, uint32_t floor)
{
    uint32_t reader = tags->reader, form = tag_form(reader);
    if (tags->writer - 1 >= floor - 1) return false;
    if (reader < floor || (reader ^ access->own) <= FORM_SEVERAL || form == FORM_WARPS) return true;
    return order_is_plain && form <= FORM_SEVERAL &&
           segments[tag_number(reader)].warp != access->warp->index;
}

/* Lanes load one place. */
static inline bool load_same(const struct access *access, struct tags *tags, uint32_t words,
                             uint32_t lanes, uint32_t floor)
{
    uint32_t mine = access->own | (lanes == 1 ? access->lane : FORM_SEVERAL);
    for (uint32_t i = 0; i < words; i++)
        if (!is_joined(access, &tags[i], floor)) return false;
    for (uint32_t i = 0; i < words; i++)
        tags[i].reader = join(tags[i].reader, mine, access->own, floor);
    return true;
}

/* Lanes load words that are side by side: mostly written before the last barrier, and not read
 * since by others. */
static inline bool load_row(const struct access *access, struct tags *tags, uint32_t count,
                            uint32_t shift, uint32_t floor)
{
    uint32_t mine = access->own | access->lane, own = access->own, odd = 0, others = 0;
    for (uint32_t i = 0; i < count; i++) {
        odd |= tags[i].writer - 1 >= floor - 1;
        others |= tags[i].reader >= floor;
    }
    if (odd) return false;
    if (!others) {
        for (uint32_t i = 0; i < count; i++)
            tags[i].reader = mine + (i >> shift);
        return true;
    }
    for (uint32_t i = 0; i < count; i++)
        odd |= !is_joined(access, &tags[i], floor);
    if (odd) return false;
    for (uint32_t i = 0; i < count; i++)
        tags[i].reader = join(tags[i].reader, mine + (i >> shift), own, floor);
    const struct watched_block *block = access->warp->block;
    note_quiet(block, (uint64_t)(tags - block->words), count, floor);
    return true;
}

static inline bool store_row(const struct access *access, struct tags *tags, uint32_t count,
                             uint32_t shift, uint32_t floor)
{
    uint32_t mine = access->own | access->lane, odd = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t own = mine + (i >> shift), writer = tags[i].writer, reader = tags[i].reader;
        odd |= (uint32_t) !(((writer < floor) | (writer == own)) &
                            ((reader < floor) | (reader == own)));
    }
    if (odd) return false;
    for (uint32_t i = 0; i < count; i++)
        tags[i].writer = mine + (i >> shift);
    return true;
}

/* Checks the lanes of a run together; false if they have to be looked at one by one. */
static inline bool take_run(const struct access *access, const struct lane_run *run, uint32_t floor)
{
    const struct looked *looked = access->looked;
    const struct watched_block *block = access->warp->block;
    uint32_t words = looked->request->bytes / 4, shift = words / 2;
    uint64_t word = looked->offset[run->lane] / 4;
    struct tags *tags = &block->words[word];
    if (access->writes) {
        if (run->same || !store_row(access, tags, run->length * words, shift, floor)) return false;
        disturb(block, word, run->length * words);
        return true;
    }
    if (run->same)
        return are_quiet(block, word, words, floor) ||
               load_same(access, tags, words, run->length, floor);
    return are_quiet(block, word, run->length * words, floor) ||
           load_row(access, tags, run->length * words, shift, floor);
}

/* Lanes load one word each, anywhere. */
static inline void load_scattered(struct access *access, uint32_t floor)
{
    const struct looked *looked = access->looked;
    const struct watched_block *block = access->warp->block;
    EACH_LANE (lane, looked->mask) {
        uint64_t word = looked->offset[lane] / 4;
        struct tags *tags = &block->words[word];
        access->lane = lane;
        if (are_quiet(block, word, 1, floor)) continue;
        if (!is_joined(access, tags, floor)) {
            look_at(access, looked->offset[lane], 4, floor);
            continue;
        }
        uint32_t reader = tags->reader, own = access->own;
        tags->reader = join(reader, own | lane, own, floor);
        if (tags->reader == reader && word % QUIET_WORDS == QUIET_WORDS - 1)
            note_quiet(block, word + 1 - QUIET_WORDS, QUIET_WORDS, floor);
    }
}

static inline uint32_t floor_of(const struct watched_block *block)
{
    return block->floor > FORMS ? block->floor : FORMS;
}

void race_shared(struct watched_warp *warp, const struct looked *looked)
{
    race_begin(warp, looked);
    struct access access = race_access(warp, looked);
    enum access_kind kind = looked->request->kind;
    uint32_t bytes = looked->request->bytes, floor = floor_of(warp->block);
    bool runs = (kind == ACCESS_LOAD || kind == ACCESS_STORE) && access.form == FORM_PLAIN &&
                bytes >= 4 && bytes <= 16 && warp->block->narrow == NULL;
    bool scattered =
        looked->run_count > 1 && looked->run_count == (uint32_t)__builtin_popcount(looked->mask);
    if (runs && scattered && kind == ACCESS_LOAD && bytes == 4) {
        load_scattered(&access, floor);
        return;
    }
    for (uint32_t i = 0; i < looked->run_count; i++) {
        const struct lane_run *run = &looked->run[i];
        access.lane = run->lane;
        if (runs && take_run(&access, run, floor)) continue;
        for (uint32_t lane = run->lane; lane < run->lane + run->length; lane++) {
            access.lane = lane;
            look_at(&access, looked->offset[lane], bytes, floor);
        }
    }
}

bool race_shared_whole(struct watched_warp *warp, uint64_t offset, bool same)
{
    const struct watched_block *block = warp->block;
    uint32_t floor = floor_of(block);
    if (block->narrow != NULL) return false;
    if (are_quiet(block, offset / 4, same ? 1 : LANES, floor)) return true;
    struct access access = {.warp = warp, .own = order_own(warp)};
    struct tags *tags = &block->words[offset / 4];
    return same ? load_same(&access, tags, 1, LANES, floor)
                : load_row(&access, tags, LANES, 0, floor);
}

void watch_arrived(struct watched_warp *warp, uint32_t lane, uint32_t offset, uint32_t bytes,
                   uint64_t copied)
{
    struct watched_block *block = warp->block;
    uint32_t mine = order_own(warp) | FORM_PLAIN | lane;
    flight_arrive(warp, bytes);
    stall_until(warp, copied);
    for (uint64_t at = offset; at < offset + bytes && at / 4 < block->room; at++) {
        struct tags *tags = byte_tags(block, at);
        if (tags == NULL) tags = &block->words[at / 4];
        if (tags->writer == IN_FLIGHT) tags->writer = mine;
        disturb(block, at / 4, 1);
    }
}
