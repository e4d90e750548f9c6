/* hazards.c: see hazards.h. */
#include "gpu/runtime/hazards.h"

#include "gpu/memory/footprint.h"
#include "gpu/memory/memory.h"
#include "gpu/runtime/allocation.h"
#include "gpu/runtime/ranges.h"
#include "gpu/runtime/runtime.h"
#include "gpu/server/clock.h"

#include "trace/trace.h"

#include <stdio.h>

enum {
    ENTRIES_MAX = 256,    /* more than these are not closed */
    FLAG_BYTES = 64,      /* memory of at most this size may be a flag from the GPU to the host */
    LOOKED_MAX = 1 << 18, /* pages that are examined per program, which must not become slow */
    RETRIES_MAX = 1000    /* of all threads that met a page which another one has opened since */
};

enum protection { CLOSED, READ_ONLY, OPEN };

/* Pages that some work uses. */
struct entry {
    uint64_t low, high;
    bool written; /* otherwise only read */
    struct hazard_work work;
};

static struct {
    struct entry list[ENTRIES_MAX];
    int count;
    bool any;
    long looked, retries;
} hazards;

/* ---- closing and opening -------------------------------------------------------------------- */

static void protect(uint64_t low, uint64_t high, enum protection protection)
{
    call_action((struct wire_action){
        .kind = ACTION_PROTECT, .bytes = high - low, .address = low, .value = protection});
}

/* Closes what other entries have of pages that were opened. Pages that some work reads and other
 * work writes are closed completely. */
static void close_again(uint64_t low, uint64_t high)
{
    for (int written = 0; written < 2; written++)
        for (int i = 0; i < hazards.count; i++) {
            const struct entry *one = &hazards.list[i];
            uint64_t from = one->low > low ? one->low : low,
                     to = one->high < high ? one->high : high;
            if (one->written == written && from < to)
                protect(from, to, written ? CLOSED : READ_ONLY);
        }
}

static void open_pages(const struct entry *entry)
{
    protect(entry->low, entry->high, OPEN);
    close_again(entry->low, entry->high);
}

static void add(uint64_t low, uint64_t high, bool written, const struct hazard_work *work)
{
    int i = 0;
    if (low >= high) return;
    while (i < hazards.count && (hazards.list[i].low != low || hazards.list[i].high != high ||
                                 hazards.list[i].written != written))
        i++;
    if (i == ENTRIES_MAX) return;
    bool is_new = i == hazards.count, later = !is_new && hazards.list[i].work.end > work->end;
    if (!later) hazards.list[i] = (struct entry){low, high, written, *work};
    if (!is_new) return;
    hazards.count++;
    hazards.any = true;
    close_again(low, high);
}

void hazard_over(int64_t time)
{
    for (int i = 0; i < hazards.count;)
        if (hazards.list[i].work.end <= time) {
            struct entry entry = hazards.list[i];
            hazards.list[i] = hazards.list[--hazards.count];
            open_pages(&entry);
        } else {
            i++;
        }
}

void hazard_lift(uint64_t address, size_t bytes)
{
    for (int i = 0; i < hazards.count; i++) {
        const struct entry *one = &hazards.list[i];
        uint64_t from = one->low > address ? one->low : address;
        uint64_t to = one->high < address + bytes ? one->high : address + bytes;
        if (from < to) protect(one->low, one->high, OPEN);
    }
}

void hazard_lower(uint64_t address, size_t bytes)
{
    for (int i = 0; i < hazards.count; i++) {
        const struct entry one = hazards.list[i];
        if (one.low < address + bytes && address < one.high) close_again(one.low, one.high);
    }
}

void hazard_forget(uint64_t address, size_t bytes)
{
    for (int i = 0; i < hazards.count;)
        if (hazards.list[i].low >= address && hazards.list[i].low < address + bytes)
            hazards.list[i] = hazards.list[--hazards.count];
        else
            i++;
}

/* The host may find out that work is done by what the work writes. */
static void shows_itself(const struct hazard_work *work)
{
    hazard_over(work->end);
    clock_expect(work->end);
}

/* ---- what work uses ------------------------------------------------------------------------- */

/* Can the host access it? */
static bool is_hosts(const struct allocation *allocation)
{
    return allocation->space != SPACE_DEVICE && !allocation->freed;
}

/* Takes the pages that are used completely. After the end of an allocation there is no other data.
 */
void hazard_use(const struct hazard_work *work, uint64_t address, size_t bytes, bool writes)
{
    const struct allocation *allocation = memory_find(here(address));
    uint64_t end = address + bytes, page = memory_page();
    if (!trace_is_open() || (allocation != NULL && !is_hosts(allocation))) return;
    if (writes && bytes <= FLAG_BYTES) {
        shows_itself(work);
        return;
    }
    bool to_the_end = allocation != NULL &&
                      end == (uintptr_t)allocation->base + allocation->bytes &&
                      allocation->space != SPACE_REGISTERED;
    add((address + page - 1) / page * page, (end + (to_the_end ? page - 1 : 0)) / page * page,
        writes, work);
}

