/* shared.c: shared memory's banks and shadow (shared.h). */
#include "shared.h"

#include "fault.h"
#include "request.h"

#include <stdlib.h>

bool shared_prepare(struct shared_shadow *shadow, const char *base, size_t bytes)
{
    size_t words = (bytes + 3) / 4;
    if (shadow->base == base && shadow->words == words) return true;
    free(shadow->writer);
    free(shadow->reader);
    *shadow = (struct shared_shadow){.base = base, .words = words};
    shadow->writer = calloc(words + 1, sizeof *shadow->writer);
    shadow->reader = calloc(words + 1, sizeof *shadow->reader);
    return shadow->writer != NULL && shadow->reader != NULL;
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

static void check_load(const struct warp *warp, const struct request *request, uint32_t lane,
                       size_t word)
{
    const struct shared_shadow *shadow = warp->shared;
    const struct segment *segment = warp->segment;
    uint32_t mine = segment->tag + warp->first_thread + lane;
    uint32_t writer = shadow->writer[word], reader = shadow->reader[word];
    if (writer < shadow->first_tag)
        note(warp, request, lane, "uninitialised-read", 0);
    else if (race_is_concurrent(segment, writer, mine))
        note(warp, request, lane, "race-in-block", writer);
    shadow->reader[word] =
        reader >= segment->tag && reader != mine ? segment->tag | TAG_SEVERAL : mine;
}

static void check_store(const struct warp *warp, const struct request *request, uint32_t lane,
                        size_t word)
{
    const struct shared_shadow *shadow = warp->shared;
    const struct segment *segment = warp->segment;
    bool atomic = request->kind == ACCESS_ATOMIC;
    uint32_t mine = segment->tag + warp->first_thread + lane, all = segment->tag | TAG_ATOMIC;
    uint32_t writer = shadow->writer[word], reader = shadow->reader[word];
    if (atomic && writer < shadow->first_tag) note(warp, request, lane, "uninitialised-read", 0);
    if (race_is_concurrent(segment, writer, mine) && !(atomic && writer == all))
        note(warp, request, lane, "race-in-block", writer);
    else if (race_is_concurrent(segment, reader, mine))
        note(warp, request, lane, "race-in-block", reader);
    shadow->writer[word] = atomic ? all : mine;
}

void shared_check(const struct warp *warp, const struct request *request)
{
    for (uint32_t left = request->mask; left != 0; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        size_t first = (size_t)(request->offset[lane] - SHARED_OFFSET) / BANK_BYTES;
        for (size_t word = first; word < first + (request->size + 3) / 4; word++) {
            if (request->kind == ACCESS_LOAD)
                check_load(warp, request, lane, word);
            else if (request->size >= 4)
                check_store(warp, request, lane, word);
            else /* neighbouring bytes of a word may be different threads' */
                warp->shared->writer[word] = warp->shared->first_tag;
        }
    }
}
