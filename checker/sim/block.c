/* block.c: fibers, warps and barriers of one block (block.h). */
#define _GNU_SOURCE
#include "block.h"

#include "place.h"

#include <string.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { STACK_BYTES = 256 << 10, FIBERS = THREADS_MAX + 1 };

/* Boost.Context's C interface. */
struct transfer {
    void *from, *data;
};
struct transfer jump_fcontext(void *to, void *data);
void *make_fcontext(void *stack_top, size_t bytes, void (*function)(struct transfer));

struct fiber {
    void *context;
    char *stack;
    struct fiber *next_free;
};

_Thread_local struct cursor cursor;
_Thread_local struct worker *block_worker;

static void fiber_main(struct transfer transfer);

static void renew_fibers(struct worker *worker)
{
    worker->free_fibers = NULL;
    for (int i = FIBERS - 1; i >= 0; i--) {
        struct fiber *fiber = &worker->fibers[i];
        fiber->context = NULL;
        fiber->next_free = worker->free_fibers;
        worker->free_fibers = fiber;
    }
}

bool block_prepare(struct worker *worker)
{
    size_t bytes = (size_t)FIBERS * STACK_BYTES;
    worker->fibers = calloc(FIBERS, sizeof *worker->fibers);
    worker->stacks = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (worker->fibers == NULL || worker->stacks == MAP_FAILED) return false;
    worker->stacks_end = worker->stacks + bytes;
    for (int i = 0; i < FIBERS; i++) {
        worker->fibers[i].stack = worker->stacks + (size_t)i * STACK_BYTES;
        mprotect(worker->fibers[i].stack, 4096, PROT_NONE); /* too deep a recursion ends here */
    }
    renew_fibers(worker);
    return true;
}

static struct fiber *take_fiber(struct worker *worker)
{
    struct fiber *fiber = worker->free_fibers;
    worker->free_fibers = fiber->next_free;
    if (fiber->context == NULL)
        fiber->context = make_fcontext(fiber->stack + STACK_BYTES, STACK_BYTES - 4096, fiber_main);
    return fiber;
}

static void give_fiber(struct worker *worker, struct fiber *fiber)
{
    fiber->next_free = worker->free_fibers;
    worker->free_fibers = fiber;
}

/* ---- one CUDA thread ------------------------------------------------------------------------ */

/* Makes this thread the running one: its log, its threadIdx. */
static void set_running(struct worker *worker, uint32_t thread)
{
    struct warp *warp = &worker->warps[worker->running_warp];
    uint32_t lane = thread - warp->first_thread, row = warp->written[lane];
    worker->running = thread;
    cursor.event = &worker->log.event[row][lane];
    cursor.offset = &worker->log.offset[row][lane];
    cursor.end = &worker->log.event[0][0] + LOG_ROWS * LANES + lane;
    cursor.alone = warp->lanes == 1;
    place_thread(thread, warpup_lane.thread);
}

/* Notes how far the running thread's log has come. */
static void keep_cursor(struct worker *worker)
{
    struct warp *warp = &worker->warps[worker->running_warp];
    size_t used = (size_t)(cursor.event - &worker->log.event[0][0]) / LANES;
    warp->written[worker->running - warp->first_thread] = (uint32_t)used;
}

/* A thread of the warp that has not begun; worker->threads when there is none. */
static uint32_t next_new(const struct worker *worker)
{
    const struct warp *warp = &worker->warps[worker->running_warp];
    for (uint32_t lane = 0; lane < warp->lanes; lane++)
        if (warp->state[lane] == LANE_NEW) return warp->first_thread + lane;
    return worker->threads;
}

/* Gives the OS thread back to the worker; returns when the worker jumps here again. */
static void leave(struct worker *worker)
{
    worker->in_kernel = false;
    worker->scheduler = jump_fcontext(worker->scheduler, NULL).from;
    worker->in_kernel = true;
}

static void fiber_main(struct transfer transfer)
{
    struct worker *worker = transfer.data;
    worker->scheduler = transfer.from;
    for (;;) {
        worker->in_kernel = true;
        for (uint32_t thread; (thread = next_new(worker)) < worker->threads;) {
            worker->state[thread] = LANE_RUNNING;
            set_running(worker, thread);
            worker->launch->thread(worker->launch->argument);
            keep_cursor(worker);
            worker->state[thread] = LANE_DONE;
        }
        leave(worker);
    }
}

