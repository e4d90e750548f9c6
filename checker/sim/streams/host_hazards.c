/* host_hazards.c: see host_hazards.h. */
#include "sim/streams/host_hazards.h"

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
    PAGE = 4096,
    PAGE_WORDS = PAGE / 4,
    ENTRIES_MAX = 256,    /* more than these are not closed */
    FLAG_BYTES = 64,      /* so little may be a flag by which the GPU tells the host */
    LOOKED_MAX = 1 << 18, /* pages that are looked at in a program: it must not become slow */
    RETRIES_MAX = 1000    /* of a thread */
};

/* Pages of some work. */
struct entry {
    char *low, *high;
    bool written; /* else only read */
    struct hazard_work work;
};

static struct {
    pthread_mutex_t lock;
    struct entry list[ENTRIES_MAX];
    int count;
    int open; /* so many times */
    bool any, told_host;
    long looked;
} pending = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- closing and opening -------------------------------------------------------------------- */

static void protect(const struct entry *entry, int protection)
{
    mprotect(entry->low, (size_t)(entry->high - entry->low), protection);
}

/* Pages that some work reads and other work writes are closed altogether. */
static void close_all(void)
{
    for (int i = 0; pending.open == 0 && i < pending.count; i++)
        if (!pending.list[i].written) protect(&pending.list[i], PROT_READ);
    for (int i = 0; pending.open == 0 && i < pending.count; i++)
        if (pending.list[i].written) protect(&pending.list[i], PROT_NONE);
}

static void add(char *low, char *high, bool written, const struct hazard_work *work)
{
    int i = 0;
    if (low >= high) return;
    while (i < pending.count && (pending.list[i].low != low || pending.list[i].high != high ||
                                 pending.list[i].written != written))
        i++;
    if (i == ENTRIES_MAX) return;
    bool later = i < pending.count && pending.list[i].work.end > work->end;
    if (!later) pending.list[i] = (struct entry){low, high, written, *work};
    if (i == pending.count) pending.count++;
    pending.any = true;
    if (written && pending.open == 0)
        protect(&pending.list[i], PROT_NONE);
    else
        close_all();
}

void hazard_over(int64_t time)
{
    int kept = 0;
    pthread_mutex_lock(&pending.lock);
    for (int i = 0; i < pending.count; i++)
        if (pending.list[i].work.end > time)
            pending.list[kept++] = pending.list[i];
        else
            protect(&pending.list[i], PROT_READ | PROT_WRITE);
    bool some = kept < pending.count;
    pending.count = kept;
    if (some) close_all();
    pthread_mutex_unlock(&pending.lock);
}

void hazard_open(void)
{
    memory_open();
    pthread_mutex_lock(&pending.lock);
    for (int i = 0; pending.open == 0 && i < pending.count; i++)
        protect(&pending.list[i], PROT_READ | PROT_WRITE);
    pending.open++;
    pthread_mutex_unlock(&pending.lock);
}

void hazard_close(void)
{
    pthread_mutex_lock(&pending.lock);
    pending.open--;
    close_all();
    pthread_mutex_unlock(&pending.lock);
    memory_close();
}

/* ---- what work uses ------------------------------------------------------------------------- */

/* Can the host touch it? */
static bool is_hosts(const struct allocation *allocation)
{
    return allocation->space != SPACE_DEVICE && !allocation->freed;
}

/* The pages that are used as a whole; behind an allocation's end there is nothing of anybody's. */
void hazard_use(const struct hazard_work *work, const void *address, size_t bytes, bool writes)
{
    const struct allocation *allocation = memory_find(address);
    const char *end = (const char *)address + bytes;
    if (!trace_is_open() || (allocation != NULL && !is_hosts(allocation))) return;
    if (writes && bytes <= FLAG_BYTES) {
        hazard_over(work->end);
        return;
    }
    bool to_the_end = allocation != NULL && end == allocation->base + allocation->bytes;
    uintptr_t low = ((uintptr_t)address + PAGE - 1) / PAGE * PAGE;
    uintptr_t high = ((uintptr_t)end + (to_the_end ? PAGE - 1 : 0)) / PAGE * PAGE;
    pthread_mutex_lock(&pending.lock);
    add((char *)low, (char *)high, writes, work);
    pthread_mutex_unlock(&pending.lock);
}

