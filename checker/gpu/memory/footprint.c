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

/* ---- the tags of a word --------------------------------------------------------------------- */

static struct tags latest_of_bytes(const struct tags *bytes)
{
    struct tags latest = bytes[0];
    for (int i = 1; i < 4; i++) {
        if (bytes[i].writer > latest.writer) latest.writer = bytes[i].writer;
        if (bytes[i].reader > latest.reader) latest.reader = bytes[i].reader;
    }
    return latest;
}

static struct tags tags_of(uint64_t word)
{
    const struct tags *row = &shadow.rows[word / ROW_WORDS];
    uint32_t index = (uint32_t)(word % ROW_WORDS);
    if (row->writer == ROW_NARROW) return latest_of_bytes(&shadow.narrow[word / 64][word % 64 * 4]);
    if (row->writer == ROW_SPREAD) return shadow.words[word];
    return (struct tags){tag_of_word(row->writer, index), tag_of_word(row->reader, index)};
}

static bool is_compact(uint64_t word)
{
    return shadow.rows[word / ROW_WORDS].writer < ROW_BUSY;
}

static void set_writer(uint64_t word, uint32_t tag)
{
    struct tags *row = &shadow.rows[word / ROW_WORDS];
    if (row->writer == tag) return;
    if (is_compact(word)) race_spread(word);
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
        bool whole = word % ROW_WORDS == 0 && end - word >= ROW_WORDS && is_compact(word);
        if (whole)
            shadow.rows[word / ROW_WORDS].writer = tag;
        else
            set_writer(word, tag);
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
struct stretch {
    footprint_visit *visit;
    void *data;
    uint64_t launch, from, to;
    enum use use;
};

static void end_run(struct stretch *run)
{
    if (run->to > run->from)
        run->visit(run->data, run->launch, run->use, run->from, run->to - run->from);
    run->from = run->to = 0;
}

static void extend(struct stretch *run, uint32_t tag, uint32_t first, enum use use, uint64_t from,
                   uint64_t to)
{
    uint64_t launch = tag >= first ? order_launch_of(tag) : 0;
    if (run->to != from || run->launch != launch || run->use != use) end_run(run);
    if (launch == 0) return;
    if (run->to != from) run->from = from;
    run->to = to;
    run->launch = launch;
    run->use = use;
}

void footprint_read(const struct allocation *one, uint64_t first_launch, footprint_visit *visit,
                    void *data)
{
    uint32_t first = order_first_tag(first_launch);
    uint64_t offset = shadow_offset(one->base), end = offset + one->bytes;
    struct stretch written = {.visit = visit, .data = data}, read = {.visit = visit, .data = data};
    if (first == UINT32_MAX) return;
    while (offset < end) {
        uint64_t word = offset / 4, row_end = (word / ROW_WORDS + 1) * ROW_WORDS;
        const struct tags *row = &shadow.rows[word / ROW_WORDS];
        if (row->writer < first && row->reader < first) { /* most rows, as a rule */
            offset = row_end * 4;
            continue;
        }
        uint64_t next = (is_compact(word) ? row_end : word + 1) * 4;
        struct tags tags = tags_of(word);
        if (next > end) next = end;
        extend(&written, tags.writer, first, use_of_writer(tags.writer), shadow.base + offset,
               shadow.base + next);
        extend(&read, tags.reader, first, USE_READ, shadow.base + offset, shadow.base + next);
        offset = next;
    }
    end_run(&written);
    end_run(&read);
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

void origin_copied(const void *to, const void *from, size_t bytes)
{
    uint64_t target, source;
    if (!offset_of(to, &target)) return;
    if (!offset_of(from, &source)) {
        set_writers(target, bytes, 0);
        return;
    }
    for (uint64_t done = 0; done < bytes;) {
        uint64_t word = (source + done) / 4;
        uint64_t here =
            is_compact(word) ? ROW_BYTES - (source + done) % ROW_BYTES : 4 - (source + done) % 4;
        if (here > bytes - done) here = bytes - done;
        set_writers(target + done, here, tags_of(word).writer != 0 ? LIBRARY_TAG : 0);
        done += here;
    }
}

int64_t origin_kernel_bytes(const void *address, size_t bytes)
{
    uint64_t offset;
    if (!offset_of(address, &offset) || order_forgotten() || bytes == 0) return -1;
    uint64_t word = offset / 4, end = (offset + bytes - 1) / 4 + 1, count = end - word, written = 0;
    while (word < end) {
        uint64_t next = is_compact(word) ? word / ROW_WORDS * ROW_WORDS + ROW_WORDS : word + 1;
        if (next > end) next = end;
        if (tags_of(word).writer != 0) written += next - word;
        word = next;
    }
    return written == count ? (int64_t)bytes : 4 * (int64_t)written;
}

uint64_t origin_launch(const void *address, size_t bytes)
{
    uint64_t offset;
    uint32_t last = 0;
    if (!offset_of(address, &offset) || order_forgotten() || bytes == 0) return 0;
    for (uint64_t word = offset / 4, end = (offset + bytes - 1) / 4 + 1; word < end;) {
        uint32_t writer = tags_of(word).writer;
        if (writer == LIBRARY_TAG) return 0;
        if (writer > last) last = writer;
        word = is_compact(word) ? word / ROW_WORDS * ROW_WORDS + ROW_WORDS : word + 1;
    }
    return last == 0 ? 0 : order_launch_of(last);
}