/* Lets a fiber run until it has nothing left to do or the thread on it has to wait. */
static void enter(struct worker *worker, struct fiber *fiber)
{
    fiber->context = jump_fcontext(fiber->context, worker).from;
    if (worker->error != 0) return;
    if (worker->state[worker->running] == LANE_DONE)
        give_fiber(worker, fiber);
    else
        worker->fiber[worker->running] = fiber;
}

void block_wait_for_log(void)
{
    struct worker *worker = block_worker;
    uint32_t thread = worker->running;
    keep_cursor(worker);
    leave(worker);
    set_running(worker, thread);
}

void block_wait_at_barrier(void)
{
    struct worker *worker = block_worker;
    uint32_t thread = worker->running;
    keep_cursor(worker);
    worker->state[thread] = LANE_AT_BARRIER;
    leave(worker);
    set_running(worker, thread);
}

_Noreturn void block_abort(int error)
{
    struct worker *worker = block_worker;
    worker->error = error;
    keep_cursor(worker);
    for (;;)
        leave(worker);
}

/* ---- warps ---------------------------------------------------------------------------------- */

/* Runs each lane that can go on: new ones, and those whose log has been merged. */
static void run_lanes(struct worker *worker, const struct warp *warp)
{
    for (uint32_t lane = 0; lane < warp->lanes && worker->error == 0; lane++) {
        uint32_t thread = warp->first_thread + lane;
        if (warp->state[lane] == LANE_NEW) {
            enter(worker, take_fiber(worker));
        } else if (warp->state[lane] == LANE_RUNNING && warp->written[lane] == 0) {
            worker->running = thread;
            enter(worker, worker->fiber[thread]);
        }
    }
}

static bool any_in_state(const struct warp *warp, enum lane_state state)
{
    for (uint32_t lane = 0; lane < warp->lanes; lane++)
        if (warp->state[lane] == state) return true;
    return false;
}

/* Runs a warp until each lane is done or at the barrier. */
static void run_warp(struct worker *worker, uint32_t index)
{
    struct warp *warp = &worker->warps[index];
    worker->running_warp = index;
    do {
        run_lanes(worker, warp);
        warp_merge(warp);
    } while (worker->error == 0 && any_in_state(warp, LANE_RUNNING));
}

static void begin_warps(struct worker *worker)
{
    for (uint32_t i = 0; i < worker->warp_count; i++) {
        struct warp *warp = &worker->warps[i];
        uint32_t first = i * LANES, left = worker->threads - first;
        warp->first_thread = first;
        warp->lanes = left < LANES ? left : LANES;
        warp->touched = 0;
        memset(warp->written, 0, sizeof warp->written);
        memset(warp->read, 0, sizeof warp->read);
        worker->chain[i] = (struct chain){0};
    }
    memset(worker->state, 0, worker->threads * sizeof *worker->state);
}

/* All warps have come to the barrier: they go on together, when the slowest is there. */
static bool release_barrier(struct worker *worker)
{
    bool waiting = false;
    double latest = 0;
    for (uint32_t i = 0; i < worker->warp_count; i++) {
        double ns = warp_settle(&worker->chain[i]);
        if (ns > latest) latest = ns;
    }
    for (uint32_t i = 0; i < worker->warp_count; i++)
        worker->chain[i].ns = latest;
    for (uint32_t thread = 0; thread < worker->threads; thread++)
        if (worker->state[thread] == LANE_AT_BARRIER) {
            worker->state[thread] = LANE_RUNNING;
            waiting = true;
        }
    return waiting;
}

static void count_block(struct worker *worker)
{
    double slowest = 0;
    for (uint32_t i = 0; i < worker->warp_count; i++) {
        double ns = warp_settle(&worker->chain[i]);
        if (ns > slowest) slowest = ns;
        worker->tally.threads += (uint64_t)__builtin_popcount(worker->warps[i].touched);
    }
    worker->tally.chain_sum_ns += slowest;
    if (slowest > worker->tally.chain_max_ns) worker->tally.chain_max_ns = slowest;
}

void block_run(struct worker *worker, uint32_t block)
{
    place_block(block, warpup_lane.block);
    worker->segment.took_atomic = false;
    begin_warps(worker);
    do {
        race_begin_segment(&worker->segment, block);
        for (uint32_t i = 0; i < worker->warp_count && worker->error == 0; i++)
            run_warp(worker, i);
    } while (worker->error == 0 && release_barrier(worker));
    count_block(worker);
    if (worker->error != 0) renew_fibers(worker);
}
