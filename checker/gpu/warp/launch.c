/*
 * launch.c: runs the blocks of a grid. Workers, one thread of this machine each, take groups of
 * neighbouring blocks until there are none. Where the order of blocks may matter, one worker runs
 * them in one fixed order: a block that only waits gives way to the next one. Whether it mattered
 * may turn out only at the end: then memory is restored, and the launch runs again in the fixed
 * order.
 */
#define _POSIX_C_SOURCE 200809L
#include "gpu/warp/launch.h"

#include "gpu/memory/fault.h"
#include "gpu/memory/memory.h"
#include "gpu/memory/snapshot.h"
#include "gpu/warp/control.h"
#include "gpu/warp/log.h"
#include "gpu/warp/pool.h"
#include "gpu/warp/trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    GROUP_BLOCKS = 32,   /* at most as many blocks have one L1 */
    PARALLEL_WARPS = 256 /* a launch with fewer is over before other threads have woken up */
};

/* ---- workers -------------------------------------------------------------------------------- */

static void begin_worker(struct worker *worker, struct execution *run, uint32_t rank)
{
    size_t numbers = (size_t)run->module->numbers + 1;
    *worker = (struct worker){.run = run, .rank = rank};
    tally_begin(&worker->tally, run->module);
    worker->watcher = watcher_make(&worker->tally, rank);
    worker->warps_at = obtain(numbers, sizeof *worker->warps_at);
    worker->lanes_at = obtain(numbers, sizeof *worker->lanes_at);
    worker->spare = obtain((size_t)run->module->function_count, sizeof *worker->spare);
    worker->log = log_make(!run->fixed);
}

static void end_worker(struct worker *worker)
{
    blocks_free(worker);
    activations_free(worker);
    tally_free(&worker->tally);
    log_free(worker->log);
    free(worker->warps_at);
    free(worker->lanes_at);
}

/* A block has ended by a fault: later ones are not run. */
static void note_failure(struct execution *run, uint64_t block, int error)
{
    pthread_mutex_lock(&run->lock);
    if (block < run->failed) {
        __atomic_store_n(&run->failed, block, __ATOMIC_RELAXED);
        run->error = error;
    }
    pthread_mutex_unlock(&run->lock);
}

static bool goes_on(const struct execution *run, uint64_t block)
{
    return block <= __atomic_load_n(&run->failed, __ATOMIC_RELAXED) &&
           !__atomic_load_n(&run->spins, __ATOMIC_RELAXED);
}

/* ---- in parallel ---------------------------------------------------------------------------- */

/* Runs the blocks of a group one after the other. False: the worker stops. */
static bool run_group(struct worker *worker, struct block *block, uint64_t first, uint64_t last)
{
    struct execution *run = worker->run;
    watcher_next_sm(worker->watcher);
    for (uint64_t i = first; i < last; i++) {
        if (!goes_on(run, i)) return false;
        block_start(block, i);
        if (block_advance(block) == BLOCK_WAITS) {
            __atomic_store_n(&run->spins, true, __ATOMIC_RELAXED);
            return false;
        }
        if (worker->error == 0) continue;
        note_failure(run, i, worker->error);
        return false;
    }
    return true;
}

static void run_worker(void *data, uint32_t rank)
{
    struct execution *run = data;
    struct worker *worker = &run->workers[rank];
    struct block *block = block_take(worker);
    block->log = worker->log;
    for (bool more = true; more;) {
        uint64_t group = __atomic_fetch_add(&run->next, 1, __ATOMIC_RELAXED);
        uint64_t first = group * run->group, last = first + run->group;
        if (first >= run->blocks) break;
        more = run_group(worker, block, first, last < run->blocks ? last : run->blocks);
        commits_end(run->commits, group, worker->log);
    }
    block_drop(block);
    counters_add(worker);
}

/* ---- in the fixed order --------------------------------------------------------------------- */

static void drop_block(struct execution *run, struct block *block)
{
    commits_end(run->commits, block->index, block->log);
    block_drop(block);
}

