/* race.c: see race.h. */
#include "sim/requests/race.h"

#include "sim/gpu/shadow.h"

#include <stdlib.h>

enum { SEGMENTS_MAX = 1 << (32 - TAG_THREAD_BITS), THREADS_PER_BLOCK = 1024 };

uint32_t race_first_tag, race_launch_tag;

/* A worker takes this many numbers together if it has others beside it: what they write is then
 * apart. */
enum { NUMBERS_TOGETHER = 16 };

static struct {
    _Alignas(64) uint32_t next; /* segment number to give out next; 0 means never touched */
    _Alignas(64) uint32_t at_once;
    uint64_t orders;  /* numbers that were taken before the last one are not used any more */
    uint32_t first;   /* segment 0 of this launch: stands for "several blocks" */
    uint32_t *block;  /* of each segment */
    uint32_t *begin;  /* of each: the first segment of its block */
    uint32_t *fenced; /* of each first segment: the last one in which the block fenced; 0: none */
    bool some_fenced; /* has any block of this launch? */
    bool forgotten;   /* numbering has begun again */
} segments = {.next = 1};

/* Numbers that this worker has taken */
static _Thread_local struct {
    uint32_t next, end;
    uint64_t order;
} taken;

static uint32_t segment_of(uint32_t tag)
{
    return tag >> TAG_THREAD_BITS;
}

static void begin_numbering(void)
{
    shadow_forget_tags();
    segments.next = 1;
    segments.forgotten = true;
}

bool race_tags_forgotten(void)
{
    return segments.forgotten;
}

void race_begin_launch(bool shared)
{
    segments.at_once = shared ? NUMBERS_TOGETHER : 1;
    if (segments.block == NULL) {
        segments.block = malloc(SEGMENTS_MAX * sizeof *segments.block);
        segments.begin = malloc(SEGMENTS_MAX * sizeof *segments.begin);
        segments.fenced = malloc(SEGMENTS_MAX * sizeof *segments.fenced);
        if (segments.block == NULL || segments.begin == NULL || segments.fenced == NULL) abort();
    }
    if (segments.next > SEGMENTS_MAX / 2) begin_numbering();
    race_order_all();
    race_launch_tag = race_first_tag;
}

void race_order_all(void)
{
    segments.first = segments.next < SEGMENTS_MAX - 1 ? segments.next++ : SEGMENTS_MAX - 1;
    race_first_tag = segments.first << TAG_THREAD_BITS;
    segments.some_fenced = false;
    segments.orders++;
}

/* When the numbers run out in the middle of a launch, all later segments share the last number.
 * Only certain races with them are then reported. */
static uint32_t take_number(void)
{
    if (taken.next == taken.end || taken.order != segments.orders) {
        uint32_t next = __atomic_load_n(&segments.next, __ATOMIC_RELAXED);
        if (next >= SEGMENTS_MAX - 1) return SEGMENTS_MAX - 1;
        taken.next = __atomic_fetch_add(&segments.next, segments.at_once, __ATOMIC_RELAXED);
        taken.end = taken.next + segments.at_once;
        taken.order = segments.orders;
    }
    uint32_t number = taken.next++;
    return number < SEGMENTS_MAX ? number : SEGMENTS_MAX - 1;
}

/* A worker that finds a tag of the segment in the shadow must find what is noted here as well:
 * aarch64 keeps no order between stores. */
void race_begin_segment(struct segment *segment)
{
    uint32_t number = take_number();
    segments.block[number] = segment->block;
    if (segment->begin == 0) segments.fenced[segment->begin = number] = 0;
    segments.begin[number] = segment->begin;
    __atomic_thread_fence(__ATOMIC_RELEASE);
    segment->tag = number << TAG_THREAD_BITS;
}

void race_begin_block(struct segment *segment, uint32_t block)
{
    *segment = (struct segment){.block = block};
}

void race_begin_interval(struct segment *segment)
{
    race_begin_segment(segment);
    segment->interval_tag = segment->tag;
}

