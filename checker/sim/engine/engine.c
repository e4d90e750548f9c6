/*
 * engine.c: running a grid. The launching thread and a pool of others, one per core, take blocks in
 * small groups of neighbours until none is left. Each group starts with an empty L1, as if its own
 * SM ran it. So the counts do not depend on the number of cores of this machine.
 */
#define _GNU_SOURCE
#include "sim/engine/engine.h"

#include "sim/engine/block.h"
#include "sim/engine/grid.h"
#include "sim/gpu/memory.h"
#include "sim/gpu/profile.h"
#include "sim/image/device_image.h"
#include "sim/image/program.h"
#include "sim/image/source_line.h"
#include "sim/requests/fault.h"
#include "sim/requests/lane.h"
#include "sim/requests/request.h"
#include "sim/requests/sample.h"

#include "trace/trace.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WORKERS_MAX = 256,
    GROUP_BLOCKS = 32,  /* blocks of a group, in a grid of many */
    SMALL_LAUNCH = 8192 /* threads that one core runs in less time than it takes to wake another */
};

static struct {
    struct worker *workers[WORKERS_MAX];
    uint32_t worker_count; /* 0 before the first launch */
    struct cache l2;

    const struct kernel_launch *launch;
    uint64_t blocks, group;
    struct block_work *work; /* of each block, if there are not too many */
    bool sampled;            /* requests of this launch are kept to be shown */
    bool in_l2;              /* all memory that is in use, before the launch */
    double miss_ns; /* for the workers' tallies: how long a load waits that is the first of its
                       launch to touch a sector */

    /* What workers write while others read the rest */
    _Alignas(64) uint64_t next_block; /* taken with an atomic add */
    int error;                        /* of any worker: the others stop */

    _Alignas(64) pthread_mutex_t lock;
    pthread_cond_t begin, done, round;
    uint64_t generation; /* of the launch that the pool works on */
    uint32_t busy;       /* pool threads that have not finished it */

    /* Of a cooperative launch: the blocks are distributed in advance. */
    uint32_t sharers;              /* workers that run it */
    uint32_t met;                  /* of them, those that have come to the end of the round */
    uint64_t rounds;               /* that are over */
    bool ended;                    /* no block goes on */
    struct parked_block **waiting; /* by linear index: blocks that wait for the grid */
} engine = {.lock = PTHREAD_MUTEX_INITIALIZER,
            .begin = PTHREAD_COND_INITIALIZER,
            .round = PTHREAD_COND_INITIALIZER,
            .done = PTHREAD_COND_INITIALIZER};

/* ---- workers -------------------------------------------------------------------------------- */

static _Noreturn void no_memory(void)
{
    fprintf(stderr, "warp-up: the simulated GPU has no memory left on this machine\n");
    exit(2);
}

static struct worker *make_worker(void)
{
    struct worker *worker = calloc(1, sizeof *worker);
    if (worker == NULL || !block_prepare(worker, 0)) no_memory();
    size_t shared_bytes = (size_t)(profile()->shared_kb_per_sm * 1024);
    worker->l1 = cache_make((size_t)(profile()->l1_kb * 1024) - shared_bytes / 8);
    worker->tally.site_at = calloc(image_bytes(), sizeof *worker->tally.site_at);
    worker->tally.counters = arithmetic_make();
    worker->tally.known = instructions_known();
    if (worker->l1.lines == NULL || worker->tally.site_at == NULL ||
        worker->tally.counters == NULL || worker->tally.known == NULL ||
        !instructions_make(&worker->sample))
        no_memory();
    for (uint32_t i = 0; i < WARPS_MAX; i++) {
        struct warp *warp = &worker->warps[i];
        warp->log = &worker->log;
        warp->chain = &worker->chain[i];
        warp->segment = &worker->segment;
        warp->tally = &worker->tally;
        warp->l1 = &worker->l1;
        warp->l2 = &engine.l2;
        warp->shared = &worker->shared;
    }
    return worker;
}

