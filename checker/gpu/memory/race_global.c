/*
 * race_global.c: the tags of global memory (race.h). Mostly a warp accesses whole rows of 32 words
 * side by side: then one tag stands for the row. Any other access spreads the row: each of its
 * words gets a tag of its own. If pieces of less than 4 bytes are accessed, each byte of the
 * granule gets one.
 */
#include "gpu/memory/race.h"
#include "gpu/memory/obtain.h"

#include "gpu/memory/conflict.h"
#include "gpu/memory/snapshot.h"

#include <pthread.h>
#include <string.h>

/* ---- rows ----------------------------------------------------------------------------------- */

static enum row_form first_form(uint32_t bytes)
{
    return bytes == 4 ? ROW_4 : bytes == 8 ? ROW_8 : ROW_16;
}

/* The row has been written before, or only by the same lanes. */
static inline bool is_quiet(const struct watched_block *block, uint32_t tag, uint32_t mine)
{
    return tag < tag_first || tag == mine || (tag < ROW_BUSY && order_is_settled(block, tag));
}

/* The lanes load a row. False if its words have to be looked at one by one. */
static inline bool load_row(struct access *access, struct tags *row, uint32_t mine)
{
    const struct watched_block *block = access->warp->block;
    uint32_t reader = row->reader;
    if (!is_quiet(block, row->writer, mine)) return false;
    if (reader == mine) return true;
    if (reader >= tag_first && reader != (tag_first | FORM_BLOCKS) &&
        !order_is_settled(block, reader))
        mine = race_join(access, reader, mine, true, 0);
    else if (reader == (tag_first | FORM_BLOCKS))
        return true;
    if (mine != reader) row->reader = mine;
    return true;
}

static inline bool store_row(struct access *access, struct tags *row, uint32_t mine)
{
    const struct watched_block *block = access->warp->block;
    if (!is_quiet(block, row->writer, mine) || !is_quiet(block, row->reader, mine)) return false;
    row->writer = mine;
    return true;
}

/* True if a row is quiet whose words have tags of their own: each word was written before the
 * launch, and several blocks have read it since. Then no load changes a tag. The row's reader says
 * so. */
static inline bool row_is_quiet(uint64_t offset)
{
    const struct tags *row = &shadow.rows[offset / ROW_BYTES];
    return row->writer == ROW_SPREAD && row->reader == (tag_first | FORM_BLOCKS);
}

static inline void disturb(uint64_t offset)
{
    struct tags *row = &shadow.rows[offset / ROW_BYTES];
    if (row->reader != 0) row->reader = 0;
}

/* A load has changed no tag of this row. */
static void note_quiet(uint64_t offset)
{
    struct tags *row = &shadow.rows[offset / ROW_BYTES];
    const struct tags *words = &shadow.words[offset / ROW_BYTES * ROW_WORDS];
    uint32_t quiet = tag_first, blocks = tag_first | FORM_BLOCKS, odd = 0;
    for (uint32_t i = 0; i < ROW_WORDS; i++)
        odd |= (uint32_t)(words[i].writer >= quiet) | (words[i].reader ^ blocks);
    if (odd == 0 && row->writer == ROW_SPREAD) row->reader = blocks;
}

/* Which words the worker uses, and which pages it may change. */
static inline void note_use(struct watcher *watcher, uint64_t offset, uint32_t bytes,
                            const struct access *access)
{
    if (!watching.parallel) return;
    if (access->reads) conflict_note(watcher, offset, bytes, CONFLICT_READ);
    if (!access->writes) return;
    conflict_note(watcher, offset, bytes,
                  access->form == FORM_ATOMIC && !access->scoped ? CONFLICT_ATOMIC
                                                                 : CONFLICT_WRITE);
    snapshot_before_store(offset, bytes);
}

static inline void note_store_location(struct watched_warp *warp, const struct request *request)
{
    uint32_t *location = &warp->segment->store_location, here = request->instruction->location;
    if (request->kind != ACCESS_STORE || *location == here) return;
    if (request->is_volatile && *location != 0) return; /* a flag: the data before it matter */
    *location = *location == 0 ? here : UINT32_MAX;
}

static bool words_in_row(struct access *access, uint64_t first, uint32_t bytes);