bool race_is_concurrent(uint32_t interval_tag, uint32_t tag, uint32_t mine)
{
    if (tag < interval_tag || tag == mine) return false;
    if (segment_of(tag) == segment_of(mine)) return true;
    return race_thread(tag) < THREADS_PER_BLOCK && race_thread(tag) / 32 != race_thread(mine) / 32;
}

void race_fence(struct segment *segment)
{
    segments.fenced[segment->begin] = segment_of(segment->tag);
    __atomic_store_n(&segments.some_fenced, true, __ATOMIC_RELAXED);
}

/* True if nothing orders the earlier access `tag`, which is not `mine`, before this one. If several
 * blocks have read, it is not known which; they may be those that fenced. */
static bool unordered(const struct segment *segment, uint32_t tag, uint32_t mine)
{
    uint32_t earlier = segment_of(tag);
    if (earlier == SEGMENTS_MAX - 1 || segment_of(mine) == SEGMENTS_MAX - 1) return false;
    if (earlier == segments.first) return !(segments.some_fenced && segment->took_atomic);
    if (segments.block[earlier] == segment->block &&
        !race_is_concurrent(segment->interval_tag, tag, mine))
        return false;
    return !(segments.fenced[segments.begin[earlier]] >= earlier && segment->took_atomic);
}

bool race_is_read_since(uint32_t least, uint64_t word, size_t count)
{
    for (size_t done = 0; done < count; done += ROW_WORDS) {
        uint32_t entry = race_row_entry(word + done);
        size_t here = count - done < ROW_WORDS ? count - done : ROW_WORDS;
        if (entry != 0 ? entry >= least : !race_all_below(&shadow.reader[word + done], here, least))
            return true;
    }
    return false;
}

/* Another worker may do the same meanwhile: both write the same tags. */
void race_spread_row(uint64_t word)
{
    uint64_t row = word / ROW_WORDS;
    uint32_t entry = race_row_entry(word), *reader = &shadow.reader[row * ROW_WORDS];
    if (entry == 0) return;
    for (uint32_t i = 0; i < ROW_WORDS; i++)
        reader[i] = race_row_reader(entry, i);
    __atomic_store_n(&shadow.reader_row[row], 0, __ATOMIC_RELEASE);
}

/* Describes the other side of a race. If threads of several blocks have read, they are not known.
 */
static bool describe(const struct segment *segment, uint32_t tag, enum access_kind kind,
                     struct race *race)
{
    uint32_t earlier = segment_of(tag);
    bool several = earlier == segments.first;
    race->other_block = several ? segment->block : segments.block[earlier];
    race->other_thread = several ? TAG_SEVERAL : race_thread(tag);
    race->other_kind = kind;
    race->between_blocks = several || race->other_block != segment->block;
    return true;
}

/* The reader's tag after thread `mine` has read too. What comes after this thread also comes after
 * the reads that are ordered before it. */
static uint32_t joined_reader(const struct segment *segment, uint32_t reader, uint32_t mine)
{
    if (reader < race_first_tag) return mine;
    if (segment_of(reader) == segment_of(mine)) return segment->tag | TAG_SEVERAL;
    bool same_block = segment_of(reader) != segments.first &&
                      segments.block[segment_of(reader)] == segment->block;
    return same_block || !unordered(segment, reader, mine) ? mine : race_first_tag;
}

/* True if the last to write was another thread of this block, by an atomic in this interval. */
static bool taken_by_others(const struct segment *segment, uint32_t writer, uint32_t mine)
{
    return writer >= segment->interval_tag && race_by_atomic(writer) &&
           segments.block[segment_of(writer)] == segment->block && !race_is_sole(writer, mine);
}

