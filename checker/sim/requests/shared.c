/* shared.c: banks and shadow of shared memory (shared.h). */
#include "sim/requests/shared.h"

#include "sim/requests/fault.h"
#include "sim/image/shared_variables.h"
#include "sim/requests/race.h"
#include "sim/requests/request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t NOBODY = UINT32_MAX, IN_FLIGHT = UINT32_MAX - 1;

/* Instead of a thread of a reader's tag: threads of several warps have read, in different segments
 * of the interval. Nothing orders all of them before a store by any thread. */
enum { TAG_WARPS = TAG_ATOMIC - 1 };

enum { SEGMENTS_MAX = 1 << (32 - TAG_THREAD_BITS) };

/* ---- the shadow ----------------------------------------------------------------------------- */

static bool make_shadow(struct shared_shadow *shadow, char *base, size_t bytes)
{
    size_t words = (bytes + 3) / 4;
    if (shadow->base == base && shadow->words == words) return true;
    free(shadow->writer);
    free(shadow->reader);
    *shadow = (struct shared_shadow){.base = base, .words = words};
    shadow->writer = malloc((words + 1) * sizeof *shadow->writer);
    shadow->reader = calloc(words + 1, sizeof *shadow->reader);
    if (shadow->writer == NULL || shadow->reader == NULL) return false;
    memset(shadow->writer, 0xff, (words + 1) * sizeof *shadow->writer);
    return true;
}

/* Gives a variable this number of bytes. The words after them belong to no variable. */
static void set_bytes(const struct shared_shadow *shadow, const struct device_symbol *variable,
                      size_t bytes)
{
    size_t first = variable->value / 4, end = (variable->value + variable->bytes + 3) / 4;
    size_t last = (variable->value + bytes + 3) / 4;
    for (size_t word = first; word < end && word < shadow->words; word++) {
        bool is_there = word < last, was_there = shadow->writer[word] != NOBODY;
        if (is_there != was_there) shadow->writer[word] = is_there ? 0 : NOBODY;
    }
}

/* Bytes of a variable that the launch has. */
static size_t bytes_of(const struct shared_shadow *shadow, const struct device_symbol *variable)
{
    return shared_variables_is_dynamic(variable) ? shadow->dynamic : variable->bytes;
}

bool shared_begin_launch(struct shared_shadow *shadow, char *base, size_t bytes, size_t dynamic)
{
    size_t count;
    const struct device_symbol *list = program_symbols(DEVICE_SHARED, &count);
    if (!make_shadow(shadow, base, bytes)) return false;
    shadow->dynamic = dynamic;
    for (size_t i = 0; i < count; i++)
        set_bytes(shadow, &list[i], bytes_of(shadow, &list[i]));
    shared_begin_segment(shadow);
    shadow->launch_tag = shadow->first_tag = shadow->interval_tag = shadow->tag;
    return true;
}

/* The numbers are used up. What the running block has written counts as written before this
 * interval. */
static void renumber(struct shared_shadow *shadow)
{
    uint32_t old = 1u << TAG_THREAD_BITS;
    for (size_t word = 0; word < shadow->words; word++) {
        uint32_t writer = shadow->writer[word];
        if (writer < IN_FLIGHT) shadow->writer[word] = writer >= shadow->first_tag ? old : 0;
        shadow->reader[word] = 0;
    }
    shadow->launch_tag = shadow->first_tag = shadow->tag = old;
}

void shared_begin_segment(struct shared_shadow *shadow)
{
    if (shadow->tag >> TAG_THREAD_BITS >= SEGMENTS_MAX - 2) {
        renumber(shadow);
        shadow->interval_tag = shadow->tag + (1u << TAG_THREAD_BITS);
    }
    shadow->tag += 1u << TAG_THREAD_BITS;
}

void shared_begin_interval(struct shared_shadow *shadow)
{
    shared_begin_segment(shadow);
    shadow->interval_tag = shadow->tag;
}

