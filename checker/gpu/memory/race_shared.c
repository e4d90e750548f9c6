/*
 * race_shared.c: the tags of a block's shared memory (race.h). They also say which words belong to
 * no variable, which nothing has written, and to which an asynchronous copy is in flight. A granule
 * that is accessed in pieces of less than 4 bytes has tags for each byte.
 */
#include "gpu/memory/race.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- tags of bytes
 * ------------------------------------------------------------------------------------------ */

static size_t granules_of(const struct watched_block *block)
{
    return (block->room * 4 + GRANULE - 1) / GRANULE;
}

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
        block->granules = granules_of(block);
        block->narrow = calloc(block->granules, sizeof *block->narrow);
    }
    if (block->narrow != NULL && block->narrow[granule] == NULL)
        block->narrow[granule] = malloc(GRANULE * sizeof **block->narrow);
    if (block->narrow == NULL || block->narrow[granule] == NULL) {
        fprintf(stderr, "warp-up: no memory for the simulated GPU's race detector\n");
        exit(2);
    }
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

/* ---- faults
 * ---------------------------------------------------------------------------------------------------
 */

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
    uint32_t thread = expected_writer(block, word);
    if (has_ended_early(&block->ends, thread)) return thread;
    for (thread = 0; thread < THREADS_MAX && !has_ended_early(&block->ends, thread);)
        thread++;
    return thread;
}

