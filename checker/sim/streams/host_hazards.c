/* host_hazards.c: see host_hazards.h. */
#include "sim/streams/host_hazards.h"

#include "sim/gpu/clock.h"
#include "sim/gpu/memory.h"
#include "sim/gpu/shadow.h"
#include "sim/image/source_line.h"
#include "sim/requests/fault.h"
#include "sim/requests/race.h"
#include "trace/trace.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>

enum {
    ENTRIES_MAX = 256,    /* more than these are not closed */
    FLAG_BYTES = 64,      /* memory of at most this size may be a flag from the GPU to the host */
    LOOKED_MAX = 1 << 18, /* pages that are examined per program, which must not become slow */
    RETRIES_MAX = 1000    /* per thread */
};

/* Pages that some work uses. */
struct entry {
    char *low, *high;
    bool written; /* otherwise only read */
    struct hazard_work work;
};

static struct {
    pthread_mutex_t lock;
    struct entry list[ENTRIES_MAX];
    int count;
    int open; /* calls nest: how often */
    bool any, fenced;
    long looked;
} hazards = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- closing and opening -------------------------------------------------------------------- */

static void protect(const struct entry *entry, int protection)
{
    mprotect(entry->low, (size_t)(entry->high - entry->low), protection);
}

/* Pages that some work reads and other work writes are closed completely. */
static void close_all(void)
{
    for (int i = 0; hazards.open == 0 && i < hazards.count; i++)
        if (!hazards.list[i].written) protect(&hazards.list[i], PROT_READ);
    for (int i = 0; hazards.open == 0 && i < hazards.count; i++)
        if (hazards.list[i].written) protect(&hazards.list[i], PROT_NONE);
}

static void add(char *low, char *high, bool written, const struct hazard_work *work)
{
    int i = 0;
    if (low >= high) return;
    while (i < hazards.count && (hazards.list[i].low != low || hazards.list[i].high != high ||
                                 hazards.list[i].written != written))
        i++;
    if (i == ENTRIES_MAX) return;
    bool later = i < hazards.count && hazards.list[i].work.end > work->end;
    if (!later) hazards.list[i] = (struct entry){low, high, written, *work};
    if (i == hazards.count) hazards.count++;
    hazards.any = true;
    if (written && hazards.open == 0)
        protect(&hazards.list[i], PROT_NONE);
    else
        close_all();
}

void hazard_over(int64_t time)
{
    int kept = 0;
    pthread_mutex_lock(&hazards.lock);
    for (int i = 0; i < hazards.count; i++)
        if (hazards.list[i].work.end > time)
            hazards.list[kept++] = hazards.list[i];
        else
            protect(&hazards.list[i], PROT_READ | PROT_WRITE);
    bool some = kept < hazards.count;
    hazards.count = kept;
    if (some) close_all();
    pthread_mutex_unlock(&hazards.lock);
}

/* The host may find out that work is done by what the work writes. */
static void shows_itself(const struct hazard_work *work)
{
    hazard_over(work->end);
    clock_expect(work->end);
}

void hazard_open(void)
{
    memory_open();
    pthread_mutex_lock(&hazards.lock);
    for (int i = 0; hazards.open == 0 && i < hazards.count; i++)
        protect(&hazards.list[i], PROT_READ | PROT_WRITE);
    hazards.open++;
    pthread_mutex_unlock(&hazards.lock);
}

void hazard_close(void)
{
    pthread_mutex_lock(&hazards.lock);
    hazards.open--;
    close_all();
    pthread_mutex_unlock(&hazards.lock);
    memory_close();
}

/* ---- what work uses ------------------------------------------------------------------------- */

/* Can the host access it? */
static bool is_hosts(const struct allocation *allocation)
{
    return allocation->space != SPACE_DEVICE && !allocation->freed;
}

/* Takes the pages that are used completely. After the end of an allocation there is no other data.
 */
void hazard_use(const struct hazard_work *work, const void *address, size_t bytes, bool writes)
{
    const struct allocation *allocation = memory_find(address);
    const char *end = (const char *)address + bytes;
    if (!trace_is_open() || (allocation != NULL && !is_hosts(allocation))) return;
    if (writes && bytes <= FLAG_BYTES) {
        shows_itself(work);
        return;
    }
    bool to_the_end = allocation != NULL && end == allocation->base + allocation->bytes;
    size_t page = memory_page();
    uintptr_t low = ((uintptr_t)address + page - 1) / page * page;
    uintptr_t high = ((uintptr_t)end + (to_the_end ? page - 1 : 0)) / page * page;
    pthread_mutex_lock(&hazards.lock);
    add((char *)low, (char *)high, writes, work);
    pthread_mutex_unlock(&hazards.lock);
}