/* One slice of a block. True: it has ended, or the kernel has failed. */
static bool block_ends(struct execution *run, struct block *block)
{
    if (block_advance(block) == BLOCK_WAITS) return false;
    if (block->worker->error != 0) note_failure(run, block->index, block->worker->error);
    return true;
}

/* Each block that waits looks whether it can go on. */
static uint32_t run_residents(struct execution *run, struct block **resident, uint32_t count)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (run->error == 0 && block_ends(run, resident[i]))
            drop_block(run, resident[i]);
        else
            resident[left++] = resident[i];
    }
    return left;
}

/* Blocks begin in their order. One that has to wait stays resident, as on a GPU, while later ones
 * begin: as many as fit on the GPU at the same time. */
static void run_fixed(void *data, uint32_t rank)
{
    struct execution *run = data;
    struct worker *worker = &run->workers[rank];
    uint64_t most = (uint64_t)run->launch->blocks_per_sm * run->launch->sms;
    if (most == 0) most = 1;
    if (run->launch->cooperative || most > run->blocks) most = run->blocks;
    struct block **resident = obtain(most, sizeof *resident);
    uint32_t count = 0;
    while (run->error == 0 && (run->next < run->blocks || count > 0)) {
        if (run->next < run->blocks && count < most) {
            if (run->next % run->group == 0) watcher_next_sm(worker->watcher);
            struct block *block = block_take(worker);
            if (block->log == NULL) block->log = log_make(false);
            block_start(block, run->next++);
            if (block_ends(run, block))
                drop_block(run, block);
            else
                resident[count++] = block;
            continue;
        }
        grid_release(run, resident, count);
        count = run_residents(run, resident, count);
    }
    for (uint32_t i = 0; i < count; i++)
        drop_block(run, resident[i]);
    free(resident);
    counters_add(worker);
}

/* ---- a launch ------------------------------------------------------------------------------- */

static bool uses_heap(const struct ptx_module *module)
{
    return ptx_function(module, "malloc") != NULL || ptx_function(module, "_Znwm") != NULL ||
           ptx_function(module, "_Znam") != NULL;
}

/* Can the order of blocks matter? What blocks read of each other is found out afterwards. */
static bool order_matters(const struct launch *launch)
{
    const struct ptx_function *kernel = launch->kernel;
    uint32_t cluster = launch->cluster[0] * launch->cluster[1] * launch->cluster[2];
    return launch->cooperative || cluster > 1 || kernel->uses_atomic_result ||
           kernel->calls_pointers || uses_heap(kernel->module);
}

static uint32_t worker_count(const struct execution *run)
{
    const struct launch *launch = run->launch;
    uint32_t count = launch->workers != 0 ? launch->workers : pool_size();
    uint64_t groups = (run->blocks + run->group - 1) / run->group;
    if (order_matters(launch)) return 1;
    if (run->blocks * run->warps < PARALLEL_WARPS && launch->workers == 0) return 1;
    return count < groups ? count : (uint32_t)groups;
}

static uint64_t at_least_one(uint64_t number)
{
    return number > 0 ? number : 1;
}

static void describe(struct execution *run, const struct launch *launch)
{
    static uint64_t workspace; /* where a grid's barrier of CUDA's own headers counts */
    const uint32_t *grid = launch->grid, *block = launch->block;
    uint64_t sms = at_least_one(launch->sms);
    *run = (struct execution){.launch = launch,
                              .kernel = launch->kernel,
                              .module = launch->kernel->module,
                              .blocks = (uint64_t)grid[0] * grid[1] * grid[2],
                              .threads = block[0] * block[1] * block[2],
                              .started_ns = launch->id * 1000000,
                              .lock = PTHREAD_MUTEX_INITIALIZER};
    run->warps = (run->threads + LANES - 1) / LANES;
    run->group = (run->blocks + sms - 1) / sms;
    if (run->group > GROUP_BLOCKS) run->group = GROUP_BLOCKS;
    run->clusters = launch->cluster[0] * launch->cluster[1] * launch->cluster[2] > 1;
    run->shared_bytes = layout_shared(run->module) + launch->dynamic_shared + 256;
    run->stack_limit = stack_limit_of(run->module);
    if (launch->cooperative) {
        if (workspace == 0) workspace = (uint64_t)(uintptr_t)memory_variable(256, 256);
        run->workspace = workspace;
    }
}