bool race_check(struct segment *segment, uint32_t thread, uint64_t offset, enum access_kind kind,
                bool same, struct race *race)
{
    uint32_t *writer = &shadow.writer[offset / 4], *reader = race_reader_at(offset / 4);
    uint32_t mine = segment->tag + thread, first = race_first_tag;
    uint32_t w = *writer, r = *reader;
    bool atomic = access_is_atomic(kind), racing = false;
    if (atomic) segment->took_atomic = true;

    if (w >= first && !race_is_own(w, mine) && !(atomic && race_by_atomic(w)) &&
        unordered(segment, w, mine))
        racing = describe(segment, w, race_written_by(w), race) && !(same && !race->between_blocks);
    if (kind == ACCESS_LOAD) {
        if (r != mine && r != first) *reader = joined_reader(segment, r, mine);
        return racing;
    }
    if (!racing && r >= first && r != mine && unordered(segment, r, mine))
        racing = describe(segment, r, ACCESS_LOAD, race);
    *writer = atomic ? race_atomic_tag(mine, taken_by_others(segment, w, mine)) : mine;
    return racing;
}

/* For a row of words that no other thread has written: the lanes from `own` on have read them. A
 * word that several blocks have read keeps its tag. */
static inline __attribute__((always_inline)) void join_readers(const struct segment *segment,
                                                               uint32_t *reader, uint32_t words,
                                                               uint32_t own, uint32_t shift)
{
    uint32_t first = race_first_tag, odd = 0, changed = 0;
    for (uint32_t word = 0; word < words; word++) {
        uint32_t old = reader[word];
        uint32_t other = (uint32_t)(old != first) & (uint32_t)(old != own + (word >> shift));
        changed |= other;
        odd |= other & (uint32_t)(old > first);
    }
    if (!changed) return;
    if (!odd) { /* the common case, without a branch in its loop */
        for (uint32_t word = 0; word < words; word++)
            reader[word] = reader[word] == first ? first : own + (word >> shift);
        return;
    }
    for (uint32_t word = 0; word < words; word++) {
        uint32_t mine = own + (word >> shift), old = reader[word];
        if (old > first && old != mine)
            reader[word] = joined_reader(segment, old, mine);
        else
            reader[word] = old == first ? first : mine;
    }
}

static __attribute__((noinline)) void join_row(const struct segment *segment, uint64_t word,
                                               uint32_t own, uint32_t shift)
{
    join_readers(segment, race_reader_at(word), ROW_WORDS, own, shift);
}

/* The lanes from `own` on have read a row that no other thread has written. */
static inline __attribute__((always_inline)) void
read_row(const struct segment *segment, uint64_t word, uint32_t own, uint32_t shift)
{
    uint32_t entry = race_row_entry(word), first = race_first_tag, *reader = &shadow.reader[word];
    uint32_t by_several = first | ROW_ONE_TAG, after = 0;
    if (entry == (own | shift) || entry == by_several) return;
    if (entry != 0 ? entry < first : race_all_below(reader, ROW_WORDS, first))
        after = own | shift;
    else if (entry != 0 && joined_reader(segment, race_row_reader(entry, 0), own) == first)
        after = by_several;
    if (after != 0)
        __atomic_store_n(&shadow.reader_row[word / ROW_WORDS], after, __ATOMIC_RELEASE);
    else
        join_row(segment, word, own, shift);
}

/* True if no other thread than those from `own` on has read these words in this launch. */
static inline __attribute__((always_inline)) bool only_read_by(uint64_t word, uint32_t words,
                                                               uint32_t own, uint32_t shift)
{
    const uint32_t *reader = race_reader_at(word);
    uint32_t foreign = 0;
    for (uint32_t i = 0; i < words; i++) {
        uint32_t r = reader[i];
        foreign |= (uint32_t)(r >= race_first_tag) & (uint32_t)(r != own + (i >> shift));
    }
    return !foreign;
}

static inline __attribute__((always_inline)) bool row_only_read_by(uint64_t word, uint32_t own,
                                                                   uint32_t shift)
{
    uint32_t entry = race_row_entry(word);
    if (entry != 0 && (entry < race_first_tag || entry == (own | shift))) return true;
    return only_read_by(word, ROW_WORDS, own, shift);
}

