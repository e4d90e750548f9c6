/* stream_order.c: see stream_order.h. */
#include "sim/streams/stream_order.h"

#include "sim/gpu/memory.h"
#include "sim/gpu/shadow.h"
#include "sim/image/source_line.h"
#include "sim/requests/fault.h"
#include "sim/requests/race.h"
#include <stdio.h>

enum { WORK_MAX = 8 * sizeof(order_set), BLOCK = 256 /* words that are looked at together */ };

/* So many bytes of tags are searched in all for what kernels have touched: about half a second. A
 * clash of a program that takes more shows among its first kernels, or at a smaller size. */
static const uint64_t SEARCHED_MAX = UINT64_C(4) << 30;

static struct {
    struct piece {
        struct order_work work;
        uint64_t number;  /* in the order of the calls */
        uint32_t end_tag; /* the next kernel's tags begin here; UINT32_MAX: there is none */
    } pieces[WORK_MAX];
    order_set present, unread; /* unread: kernels whose bytes are still to be read off the tags */
    struct piece *latest;      /* the kernel that ran last; its tags begin so */
    uint32_t latest_tag;
    uint64_t added, searched; /* pieces; bytes */
} flight;

static order_set bit(const struct piece *piece)
{
    return (order_set)1 << (piece - flight.pieces);
}

/* The piece that comes first in a set, which loses it. */
static struct piece *take_piece(order_set *set)
{
    struct piece *piece = &flight.pieces[__builtin_ctzll(*set)];
    *set &= *set - 1;
    return piece;
}

void order_touch(struct order_work *work, enum order_use use, const void *address, size_t bytes)
{
    if (!memory_owns(address)) return;
    uint64_t offset = (uint64_t)((const char *)address - shadow.base);
    ranges_add(&work->uses[use], offset, offset + bytes);
}

static void forget_uses(struct order_work *work)
{
    for (int use = 0; use < ORDER_USES; use++)
        ranges_empty(&work->uses[use]);
}

bool order_has_company(order_set before)
{
    return (flight.present & ~before) != 0;
}

void order_land(order_set ended)
{
    order_set landed = flight.present & ended;
    flight.present &= ~ended;
    flight.unread &= ~ended;
    while (landed != 0)
        forget_uses(&take_piece(&landed)->work);
}

order_set order_next(void)
{
    if (~flight.present != 0) return ~flight.present & -~flight.present;
    struct piece *oldest = &flight.pieces[0];
    for (int i = 1; i < WORK_MAX; i++)
        if (flight.pieces[i].number < oldest->number) oldest = &flight.pieces[i];
    order_land(bit(oldest));
    return bit(oldest);
}

/* ---- what kernels have touched -------------------------------------------------------------- */

/* Which of the kernels has left this tag; NULL for none. */
static struct piece *owner(order_set kernels, uint32_t tag)
{
    while (kernels != 0) {
        struct piece *piece = take_piece(&kernels);
        if (tag >= piece->work.first_tag && tag < piece->end_tag) return piece;
    }
    return NULL;
}

static bool block_has(const uint32_t *tags, size_t count, uint32_t lowest)
{
    uint32_t highest = 0;
    for (size_t i = 0; i < count; i++)
        highest = tags[i] > highest ? tags[i] : highest;
    return highest >= lowest;
}

/* Gives each kernel the words of a block that bear its tags. */
static void read_block(order_set kernels, const uint32_t *tags, size_t count, bool written)
{
    const uint32_t *all = written ? shadow.writer : shadow.reader;
    for (size_t i = 0; i < count;) {
        struct piece *piece = owner(kernels, tags[i]);
        size_t first = i++;
        if (piece == NULL) continue;
        bool atomic = written && race_by_atomic(tags[first]);
        while (i < count && tags[i] >= piece->work.first_tag && tags[i] < piece->end_tag &&
               (written && race_by_atomic(tags[i])) == atomic)
            i++;
        enum order_use use = !written ? ORDER_READ : atomic ? ORDER_ATOMIC : ORDER_WRITE;
        uint64_t from = 4 * (uint64_t)(tags + first - all);
        ranges_add(&piece->work.uses[use], from, from + 4 * (i - first));
    }
}

static void read_allocation(order_set kernels, const struct allocation *one, uint32_t lowest)
{
    size_t start = (size_t)(one->base - shadow.base) / 4, words = (one->bytes + 3) / 4;
    for (size_t i = 0; i < words; i += BLOCK) {
        size_t count = words - i < BLOCK ? words - i : BLOCK;
        const uint32_t *writer = &shadow.writer[start + i], *reader = &shadow.reader[start + i];
        if (block_has(writer, count, lowest)) read_block(kernels, writer, count, true);
        if (block_has(reader, count, lowest)) read_block(kernels, reader, count, false);
    }
}

/* Of a kernel that writes pinned memory nothing is said. */
static bool is_watched(const struct order_work *work)
{
    for (const struct allocation *one = memory_next(NULL); one != NULL; one = memory_next(one)) {
        uint64_t from = (uint64_t)(one->base - shadow.base);
        struct range range = {from, from + one->bytes}, both;
        struct ranges pinned = {.list = &range, .count = 1};
        if (one->space == SPACE_PINNED && !one->freed &&
            (ranges_overlap(&work->uses[ORDER_WRITE], &pinned, &both) ||
             ranges_overlap(&work->uses[ORDER_ATOMIC], &pinned, &both)))
            return true;
    }
    return false;
}

