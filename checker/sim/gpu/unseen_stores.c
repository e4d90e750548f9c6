/* unseen_stores.c: see unseen_stores.h. The copies of all live allocations lie one after another.
 */
#include "sim/gpu/unseen_stores.h"

#include "sim/gpu/memory.h"
#include "sim/gpu/shadow.h"

#include <stdlib.h>
#include <string.h>

enum { LAUNCH_BYTES = 1 << 20, RUN_BYTES = 64 << 20 };

static struct {
    char *bytes;
    size_t used;   /* by this launch; 0: nothing was kept */
    size_t of_run; /* kept so far */
} kept;

void unseen_stores_begin(void)
{
    size_t wanted = 0;
    kept.used = 0;
    EACH_ALLOCATION (one)
        if (one->space == SPACE_DEVICE) wanted += one->bytes;
    if (wanted > LAUNCH_BYTES || kept.of_run + wanted > RUN_BYTES) return;
    if (kept.bytes == NULL) kept.bytes = malloc(LAUNCH_BYTES);
    if (kept.bytes == NULL) return;
    EACH_ALLOCATION (one) {
        if (one->space != SPACE_DEVICE) continue;
        memcpy(kept.bytes + kept.used, one->base, one->bytes);
        kept.used += one->bytes;
    }
    kept.of_run += kept.used;
}

/* Has a word of the allocation changed that nobody has written? */
static bool has_changed(const struct allocation *allocation, const char *before, uint32_t first_tag)
{
    if (memcmp(allocation->base, before, allocation->bytes) == 0) return false;
    uint64_t offset = shadow_offset(allocation->base);
    for (size_t at = 0; at < allocation->bytes; at += 4) {
        size_t left = allocation->bytes - at;
        if (shadow.writer[(offset + at) / 4] < first_tag &&
            memcmp(allocation->base + at, before + at, left < 4 ? left : 4) != 0)
            return true;
    }
    return false;
}

bool unseen_stores_found(uint32_t first_tag)
{
    size_t at = 0;
    bool found = false;
    EACH_ALLOCATION (one) {
        if (one->space != SPACE_DEVICE || at == kept.used) continue;
        found = found || has_changed(one, kept.bytes + at, first_tag);
        at += one->bytes;
    }
    kept.used = 0;
    return found;
}