bool race_row(struct watched_warp *warp, const struct request *request, uint64_t first)
{
    struct looked looked;
    looked.request = request;
    looked.shared = false;
    struct access access = {.warp = warp,
                            .looked = &looked,
                            .own = order_own(warp),
                            .form = FORM_PLAIN,
                            .reads = request->kind == ACCESS_LOAD,
                            .writes = request->kind == ACCESS_STORE};
    uint32_t form = access.own | first_form(request->bytes), rows = request->bytes / 4;
    struct tags *row = &shadow.rows[first / ROW_BYTES];
    if (access.reads && row_is_quiet(first) && row_is_quiet(first + LANES * request->bytes - 1) &&
        rows == 1) {
        /* no tag changes */
    } else if (request->bytes > 16 || first % ROW_BYTES != 0) {
        if (!words_in_row(&access, first, request->bytes)) return false;
    } else {
        for (uint32_t i = 0; i < rows; i++)
            if (access.writes ? !store_row(&access, &row[i], form + i)
                              : !load_row(&access, &row[i], form + i)) {
                if (i > 0 || !words_in_row(&access, first, request->bytes)) return false;
                break;
            }
    }
    note_store_location(warp, request);
    note_use(warp->block->watcher, first, LANES * request->bytes, &access);
    return true;
}

/* ---- plain loads ---------------------------------------------------------------------------- */

/* The tag of a word after a plain load, if it is one of the usual ones; 0: race_join()
 * knows. */
static inline uint32_t join_plain(const struct access *access, uint32_t reader, uint32_t mine)
{
    const struct watched_warp *warp = access->warp;
    const struct watched_block *block = warp->block;
    uint32_t form = tag_form(reader), blocks = tag_first | FORM_BLOCKS;
    if (reader < tag_first || reader == mine) return mine;
    if (reader == blocks) return blocks;
    if (tag_base(reader) == access->own)
        return form < FORM_VOLATILE || form == FORM_SEVERAL ? access->own | FORM_SEVERAL : 0;
    if (!order_is_plain || block->learned || block->clock != NULL || !order_is_numbered(reader))
        return 0;
    const struct segment *entry = &segments[tag_number(reader)];
    bool own_block = entry->block == block->index;
    if (form == FORM_WARPS) return own_block && reader >= block->floor ? reader : 0;
    if (form >= FORM_VOLATILE && form != FORM_SEVERAL) return 0;
    if (!own_block) return blocks;
    if (reader < block->floor) return mine;
    return entry->warp != warp->index ? access->own | FORM_WARPS : 0;
}

/* A plain load of one word by one lane. False: nothing is changed, and it has to be looked at. */
static inline bool load_is_quick(const struct access *access, struct tags *tags)
{
    uint32_t mine = race_mine(access), writer = tags->writer, reader = tags->reader;
    if (writer >= tag_first && writer != mine && !order_is_settled(access->warp->block, writer))
        return false;
    uint32_t joined = join_plain(access, reader, mine);
    if (joined == 0) return false;
    if (joined != reader) tags->reader = joined;
    return true;
}

/* ---- words ---------------------------------------------------------------------------------- */

/* Gives each word of the row its own tags. */
static void __attribute__((noinline)) spread(struct tags *row)
{
    struct tags *words = &shadow.words[(uint64_t)(row - shadow.rows) * ROW_WORDS];
    for (;;) {
        uint32_t writer = __atomic_load_n(&row->writer, __ATOMIC_ACQUIRE);
        if (writer == ROW_SPREAD || writer == ROW_NARROW) return;
        if (writer == ROW_BUSY) continue; /* another worker does it */
        if (!__atomic_compare_exchange_n(&row->writer, &writer, ROW_BUSY, false, __ATOMIC_ACQUIRE,
                                         __ATOMIC_RELAXED))
            continue;
        for (uint32_t i = 0; i < ROW_WORDS; i++)
            words[i] = (struct tags){tag_of_word(writer, i), tag_of_word(row->reader, i)};
        row->reader = 0;
        __atomic_store_n(&row->writer, ROW_SPREAD, __ATOMIC_RELEASE);
        return;
    }
}

void race_spread(uint64_t word)
{
    spread(&shadow.rows[word / ROW_WORDS]);
}