/* race_check_row() in the common case: each lane has a word of a whole row, which nobody has
 * written in this launch. */
static bool check_whole_row(const struct segment *segment, uint64_t word, uint32_t mine,
                            enum access_kind kind)
{
    if (kind == ACCESS_LOAD) {
        read_row(segment, word, mine, 0);
        return true;
    }
    if (!row_only_read_by(word, mine, 0)) return false;
    if (shadow.writer[word] == 0) shadow_reach(4 * word);
    for (uint32_t i = 0; i < ROW_WORDS; i++)
        shadow.writer[word + i] = mine + i;
    return true;
}

/* The other cases; inlined, so that the common number of words is a constant. */
static inline __attribute__((always_inline)) bool check_words(const struct segment *segment,
                                                              uint64_t offset, uint32_t mine,
                                                              uint32_t words, uint32_t shift,
                                                              enum access_kind kind)
{
    uint32_t *writer = &shadow.writer[offset / 4], first = race_first_tag, foreign = 0;
    if (!race_all_below(writer, words, first))
        for (uint32_t word = 0; word < words; word++) {
            uint32_t w = writer[word], own = mine + (word >> shift);
            foreign |= (uint32_t)(w >= first) & (uint32_t)(w != own);
        }
    if (foreign) return false;
    for (uint32_t done = 0, here; done < words; done += here) {
        uint64_t word = offset / 4 + done;
        uint32_t own = mine + (done >> shift);
        bool whole = word % ROW_WORDS == 0 && words - done >= ROW_WORDS && own % 8 == 0;
        here = ROW_WORDS - word % ROW_WORDS;
        if (here > words - done) here = words - done;
        if (kind == ACCESS_LOAD && whole)
            read_row(segment, word, own, shift);
        else if (kind == ACCESS_LOAD)
            join_readers(segment, race_reader_at(word), here, own, shift);
        else if (whole ? !row_only_read_by(word, own, shift)
                       : !only_read_by(word, here, own, shift))
            return false;
    }
    if (kind == ACCESS_LOAD) return true;
    if (writer[0] == 0) shadow_reach(offset);
    for (uint32_t word = 0; word < words; word++)
        writer[word] = mine + (word >> shift);
    return true;
}

static __attribute__((noinline)) bool check_any_words(const struct segment *segment,
                                                      uint64_t offset, uint32_t mine,
                                                      uint32_t words, uint32_t shift,
                                                      enum access_kind kind)
{
    if (words == ROW_WORDS && shift == 0)
        return check_words(segment, offset, mine, ROW_WORDS, 0, kind);
    return check_words(segment, offset, mine, words, shift, kind);
}

bool race_check_row(const struct segment *segment, uint32_t thread, uint64_t offset, uint32_t lanes,
                    unsigned words_each, enum access_kind kind)
{
    uint32_t mine = segment->tag + thread;
    uint32_t shift = words_each / 2; /* 1, 2, 4 words: 0, 1, 2 bits */
    if (access_is_atomic(kind)) return false;
    if (lanes == ROW_WORDS && shift == 0 && offset % (4 * ROW_WORDS) == 0 && mine % 8 == 0 &&
        race_all_below(&shadow.writer[offset / 4], ROW_WORDS, race_first_tag))
        return check_whole_row(segment, offset / 4, mine, kind);
    return check_any_words(segment, offset, mine, lanes * words_each, shift, kind);
}

bool race_check_same(const struct segment *segment, uint32_t thread, uint64_t offset)
{
    uint32_t *reader = race_reader_at(offset / 4), first = race_first_tag;
    if (shadow.writer[offset / 4] >= first) return false;
    for (uint32_t lane = 0; lane < 2 && *reader != first; lane++) /* a third one changes nothing */
        *reader = joined_reader(segment, *reader, segment->tag + thread + lane);
    return true;
}
