/* order.c: see order.h. */
#include "gpu/runtime/order.h"

#include "gpu/memory/fault.h"
#include "gpu/memory/footprint.h"
#include "gpu/memory/memory.h"
#include "gpu/runtime/allocation.h"

#include <stdio.h>
#include <string.h>

enum { WORK_MAX = 8 * sizeof(order_set) };

/* The number of bytes that are searched per program for accesses of kernels, about half a second.
 * In a longer program a conflict shows among the first kernels, or at a smaller size. */
static const uint64_t SEARCHED_MAX = UINT64_C(4) << 30;

static struct {
    struct op {
        struct order_work work;
        uint64_t number; /* in the order of the calls */
    } ops[WORK_MAX];
    order_set present, unread; /* unread: kernels whose bytes are not yet read from memory */
    uint64_t added, searched;  /* ops; bytes */
} order;

static order_set bit(const struct op *op)
{
    return (order_set)1 << (op - order.ops);
}

/* Removes the first op from a set, and returns it. */
static struct op *take_op(order_set *set)
{
    struct op *op = &order.ops[__builtin_ctzll(*set)];
    *set &= *set - 1;
    return op;
}

void order_touch(struct order_work *work, enum order_use use, uint64_t address, size_t bytes)
{
    if (!memory_owns(here(address))) return;
    address = gpu_address(address);
    ranges_add(&work->uses[use], address, address + bytes);
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
        uint64_t launch = take_op(&others)->work.launch;
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
        forget_uses(&take_op(&ended_here)->work);
}

order_set order_next(void)
{
    if (~order.present != 0) return ~order.present & -~order.present;
    struct op *oldest = &order.ops[0];
    for (int i = 1; i < WORK_MAX; i++)
        if (order.ops[i].number < oldest->number) oldest = &order.ops[i];
    order_land(bit(oldest));
    return bit(oldest);
}

/* ---- what kernels have touched -------------------------------------------------------------- */

/* Adds a run of words to the kernels that have accessed it last; `data` is the set of kernels to
 * look at. */
static void add_run(void *data, uint64_t launch, enum use use, uint64_t address, uint64_t bytes)
{
    static const enum order_use uses[] = {
        [USE_READ] = ORDER_READ, [USE_WRITE] = ORDER_WRITE, [USE_ATOMIC] = ORDER_ATOMIC};
    for (order_set left = *(const order_set *)data; left != 0;) {
        struct op *op = take_op(&left);
        if (op->work.ran == launch) ranges_add(&op->work.uses[uses[use]], address, address + bytes);
    }
}

/* Nothing is reported about a kernel that writes pinned memory. */
static bool writes_pinned(const struct order_work *work)
{
    EACH_ALLOCATION (one) {
        uint64_t from = (uintptr_t)one->base;
        struct range range = {from, from + one->bytes}, both;
        struct ranges pinned = {.list = &range, .count = 1};
        if ((one->space == SPACE_PINNED || one->space == SPACE_REGISTERED) &&
            (ranges_overlap(&work->uses[ORDER_WRITE], &pinned, &both) ||
             ranges_overlap(&work->uses[ORDER_ATOMIC], &pinned, &both)))
            return true;
    }
    return false;
}

/* May all of memory be searched once more? */
static bool may_search(void)
{
    uint64_t bytes = 0;
    EACH_ALLOCATION (one)
        bytes += 2 * one->bytes;
    if (bytes > SEARCHED_MAX - order.searched) return false;
    order.searched += bytes;
    return true;
}

/* Reads from memory what these kernels have accessed. If a later kernel that waits for them has
 * accessed the same words, that kernel stands for them. */
static void read_footprints(order_set kernels)
{
    uint64_t first = UINT64_MAX;
    order.unread &= ~kernels;
    if (kernels == 0 || !may_search()) return;
    for (order_set left = kernels; left != 0;) {
        const struct op *op = take_op(&left);
        if (op->work.ran < first) first = op->work.ran;
    }
    EACH_ALLOCATION (one)
        footprint_read(one, first, add_run, &kernels);
    while (kernels != 0) {
        struct order_work *work = &take_op(&kernels)->work;
        for (int use = 0; use < ORDER_USES; use++)
            ranges_tidy(&work->uses[use]);
        if (writes_pinned(work)) forget_uses(work);
    }
}