/* Runs the launch with `count` workers. The tally is theirs. */
static void run_once(struct execution *run, uint32_t workers, struct tally *tally)
{
    const struct launch *launch = run->launch;
    run->next = 0;
    run->failed = UINT64_MAX;
    run->error = 0;
    run->spins = run->depends = false;
    run->fixed = workers == 1;
    run->commits = commits_make();
    run->workers = obtain(workers, sizeof *run->workers);
    tally_begin(tally, run->module);
    watch_launch(launch->id, run->kernel->name, launch->grid, launch->block, run->module, workers);
    for (uint32_t i = 0; i < workers; i++)
        begin_worker(&run->workers[i], run, i);
    pool_run(workers, run->fixed ? run_fixed : run_worker, run);
    for (uint32_t i = 0; i < workers; i++) {
        watcher_free(run->workers[i].watcher);
        tally_add(tally, &run->workers[i].tally);
    }
    tally->blocks_per_sm = launch->blocks_per_sm;
    if (run->spins || run->depends) watch_repeat();
    watch_end(tally);
    for (uint32_t i = 0; i < workers; i++)
        end_worker(&run->workers[i]);
    free(run->workers);
}

static double cpu_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* With WARPUP_SPEED set: what a launch took of this machine, as a line on stderr. */
static void print_speed(const struct launch *launch, const struct tally *tally, double seconds)
{
    double count = (double)tally->warp_instructions;
    fprintf(stderr, "%s: %.0f warp instructions, %.3f s, %.1f ns each\n",
            launch->kernel->plain_name, count, seconds, 1e9 * seconds / (count > 0 ? count : 1));
}

int launch_run(const struct launch *launch, struct tally *tally)
{
    struct execution run;
    bool speed = getenv("WARPUP_SPEED") != NULL;
    double begun = speed ? cpu_seconds() : 0;
    describe(&run, launch);
    uint32_t workers = worker_count(&run);
    if (workers > 1 && !memory_snapshot()) workers = 1;
    run_once(&run, workers, tally);
    if (workers > 1) {
        bool again = run.spins || run.depends || (run.error == 0 && watch_depends_on_order());
        if (again) {
            memory_restore();
            commits_free(run.commits);
            tally_free(tally);
            run_once(&run, 1, tally);
        }
        memory_forget_snapshot();
    }
    if (run.error != 0) fault_forget_after((uint32_t)run.failed);
    commits_print(run.commits);
    commits_free(run.commits);
    pthread_mutex_destroy(&run.lock);
    if (speed) print_speed(launch, tally, cpu_seconds() - begun);
    return run.error;
}

void trial_run(const struct launch *launch)
{
    struct block *used[TRIAL_BLOCKS];
    struct tally tally;
    struct execution run;
    describe(&run, launch);
    uint64_t count = run.blocks < TRIAL_BLOCKS ? run.blocks : TRIAL_BLOCKS;
    run.workers = obtain(1, sizeof *run.workers);
    struct worker *worker = &run.workers[0];
    tally_begin(&tally, run.module);
    watch_launch(launch->id, run.kernel->name, launch->grid, launch->block, run.module, 1);
    begin_worker(worker, &run, 0);
    for (uint64_t i = 0; i < count; i++) {
        used[i] = block_take(worker);
        used[i]->log = worker->log;
        block_start(used[i], count > 1 ? i * (run.blocks - 1) / (count - 1) : 0);
        block_advance(used[i]);
        worker->error = 0;
    }
    for (uint64_t i = 0; i < count; i++)
        block_drop(used[i]);
    watcher_free(worker->watcher);
    watch_end(&tally);
    end_worker(worker);
    free(run.workers);
    tally_free(&tally);
    fault_forget_kernel();
    pthread_mutex_destroy(&run.lock);
}
