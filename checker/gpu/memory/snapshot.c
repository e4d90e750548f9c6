/* snapshot.c: see snapshot.h. */
#define _GNU_SOURCE
#include "gpu/memory/snapshot.h"
#include "gpu/memory/obtain.h"

#include "gpu/memory/fault.h"

#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

enum { ENTRIES = SNAPSHOT_PAGE / 256 };

struct kept {
    struct kept *next;
    uint64_t page;
    uint64_t written[ENTRIES]; /* of the shadow */
    unsigned char bytes[SNAPSHOT_PAGE];
};

uint32_t snapshot_kept, *snapshot_pages;

static struct {
    pthread_mutex_t lock;
    struct kept *kept, *spare;
    uint32_t last; /* value of snapshot_kept; even. An odd entry: the page is being copied */
    uint64_t extent;
} snapshot = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool make_pages(void)
{
    if (snapshot.extent == shadow.extent && snapshot_pages != NULL) return true;
    if (snapshot_pages != NULL)
        munmap(snapshot_pages, snapshot.extent / SNAPSHOT_PAGE * sizeof *snapshot_pages);
    snapshot_pages = shadow_room(shadow.extent / SNAPSHOT_PAGE * sizeof *snapshot_pages);
    snapshot.extent = shadow.extent;
    return snapshot_pages != NULL;
}

bool memory_snapshot(void)
{
    memory_forget_snapshot();
    if (shadow.extent == 0) return true; /* there is no memory that a kernel could change */
    if (!make_pages()) return false;
    snapshot_kept = snapshot.last += 2;
    return true;
}

void memory_forget_snapshot(void)
{
    while (snapshot.kept != NULL) {
        struct kept *one = snapshot.kept;
        snapshot.kept = one->next;
        one->next = snapshot.spare;
        snapshot.spare = one;
    }
    snapshot_kept = 0;
}

static struct kept *new_kept(void)
{
    pthread_mutex_lock(&snapshot.lock);
    struct kept *one = snapshot.spare;
    if (one != NULL) snapshot.spare = one->next;
    pthread_mutex_unlock(&snapshot.lock);
    return one != NULL ? one : obtain(1, sizeof *one);
}

/* The worker that comes first copies the page; the others wait for it. */
void snapshot_keep(uint64_t page)
{
    uint32_t *entry = &snapshot_pages[page], was = __atomic_load_n(entry, __ATOMIC_ACQUIRE);
    if (was == snapshot_kept) return;
    if (was == snapshot_kept + 1 ||
        !__atomic_compare_exchange_n(entry, &was, snapshot_kept + 1, false, __ATOMIC_ACQUIRE,
                                     __ATOMIC_RELAXED)) {
        while (__atomic_load_n(entry, __ATOMIC_ACQUIRE) != snapshot_kept)
            ;
        return;
    }
    struct kept *one = new_kept();
    one->page = page;
    memcpy(one->bytes, (const char *)(uintptr_t)shadow.base + page * SNAPSHOT_PAGE, SNAPSHOT_PAGE);
    memcpy(one->written, &shadow.written[page * ENTRIES], sizeof one->written);
    pthread_mutex_lock(&snapshot.lock);
    one->next = snapshot.kept;
    snapshot.kept = one;
    pthread_mutex_unlock(&snapshot.lock);
    __atomic_store_n(entry, snapshot_kept, __ATOMIC_RELEASE);
}

void memory_restore(void)
{
    for (const struct kept *one = snapshot.kept; one != NULL; one = one->next) {
        memcpy((char *)(uintptr_t)shadow.base + one->page * SNAPSHOT_PAGE, one->bytes,
               SNAPSHOT_PAGE);
        memcpy(&shadow.written[one->page * ENTRIES], one->written, sizeof one->written);
    }
    fault_forget_kernel();
}
