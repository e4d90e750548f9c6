/*
 * chain.c: how long a warp waits for its own accesses, by the latencies of the profile: loads that
 * follow each other are in flight together, up to LOADS_IN_FLIGHT of them or until a store or
 * barrier; then the slowest of them counts.
 */
#include "gpu/memory/watching.h"

enum { LOADS_IN_FLIGHT = 8 };

void chain_settle(struct watched_warp *warp)
{
    struct chain *chain = &warp->chain;
    chain->ns += chain->batch_ns;
    chain->batch_ns = chain->loads = 0;
}

static uint32_t latency(const struct looked *looked, bool shared)
{
    const struct watch_figures *figures = &watching.figures;
    if (shared) return figures->l1_ns + looked->wavefronts - 1;
    if (is_atomic(looked->request->kind)) return figures->l2_ns;
    if (looked->missing == 0) return figures->l1_ns;
    return figures->in_l2 ? figures->l2_ns : figures->dram_ns;
}

void chain_extend(struct watched_warp *warp, const struct looked *looked, bool shared)
{
    struct chain *chain = &warp->chain;
    enum access_kind kind = looked->request->kind;
    if (kind == ACCESS_REDUCTION || kind == ACCESS_COPY_READ || kind == ACCESS_COPY_WRITE) return;
    if (kind == ACCESS_STORE || chain->loads == LOADS_IN_FLIGHT) chain_settle(warp);
    if (kind == ACCESS_STORE) return;
    uint32_t ns = latency(looked, shared);
    if (ns > chain->batch_ns) chain->batch_ns = ns;
    chain->loads++;
}
