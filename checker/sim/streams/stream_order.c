/* stream_order.c: see stream_order.h. */
#include "sim/streams/stream_order.h"

#include "sim/gpu/memory.h"
#include "sim/gpu/shadow.h"
#include "sim/image/source_line.h"
#include "sim/requests/fault.h"
#include "sim/requests/race.h"
#include <stdio.h>

enum { WORK_MAX = 8 * sizeof(order_set), BLOCK = 256 /* words that are examined together */ };

/* The number of bytes of tags that are searched per program for accesses of kernels, about half a
 * second. In a longer program a conflict shows among the first kernels, or at a smaller size. */
static const uint64_t SEARCHED_MAX = UINT64_C(4) << 30;

static struct {
    struct piece {
        struct order_work work;
        uint64_t number;  /* in the order of the calls */
        uint32_t end_tag; /* the next kernel's tags begin here; UINT32_MAX: there is none */
    } pieces[WORK_MAX];
    order_set present, unread; /* unread: kernels whose bytes are not yet read from the tags */
    struct piece *latest;      /* the kernel that ran last, and its first tag */
    uint32_t latest_tag;
    uint64_t added, searched; /* pieces; bytes */
} order;

static order_set bit(const struct piece *piece)
{
    return (order_set)1 << (piece - order.pieces);
}

/* Removes the first piece from a set, and returns it. */
static struct piece *take_piece(order_set *set)
{
    struct piece *piece = &order.pieces[__builtin_ctzll(*set)];
    *set &= *set - 1;
    return piece;
}

void order_touch(struct order_work *work, enum order_use use, const void *address, size_t bytes)
{
    if (!memory_owns(address)) return;
    uint64_t offset = shadow_offset(address);
    ranges_add(&work->uses[use], offset, offset + bytes);
}

static void forget_uses(struct order_work *work)
{
    for (int use = 0; use < ORDER_USES; use++)
        ranges_empty(&work->uses[use]);
}

bool order_has_company(order_set before)
{
    return (order.present & ~before) != 0;
}

uint64_t order_running(order_set before)
{
    uint64_t first = 0;
    for (order_set others = order.present & ~before; others != 0;) {
        uint64_t launch = take_piece(&others)->work.launch;
        if (launch != 0 && (first == 0 || launch < first)) first = launch;
    }
    return first;
}

void order_land(order_set ended)
{
    order_set ended_here = order.present & ended;
    order.present &= ~ended;
    order.unread &= ~ended;
    while (ended_here != 0)
        forget_uses(&take_piece(&ended_here)->work);
}

order_set order_next(void)
{
    if (~order.present != 0) return ~order.present & -~order.present;
    struct piece *oldest = &order.pieces[0];
    for (int i = 1; i < WORK_MAX; i++)
        if (order.pieces[i].number < oldest->number) oldest = &order.pieces[i];
    order_land(bit(oldest));
    return bit(oldest);
}

/* ---- what kernels have touched -------------------------------------------------------------- */

/* The kernel that has set this tag; NULL for none. */
static struct piece *owner(order_set kernels, uint32_t tag)
{
    while (kernels != 0) {
        struct piece *piece = take_piece(&kernels);
        if (tag >= piece->work.first_tag && tag < piece->end_tag) return piece;
    }
    return NULL;
}

/* Adds to each kernel the words of a block, which begins at `word`, that have its tags. */
static void read_block(order_set kernels, const uint32_t *tags, uint64_t word, size_t count,
                       bool written)
{
    for (size_t i = 0; i < count;) {
        struct piece *piece = owner(kernels, tags[i]);
        size_t first = i++;
        if (piece == NULL) continue;
        bool atomic = written && race_by_atomic(tags[first]);
        while (i < count && tags[i] >= piece->work.first_tag && tags[i] < piece->end_tag &&
               (written && race_by_atomic(tags[i])) == atomic)
            i++;
        enum order_use use = !written ? ORDER_READ : atomic ? ORDER_ATOMIC : ORDER_WRITE;
        uint64_t from = 4 * (word + first);
        ranges_add(&piece->work.uses[use], from, from + 4 * (i - first));
    }
}

static void read_allocation(order_set kernels, const struct allocation *one, uint32_t lowest)
{
    size_t start = shadow_offset(one->base) / 4, words = (one->bytes + 3) / 4;
    for (size_t i = 0; i < words; i += BLOCK) {
        size_t count = words - i < BLOCK ? words - i : BLOCK;
        const uint32_t *writer = &shadow.writer[start + i];
        if (!race_all_below(writer, count, lowest))
            read_block(kernels, writer, start + i, count, true);
        if (!race_is_read_since(lowest, start + i, count)) continue;
        uint32_t reader[BLOCK];
        for (size_t word = 0; word < count; word++)
            reader[word] = race_reader(start + i + word);
        read_block(kernels, reader, start + i, count, false);
    }
}