static struct tags *words_of(uint64_t offset)
{
    struct tags *row = &shadow.rows[offset / ROW_BYTES];
    if (__builtin_expect(row->writer < ROW_NARROW, 0)) spread(row);
    return &shadow.words[offset / 4];
}

static bool is_narrow(uint64_t offset)
{
    return shadow.rows[offset / ROW_BYTES].writer == ROW_NARROW;
}

/* Gives each byte of the granule its own tags. */
static void __attribute__((noinline)) make_narrow(uint64_t offset)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    uint64_t granule = offset / GRANULE, start = granule * GRANULE;
    pthread_mutex_lock(&lock);
    if (!is_narrow(offset)) {
        if (shadow.narrow[granule] == NULL)
            shadow.narrow[granule] = obtain(GRANULE, sizeof(struct tags));
        for (uint64_t at = 0; at < GRANULE; at++)
            shadow.narrow[granule][at] = *words_of(start + at);
        for (uint64_t at = 0; at < GRANULE; at += ROW_BYTES)
            __atomic_store_n(&shadow.rows[(start + at) / ROW_BYTES].writer, ROW_NARROW,
                             __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&lock);
}

/* Accesses from before malloc() gave the memory out order nothing, and nothing races with them. */
void memory_renew(const void *address, size_t bytes)
{
    uint64_t from = shadow_offset(address) / 4 * 4;
    for (uint64_t at = from; at < from + bytes; at += 4) {
        *words_of(at) = (struct tags){0};
        disturb(at);
        if (is_narrow(at))
            memset(&shadow.narrow[at / GRANULE][at % GRANULE], 0, 4 * sizeof(struct tags));
    }
}

/* One lane's words, or bytes. */
static inline void look_at(struct access *access, uint64_t offset, uint32_t bytes)
{
    access->reported = false;
    if (bytes < 4 && !is_narrow(offset)) make_narrow(offset);
    struct tags *words = words_of(offset);
    bool narrow = is_narrow(offset);
    uint32_t step = narrow ? 1 : 4;
    struct tags *tags = narrow ? &shadow.narrow[offset / GRANULE][offset % GRANULE] : words;
    bool loads = access->form == FORM_PLAIN && !access->writes;
    if (!loads) disturb(offset);
    access->size = step;
    for (uint32_t done = 0; done < bytes; done += step, tags++) {
        if (loads ? load_is_quick(access, tags) : race_is_quick(access, tags, tag_first)) continue;
        access->done = done;
        race_check(access, tags, (uint32_t)((offset + done) / 4 % ROW_WORDS));
    }
}

/* Lanes load one place that nobody has written in this launch, or only their block before its last
 * barrier. Else false. */
static bool load_one_location(const struct access *access, uint64_t offset, uint32_t bytes)
{
    const struct watched_block *block = access->warp->block;
    uint32_t several = access->own | FORM_SEVERAL;
    struct tags *words = words_of(offset);
    if (is_narrow(offset)) return false;
    for (uint32_t i = 0; i < bytes / 4; i++)
        if (words[i].writer >= tag_first && !order_is_settled(block, words[i].writer)) return false;
    for (uint32_t i = 0; i < bytes / 4; i++) {
        uint32_t reader = words[i].reader, index = (uint32_t)(offset / 4 + i) % ROW_WORDS;
        if (reader < tag_first || (reader ^ access->own) <= FORM_SEVERAL)
            words[i].reader = several;
        else if (reader != (tag_first | FORM_BLOCKS))
            words[i].reader = race_join(access, reader, several, false, index);
    }
    return true;
}

/* A row's worth of words that lanes load; their writers are settled. The reader's tag is easily
 * known if nobody has read the word in this launch, several blocks have, or only lanes of the
 * running segment; then the loop has no branch. `lane`: of the first word. Returns whether all
 * words had been read by several blocks. */
