/* footprint.c: see footprint.h. A word whose bytes have several writers counts as the last one's.
 */
#include "gpu/memory/footprint.h"

#include "gpu/memory/order.h"
#include "gpu/memory/race.h"
#include "gpu/memory/shadow.h"

/* The tag of words that a library's kernel has written. It belongs to no launch, and is older than
 * all others. */
static const uint32_t LIBRARY_TAG = FORM_SEVERAL;

static bool fenced;

void footprint_note_fence(void)
{
    __atomic_store_n(&fenced, true, __ATOMIC_RELAXED);
}

bool footprint_fenced(void)
{
    return __atomic_exchange_n(&fenced, false, __ATOMIC_RELAXED);
}

/* ---- the tags of words ---------------------------------------------------------------------- */

/* Words that follow each other in one row, and their tags: each word's own, or the row's for all of
 * them. A row's tag has the launch and the kind of access of its words, but not the lanes. */
struct stretch {
    uint64_t word, count;
    const struct tags *tags;
    bool together;
    struct tags narrow[ROW_WORDS]; /* the latest of their bytes' */
};

static struct tags latest_of_bytes(const struct tags *bytes)
{
    struct tags latest = bytes[0];
    for (int i = 1; i < 4; i++) {
        if (bytes[i].writer > latest.writer) latest.writer = bytes[i].writer;
        if (bytes[i].reader > latest.reader) latest.reader = bytes[i].reader;
    }
    return latest;
}

/* The words from `word` on, up to the end of its row or `end`. */
static void look_at_row(struct stretch *stretch, uint64_t word, uint64_t end)
{
    const struct tags *row = &shadow.rows[word / ROW_WORDS];
    uint64_t left = ROW_WORDS - word % ROW_WORDS;
    stretch->word = word;
    stretch->count = left < end - word ? left : end - word;
    stretch->together = row->writer < ROW_BUSY;
    stretch->tags = stretch->together ? row : &shadow.words[word];
    if (row->writer != ROW_NARROW) return;
    for (uint64_t i = 0; i < stretch->count; i++)
        stretch->narrow[i] = latest_of_bytes(&shadow.narrow[(word + i) / 64][(word + i) % 64 * 4]);
    stretch->tags = stretch->narrow;
}