/* The bytes of an allocation that a kernel has used. */
struct used {
    uint64_t launch;
    struct ranges all, written;
};

static void add_run(void *data, uint64_t launch, enum use use, uint64_t address, uint64_t bytes)
{
    struct used *used = data;
    if (launch != used->launch) return;
    ranges_add(&used->all, address, address + bytes);
    if (use != USE_READ) ranges_add(&used->written, address, address + bytes);
}

/* Are all of these bytes in the ranges, which are tidy? Asked for growing addresses; `at` goes
 * along. */
static bool covers(const struct ranges *ranges, size_t *at, uint64_t from, uint64_t to)
{
    while (*at < ranges->count && ranges->list[*at].to < to)
        ++*at;
    return *at < ranges->count && ranges->list[*at].from <= from;
}

enum how { PARTLY, READ, WRITTEN };

/* Closes the pages of an allocation that the kernel used; neighbouring pages together. After the
 * end of an allocation there is no other data, but on the outer pages of registered memory there
 * is. */
static void close_pages(const struct allocation *one, const struct used *used,
                        const struct hazard_work *work)
{
    uint64_t page = memory_page(), base = (uintptr_t)one->base, end = base + one->bytes, low = base;
    uint64_t shift = (uint64_t)registered_shift(one),
             used_end = shift == 0 ? end / 4 * 4 : UINT64_MAX, at;
    size_t in_all = 0, in_written = 0;
    enum how before = PARTLY;
    for (at = base / page * page; at < end; at += page) {
        uint64_t to = at + page < used_end ? at + page : used_end;
        enum how now = covers(&used->written, &in_written, at, to) ? WRITTEN
                       : covers(&used->all, &in_all, at, to)       ? READ
                                                                   : PARTLY;
        if (now == before) continue;
        if (before != PARTLY) add(low + shift, at + shift, before == WRITTEN, work);
        low = at;
        before = now;
    }
    if (before != PARTLY) add(low + shift, at + shift, before == WRITTEN, work);
}

static void close_used(const struct allocation *one, const struct hazard_work *work,
                       uint64_t launch)
{
    struct used used = {.launch = launch};
    hazards.looked += (long)(one->bytes / memory_page()) + 1;
    if (hazards.looked > LOOKED_MAX) return;
    footprint_read(one, launch, add_run, &used);
    ranges_tidy(&used.all);
    ranges_tidy(&used.written);
    close_pages(one, &used, work);
    ranges_empty(&used.all);
    ranges_empty(&used.written);
}

/* Has the kernel written a flag that may show the host that the kernel is done? */
static bool wrote_flag(uint64_t launch)
{
    bool wrote = false;
    EACH_ALLOCATION (one) {
        if (!is_hosts(one) || one->bytes > FLAG_BYTES) continue;
        struct used used = {.launch = launch};
        footprint_read(one, launch, add_run, &used);
        wrote |= used.written.count > 0;
        ranges_empty(&used.all);
        ranges_empty(&used.written);
    }
    return wrote;
}

void hazard_kernel(const struct hazard_work *work, uint64_t launch)
{
    bool fenced = footprint_fenced();
    if (!trace_is_open()) return;
    if (fenced || wrote_flag(launch)) {
        shows_itself(work);
        return;
    }
    EACH_ALLOCATION (one)
        if (is_hosts(one)) close_used(one, work, launch);
}

/* ---- accesses of the host ------------------------------------------------------------------- */

/* Removes the entry that closed this address to such an access, and returns it in `taken`. */
static bool take(uint64_t address, bool writes, struct entry *taken)
{
    int i = 0;
    while (i < hazards.count &&
           !(address >= hazards.list[i].low && address < hazards.list[i].high &&
             (hazards.list[i].written || writes)))
        i++;
    if (i == hazards.count) return false;
    *taken = hazards.list[i];
    hazards.list[i] = hazards.list[--hazards.count];
    open_pages(taken);
    return true;
}

static void report(const struct call *call, const struct entry *entry, uint64_t address,
                   bool writes)
{
    char detail[200], work[80];
    const char *what = entry->work.what;
    if (entry->work.line > 0)
        snprintf(work, sizeof work, "the %s of line %d", what, entry->work.line);
    else
        snprintf(work, sizeof work, "a %s", what);
    snprintf(detail, sizeof detail, "the host %s memory that %s %s, and has not waited for that %s",
             writes ? "changes" : "reads", work, entry->written ? "writes" : "reads", what);
    fault_here("host-too-early", call, address, 0, writes ? "store" : "load", detail);
}

/* If several threads meet a closed page, one opens it and the others try again. */
bool hazard_touched(uint64_t address, bool writes, const struct call *call)
{
    struct entry entry;
    const struct allocation *allocation = memory_find(here(address));
    if (take(address, writes, &entry)) {
        report(call, &entry, address, writes);
        return true;
    }
    bool mine = allocation == NULL || is_hosts(allocation);
    return mine && hazards.any && hazards.retries++ < RETRIES_MAX;
}