static void fill_with_nans(const struct shared_shadow *shadow)
{
    size_t count;
    const struct device_symbol *list = program_symbols(DEVICE_SHARED, &count);
    for (size_t i = 0; i < count; i++)
        memset(shadow->base + list[i].value, 0xff, bytes_of(shadow, &list[i]));
}

void shared_begin_block(struct shared_shadow *shadow)
{
    shared_begin_interval(shadow);
    shadow->first_tag = shadow->tag;
    fill_with_nans(shadow);
    memset(shadow->ends.lanes, 0, sizeof shadow->ends.lanes);
    if (shadow->ends.any_place) memset(&shadow->ends, 0, sizeof shadow->ends);
}

/* Was the word written by the running block, or is it in flight? */
static bool is_written(const struct shared_shadow *shadow, size_t word)
{
    return shadow->writer[word] != NOBODY && shadow->writer[word] >= shadow->first_tag;
}

void shared_save(const struct shared_shadow *shadow, struct shared_copy *copy)
{
    size_t count = 0;
    for (size_t word = 0; word < shadow->words; word++)
        count += is_written(shadow, word);
    *copy = (struct shared_copy){0};
    if (count == 0) return;
    copy->words = malloc(count * sizeof *copy->words);
    if (copy->words == NULL) abort();
    for (size_t word = 0; word < shadow->words; word++) {
        if (!is_written(shadow, word)) continue;
        struct shared_word *one = &copy->words[copy->count++];
        one->at = (uint32_t)word;
        one->writer = shadow->writer[word];
        memcpy(&one->value, shadow->base + word * BANK_BYTES, sizeof one->value);
    }
}

void shared_restore(struct shared_shadow *shadow, const struct shared_copy *copy)
{
    for (size_t i = 0; i < copy->count; i++) {
        const struct shared_word *one = &copy->words[i];
        memcpy((char *)(uintptr_t)shadow->base + one->at * BANK_BYTES, &one->value,
               sizeof one->value);
        shadow->writer[one->at] =
            one->writer == IN_FLIGHT ? IN_FLIGHT : shadow->first_tag + race_thread(one->writer);
    }
}

void shared_copy_free(struct shared_copy *copy)
{
    free(copy->words);
}

static bool is_touched(const struct shared_shadow *shadow, const struct device_symbol *variable)
{
    size_t end = (variable->value + variable->bytes + 3) / 4;
    for (size_t word = variable->value / 4; word < end && word < shadow->words; word++) {
        uint32_t writer = shadow->writer[word];
        if ((writer != NOBODY && writer >= shadow->launch_tag) ||
            shadow->reader[word] >= shadow->launch_tag)
            return true;
    }
    return false;
}

size_t shared_add_touched(const struct shared_shadow *shadow, const void *kernel, size_t sum)
{
    size_t count;
    const struct device_symbol *list = program_symbols(DEVICE_SHARED, &count);
    for (size_t i = 0; i < count; i++)
        if (!shared_variables_is_dynamic(&list[i]) &&
            !shared_variables_declares(kernel, &list[i]) && is_touched(shadow, &list[i]))
            sum += list[i].bytes;
    return sum;
}
/* ---- banks ---------------------------------------------------------------------------------- */

/* The words of one phase, by bank: each bank's words in a chain of lanes. */
struct banks {
    uint32_t word[BANKS][LANES];
    unsigned words[BANKS], most;
};

static void add_word(struct banks *banks, uint32_t word)
{
    unsigned bank = word % BANKS, i = banks->words[bank];
    while (i > 0 && banks->word[bank][i - 1] != word)
        i--;
    if (i > 0) return;
    banks->word[bank][banks->words[bank]++] = word;
    if (banks->words[bank] > banks->most) banks->most = banks->words[bank];
}

