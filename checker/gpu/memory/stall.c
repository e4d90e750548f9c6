/*
 * stall.c: how long a warp waits for its own accesses, by the latencies of the profile. Loads that
 * follow each other are in flight together, up to LOADS_IN_FLIGHT of them; then the slowest of them
 * counts. They end at a barrier, and at a load that needs their result (../ptx/waits.c). They end
 * at a load after a store to the same memory, unless nobody writes what it loads. They also end
 * with a basic block that computes with them, or with some rounds of it if it is a loop by itself.
 * Nobody waits for an asynchronous copy before a thread says so.
 */
#include "gpu/memory/watching.h"

enum { LOADS_IN_FLIGHT = 16 };

/* nvcc unrolls a loop of one block four times, and ptxas what comes out four times, as the machine
 * code shows: the loads of all these rounds come first. */
enum { ROUNDS = 16 };

void stall_settle(struct watched_warp *warp)
{
    struct stall *stall = &warp->stall;
    *stall = (struct stall){.ns = stall->ns + stall->batch_ns,
                            .behind = stall->behind,
                            .flag = stall->flag,
                            .copied = stall->copied};
}

uint64_t watch_copied(const struct watched_warp *warp)
{
    return warp->stall.copied;
}

void stall_until(struct watched_warp *warp, uint64_t ns)
{
    stall_settle(warp);
    if (warp->stall.ns < ns) warp->stall.ns = ns;
}

void stall_barrier(struct watched_block *block, uint32_t warps)
{
    uint64_t latest = 0, last = 0;
    EACH_LANE (one, warps) {
        struct stall *stall = &block->warps[one].stall;
        stall_settle(&block->warps[one]);
        if (stall->ns > latest) latest = stall->ns;
        if (stall->ns + stall->behind > last) last = stall->ns + stall->behind;
    }
    EACH_LANE (one, warps) {
        block->warps[one].stall.ns = latest + watching.figures.barrier_ns;
        block->warps[one].stall.behind = last - latest;
    }
}

/* A fence waits until all that the warp has written has arrived. */
void stall_fence(struct watched_warp *warp)
{
    stall_settle(warp);
    warp->stall.ns += 2 * watching.figures.l2_ns;
}

/* Does the warp only test again what it has just tested? */
static bool is_test(struct stall *stall, const struct looked *looked, bool shared)
{
    const struct request *request = looked->request;
    bool tests = !shared && request->is_volatile && request->instruction->spins && !request->swaps;
    uint64_t word = tests ? looked->offset[__builtin_ctz(looked->mask)] + 1 : 0;
    bool again = tests && word == stall->flag;
    stall->flag = word;
    return again;
}

static uint32_t latency(const struct looked *looked, bool shared)
{
    const struct watch_figures *figures = &watching.figures;
    const struct request *request = looked->request;
    if (shared && is_atomic(request->kind))
        return request->real ? looked->wavefronts * figures->float_atomic_ns
                             : figures->float_atomic_ns + looked->wavefronts - 1;
    if (shared) return figures->l1_ns + looked->wavefronts - 1;
    if (is_atomic(request->kind)) return figures->l2_ns;
    if (looked->missing == 0) return figures->l1_ns;
    return figures->in_l2 ? figures->l2_ns : figures->dram_ns;
}

void stall_load(struct watched_warp *warp, const struct ptx_instruction *instruction, uint32_t ns,
                bool shared)
{
    struct stall *stall = &warp->stall;
    bool next = instruction->leads && stall->computes;
    if (next && instruction->repeats && ++stall->rounds < ROUNDS) next = false;
    bool stored = stall->stored[shared] && !instruction->constant;
    if (instruction->waits || next || stored || stall->loads == LOADS_IN_FLIGHT) stall_settle(warp);
    if (ns > stall->batch_ns) stall->batch_ns = ns;
    stall->computes |= instruction->computes;
    stall->loads++;
}

void stall_extend(struct watched_warp *warp, const struct looked *looked, bool shared)
{
    const struct request *request = looked->request;
    enum access_kind kind = request->kind;
    bool nobody_waits = kind == ACCESS_REDUCTION && !(shared && request->real);
    if (is_test(&warp->stall, looked, shared)) return;
    if (kind == ACCESS_COPY_READ) warp->stall.copied = warp->stall.ns + latency(looked, shared);
    if (nobody_waits || kind == ACCESS_COPY_READ || kind == ACCESS_COPY_WRITE) return;
    if (kind == ACCESS_STORE) {
        warp->stall.stored[shared] = true;
        return;
    }
    stall_load(warp, request->instruction, latency(looked, shared), shared);
}
