/* banks.c: the wavefronts of a request to shared memory (watching.h; the README says where the
 * rules come from), and its runs of lanes that access one place, or neighbouring ones. */
#include "gpu/memory/watching.h"
#include "gpu/memory/obtain.h"

#include <stdlib.h>

enum { BANKS = 32, BANK_BYTES = 4 };

/* The words that a request's lanes touch. */
struct words {
    uint32_t first[LANES]; /* of each lane */
    uint32_t each;         /* words per lane: 1, 2 or 4 */
    uint32_t span;         /* all lie among as many words */
};

/* The words of one phase, by bank. */
struct banks {
    uint32_t word[BANKS][LANES];
    uint32_t words[BANKS], most;
};

static void find_words(struct words *words, const uint64_t *offset, uint32_t mask)
{
    uint32_t low = UINT32_MAX, high = 0;
    for (int lane = 0; lane < LANES; lane++)
        words->first[lane] = (uint32_t)(offset[lane] / BANK_BYTES);
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
    words->span = high + words->each - low;
}

static void add_word(struct banks *banks, uint32_t word)
{
    uint32_t bank = word % BANKS, i = banks->words[bank];
    while (i > 0 && banks->word[bank][i - 1] != word)
        i--;
    if (i > 0) return;
    banks->word[bank][banks->words[bank]++] = word;
    if (banks->words[bank] > banks->most) banks->most = banks->words[bank];
}

static uint32_t phase_wavefronts(const struct words *words, uint32_t mask)
{
    struct banks banks;
    banks.most = 0;
    for (uint32_t bank = 0; bank < BANKS; bank++)
        banks.words[bank] = 0;
    EACH_LANE (lane, mask)
        for (uint32_t i = 0; i < words->each; i++)
            add_word(&banks, words->first[lane] + i);
    return banks.most;
}

/* Does each active lane use the same words as the lane at a distance of `apart` (1 or 2)? */
static bool are_pairs(const struct words *words, uint32_t mask, uint32_t apart)
{
    EACH_LANE (lane, mask)
        if (mask >> (lane ^ apart) & 1 && words->first[lane] != words->first[lane ^ apart])
            return false;
    return true;
}

/* A phase delivers 128 bytes to 32, 16 or 8 lanes. If loading lanes go in pairs, it serves twice as
 * many. */
static uint32_t lanes_per_phase(const struct words *words, uint32_t mask, bool load)
{
    uint32_t lanes = LANES / words->each;
    if (words->each == 1 || !load) return lanes;
    return are_pairs(words, mask, 1) || are_pairs(words, mask, 2) ? 2 * lanes : lanes;
}

/* The wavefronts of a request to shared memory: the sum, over phases of 32, 16 or 8 lanes
 * (4, 8 or 16 bytes per lane; twice as many lanes if loading lanes go in pairs), of the largest
 * number of distinct words in one bank. */
static uint32_t banks_wavefronts(const uint64_t *offset, uint32_t mask, uint32_t bytes, bool load)
{
    struct words words = {.each = bytes <= 4 ? 1 : bytes <= 8 ? 2 : 4};
    find_words(&words, offset, mask);
    uint32_t lanes = lanes_per_phase(&words, mask, load), sum = 0;
    bool narrow = words.span <= BANKS; /* no two words in one bank */
    for (uint32_t first = 0; first < LANES; first += lanes) {
        uint32_t phase = lanes == LANES ? mask : mask & (((1u << lanes) - 1) << first);
        if (phase != 0) sum += narrow ? 1 : phase_wavefronts(&words, phase);
    }
    return sum;
}

/* ---- patterns that come again --------------------------------------------------------------- */

/* The last request of an access instruction: if all its lanes have moved by the same distance
 * since, the number of wavefronts is the same. */
struct bank_memo {
    uint32_t mask, bytes, wavefronts; /* wavefronts == 0: there was none */
    uint64_t apart[LANES];            /* from the first lane */
};

static bool is_same(const struct bank_memo *memo, const uint64_t *offset, uint32_t mask,
                    uint32_t bytes)
{
    if (memo->wavefronts == 0 || memo->mask != mask || memo->bytes != bytes) return false;
    uint64_t first = offset[__builtin_ctz(mask)], differs = 0;
    if (mask == UINT32_MAX) {
        for (int lane = 0; lane < LANES; lane++)
            differs |= (offset[lane] - first) ^ memo->apart[lane];
        return differs == 0;
    }
    EACH_LANE (lane, mask)
        differs |= (offset[lane] - first) ^ memo->apart[lane];
    return differs == 0;
}

static void remember(struct bank_memo *memo, const uint64_t *offset, uint32_t mask, uint32_t bytes,
                     uint32_t wavefronts)
{
    uint64_t first = offset[__builtin_ctz(mask)];
    memo->mask = mask;
    memo->bytes = bytes;
    memo->wavefronts = wavefronts;
    EACH_LANE (lane, mask)
        memo->apart[lane] = offset[lane] - first;
}

uint32_t banks_of(struct watcher *watcher, const struct looked *looked, uint32_t bytes, bool load)
{
    const uint64_t *offset = looked->offset;
    uint32_t mask = looked->mask;
    size_t accesses = watcher->tally->module->access_count;
    if (watcher->bank_memo == NULL)
        watcher->bank_memo = obtain(2 * accesses, sizeof *watcher->bank_memo);
    if (offset[__builtin_ctz(mask)] % BANK_BYTES != 0)
        return banks_wavefronts(offset, mask, bytes, load);
    size_t access = (size_t)looked->request->instruction->access;
    struct bank_memo *memo = &watcher->bank_memo[2 * access + looked->shared];
    if (is_same(memo, offset, mask, bytes)) return memo->wavefronts;
    uint32_t wavefronts = banks_wavefronts(offset, mask, bytes, load);
    remember(memo, offset, mask, bytes, wavefronts);
    return wavefronts;
}

/* ---- lanes that access one place, or neighbouring ones -------------------------------------- */

void runs_find(struct looked *looked)
{
    const struct request *request = looked->request;
    uint32_t next = request->consecutive ? UINT32_MAX << 1 : request->next;
    looked->mask = request->mask;
    looked->run_count = 0;
    if ((request->same | next) == 0) {
        runs_split(looked);
        return;
    }
    for (uint32_t left = request->mask; left != 0;) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        uint64_t same_on = (uint64_t)request->same >> lane >> 1,
                 next_on = (uint64_t)next >> lane >> 1;
        bool same = same_on & 1;
        uint32_t length = 1 + (uint32_t)__builtin_ctzll(~(same ? same_on : next_on));
        looked->run[looked->run_count++] = (struct lane_run){(uint8_t)lane, (uint8_t)length, same};
        left &= ~(uint32_t)(((UINT64_C(1) << length) - 1) << lane);
    }
}

void runs_split(struct looked *looked)
{
    looked->run_count = 0;
    EACH_LANE (lane, looked->mask)
        looked->run[looked->run_count++] = (struct lane_run){(uint8_t)lane, 1, false};
}