/* May all tags be searched once more? */
static bool may_search(void)
{
    uint64_t bytes = 0;
    for (const struct allocation *one = memory_next(NULL); one != NULL; one = memory_next(one))
        bytes += one->freed ? 0 : 2 * one->bytes;
    if (bytes > SEARCHED_MAX - flight.searched) return false;
    flight.searched += bytes;
    return true;
}

/* Reads off the tags what these kernels have touched. Where a later kernel that waits for them has
 * touched the same words, it stands for them. */
static void read_tags(order_set kernels)
{
    uint32_t lowest = UINT32_MAX;
    flight.unread &= ~kernels;
    if (kernels == 0 || !may_search()) return;
    for (order_set left = kernels; left != 0;) {
        const struct piece *piece = take_piece(&left);
        if (piece->work.first_tag < lowest) lowest = piece->work.first_tag;
    }
    for (const struct allocation *one = memory_next(NULL); one != NULL; one = memory_next(one))
        if (!one->freed) read_allocation(kernels, one, lowest);
    while (kernels != 0) {
        struct order_work *work = &take_piece(&kernels)->work;
        for (int use = 0; use < ORDER_USES; use++)
            ranges_tidy(&work->uses[use]);
        if (is_watched(work)) forget_uses(work);
    }
}

void order_prepare(order_set before)
{
    read_tags(flight.unread & ~before);
}

/* A kernel has run: the tags of the one before end where its own begin. When they were numbered
 * anew, those of all others are gone. */
static void begin_tags(struct piece *piece)
{
    if (flight.latest_tag >= piece->work.first_tag)
        flight.unread = 0;
    else if (flight.latest != NULL)
        flight.latest->end_tag = piece->work.first_tag;
    piece->end_tag = UINT32_MAX;
    flight.latest = piece;
    flight.latest_tag = piece->work.first_tag;
    flight.unread |= bit(piece);
}

/* ---- what clashes --------------------------------------------------------------------------- */

static bool is_kernel(const struct order_work *work)
{
    return work->kind == ORDER_KERNEL || work->kind == ORDER_LIBRARY;
}

/* How two pieces of work use the same bytes. */
struct clash {
    enum order_use use; /* of the later one */
    struct range range;
};

static bool find_clash(const struct order_work *earlier, const struct order_work *later,
                       struct clash *clash)
{
    for (int second = 0; second < ORDER_USES; second++)
        for (int first = 0; first < ORDER_USES; first++) {
            bool harmless = first == second &&
                            (first != ORDER_WRITE || (is_kernel(earlier) && is_kernel(later)));
            clash->use = (enum order_use)second;
            if (!harmless &&
                ranges_overlap(&earlier->uses[first], &later->uses[second], &clash->range))
                return true;
        }
    return false;
}

static const char *const nouns[] = {[ORDER_KERNEL] = "the kernel",
                                    [ORDER_LIBRARY] = "the library's kernel",
                                    [ORDER_COPY] = "the copy",
                                    [ORDER_FILL] = "the fill"};

/* "the kernel of line 12" */
static const char *describe(const struct order_work *work, char *text, size_t room)
{
    struct source_place place = {work->file, work->line};
    if (place.file != NULL || source_line_of(work->pc, &place))
        snprintf(text, room, "%s of line %d", nouns[work->kind], place.line);
    else
        snprintf(text, room, "%s before", nouns[work->kind]);
    return text;
}

/* A copy has a name of its own where it comes before a kernel is done. */
static void tell(const struct order_work *earlier, const struct order_work *later,
                 const struct clash *clash)
{
    bool reads = clash->use == ORDER_READ;
    bool early = later->kind == ORDER_COPY && is_kernel(earlier);
    struct fault fault = {.name = early ? "copy-too-early" : "streams-not-ordered",
                          .pc = later->pc,
                          .file = later->file,
                          .line = later->line,
                          .address = shadow.base + clash->range.from,
                          .bytes = clash->range.to - clash->range.from,
                          .kind = later->kind == ORDER_COPY ? "copy"
                                  : reads                   ? "load"
                                                            : "store"};
    char other[60];
    describe(earlier, other, sizeof other);
    if (early)
        snprintf(fault.detail, sizeof fault.detail,
                 "the copy %s %s%s: it is in another stream, and waits for nothing",
                 reads ? "begins before" : "changes memory that", other,
                 reads ? " has ended, which writes this memory" : " still uses");
    else
        snprintf(fault.detail, sizeof fault.detail,
                 "%s %s memory that %s %s: they are in different streams, and nothing says which "
                 "comes first",
                 nouns[later->kind], reads ? "reads" : "changes", other, reads ? "writes" : "uses");
    fault_note(&fault);
}

order_set order_add(const struct order_work *work, order_set own, order_set before)
{
    order_prepare(before);
    struct piece *piece = &flight.pieces[__builtin_ctzll(own)];
    piece->work = *work;
    piece->number = flight.added++;
    flight.present |= own;
    if (work->kind == ORDER_KERNEL) begin_tags(piece);
    for (int use = 0; use < ORDER_USES; use++)
        ranges_tidy(&piece->work.uses[use]);

    order_set beside = flight.present & ~before & ~own;
    const struct piece *latest = NULL;
    struct clash clash, last;
    if (beside != 0) read_tags(flight.unread & own);
    while (beside != 0) {
        const struct piece *other = take_piece(&beside);
        if (!find_clash(&other->work, &piece->work, &clash)) continue;
        before |= bit(other);
        if (work->repeats && clash.use == ORDER_WRITE) continue;
        if (latest != NULL && other->number < latest->number) continue;
        latest = other;
        last = clash;
    }
    if (latest != NULL) tell(&latest->work, &piece->work, &last);
    return before | own;
}