static void begin_launch(struct worker *worker)
{
    struct tally *tally = &worker->tally;
    for (size_t i = 0; i < tally->site_count; i++)
        tally->site_at[event_place(tally->sites[i].event)] = 0;
    *tally = (struct tally){.sites = tally->sites,
                            .site_room = tally->site_room,
                            .site_at = tally->site_at,
                            .known = tally->known,
                            .counters = tally->counters,
                            .samples = tally->samples,
                            .miss_ns = engine.miss_ns};
    sample_begin(tally, engine.sampled, engine.blocks);
    const uint32_t *block = engine.launch->block;
    worker->launch = engine.launch;
    worker->launch_id = engine.launch->id;
    worker->launch_blocks = engine.blocks;
    worker->work =
        engine.blocks <= BALANCE_BLOCKS && !engine.launch->cooperative ? engine.work : NULL;
    worker->work_so_far.compute = worker->work_so_far.memory = 0;
    instructions_begin_launch(&worker->sample);
    worker->threads = block[0] * block[1] * block[2];
    worker->flat = block[1] == 1 && block[2] == 1;
    for (uint32_t i = 0; !worker->flat && i < worker->threads; i++)
        lane_thread(i, worker->thread_at[i]);
    worker->warp_count = (worker->threads + LANES - 1) / LANES;
    worker->error = 0;
    char *shared = program_shared(&cursor.shared_bytes);
    cursor.shared = shared;
    if (!shared_begin_launch(&worker->shared, shared, cursor.shared_bytes,
                             engine.launch->dynamic_shared))
        no_memory();
    memcpy(warpup_lane.block_shape, block, sizeof warpup_lane.block_shape);
    memcpy(warpup_lane.grid_shape, engine.launch->grid, sizeof warpup_lane.grid_shape);
}

/* All data of a program went through the L2, when it was copied there or when a kernel wrote it. If
 * it all fits, it is still there when the next launch begins. A check may set WARPUP_COLD: then the
 * problem that it can simulate stands for one that does not fit. */
static bool fits_in_l2(void)
{
    if (getenv("WARPUP_COLD") != NULL) return false;
    return (double)(memory_total() - memory_left()) <= profile()->l2_mb * 1024 * 1024;
}

static bool has_failed(void)
{
    return __atomic_load_n(&engine.error, __ATOMIC_RELAXED) != 0;
}

/* Takes groups of blocks until there are none, or until a worker has had an error. */
static void run_all(struct worker *worker)
{
    while (!has_failed()) {
        uint64_t first = __atomic_fetch_add(&engine.next_block, engine.group, __ATOMIC_RELAXED);
        if (first >= engine.blocks) break;
        uint64_t last = first + engine.group < engine.blocks ? first + engine.group : engine.blocks;
        cache_clear(&worker->l1);
        for (uint64_t block = first; block < last && worker->error == 0; block++)
            block_run(worker, (uint32_t)block);
        if (worker->error != 0) __atomic_store_n(&engine.error, worker->error, __ATOMIC_RELAXED);
    }
}

/* Zhang et al., "A Study of Single and Multi-device Synchronization Methods in Nvidia GPUs" (2020):
 * grid.sync() takes 1.4 us on a V100 with one block on each SM. */
static const double GRID_BARRIER_NS = 1400;

/* Blocks that have ended will never come to where these wait: a GPU would wait forever. */
static void note_divergence(const struct parked_block *parked, uint64_t ended)
{
    struct arrival arrival = grid_arrival(parked);
    struct fault fault =
        fault_of_thread("barrier-divergence", arrival.pc, grid_block(parked), arrival.thread);
    snprintf(fault.detail, sizeof fault.detail,
             "all blocks of the grid have to come here, but %llu of the %llu blocks have ended",
             (unsigned long long)ended, (unsigned long long)engine.blocks);
    fault_note(&fault);
}

/* All workers have come to the end of the round. The blocks that wait go on at the time of the last
 * one. */