static void note_unwritten(const struct access *access, size_t word)
{
    const struct watched_block *block = access->warp->block;
    struct fault fault =
        fault_of_lane(access->warp, access->looked, access->lane, "uninitialised-read");
    uint32_t missing = missing_writer(block, word);
    if (missing < THREADS_MAX) {
        fault_set_other(&fault, block->index, missing);
        fault.other_place = block->ends.place[missing];
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

/* ---- one access
 * --------------------------------------------------------------------------------------------------
 */

static bool looks_at_old(const struct request *request)
{
    if (request->kind == ACCESS_LOAD) return true;
    return is_atomic(request->kind) &&
           (!request->instruction->unused || !ptx_has(request->instruction, M_exch));
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
    if (tags->writer == 0 && looks_at_old(request) && !access->reported) {
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

/* Written by the block before `floor`, or by this lane. */
static inline bool is_quick(const struct access *access, struct tags *tags, uint32_t floor)
{
    uint32_t mine = race_mine(access);
    if (access->form != FORM_PLAIN) return false;
    if (access->writes) return tags->writer < IN_FLIGHT && race_is_quick(access, tags, floor);
    return (tags->writer - 1 < floor - 1 || tags->writer == mine) &&
           race_is_quick(access, tags, floor);
}

static inline void look_at(struct access *access, uint64_t offset, uint32_t bytes, uint32_t floor)
{
    struct watched_block *block = access->warp->block;
    struct tags *tags = byte_tags(block, offset);
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

/* ---- many lanes
 * ---------------------------------------------------------------------------------------------------
 */

enum { GROUP = 8 };

/* How the places of a group of lanes lie: all the same, side by side, or in any way. */
enum shape { SAME, ROW, ANY };

static inline enum shape shape_of(const uint64_t *offset, uint32_t bytes)
{
    uint64_t same = 0, row = 0;
    for (uint32_t i = 0; i < GROUP; i++) {
        same |= offset[i] ^ offset[0];
        row |= offset[i] ^ (offset[0] + i * bytes);
    }
    return same == 0 ? SAME : row == 0 ? ROW : ANY;
}

/* A group of lanes from `access->lane` on loads one place. */
static inline bool load_same(struct access *access, struct tags *tags, uint32_t words,
                             uint32_t floor)
{
    uint32_t own = access->own, warp = access->warp->index;
    for (uint32_t i = 0; i < words; i++) {
        uint32_t reader = tags[i].reader;
        bool others = reader >= floor && (reader ^ own) > FORM_SEVERAL;
        if (tags[i].writer - 1 >= floor - 1) return false;
        if (!others || tag_form(reader) == FORM_WARPS) continue;
        if (!order_is_plain || tag_form(reader) >= FORM_SET ||
            segments[tag_number(reader)].warp == warp)
            return false;
    }
    for (uint32_t i = 0; i < words; i++) {
        uint32_t reader = tags[i].reader;
        if (reader < floor || (reader ^ own) <= FORM_SEVERAL)
            tags[i].reader = own | FORM_SEVERAL;
        else if (tag_form(reader) != FORM_WARPS)
            tags[i].reader = own | FORM_WARPS;
    }
    return true;
}

/* It loads words that are side by side. If only barriers of the whole block order its threads,
 * words that other warps have read since the last one get a tag that stands for several warps. */
static bool load_shared_row(struct access *access, struct tags *tags, uint32_t words,
                            uint32_t floor)
{
    uint32_t mine = access->own | access->lane, warp = access->warp->index;
    uint32_t shift = words == 1 ? 0 : words == 2 ? 1 : 2;
    if (!order_is_plain) return false;
    for (uint32_t i = 0; i < GROUP * words; i++) {
        uint32_t reader = tags[i].reader, form = tag_form(reader);
        bool own_warp =
            form != FORM_WARPS && reader >= floor && segments[tag_number(reader)].warp == warp;
        if (tags[i].writer - 1 >= floor - 1 || form == FORM_SET || form == FORM_WARPS_VOLATILE)
            return false;
        if (own_warp && (reader ^ access->own) > FORM_SEVERAL) return false;
    }
    for (uint32_t i = 0; i < GROUP * words; i++) {
        uint32_t own = mine + (i >> shift), reader = tags[i].reader;
        if (reader < floor || reader == own)
            tags[i].reader = own;
        else if ((reader ^ access->own) <= FORM_SEVERAL)
            tags[i].reader = access->own | FORM_SEVERAL;
        else if (tag_form(reader) != FORM_WARPS)
            tags[i].reader = access->own | FORM_WARPS;
    }
    return true;
}

static inline bool load_row(struct access *access, struct tags *tags, uint32_t words,
                            uint32_t floor)
{
    uint32_t mine = access->own | access->lane, several = access->own | FORM_SEVERAL, odd = 0;
    uint32_t shift = words == 1 ? 0 : words == 2 ? 1 : 2, count = GROUP * words;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t reader = tags[i].reader;
        bool read = (reader < floor) | ((reader ^ access->own) <= FORM_SEVERAL) |
                    (tag_form(reader) == FORM_WARPS);
        odd |= !((tags[i].writer - 1 < floor - 1) & read);
    }
    if (odd) return load_shared_row(access, tags, words, floor);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t own = mine + (i >> shift), reader = tags[i].reader;
        bool warps = (reader >= floor) & (tag_form(reader) == FORM_WARPS);
        uint32_t new = (reader < floor) | (reader == own) ? own : several;
        tags[i].reader = warps ? reader : new;
    }
    return true;
}

static inline bool store_row(struct access *access, struct tags *tags, uint32_t words,
                             uint32_t floor)
{
    uint32_t mine = access->own | access->lane, odd = 0;
    uint32_t shift = words == 1 ? 0 : words == 2 ? 1 : 2, count = GROUP * words;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t own = mine + (i >> shift), writer = tags[i].writer, reader = tags[i].reader;
        odd |= !(((writer < floor) | (writer == own)) & ((reader < floor) | (reader == own)));
    }
    if (odd) return false;
    for (uint32_t i = 0; i < count; i++)
        tags[i].writer = mine + (i >> shift);
    return true;
}

/* Checks eight lanes together; false if they have to be looked at one by one. */
static inline bool take_group(struct access *access, uint32_t floor)
{
    const struct looked *looked = access->looked;
    const uint64_t *offset = &looked->offset[access->lane];
    uint32_t bytes = looked->request->bytes, words = bytes / 4;
    if ((looked->mask >> access->lane & 0xff) != 0xff) return false;
    enum shape shape = shape_of(offset, bytes);
    struct tags *tags = &access->warp->block->words[offset[0] / 4];
    if (access->writes) return shape == ROW && store_row(access, tags, words, floor);
    return shape == SAME  ? load_same(access, tags, words, floor)
           : shape == ROW ? load_row(access, tags, words, floor)
                          : false;
}

void race_shared(struct watched_warp *warp, const struct looked *looked)
{
    race_begin(warp, looked);
    struct access access = race_access(warp, looked);
    enum access_kind kind = looked->request->kind;
    uint32_t bytes = looked->request->bytes,
             floor = warp->block->floor > FORMS ? warp->block->floor : FORMS;
    bool groups = (kind == ACCESS_LOAD || kind == ACCESS_STORE) && access.form == FORM_PLAIN &&
                  bytes >= 4 && bytes <= 16 && warp->block->narrow == NULL;
    for (uint32_t first = 0; first < LANES; first += GROUP) {
        access.lane = first;
        if (groups && take_group(&access, floor)) continue;
        EACH_LANE_OF(lane, looked->mask & 0xffu << first)
        {
            access.lane = lane;
            look_at(&access, looked->offset[lane], bytes, floor);
        }
    }
}

void watch_arrived(struct watched_warp *warp, uint32_t lane, uint32_t offset, uint32_t bytes)
{
    struct watched_block *block = warp->block;
    uint32_t mine = order_own(warp) | FORM_PLAIN | lane;
    flight_arrive(warp, bytes);
    for (uint64_t at = offset; at < offset + bytes && at / 4 < block->room; at++) {
        struct tags *tags = byte_tags(block, at);
        if (tags == NULL) tags = &block->words[at / 4];
        if (tags->writer == IN_FLIGHT) tags->writer = mine;
    }
}