enum use { PARTLY, READ, WRITTEN };

/* How the kernel that ran last used so many words of the shadow. */
static enum use use_of(uint64_t word, uint64_t words)
{
    bool written = true;
    for (uint64_t i = word; i < word + words; i++) {
        bool here = shadow.writer[i] >= race_first_tag;
        if (!here && shadow.reader[i] < race_first_tag) return PARTLY;
        written = written && here;
    }
    return written ? WRITTEN : READ;
}

/* Closes the pages of an allocation that the kernel used, neighbours together. */
static void close_used(const struct allocation *allocation, const struct hazard_work *work)
{
    uint64_t word = (uint64_t)(allocation->base - shadow.base) / 4;
    uint64_t words = (allocation->bytes + 3) / 4;
    char *low = allocation->base, *at = low;
    enum use before = PARTLY;
    for (uint64_t i = 0; i < words; i += PAGE_WORDS, at += PAGE) {
        bool looks = pending.looked++ < LOOKED_MAX;
        uint64_t here = words - i < PAGE_WORDS ? words - i : PAGE_WORDS;
        enum use use = looks ? use_of(word + i, here) : PARTLY;
        if (use == before) continue;
        if (before != PARTLY) add(low, at, before == WRITTEN, work);
        low = at;
        before = use;
    }
    if (before != PARTLY) add(low, at, before == WRITTEN, work);
}

/* Has the kernel written a flag by which the host may see that it is done? */
static bool wrote_flag(void)
{
    for (const struct allocation *one = NULL; (one = memory_next(one)) != NULL;)
        if (is_hosts(one) && one->bytes <= FLAG_BYTES)
            for (size_t i = 0; i < one->bytes; i += 4)
                if (shadow.writer[(uint64_t)(one->base - shadow.base + (ptrdiff_t)i) / 4] >=
                    race_first_tag)
                    return true;
    return false;
}

void hazard_told_host(void)
{
    __atomic_store_n(&pending.told_host, true, __ATOMIC_RELAXED);
}

void hazard_kernel(const struct hazard_work *work)
{
    bool told_host = pending.told_host;
    pending.told_host = false;
    if (!trace_is_open()) return;
    if (told_host || wrote_flag()) {
        hazard_over(work->end);
        return;
    }
    pthread_mutex_lock(&pending.lock);
    for (const struct allocation *one = NULL; (one = memory_next(one)) != NULL;)
        if (is_hosts(one)) close_used(one, work);
    pthread_mutex_unlock(&pending.lock);
}

/* ---- the host's touch ----------------------------------------------------------------------- */

/* Forgets what closed this address to such an access, and says what it was. */
static bool take(const char *address, bool writes, struct entry *taken)
{
    int i = 0;
    while (i < pending.count &&
           !(address >= pending.list[i].low && address < pending.list[i].high &&
             (pending.list[i].written || writes)))
        i++;
    if (i == pending.count) return false;
    *taken = pending.list[i];
    pending.list[i] = pending.list[--pending.count];
    protect(taken, PROT_READ | PROT_WRITE);
    close_all();
    return true;
}

static void tell(const struct entry *entry, const char *address, bool writes, uintptr_t pc)
{
    char detail[200], work[80];
    const char *what = entry->work.what;
    if (entry->work.line > 0)
        snprintf(work, sizeof work, "the %s of line %d", what, entry->work.line);
    else
        snprintf(work, sizeof work, "a %s", what);
    snprintf(detail, sizeof detail, "the host %s what %s %s, and nothing has waited for that %s",
             writes ? "changes" : "reads", work, entry->written ? "writes" : "reads", what);
    fault_here("host-too-early", source_line_caller_pc(pc), address, 0, writes ? "store" : "load",
               detail);
}

/* Where several threads meet a closed page, one opens it: the others just try again. */
bool hazard_touched(const char *address, bool writes, uintptr_t pc)
{
    static _Thread_local int retries;
    struct entry entry;
    int number = errno;
    pthread_mutex_lock(&pending.lock);
    bool any = pending.any, found = take(address, writes, &entry);
    pthread_mutex_unlock(&pending.lock);
    if (found) tell(&entry, address, writes, pc);
    errno = number;
    return found || (any && retries++ < RETRIES_MAX);
}