static void end_round(void)
{
    uint64_t count = 0, any = 0;
    double latest = 0;
    for (uint64_t i = 0; i < engine.blocks; i++) {
        if (engine.waiting[i] == NULL) continue;
        count++;
        any = i;
        double ns = grid_time(engine.waiting[i]);
        if (ns > latest) latest = ns;
    }
    engine.ended = count == 0 || has_failed();
    if (!engine.ended && count < engine.blocks)
        note_divergence(engine.waiting[any], engine.blocks - count);
    for (uint64_t i = 0; i < engine.blocks; i++) {
        if (engine.waiting[i] == NULL) continue;
        grid_set_time(engine.waiting[i], latest + GRID_BARRIER_NS);
        if (!engine.ended) continue;
        grid_forget(engine.waiting[i]);
        engine.waiting[i] = NULL;
    }
    race_order_all();
}

/* Waits for the other workers. False if the launch is over. */
static bool meet(void)
{
    pthread_mutex_lock(&engine.lock);
    uint64_t round = engine.rounds;
    if (++engine.met == engine.sharers) {
        end_round();
        engine.met = 0;
        engine.rounds++;
        pthread_cond_broadcast(&engine.round);
    }
    while (engine.rounds == round)
        pthread_cond_wait(&engine.round, &engine.lock);
    bool goes_on = !engine.ended;
    pthread_mutex_unlock(&engine.lock);
    return goes_on;
}

/* Runs this worker's share of the blocks, round after round: a round ends where all wait for the
 * grid. */
static void run_together(struct worker *worker)
{
    uint64_t share = (engine.blocks + engine.sharers - 1) / engine.sharers;
    uint64_t first = worker->rank * share, last = first + share;
    if (last > engine.blocks) last = engine.blocks;
    if (first > last) first = last;
    if (!block_prepare(worker, (last - first) * worker->threads)) no_memory();
    bool begun = false;
    do {
        for (uint64_t i = first; i < last && !has_failed(); i++) {
            struct parked_block *waiting = engine.waiting[i];
            if (begun && waiting == NULL) continue;
            if ((i - first) % engine.group == 0) cache_clear(&worker->l1);
            engine.waiting[i] = NULL;
            engine.waiting[i] =
                begun ? block_go_on(worker, waiting) : block_run(worker, (uint32_t)i);
            if (worker->error != 0)
                __atomic_store_n(&engine.error, worker->error, __ATOMIC_RELAXED);
        }
        begun = true;
    } while (meet());
    fibers_drop(&worker->fibers); /* those of blocks that do not go on */
    if (!block_prepare(worker, 0)) no_memory();
}

static void work(struct worker *worker)
{
    running_worker = worker;
    begin_launch(worker);
    arithmetic_count(worker->tally.counters);
    if (engine.launch->cooperative)
        run_together(worker);
    else
        run_all(worker);
    arithmetic_count(NULL);
    cursor = (struct cursor)NO_CURSOR;
    running_worker = NULL;
}

static void *pool_thread(void *argument)
{
    struct worker *worker = argument;
    uint64_t seen = 0;
    for (;;) {
        pthread_mutex_lock(&engine.lock);
        while (engine.generation == seen)
            pthread_cond_wait(&engine.begin, &engine.lock);
        seen = engine.generation;
        pthread_mutex_unlock(&engine.lock);

        work(worker);

        pthread_mutex_lock(&engine.lock);
        if (--engine.busy == 0) pthread_cond_signal(&engine.done);
        pthread_mutex_unlock(&engine.lock);
    }
    return NULL;
}

/* The number of cores that this process may use, or what WARPUP_THREADS says. */
static uint32_t wanted_workers(void)
{
    const char *text = getenv("WARPUP_THREADS");
    cpu_set_t cores;
    long count = text != NULL ? strtol(text, NULL, 10) : 0;
    if (count <= 0 && sched_getaffinity(0, sizeof cores, &cores) == 0) count = CPU_COUNT(&cores);
    if (count < 1) count = 1;
    return count > WORKERS_MAX ? WORKERS_MAX : (uint32_t)count;
}