/* Nothing is reported about a kernel that writes pinned memory. */
static bool writes_pinned(const struct order_work *work)
{
    EACH_ALLOCATION (one) {
        uint64_t from = shadow_offset(one->base);
        struct range range = {from, from + one->bytes}, both;
        struct ranges pinned = {.list = &range, .count = 1};
        if (one->space == SPACE_PINNED &&
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
    EACH_ALLOCATION (one)
        bytes += 2 * one->bytes;
    if (bytes > SEARCHED_MAX - order.searched) return false;
    order.searched += bytes;
    return true;
}

/* Reads from the tags what these kernels have accessed. If a later kernel that waits for them has
 * accessed the same words, that kernel stands for them. */
static void read_tags(order_set kernels)
{
    uint32_t lowest = UINT32_MAX;
    order.unread &= ~kernels;
    if (kernels == 0 || !may_search()) return;
    for (order_set left = kernels; left != 0;) {
        const struct piece *piece = take_piece(&left);
        if (piece->work.first_tag < lowest) lowest = piece->work.first_tag;
    }
    EACH_ALLOCATION (one)
        read_allocation(kernels, one, lowest);
    while (kernels != 0) {
        struct order_work *work = &take_piece(&kernels)->work;
        for (int use = 0; use < ORDER_USES; use++)
            ranges_tidy(&work->uses[use]);
        if (writes_pinned(work)) forget_uses(work);
    }
}

void order_prepare(order_set before)
{
    read_tags(order.unread & ~before);
}

/* A kernel has run. The tags of the one before end where its own begin. If the numbers began again,
 * all other tags are lost. */
static void begin_tags(struct piece *piece)
{
    if (order.latest_tag >= piece->work.first_tag)
        order.unread = 0;
    else if (order.latest != NULL)
        order.latest->end_tag = piece->work.first_tag;
    piece->end_tag = UINT32_MAX;
    order.latest = piece;
    order.latest_tag = piece->work.first_tag;
    order.unread |= bit(piece);
}

/* ---- what conflicts ---------------------------------------------------------------------------
 */

static bool is_kernel(const struct order_work *work)
{
    return work->kind == ORDER_KERNEL || work->kind == ORDER_LIBRARY;
}

/* How two pieces of work use the same bytes. */
struct conflict {
    enum order_use use; /* of the later one */
    struct range range;
};

static bool find_conflict(const struct order_work *earlier, const struct order_work *later,
                          struct conflict *conflict)
{
    for (int second = 0; second < ORDER_USES; second++)
        for (int first = 0; first < ORDER_USES; first++) {
            bool harmless = first == second &&
                            (first != ORDER_WRITE || (is_kernel(earlier) && is_kernel(later)));
            conflict->use = (enum order_use)second;
            if (!harmless &&
                ranges_overlap(&earlier->uses[first], &later->uses[second], &conflict->range))
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

/* A copy that does not wait for a kernel has its own fault name. */
static void report(const struct order_work *earlier, const struct order_work *later,
                   const struct conflict *conflict)
{
    bool reads = conflict->use == ORDER_READ;
    bool early = later->kind == ORDER_COPY && is_kernel(earlier);
    struct fault fault = {.name = early ? "copy-too-early" : "streams-not-ordered",
                          .pc = later->pc,
                          .file = later->file,
                          .line = later->line,
                          .address = shadow.base + conflict->range.from,
                          .bytes = conflict->range.to - conflict->range.from,
                          .kind = later->kind == ORDER_COPY ? "copy"
                                  : reads                   ? "load"
                                                            : "store"};
    char other[60];
    describe(earlier, other, sizeof other);
    if (early)
        snprintf(fault.detail, sizeof fault.detail,
                 "the copy %s %s%s: it is in another stream, and does not wait",
                 reads ? "reads memory before" : "changes memory that", other,
                 reads ? ", which writes it, has ended" : " still uses");
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
    struct piece *piece = &order.pieces[__builtin_ctzll(own)];
    piece->work = *work;
    piece->number = order.added++;
    order.present |= own;
    if (work->kind == ORDER_KERNEL) begin_tags(piece);
    for (int use = 0; use < ORDER_USES; use++)
        ranges_tidy(&piece->work.uses[use]);

    order_set beside = order.present & ~before & ~own;
    const struct piece *latest = NULL;
    struct conflict conflict, last;
    if (beside != 0) read_tags(order.unread & own);
    while (beside != 0) {
        const struct piece *other = take_piece(&beside);
        if (!find_conflict(&other->work, &piece->work, &conflict)) continue;
        before |= bit(other);
        if (work->repeats && conflict.use == ORDER_WRITE) continue;
        if (latest != NULL && other->number < latest->number) continue;
        latest = other;
        last = conflict;
    }
    if (latest != NULL) report(&latest->work, &piece->work, &last);
    return before | own;
}