/* The words that a request's lanes touch. */
struct words {
    uint32_t first[LANES]; /* of each lane */
    unsigned each;         /* words per lane: 1, 2 or 4 */
    uint32_t lowest, span; /* all lie among `span` words from the lowest on */
};

static void find_span(struct words *words, uint32_t mask)
{
    uint32_t low = UINT32_MAX, high = 0;
    if (mask == UINT32_MAX)
        for (int lane = 0; lane < LANES; lane++) {
            low = words->first[lane] < low ? words->first[lane] : low;
            high = words->first[lane] > high ? words->first[lane] : high;
        }
    else
        EACH_LANE (lane, mask) {
            low = words->first[lane] < low ? words->first[lane] : low;
            high = words->first[lane] > high ? words->first[lane] : high;
        }
    words->lowest = low;
    words->span = high + words->each - low;
}

static unsigned phase_wavefronts(const struct words *words, uint32_t mask)
{
    struct banks banks;
    banks.most = 0;
    for (unsigned bank = 0; bank < BANKS; bank++)
        banks.words[bank] = 0;
    EACH_LANE (lane, mask)
        for (unsigned i = 0; i < words->each; i++)
            add_word(&banks, words->first[lane] + i);
    return banks.most;
}

/* Does each active lane use the same words as the lane at a distance of `apart` (1 or 2)? */
static bool are_pairs(const struct words *words, uint32_t mask, unsigned apart)
{
    EACH_LANE (lane, mask)
        if (mask >> (lane ^ apart) & 1 && words->first[lane] != words->first[lane ^ apart])
            return false;
    return true;
}

/* A phase delivers 128 bytes to 32, 16 or 8 lanes. If loading lanes go in pairs, it serves twice as
 * many (see the README). */
static unsigned lanes_per_phase(const struct words *words, uint32_t mask, enum access_kind kind)
{
    unsigned lanes = LANES / words->each;
    if (words->each == 1 || kind != ACCESS_LOAD) return lanes;
    return are_pairs(words, mask, 1) || are_pairs(words, mask, 2) ? 2 * lanes : lanes;
}

static unsigned wavefronts(const struct words *words, uint32_t mask, enum access_kind kind)
{
    unsigned lanes = lanes_per_phase(words, mask, kind), sum = 0;
    bool narrow = words->span <= BANKS; /* no two words in one bank */
    for (unsigned first = 0; first < LANES; first += lanes) {
        uint32_t phase = lanes == LANES ? mask : mask & (((1u << lanes) - 1) << first);
        if (phase != 0) sum += narrow ? 1 : phase_wavefronts(words, phase);
    }
    return sum;
}

/* ---- initialisation and races --------------------------------------------------------------- */

static bool has_ended(const struct shared_shadow *shadow, uint32_t thread)
{
    return thread < THREADS_MAX && (shadow->ends.lanes[thread / LANES] >> thread % LANES & 1) != 0;
}

/* The thread that would write this word if neighbours write neighbouring words: it follows from the
 * nearest written word before it. THREADS_MAX if there is none. */
static uint32_t expected_writer(const struct shared_shadow *shadow, size_t word)
{
    for (size_t apart = 1; apart <= word && apart < THREADS_MAX; apart++) {
        uint32_t writer = shadow->writer[word - apart];
        if (writer >= IN_FLIGHT) break;
        if (writer >= shadow->first_tag) return race_thread(writer) + (uint32_t)apart;
    }
    return THREADS_MAX;
}

/* A thread that had ended before the last barrier, and so did not write this word; THREADS_MAX if
 * there is none. Any is better than none: the reader has no other reason. */
static uint32_t missing_writer(const struct shared_shadow *shadow, size_t word)
{
    uint32_t thread = expected_writer(shadow, word);
    if (has_ended(shadow, thread)) return thread;
    for (thread = 0; thread < THREADS_MAX && !has_ended(shadow, thread);)
        thread++;
    return thread;
}