static void start_workers(void)
{
    engine.work = calloc(BALANCE_BLOCKS, sizeof *engine.work);
    if (engine.work == NULL) no_memory();
    engine.l2 = cache_make((size_t)(profile()->l2_mb * 1024 * 1024));
    if (engine.l2.lines == NULL) no_memory();
    uint32_t wanted = wanted_workers();
    engine.workers[engine.worker_count++] = make_worker();
    while (engine.worker_count < wanted) {
        pthread_t thread;
        struct worker *worker = make_worker();
        worker->rank = engine.worker_count;
        if (pthread_create(&thread, NULL, pool_thread, worker) != 0) break;
        pthread_detach(thread);
        engine.workers[engine.worker_count++] = worker;
    }
}

/* Runs the launch on all workers, or a small one on the calling thread alone. */
static void run_blocks(void)
{
    bool together = engine.sharers > 1;
    if (together) {
        pthread_mutex_lock(&engine.lock);
        engine.busy = engine.worker_count - 1;
        engine.generation++;
        pthread_cond_broadcast(&engine.begin);
        pthread_mutex_unlock(&engine.lock);
    }
    work(engine.workers[0]);
    if (together) {
        pthread_mutex_lock(&engine.lock);
        while (engine.busy > 0)
            pthread_cond_wait(&engine.done, &engine.lock);
        pthread_mutex_unlock(&engine.lock);
    }
}

/* ---- results of the launch ---------------------------------------------------------------- */

static void add_counts(struct access_counts *sum, const struct access_counts *more)
{
    sum->requests += more->requests;
    sum->sectors += more->sectors;
    sum->ideal += more->ideal;
    sum->bytes += more->bytes;
    sum->lanes += more->lanes;
    sum->wavefronts += more->wavefronts;
}

/* Adds a worker's site to those of the first worker. */
static void join_site(struct tally *tally, const struct tally *other, const struct site *site)
{
    struct site *mine = request_site(tally, site->event, site->shared);
    sample_join(tally, mine, other, site);
    add_counts(&mine->counts, &site->counts);
    if (site->worst_sectors * mine->worst_lanes > mine->worst_sectors * site->worst_lanes) {
        mine->worst_sectors = site->worst_sectors;
        mine->worst_lanes = site->worst_lanes;
    }
}

static void join_places(struct hot *sum, const struct hot *more)
{
    for (int i = 0; i < HOT_PLACES; i++) {
        if (sum[i].place == more[i].place)
            sum[i].count += more[i].count;
        else if (more[i].count > sum[i].count)
            sum[i] = more[i];
    }
}

static void join_atomics(struct atomics *sum, const struct atomics *more)
{
    sum->shared_rounds += more->shared_rounds;
    sum->shared_real_rounds += more->shared_real_rounds;
    sum->contended_rounds += more->contended_rounds;
    sum->sectors += more->sectors;
    sum->repeats += more->repeats;
    sum->swaps += more->swaps;
    sum->tried += more->tried;
    sum->tried_requests += more->tried_requests;
    sum->tried_sectors += more->tried_sectors;
    for (int i = 0; i < SWAPPED_BITS / 64; i++)
        sum->swapped[i] |= more->swapped[i];
    join_places(sum->words, more->words);
    join_places(sum->real_words, more->real_words);
    join_places(sum->lines, more->lines);
    join_places(sum->pieces, more->pieces);
}

static void add_lone(struct lone *sum, const struct lone *more)
{
    sum->bytes += more->bytes;
    sum->far_bytes += more->far_bytes;
}

