/*
 * handoff.c: words of global memory that one warp hands to the next: a lock, a flag that another
 * warp sets, a word that one compare and swap at a time can change. On a GPU a warp goes on when
 * the word of the one before it has arrived in the L2. Here blocks run one after another, so the
 * words that they leave to each other carry the time: how long the warp that wrote it had needed,
 * with all it had waited for. Only launches that run in one fixed order come here.
 */
#include "gpu/memory/watching.h"

/* The word, and when it was written. An entry is lost when another word takes its place. */
struct handoff {
    uint64_t launch, address, ns;
    uint32_t block, warp;
};

enum { HANDOFFS = 1 << 14 };
static struct handoff handoffs[HANDOFFS];

static struct handoff *handoff_of(uint64_t address)
{
    return &handoffs[address / 4 * UINT64_C(0x9e3779b97f4a7c15) >> 50];
}

static bool is_known(const struct handoff *handoff, uint64_t address)
{
    return handoff->launch == watching.launch && handoff->address == address;
}

static uint64_t now_of(const struct watched_warp *warp)
{
    return warp->stall.ns + warp->stall.batch_ns + warp->stall.behind;
}

/* The warp goes on when what another one wrote last to any of the words has arrived. */
static void wait_for(struct watched_warp *warp, uint32_t lanes, const uint64_t *address)
{
    uint64_t latest = 0, now = now_of(warp);
    EACH_LANE (lane, lanes) {
        const struct handoff *handoff = handoff_of(address[lane]);
        bool own = handoff->block == warp->block->index && handoff->warp == warp->index;
        if (is_known(handoff, address[lane]) && !own && handoff->ns > latest) latest = handoff->ns;
    }
    latest += watching.figures.l2_ns;
    if (latest > watching.figures.l2_ns && latest > now) warp->stall.behind += latest - now;
}

static void leave(const struct watched_warp *warp, uint32_t lanes, const uint64_t *address)
{
    uint64_t now = now_of(warp);
    EACH_LANE (lane, lanes) {
        struct handoff *handoff = handoff_of(address[lane]);
        bool later = is_known(handoff, address[lane]) && handoff->ns > now;
        *handoff = (struct handoff){.launch = watching.launch,
                                    .address = address[lane],
                                    .ns = later ? handoff->ns : now,
                                    .block = warp->block->index,
                                    .warp = warp->index};
    }
}

void handoff_follow(struct watched_warp *warp, const struct looked *looked)
{
    const struct request *request = looked->request;
    if (watching.parallel || !request->is_volatile || request->swaps) return;
    if (request->instruction->spins)
        wait_for(warp, looked->mask, request->address);
    else if (request->kind != ACCESS_LOAD)
        leave(warp, looked->mask, request->address);
}

void watch_swap(struct watched_warp *warp, uint32_t lanes, const uint64_t *address, bool spins)
{
    if (watching.parallel) return;
    if (spins) wait_for(warp, lanes, address);
    leave(warp, lanes, address);
}