static void note_unwritten(const struct warp *warp, const struct request *request, uint32_t lane,
                           size_t word)
{
    struct fault fault = fault_of_lane(warp, request, lane, "uninitialised-read");
    uint32_t missing = missing_writer(warp->shared, word);
    if (missing < THREADS_MAX) {
        fault_set_other(&fault, warp->segment->block, missing);
        fault.other_pc = warp->shared->ends.place[missing];
    }
    fault_note(&fault);
}

/* In the gap between two variables: is the start of the second nearer than the end of the first? */
static bool is_nearer(size_t at, const struct device_symbol *first,
                      const struct device_symbol *second)
{
    return at >= first->value + first->bytes && at < second->value &&
           second->value - at < at - first->value - first->bytes;
}

/* The word belongs to no variable. Reports the nearest one, which was probably meant. */
static void note_outside(const struct warp *warp, const struct request *request, uint32_t lane)
{
    size_t count, at = (size_t)(request->offset[lane] - SHARED_OFFSET), i = 0;
    const struct device_symbol *list = program_symbols(DEVICE_SHARED, &count), *one;
    struct fault fault = fault_of_lane(warp, request, lane, "shared-out-of-bounds");
    char name[100];
    while (i + 1 < count && (list[i + 1].value <= at || is_nearer(at, &list[i], &list[i + 1])))
        i++;
    one = &list[i];
    shared_variables_name(one, name, sizeof name);
    size_t bytes = shared_variables_is_dynamic(one) ? warp->shared->dynamic : one->bytes;
    if (at < one->value)
        snprintf(fault.detail, sizeof fault.detail, "%zu bytes before the start of %s",
                 one->value - at, name);
    else
        snprintf(fault.detail, sizeof fault.detail, "byte %zu of %s, which has %zu bytes",
                 at - one->value, name, bytes);
    fault_note(&fault);
}

static void note_in_flight(const struct warp *warp, const struct request *request, uint32_t lane,
                           const char *name)
{
    struct fault fault = fault_of_lane(warp, request, lane, name);
    snprintf(fault.detail, sizeof fault.detail,
             "nothing has waited for the asynchronous copy to it (__pipeline_wait_prior)");
    fault_note(&fault);
}

/* A race with `other`, which did what `kind` says. */
static void note_race(const struct warp *warp, const struct request *request, uint32_t lane,
                      uint32_t other, enum access_kind kind)
{
    struct fault fault = fault_of_lane(warp, request, lane, "race-in-block");
    uint32_t thread = race_thread(other);
    if (thread < THREADS_MAX) fault_set_other(&fault, warp->segment->block, thread);
    fault.other_kind = access_name(kind);
    fault_note(&fault);
}

static bool is_concurrent(const struct shared_shadow *shadow, uint32_t tag, uint32_t mine)
{
    return race_is_concurrent(shadow->interval_tag, tag, mine);
}

static bool is_read_concurrently(const struct shared_shadow *shadow, uint32_t reader, uint32_t mine)
{
    if (race_thread(reader) == TAG_WARPS) return reader >= shadow->interval_tag;
    return is_concurrent(shadow, reader, mine);
}

/* The tag of a word that `mine` reads now and `reader` read last. */
static uint32_t joined_reader(const struct shared_shadow *shadow, uint32_t reader, uint32_t mine)
{
    uint32_t thread = race_thread(reader);
    if (reader < shadow->interval_tag || reader == mine) return mine;
    if (thread == TAG_WARPS) return reader;
    if (reader >= shadow->tag) return shadow->tag | TAG_SEVERAL;
    return thread < THREADS_MAX && thread / LANES != race_thread(mine) / LANES
               ? shadow->tag | TAG_WARPS
               : mine;
}