/* Gathers all workers' tallies in the first one's. */
static const struct tally *join_tallies(void)
{
    struct tally *sum = &engine.workers[0]->tally;
    for (uint32_t w = 1; w < engine.worker_count; w++) {
        const struct tally *tally = &engine.workers[w]->tally;
        if (engine.workers[w]->launch_id != engine.launch->id) continue;
        for (size_t i = 0; i < tally->site_count; i++)
            join_site(sum, tally, &tally->sites[i]);
        arithmetic_join(sum->counters, tally->counters);
        instructions_join(&engine.workers[0]->sample, &engine.workers[w]->sample);
        sum->threads += tally->threads;
        sum->thread_bytes += tally->thread_bytes;
        if (tally->busiest_bytes > sum->busiest_bytes) sum->busiest_bytes = tally->busiest_bytes;
        sum->lines += tally->lines;
        sum->requests += tally->requests;
        sum->l2_bytes += tally->l2_bytes;
        sum->dram_bytes += tally->dram_bytes;
        sum->moved_bytes += tally->moved_bytes;
        sum->bus_bytes += tally->bus_bytes;
        sum->overlap_bytes += tally->overlap_bytes;
        sum->tensor_flops += tally->tensor_flops;
        sum->tensor_work += tally->tensor_work;
        sum->chain_sum_ns += tally->chain_sum_ns;
        sum->warps_sum_ns += tally->warps_sum_ns;
        sum->turns += tally->turns;
        sum->barriers += tally->barriers;
        sum->exchanges += tally->exchanges;
        sum->constants += tally->constants;
        sum->constant_loads += tally->constant_loads;
        sum->warps += tally->warps;
        sum->store_sectors += tally->store_sectors;
        sum->store_lines += tally->store_lines;
        sum->dirty_bytes += tally->dirty_bytes;
        sum->unread_bytes += tally->unread_bytes;
        add_lone(&sum->lone_loads, &tally->lone_loads);
        sum->single_bytes += tally->single_bytes;
        add_lone(&sum->lone_stores, &tally->lone_stores);
        join_atomics(&sum->atomics, &tally->atomics);
        if (tally->chain_max_ns > sum->chain_max_ns) sum->chain_max_ns = tally->chain_max_ns;
    }
    return sum;
}

/* `number` is the site's in this launch. */
static void write_access(const struct site *site, uint64_t launch, uint64_t number)
{
    static const char *const kinds[] = {"load",   "store",  "atomic", "store",
                                        "atomic", "atomic", "atomic", "atomic"};
    const struct access_counts *counts = &site->counts;
    const char *used = site->shared ? "wavefronts" : "sectors";
    struct source_place place = {0};
    trace_begin("access");
    trace_fields("kernel:%lu site:%lu kind:%s space:%s size:%d requests:%lu", launch, number,
                 kinds[event_kind(site->event)], site->shared ? "shared" : "global",
                 1 << (event_size_code(site->event) - 1), counts->requests);
    trace_integer(used, (long long)(site->shared ? counts->wavefronts : counts->sectors));
    trace_fields("ideal:%lu lanes:%lu worst_lanes:%u", counts->ideal, counts->lanes,
                 site->worst_lanes);
    trace_integer(site->shared ? "worst_wavefronts" : "worst_sectors", site->worst_sectors);
    if (source_line_of(image_pc(event_place(site->event)), &place))
        trace_source(place.file, place.line);
    trace_end();
}

/* With the variables of functions that the kernel calls. Any worker may have run those functions.
 */
static size_t static_shared(void)
{
    const struct kernel_launch *launch = engine.launch;
    size_t most = launch->static_shared;
    for (uint32_t w = 0; w < engine.worker_count; w++) {
        const struct worker *worker = engine.workers[w];
        if (worker->launch_id != launch->id) continue;
        size_t sum = shared_add_touched(&worker->shared, launch->kernel, launch->static_shared);
        if (sum > most) most = sum;
    }
    return most;
}

/* The share of the loaded bytes that went to shared memory while the block computed. */
static double overlap(const struct kernel_outcome *outcome)
{
    if (outcome->overlap_bytes >= outcome->load.bytes) return outcome->load.bytes > 0;
    return (double)outcome->overlap_bytes / (double)outcome->load.bytes;
}