#define EACH_STRETCH(stretch, first, end)                                                          \
    for (uint64_t at_##stretch = (first);                                                          \
         at_##stretch < (end) && (look_at_row(&(stretch), at_##stretch, (end)), true);             \
         at_##stretch += (stretch).count)

static void set_writer(uint64_t word, uint32_t tag)
{
    struct tags *row = &shadow.rows[word / ROW_WORDS];
    if (row->writer == tag) return;
    if (row->writer < ROW_BUSY) race_spread(word);
    if (row->writer == ROW_NARROW)
        for (int i = 0; i < 4; i++)
            shadow.narrow[word / 64][word % 64 * 4 + (uint64_t)i].writer = tag;
    else
        shadow.words[word].writer = tag;
}

/* Does not touch tags that are right: memory that no kernel writes has no pages of tags. */
static void set_writers(uint64_t offset, size_t bytes, uint32_t tag)
{
    if (bytes == 0) return;
    uint64_t word = offset / 4, end = (offset + bytes - 1) / 4 + 1;
    while (word < end) {
        struct tags *row = &shadow.rows[word / ROW_WORDS];
        bool whole = word % ROW_WORDS == 0 && end - word >= ROW_WORDS && row->writer < ROW_BUSY;
        if (!whole)
            set_writer(word, tag);
        else if (row->writer != tag)
            row->writer = tag;
        word += whole ? ROW_WORDS : 1;
    }
}

/* ---- what launches use ---------------------------------------------------------------------- */

static enum use use_of_writer(uint32_t tag)
{
    return tag_is_atomic(tag) || tag_is_blocks(tag) || tag_is_warps(tag) ||
                   tag_form(tag) == FORM_SET
               ? USE_ATOMIC
               : USE_WRITE;
}

/* Neighbouring words that are used alike. */
struct used {
    footprint_visit *visit;
    void *data;
    uint32_t first;            /* older tags do not count */
    struct tag_range own_tags; /* the tags of `launch` */
    uint64_t launch, from, to;
    enum use use;
};

static void end_use(struct used *used)
{
    if (used->to > used->from)
        used->visit(used->data, used->launch, used->use, used->from, used->to - used->from);
    used->from = used->to = 0;
}

static inline void extend(struct used *used, uint32_t tag, enum use use, uint64_t from, uint64_t to)
{
    bool same = used->to == from && used->use == use && tag >= used->own_tags.first &&
                tag < used->own_tags.end && tag >= used->first;
    if (!same) {
        end_use(used);
        if (tag < used->first) return;
        used->launch = order_launch_of(tag, &used->own_tags);
        if (used->launch == 0) return;
        used->use = use;
        used->from = from;
    }
    used->to = to;
}

static void extend_both(struct used *written, struct used *read, const struct stretch *stretch,
                        uint64_t end)
{
    uint64_t address = shadow.base + 4 * stretch->word, last = address + 4 * stretch->count;
    uint64_t step = stretch->together ? 4 * stretch->count : 4;
    if (end > last) end = last;
    for (const struct tags *tags = stretch->tags; address < end; address += step, tags++) {
        uint64_t to = address + step < end ? address + step : end;
        extend(written, tags->writer, use_of_writer(tags->writer), address, to);
        extend(read, tags->reader, USE_READ, address, to);
    }
}

/* The next part of [*from, end) that is in regions which launches from this tag on have used;
 * false if there is none. */
static bool next_part(uint32_t first_tag, uint64_t *from, uint64_t *to, uint64_t end)
{
    while (*from < end && shadow.regions[*from / REGION] < first_tag)
        *from = (*from / REGION + 1) * REGION;
    if (*from >= end) return false;
    *to = (*from / REGION + 1) * REGION;
    if (*to > end) *to = end;
    return true;
}

#define EACH_PART(first_tag, from, to, begin, end)                                                 \
    for (uint64_t from = (begin), to; next_part(first_tag, &from, &to, end); from = to)

void footprint_parts(const struct allocation *one, uint64_t first_launch, part_visit *visit,
                     void *data)
{
    uint64_t begin = shadow_offset(one->base);
    EACH_PART (order_first_tag(first_launch), from, to, begin, begin + one->bytes)
        visit(data, one->base + (from - begin), to - from);
}

void footprint_read(const struct allocation *one, uint64_t first_launch, footprint_visit *visit,
                    void *data)
{
    uint32_t first = order_first_tag(first_launch);
    uint64_t begin = shadow_offset(one->base), end = begin + one->bytes;
    struct used written = {.visit = visit, .data = data, .first = first}, read = written;
    struct stretch stretch;
    EACH_PART (first, from, to, begin, end)
        EACH_STRETCH (stretch, from / 4, (to + 3) / 4)
            extend_both(&written, &read, &stretch, shadow.base + end);
    end_use(&written);
    end_use(&read);
}

/* ---- who wrote last ------------------------------------------------------------------------- */

/* The offset of an address; false if it is not the GPU's. */
static bool offset_of(const void *address, uint64_t *offset)
{
    if (!memory_owns(address)) return false;
    *offset = shadow_offset(address);
    if (*offset >= shadow.extent) *offset = memory_alias((uint64_t)(uintptr_t)address);
    return true;
}

void origin_host(const void *address, size_t bytes)
{
    uint64_t offset;
    if (offset_of(address, &offset)) set_writers(offset, bytes, 0);
}

void origin_kernel(const void *address, size_t bytes)
{
    uint64_t offset;
    if (offset_of(address, &offset)) set_writers(offset, bytes, LIBRARY_TAG);
}

/* The end of the words from `word` on that a kernel has written last, or that none has. */
static uint64_t end_of_alike(uint64_t word, uint64_t end, bool *by_kernel)
{
    struct stretch stretch;
    bool first = true;
    EACH_STRETCH (stretch, word, end)
        for (uint64_t i = 0; i < (stretch.together ? 1 : stretch.count); i++) {
            bool now = stretch.tags[i].writer != 0;
            if (first) *by_kernel = now;
            if (now != *by_kernel) return stretch.word + i;
            first = false;
        }
    return end;
}

void origin_copied(const void *to, const void *from, size_t bytes)
{
    uint64_t target, source;
    if (!offset_of(to, &target)) return;
    if (!offset_of(from, &source)) {
        set_writers(target, bytes, 0);
        return;
    }
    for (uint64_t done = 0; done < bytes;) {
        bool by_kernel = false;
        uint64_t alike =
            end_of_alike((source + done) / 4, (source + bytes - 1) / 4 + 1, &by_kernel);
        uint64_t next = 4 * alike < source + bytes ? 4 * alike - source : bytes;
        set_writers(target + done, next - done, by_kernel ? LIBRARY_TAG : 0);
        done = next;
    }
}

/* Adds words that the tag's launch wrote. */
static void add_origin(struct origins *origins, uint32_t tag, uint64_t words)
{
    struct tag_range range;
    uint64_t launch = tag == LIBRARY_TAG ? 0 : order_launch_of(tag, &range);
    size_t i = 0;
    while (i < origins->count && origins->list[i].launch != launch)
        i++;
    if (i == ORIGINS_MAX) return;
    if (i == origins->count) origins->list[origins->count++] = (struct origin){launch, 0};
    origins->list[i].bytes += 4 * words;
}

int64_t origin_of(const void *address, size_t bytes, struct origins *origins)
{
    uint64_t offset, written = 0;
    if (!offset_of(address, &offset) || order_forgotten() || bytes == 0) return -1;
    uint64_t word = offset / 4, end = (offset + bytes - 1) / 4 + 1;
    struct stretch stretch;
    EACH_STRETCH (stretch, word, end) {
        uint64_t count = stretch.together ? 1 : stretch.count;
        for (uint64_t i = 0, next; i < count; i = next) {
            uint32_t writer = stretch.tags[i].writer;
            next = i + 1;
            while (next < count && stretch.tags[next].writer == writer)
                next++;
            uint64_t words = stretch.together ? stretch.count : next - i;
            if (writer == 0) continue;
            written += words;
            if (origins != NULL) add_origin(origins, writer, words);
        }
    }
    return written == end - word ? (int64_t)bytes : 4 * (int64_t)written;
}