void order_prepare(order_set before)
{
    read_footprints(order.unread & ~before);
}

/* ---- what conflicts ------------------------------------------------------------------------- */

static bool is_kernel(const struct order_work *work)
{
    return work->kind == ORDER_KERNEL || work->kind == ORDER_LIBRARY;
}

/* How two ops of work use the same bytes. */
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
                                    [ORDER_FILL] = "the fill",
                                    [ORDER_ALLOCATION] = "the allocation",
                                    [ORDER_FREE] = "the call that frees it"};

/* "the kernel of line 12" */
static const char *describe(const struct order_work *work, char *text, size_t room)
{
    if (work->location.file != NULL)
        snprintf(text, room, "%s of line %d", nouns[work->kind], work->location.line);
    else
        snprintf(text, room, "%s before", nouns[work->kind]);
    return text;
}

/* A sentence about two ops of work that nothing orders. */
static void explain(char *text, size_t room, const struct order_work *earlier,
                    const struct order_work *later, bool reads, bool early)
{
    static const char unordered[] =
        "they are in different streams, and nothing says which comes first";
    char other[60];
    describe(earlier, other, sizeof other);
    if (early)
        snprintf(text, room, "the copy %s %s%s: it is in another stream, and does not wait",
                 reads ? "reads memory before" : "changes memory that", other,
                 reads ? ", which writes it, has ended" : " still uses");
    else if (later->kind == ORDER_FREE)
        snprintf(text, room, "this frees memory that %s uses: %s", other, unordered);
    else if (earlier->kind == ORDER_ALLOCATION)
        snprintf(text, room, "%s uses memory that %s makes: %s", nouns[later->kind], other,
                 unordered);
    else
        snprintf(text, room, "%s %s memory that %s %s: %s", nouns[later->kind],
                 reads ? "reads" : "changes", other, reads ? "writes" : "uses", unordered);
}

/* A copy that does not wait for a kernel has its own fault name. */
static void report(const struct order_work *earlier, const struct order_work *later,
                   const struct conflict *conflict)
{
    bool reads = conflict->use == ORDER_READ;
    bool early = later->kind == ORDER_COPY && is_kernel(earlier);
    struct fault fault = {.name = early                       ? "copy-too-early"
                                  : later->kind == ORDER_FREE ? "use-after-free"
                                                              : "streams-not-ordered",
                          .file = later->location.file,
                          .line = later->location.line,
                          .address = here(conflict->range.from),
                          .bytes = conflict->range.to - conflict->range.from,
                          .kind = later->kind == ORDER_COPY   ? "copy"
                                  : later->kind == ORDER_FREE ? "free"
                                  : reads                     ? "load"
                                                              : "store"};
    explain(fault.detail, sizeof fault.detail, earlier, later, reads, early);
    fault_note(&fault);
}

/* Reports the latest op of work with which this one conflicts. Returns all with which it does.
 */
static order_set find_conflicts(const struct op *op, order_set beside)
{
    const struct op *latest = NULL;
    struct conflict conflict, last;
    order_set found = 0;
    while (beside != 0) {
        const struct op *other = take_op(&beside);
        if (!find_conflict(&other->work, &op->work, &conflict)) continue;
        found |= bit(other);
        if (op->work.repeats && conflict.use == ORDER_WRITE) continue;
        if (latest != NULL && other->number < latest->number) continue;
        latest = other;
        last = conflict;
    }
    if (latest != NULL) report(&latest->work, &op->work, &last);
    return found;
}

order_set order_add(const struct order_work *work, order_set own, order_set before)
{
    order_prepare(before);
    struct op *op = &order.ops[__builtin_ctzll(own)];
    op->work = *work;
    op->number = order.added++;
    order.present |= own;
    if (work->kind == ORDER_KERNEL) order.unread |= own;
    for (int use = 0; use < ORDER_USES; use++)
        ranges_tidy(&op->work.uses[use]);
    order_set beside = order.present & ~before & ~own;
    if (beside != 0) read_footprints(order.unread & own);
    return before | find_conflicts(op, beside) | own;
}