enum use { PARTLY, READ, WRITTEN };

/* How the kernel that ran last used these words of the shadow. */
static enum use use_of(uint64_t word, uint64_t words)
{
    bool written = true;
    for (uint64_t i = word; i < word + words; i++) {
        bool here = shadow.writer[i] >= race_launch_tag;
        if (!here && race_reader(i) < race_launch_tag) return PARTLY;
        written = written && here;
    }
    return written ? WRITTEN : READ;
}

/* Closes the pages of an allocation that the kernel used; neighbouring pages together. */
static void close_used(const struct allocation *allocation, const struct hazard_work *work)
{
    uint64_t word = shadow_offset(allocation->base) / 4;
    uint64_t words = (allocation->bytes + 3) / 4, page_words = memory_page() / 4;
    char *low = allocation->base, *at = low;
    enum use before = PARTLY;
    for (uint64_t i = 0; i < words; i += page_words, at += memory_page()) {
        bool looks = hazards.looked++ < LOOKED_MAX;
        uint64_t here = words - i < page_words ? words - i : page_words;
        enum use use = looks ? use_of(word + i, here) : PARTLY;
        if (use == before) continue;
        if (before != PARTLY) add(low, at, before == WRITTEN, work);
        low = at;
        before = use;
    }
    if (before != PARTLY) add(low, at, before == WRITTEN, work);
}

/* Has the kernel written a flag that may show the host that the kernel is done? */
static bool wrote_flag(void)
{
    EACH_ALLOCATION (one)
        if (is_hosts(one) && one->bytes <= FLAG_BYTES)
            for (size_t i = 0; i < one->bytes; i += 4)
                if (shadow.writer[shadow_offset(one->base + i) / 4] >= race_first_tag) return true;
    return false;
}

void hazard_fenced(void)
{
    __atomic_store_n(&hazards.fenced, true, __ATOMIC_RELAXED);
}

void hazard_kernel(const struct hazard_work *work)
{
    bool fenced = hazards.fenced;
    hazards.fenced = false;
    if (!trace_is_open()) return;
    if (fenced || wrote_flag()) {
        shows_itself(work);
        return;
    }
    pthread_mutex_lock(&hazards.lock);
    EACH_ALLOCATION (one)
        if (is_hosts(one)) close_used(one, work);
    pthread_mutex_unlock(&hazards.lock);
}

/* ---- accesses of the host -------------------------------------------------------------------- */

/* Removes the entry that closed this address to such an access, and returns it in `taken`. */
static bool take(const char *address, bool writes, struct entry *taken)
{
    int i = 0;
    while (i < hazards.count &&
           !(address >= hazards.list[i].low && address < hazards.list[i].high &&
             (hazards.list[i].written || writes)))
        i++;
    if (i == hazards.count) return false;
    *taken = hazards.list[i];
    hazards.list[i] = hazards.list[--hazards.count];
    protect(taken, PROT_READ | PROT_WRITE);
    close_all();
    return true;
}

static void report(const struct entry *entry, const char *address, bool writes, uintptr_t pc)
{
    char detail[200], work[80];
    const char *what = entry->work.what;
    if (entry->work.line > 0)
        snprintf(work, sizeof work, "the %s of line %d", what, entry->work.line);
    else
        snprintf(work, sizeof work, "a %s", what);
    snprintf(detail, sizeof detail, "the host %s memory that %s %s, and has not waited for that %s",
             writes ? "changes" : "reads", work, entry->written ? "writes" : "reads", what);
    fault_here("host-too-early", source_line_caller_pc(pc), address, 0, writes ? "store" : "load",
               detail);
}

/* If several threads meet a closed page, one opens it and the others try again. */
bool hazard_touched(const char *address, bool writes, uintptr_t pc)
{
    static _Thread_local int retries;
    struct entry entry;
    int number = errno;
    pthread_mutex_lock(&hazards.lock);
    bool any = hazards.any, found = take(address, writes, &entry);
    pthread_mutex_unlock(&hazards.lock);
    if (found) report(&entry, address, writes, pc);
    errno = number;
    return found || (any && retries++ < RETRIES_MAX);
}