static inline bool load_row_words(struct access *access, struct tags *words, uint32_t lane,
                                  uint32_t shift, uint64_t word)
{
    const uint32_t own = access->own, several = own | FORM_SEVERAL, quiet = tag_first,
                   blocks = quiet | FORM_BLOCKS, first = lane << shift;
    uint32_t reader[ROW_WORDS], next[ROW_WORDS], hard = 0, others = 0;
    for (uint32_t i = 0; i < ROW_WORDS; i++)
        reader[i] = words[i].reader;
    for (uint32_t i = 0; i < ROW_WORDS; i++) {
        uint32_t mine = own | (first + i) >> shift, old = reader[i];
        bool kept = (old == mine) | (old == several) | (old == blocks);
        uint32_t joined = (old ^ own) < FORM_VOLATILE ? several : 0;
        joined = old < quiet ? mine : joined;
        next[i] = kept ? old : joined;
        hard |= next[i] == 0;
        others |= old ^ blocks;
    }
    for (uint32_t i = 0; hard && i < ROW_WORDS; i++) {
        if (next[i] != 0) continue;
        uint32_t mine = own | (first + i) >> shift;
        access->lane = (first + i) >> shift;
        next[i] = join_plain(access, reader[i], mine);
        if (next[i] == 0)
            next[i] = race_join(access, reader[i], mine, false, (uint32_t)(word + i) % ROW_WORDS);
    }
    for (uint32_t i = 0; i < ROW_WORDS; i++)
        words[i] = (struct tags){words[i].writer, next[i]};
    return others == 0;
}

/* Do the words' tags allow the access? A load if every writer is from before the launch, or the
 * same lane; a store if every reader is, too. *unread: nobody has read them in this launch. */
static inline bool are_settled(const struct access *access, const struct tags *words,
                               uint32_t count, uint32_t shift, bool *unread)
{
    const uint32_t quiet = tag_first, own = access->own;
    uint32_t written = 0, read = 0, recent = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t mine = own | i >> shift, writer = words[i].writer, reader = words[i].reader;
        written |= (uint32_t)((writer >= quiet) & (writer != mine));
        recent |= (uint32_t)(reader >= quiet);
        read |= (uint32_t)((reader >= quiet) & (reader != mine));
    }
    *unread = recent == 0;
    return written == 0 && (access->reads || read == 0);
}

/* The tag of a row whose words have these tags as their writers or readers, of which every second
 * number is one; false: there is none. */
static inline bool tag_of_row(const uint32_t *tags, uint32_t *row)
{
    uint32_t first = tags[0], differs = 0, others = 0;
    for (uint32_t i = 0; i < ROW_WORDS; i++) {
        differs |= tags[2 * i] ^ first;
        others |= tags[2 * i] ^ (tag_base(first) | FORM_PLAIN | i);
    }
    *row = others == 0 ? tag_base(first) | ROW_4 : first;
    return others == 0 || (differs == 0 && tag_of_word(first, 1) == first);
}

/* 32 lanes access a whole row that was spread. If what its words still have to say fits into one
 * tag, the row is not spread any more: otherwise one access beside a row would slow down all
 * launches after it. */
static inline bool close_row(const struct access *access, const struct tags *words, uint64_t first)
{
    struct tags *row = &shadow.rows[first / ROW_BYTES];
    uint32_t mine = access->own | ROW_4, other;
    if (!tag_of_row(access->reads ? &words->writer : &words->reader, &other)) return false;
    row->reader = access->reads ? mine : other;
    __atomic_store_n(&row->writer, access->reads ? other : mine, __ATOMIC_RELEASE);
    return true;
}

/* 32 lanes side by side, whose rows are spread: if all of their words are quiet, sets their tags.
 */
static bool words_in_row(struct access *access, uint64_t first, uint32_t bytes)
{
    uint64_t end = first + LANES * bytes;
    const uint32_t count = LANES * bytes / 4,
                   shift = bytes == 4   ? 0
                           : bytes == 8 ? 1
                                        : 2,
                   own = access->own;
    bool unread, blocks = true;
    if (bytes > 16) return false;
    for (uint64_t at = first / ROW_BYTES * ROW_BYTES; at < end; at += ROW_BYTES)
        if (is_narrow(at) || words_of(at) == NULL || is_narrow(at)) return false;
    struct tags *words = &shadow.words[first / 4];
    if (!are_settled(access, words, count, shift, &unread)) return false;
    bool whole = bytes == 4 && first % ROW_BYTES == 0 && (access->writes || unread);
    if (whole && close_row(access, words, first)) return true;
    if (access->reads && unread) {
        for (uint32_t i = 0; i < count; i++)
            words[i] = (struct tags){words[i].writer, own | i >> shift};
    } else if (access->reads) {
        for (uint32_t i = 0; i < count; i += ROW_WORDS)
            blocks &= load_row_words(access, words + i, i >> shift, shift, first / 4 + i);
        if (blocks) note_quiet(first);
        if (blocks && first % ROW_BYTES != 0) note_quiet(first + 4 * count - 1);
    } else {
        for (uint64_t at = first; at < end; at += ROW_BYTES)
            disturb(at);
        disturb(end - 1);
        for (uint32_t i = 0; i < count; i++)
            words[i] = (struct tags){own | i >> shift, words[i].reader};
    }
    return true;
}