static void fill_outcome(const struct tally *tally, struct kernel_outcome *outcome)
{
    for (size_t i = 0; i < tally->site_count; i++) {
        const struct site *site = &tally->sites[i];
        enum access_kind kind = event_kind(site->event);
        if (trace_is_open()) {
            write_access(site, engine.launch->id, i + 1);
            sample_write(tally, site, engine.launch->id, i + 1);
        }
        if (site->shared) continue;
        add_counts(kind == ACCESS_LOAD    ? &outcome->load
                   : kind == ACCESS_STORE ? &outcome->store
                                          : &outcome->atomic,
                   &site->counts);
        if (kind != ACCESS_LOAD && event_size_code(site->event) < 3) outcome->narrow_stores = true;
    }
    if (trace_is_open()) arithmetic_write(tally->counters, engine.launch->id);
    outcome->arithmetic = arithmetic_sum(tally->counters);
    outcome->threads = tally->threads;
    if (tally->turns > 0)
        outcome->even_threads = tally->threads;
    else if (tally->busiest_bytes > 0)
        outcome->even_threads = tally->thread_bytes / tally->busiest_bytes;
    outcome->dram_bytes = tally->dram_bytes;
    outcome->moved_bytes = tally->moved_bytes;
    outcome->bus_bytes = tally->bus_bytes;
    memory_settle();
    outcome->overlap_bytes = tally->overlap_bytes;
    outcome->tensor_flops = tally->tensor_flops;
    outcome->static_shared = static_shared();
    struct work done = {.blocks = engine.blocks,
                        .threads_per_block = engine.workers[0]->threads,
                        .shared_per_block = outcome->static_shared + engine.launch->dynamic_shared,
                        .tally = tally,
                        .per_block = engine.workers[0]->work,
                        .in_l2 = engine.in_l2,
                        .memory_bytes = memory_total() - memory_left(),
                        .overlap = overlap(outcome)};
    done.instructions =
        instructions_sum(tally, &engine.workers[0]->sample,
                         engine.blocks * ((done.threads_per_block + LANES - 1) / LANES));
    model_time(&done, outcome);
}

uintptr_t engine_entry(const struct kernel_launch *launch)
{
    if (!image_find()) return 0;
    if (engine.worker_count == 0) start_workers();
    return block_entry(engine.workers[0], launch);
}

void engine_repeat(const struct kernel_launch *launch)
{
    const struct tally *tally = &engine.workers[0]->tally;
    for (size_t i = 0; i < tally->site_count; i++)
        write_access(&tally->sites[i], launch->id, i + 1);
    arithmetic_write(tally->counters, launch->id);
}

void engine_run(const struct kernel_launch *launch, struct kernel_outcome *outcome)
{
    const uint32_t *grid = launch->grid, *block = launch->block;
    *outcome = (struct kernel_outcome){0};
    if (!image_find()) return;
    if (engine.worker_count == 0) start_workers();
    lane_set_shape(grid, block);
    engine.launch = launch;
    engine.blocks = (uint64_t)grid[0] * grid[1] * grid[2];
    uint64_t of_sm = (engine.blocks + (uint64_t)profile()->sms - 1) / (uint64_t)profile()->sms;
    engine.group = of_sm < GROUP_BLOCKS ? of_sm : GROUP_BLOCKS;
    engine.next_block = 0;
    engine.error = 0;
    engine.in_l2 = fits_in_l2();
    engine.miss_ns = engine.in_l2 ? profile()->l2_latency_ns : profile()->dram_latency_ns;
    engine.sampled = sample_wanted(launch->name);
    uint64_t threads = engine.blocks * block[0] * block[1] * block[2];
    bool together = engine.worker_count > 1 && engine.blocks > 1 && threads > SMALL_LAUNCH;
    engine.sharers = together ? engine.worker_count : 1;
    race_begin_launch(together);
    if (launch->cooperative) {
        engine.waiting = calloc(engine.blocks, sizeof *engine.waiting);
        if (engine.waiting == NULL) no_memory();
    }
    run_blocks();
    free(engine.waiting);
    engine.waiting = NULL;
    outcome->error = engine.error;
    fill_outcome(join_tallies(), outcome);
    fault_report(launch->id, launch->name);
}