static void check_load(const struct warp *warp, const struct request *request, uint32_t lane,
                       size_t word)
{
    const struct shared_shadow *shadow = warp->shared;
    uint32_t mine = shadow->tag + warp->first_thread + lane;
    uint32_t writer = shadow->writer[word], reader = shadow->reader[word];
    if (writer == NOBODY) {
        note_outside(warp, request, lane);
        return;
    }
    if (writer < shadow->first_tag)
        note_unwritten(warp, request, lane, word);
    else if (writer == IN_FLIGHT)
        note_in_flight(warp, request, lane, "uninitialised-read");
    else if (!race_is_own(writer, mine) && is_concurrent(shadow, writer, mine))
        note_race(warp, request, lane, writer, race_written_by(writer));
    shadow->reader[word] = joined_reader(shadow, reader, mine);
}

static void check_store(const struct warp *warp, const struct request *request, uint32_t lane,
                        size_t word)
{
    const struct shared_shadow *shadow = warp->shared;
    bool atomic = access_is_atomic(request->kind);
    uint32_t mine = shadow->tag + warp->first_thread + lane;
    uint32_t writer = shadow->writer[word], reader = shadow->reader[word];
    if (writer == NOBODY) {
        note_outside(warp, request, lane);
        return;
    }
    if (access_reads(request->kind) && access_is_atomic(request->kind) &&
        writer < shadow->first_tag)
        note_unwritten(warp, request, lane, word);
    if (writer == IN_FLIGHT && request->kind != ACCESS_COPY)
        note_in_flight(warp, request, lane, "race-in-block");
    else if (writer != IN_FLIGHT && !race_is_own(writer, mine) &&
             is_concurrent(shadow, writer, mine) && !(atomic && race_by_atomic(writer)) &&
             !(request->kind == ACCESS_STORE && request->same[lane]))
        note_race(warp, request, lane, writer, race_written_by(writer));
    else if (is_read_concurrently(shadow, reader, mine))
        note_race(warp, request, lane, reader, ACCESS_LOAD);
    bool others =
        writer >= shadow->interval_tag && race_by_atomic(writer) && !race_is_sole(writer, mine);
    shadow->writer[word] = request->kind == ACCESS_COPY ? IN_FLIGHT
                           : atomic                     ? race_atomic_tag(mine, others)
                                                        : mine;
}

static void check_lanes(const struct warp *warp, const struct request *request,
                        const struct words *words)
{
    const struct shared_shadow *shadow = warp->shared;
    EACH_LANE (lane, request->mask) {
        uint32_t first = words->first[lane];
        for (uint32_t word = first; word < first + words->each; word++) {
            if (request->kind == ACCESS_LOAD)
                check_load(warp, request, lane, word);
            else if (request->size >= 4 || shadow->writer[word] == NOBODY)
                check_store(warp, request, lane, word);
            else /* neighbouring bytes of a word may belong to different threads */
                shadow->writer[word] = shadow->first_tag;
        }
    }
}

/*
 * The common cases: the lanes' words are close together, and all words there are in order. Words to
 * load were written by this block before the last barrier; words to store were not accessed since
 * then. The interval has only one segment so far. Lanes are checked in groups, because in most
 * kernels the lanes of a group access the same word, or neighbouring ones.
 */
enum { CLOSE = 4 * LANES, GROUP = 8 };

/* Is the word of each lane of the group `stride` words after that of the lane before? */
static bool is_stride(const uint32_t first[GROUP], uint32_t stride)
{
    uint32_t apart = 0;
    for (uint32_t i = 0; i < GROUP; i++)
        apart |= first[i] ^ (first[0] + i * stride);
    return apart == 0;
}

/* Notes that the threads from `mine` on have read. A word that others of the segment have read too
 * has several readers. */