/* Lanes load words of 4 bytes that are side by side, plainly. False: nothing is changed. */
static bool load_words(struct access *access, const struct lane_run *run)
{
    uint64_t first = access->looked->offset[run->lane], last = first + 4 * run->length - 4;
    struct tags *words = words_of(first);
    if (is_narrow(first) || words_of(last) == NULL || is_narrow(last)) return false;
    access->size = 4;
    access->done = 0;
    for (uint32_t i = 0; i < run->length; i++, words++) {
        access->lane = run->lane + i;
        if (load_is_quick(access, words)) continue;
        access->reported = false;
        race_check(access, words, (uint32_t)(first / 4 + i) % ROW_WORDS);
    }
    return true;
}

static inline void look_at_run(struct access *access, const struct lane_run *run, bool loads)
{
    const uint64_t *offset = access->looked->offset;
    uint32_t bytes = access->looked->request->bytes;
    if (loads && run->same && run->length > 1 &&
        load_one_location(access, offset[run->lane], bytes))
        return;
    if (loads && !run->same && bytes == 4 && load_words(access, run)) return;
    for (uint32_t lane = run->lane; lane < (uint32_t)run->lane + run->length; lane++) {
        access->lane = lane;
        look_at(access, offset[lane], bytes);
    }
}

static inline void take_run(struct access *access, const struct lane_run *run)
{
    uint32_t bytes = access->looked->request->bytes;
    uint64_t first = access->looked->offset[run->lane],
             last = first + run_bytes(access->looked, run) - 1;
    bool loads = access->form == FORM_PLAIN && !access->writes && bytes >= 4;
    if (loads && last - first < ROW_BYTES && row_is_quiet(first) && row_is_quiet(last)) return;
    look_at_run(access, run, loads);
    bool row_ends = last % ROW_BYTES == ROW_BYTES - 1;
    if (!loads || !row_ends) return;
    uint32_t blocks = tag_first | FORM_BLOCKS;
    if (shadow.words[last / 4].reader == blocks && shadow.words[first / 4].reader == blocks &&
        shadow.words[last / 4 / ROW_WORDS * ROW_WORDS].reader == blocks)
        note_quiet(last);
}

/* Lanes load one word each, anywhere: mostly words that nobody has used in this launch. */
static inline void load_scattered(struct access *access)
{
    const struct looked *looked = access->looked;
    uint32_t quiet = tag_first, blocks = tag_first | FORM_BLOCKS;
    for (uint32_t i = 0; i < looked->run_count; i++) {
        uint32_t lane = looked->run[i].lane;
        uint64_t offset = looked->offset[lane];
        const struct tags *row = &shadow.rows[offset / ROW_BYTES];
        struct tags *tags = &shadow.words[offset / 4];
        bool settled = row->writer == ROW_SPREAD && tags->writer < quiet && tags->reader < quiet;
        if (settled)
            tags->reader = access->own | lane;
        else if (row->writer != ROW_SPREAD || row->reader != blocks)
            take_run(access, &looked->run[i]);
        note_use(access->warp->block->watcher, offset, 4, access);
    }
}

void race_lanes(struct watched_warp *warp, const struct looked *looked)
{
    race_begin(warp, looked);
    struct access access = race_access(warp, looked);
    note_store_location(warp, looked->request);
    bool scattered = looked->run_count == (uint32_t)__builtin_popcount(looked->mask);
    if (scattered && looked->request->bytes == 4 && access.form == FORM_PLAIN && !access.writes) {
        load_scattered(&access);
        return;
    }
    for (uint32_t i = 0; i < looked->run_count; i++) {
        take_run(&access, &looked->run[i]);
        note_use(warp->block->watcher, looked->offset[looked->run[i].lane],
                 run_bytes(looked, &looked->run[i]), &access);
    }
}
