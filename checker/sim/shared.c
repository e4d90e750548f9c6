/* shared.c: shared memory's banks and shadow (shared.h). */
#include "shared.h"

#include "fault.h"
#include "layout.h"
#include "race.h"
#include "request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t NOBODY = UINT32_MAX;

enum { SEGMENTS_MAX = 1 << (32 - TAG_THREAD_BITS) };

/* ---- the shadow ----------------------------------------------------------------------------- */

static bool make_shadow(struct shared_shadow *shadow, const char *base, size_t bytes)
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

/* Gives a variable as many bytes as this: the words behind them are nobody's. */
static void set_bytes(const struct shared_shadow *shadow, const struct shared_variable *variable,
                      size_t bytes)
{
    size_t first = variable->offset / 4, end = (variable->offset + variable->bytes + 3) / 4;
    size_t last = (variable->offset + bytes + 3) / 4;
    for (size_t word = first; word < end && word < shadow->words; word++) {
        bool is_there = word < last, was_there = shadow->writer[word] != NOBODY;
        if (is_there != was_there) shadow->writer[word] = is_there ? 0 : NOBODY;
    }
}

bool shared_begin_launch(struct shared_shadow *shadow, const char *base, size_t bytes,
                         size_t dynamic)
{
    size_t count;
    const struct shared_variable *list = layout_variables(&count);
    if (!make_shadow(shadow, base, bytes)) return false;
    shadow->dynamic = dynamic;
    for (size_t i = 0; i < count; i++)
        set_bytes(shadow, &list[i], list[i].is_dynamic ? dynamic : list[i].bytes);
    shared_begin_segment(shadow);
    shadow->launch_tag = shadow->first_tag = shadow->interval_tag = shadow->tag;
    return true;
}