static void join_readers(uint32_t *reader, const uint32_t first[GROUP], unsigned each, uint32_t tag,
                         uint32_t mine)
{
    const unsigned shift = each / 2; /* 1, 2, 4 words: 0, 1, 2 bits */
    uint32_t *of_group = reader + first[0];
    if (each == 1 && is_stride(first, 0)) {
        *of_group = tag | TAG_SEVERAL;
    } else if (is_stride(first, each)) {
        for (uint32_t i = 0; i < GROUP * each; i++) {
            uint32_t own = mine + (i >> shift), old = of_group[i];
            of_group[i] = (old >= tag) & (old != own) ? tag | TAG_SEVERAL : own;
        }
    } else {
        for (uint32_t i = 0; i < GROUP * each; i++) {
            uint32_t own = mine + (i >> shift), *place = &reader[first[i >> shift] + i % each];
            *place = (*place >= tag) & (*place != own) ? tag | TAG_SEVERAL : own;
        }
    }
}

/* If it is not the common case, returns false and changes nothing. */
static bool load_quickly(const struct warp *warp, const struct words *words)
{
    const struct shared_shadow *shadow = warp->shared;
    const uint32_t *writer = shadow->writer + words->lowest;
    uint32_t first = shadow->first_tag, before = shadow->interval_tag - first, odd = 0;
    if (words->span > CLOSE || shadow->tag != shadow->interval_tag) return false;
    for (uint32_t i = 0; i < words->span; i++)
        odd |= writer[i] - first >= before;
    if (odd) return false;
    for (uint32_t lane = 0; lane < LANES; lane += GROUP)
        join_readers(shadow->reader, &words->first[lane], words->each, shadow->tag,
                     shadow->tag + warp->first_thread + lane);
    return true;
}

/* The same for stores of 1, 2 or 4 words per lane. */
static bool store_quickly(const struct warp *warp, const struct words *words)
{
    const struct shared_shadow *shadow = warp->shared;
    uint32_t *writer = shadow->writer + words->lowest, *reader = shadow->reader + words->lowest;
    uint32_t mine = shadow->tag + warp->first_thread, count = LANES * words->each, odd = 0;
    for (uint32_t lane = 0; lane < LANES; lane++)
        odd |= words->first[lane] ^ (words->first[0] + lane * words->each);
    if (odd) return false;
    for (uint32_t i = 0; i < count; i++)
        odd |= (writer[i] >= shadow->interval_tag) | (reader[i] >= shadow->interval_tag);
    if (odd) return false;
    for (uint32_t i = 0; i < count; i++)
        writer[i] = mine + (i >> words->each / 2);
    return true;
}

unsigned shared_take(const struct warp *warp, const struct request *request)
{
    struct words words = {.each = (request->size + 3) / 4};
    for (int lane = 0; lane < LANES; lane++)
        words.first[lane] = (uint32_t)(request->offset[lane] / BANK_BYTES); /* no SHARED_OFFSET */
    find_span(&words, request->mask);
    bool done = false;
    if (request->mask == UINT32_MAX && request->kind == ACCESS_LOAD)
        done = load_quickly(warp, &words);
    else if (request->mask == UINT32_MAX && request->kind == ACCESS_STORE && request->size >= 4)
        done = store_quickly(warp, &words);
    if (!done) check_lanes(warp, request, &words);
    return wavefronts(&words, request->mask, request->kind);
}

void shared_arrive(const struct warp *warp, const uint64_t *offset, uint32_t mask, unsigned size)
{
    const struct shared_shadow *shadow = warp->shared;
    EACH_LANE (lane, mask) {
        uint32_t first = (uint32_t)(offset[lane] / BANK_BYTES);
        for (uint32_t word = first; word < first + size / 4; word++)
            if (shadow->writer[word] == IN_FLIGHT)
                shadow->writer[word] = shadow->tag + warp->first_thread + lane;
    }
}

void shared_forget_copy(struct shared_shadow *shadow, const char *to, size_t bytes)
{
    size_t first = (size_t)(to - shadow->base) / BANK_BYTES;
    for (size_t word = first; word < first + bytes / BANK_BYTES && word < shadow->words; word++)
        if (shadow->writer[word] == IN_FLIGHT) shadow->writer[word] = 0;
}