/* The numbers are used up: what the running block has written counts as written long ago. */
static void renumber(struct shared_shadow *shadow)
{
    uint32_t old = 1u << TAG_THREAD_BITS;
    for (size_t word = 0; word < shadow->words; word++) {
        uint32_t writer = shadow->writer[word];
        if (writer != NOBODY) shadow->writer[word] = writer >= shadow->first_tag ? old : 0;
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

void shared_begin_block(struct shared_shadow *shadow)
{
    shared_begin_interval(shadow);
    shadow->first_tag = shadow->tag;
}

static bool is_touched(const struct shared_shadow *shadow, const struct shared_variable *variable)
{
    size_t end = (variable->offset + variable->bytes + 3) / 4;
    for (size_t word = variable->offset / 4; word < end && word < shadow->words; word++) {
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
    const struct shared_variable *list = layout_variables(&count);
    for (size_t i = 0; i < count; i++)
        if (!list[i].is_dynamic && !layout_declares(kernel, &list[i]) &&
            is_touched(shadow, &list[i]))
            sum += list[i].bytes;
    return sum;
}
/* ---- banks ---------------------------------------------------------------------------------- */

/* The words of one phase, by bank: each bank's words in a chain of lanes. */
struct banks {
    uint64_t word[BANKS][LANES];
    unsigned words[BANKS], most;
};

static void add_word(struct banks *banks, uint64_t word)
{
    unsigned bank = (unsigned)(word % BANKS), i = banks->words[bank];
    while (i > 0 && banks->word[bank][i - 1] != word)
        i--;
    if (i > 0) return;
    banks->word[bank][banks->words[bank]++] = word;
    if (banks->words[bank] > banks->most) banks->most = banks->words[bank];
}

static unsigned phase_wavefronts(const uint64_t *offset, uint32_t mask, unsigned size)
{
    struct banks banks;
    banks.most = 0;
    for (unsigned bank = 0; bank < BANKS; bank++)
        banks.words[bank] = 0;
    for (uint32_t left = mask; left != 0; left &= left - 1) {
        uint64_t first = offset[__builtin_ctz(left)] / BANK_BYTES;
        for (unsigned word = 0; word < (size + 3) / 4; word++)
            add_word(&banks, first + word);
    }
    return banks.most;
}

unsigned shared_wavefronts(const uint64_t *offset, uint32_t mask, unsigned size)
{
    unsigned lanes = size <= 4 ? LANES : LANES * 4 / size, sum = 0;
    for (unsigned first = 0; first < LANES; first += lanes) {
        uint32_t phase = lanes == LANES ? mask : mask & (((1u << lanes) - 1) << first);
        sum += phase_wavefronts(offset, phase, size);
    }
    return sum;
}

/* ---- initialisation and races --------------------------------------------------------------- */

static void note(const struct warp *warp, const struct request *request, uint32_t lane,
                 const char *name, uint32_t other)
{
    struct fault fault = request_fault(warp, request, lane, name);
    uint32_t thread = other & ((1u << TAG_THREAD_BITS) - 1);
    fault.shared = true;
    if (other != 0 && thread < THREADS_MAX) request_set_other(&fault, warp->segment->block, thread);
    fault_note(&fault);
}

/* In the gap between two variables: is the start of the second nearer than the first's end? */
static bool is_nearer(size_t at, const struct shared_variable *first,
                      const struct shared_variable *second)
{
    return at >= first->offset + first->bytes && at < second->offset &&
           second->offset - at < at - first->offset - first->bytes;
}

/* The word belongs to no variable. Tells which one it was meant to belong to: the nearest. */
static void note_outside(const struct warp *warp, const struct request *request, uint32_t lane)
{
    size_t count, at = (size_t)(request->offset[lane] - SHARED_OFFSET), i = 0;
    const struct shared_variable *list = layout_variables(&count), *one;
    struct fault fault = request_fault(warp, request, lane, "shared-out-of-bounds");
    char name[100];
    while (i + 1 < count && (list[i + 1].offset <= at || is_nearer(at, &list[i], &list[i + 1])))
        i++;
    one = &list[i];
    layout_name(one, name, sizeof name);
    fault.shared = true;
    size_t bytes = one->is_dynamic ? warp->shared->dynamic : one->bytes;
    if (at < one->offset)
        snprintf(fault.detail, sizeof fault.detail, "%zu bytes before the start of %s",
                 one->offset - at, name);
    else
        snprintf(fault.detail, sizeof fault.detail, "byte %zu of %s, which has %zu bytes",
                 at - one->offset, name, bytes);
    fault_note(&fault);
}

static bool is_concurrent(const struct shared_shadow *shadow, uint32_t tag, uint32_t mine)
{
    return race_is_concurrent(shadow->interval_tag, tag, mine);
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
        note(warp, request, lane, "uninitialised-read", 0);
    else if (is_concurrent(shadow, writer, mine))
        note(warp, request, lane, "race-in-block", writer);
    shadow->reader[word] =
        reader >= shadow->tag && reader != mine ? shadow->tag | TAG_SEVERAL : mine;
}

static void check_store(const struct warp *warp, const struct request *request, uint32_t lane,
                        size_t word)
{
    const struct shared_shadow *shadow = warp->shared;
    bool atomic = request->kind == ACCESS_ATOMIC;
    uint32_t mine = shadow->tag + warp->first_thread + lane, all = shadow->tag | TAG_ATOMIC;
    uint32_t writer = shadow->writer[word], reader = shadow->reader[word];
    if (writer == NOBODY) {
        note_outside(warp, request, lane);
        return;
    }
    if (atomic && writer < shadow->first_tag) note(warp, request, lane, "uninitialised-read", 0);
    if (is_concurrent(shadow, writer, mine) && !(atomic && writer == all))
        note(warp, request, lane, "race-in-block", writer);
    else if (is_concurrent(shadow, reader, mine))
        note(warp, request, lane, "race-in-block", reader);
    shadow->writer[word] = atomic ? all : mine;
}

void shared_check(const struct warp *warp, const struct request *request)
{
    const struct shared_shadow *shadow = warp->shared;
    for (uint32_t left = request->mask; left != 0; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        size_t first = (size_t)(request->offset[lane] - SHARED_OFFSET) / BANK_BYTES;
        for (size_t word = first; word < first + (request->size + 3) / 4; word++) {
            if (request->kind == ACCESS_LOAD)
                check_load(warp, request, lane, word);
            else if (request->size >= 4 || shadow->writer[word] == NOBODY)
                check_store(warp, request, lane, word);
            else /* neighbouring bytes of a word may be different threads' */
                shadow->writer[word] = shadow->first_tag;
        }
    }
}
