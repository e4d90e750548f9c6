/*
 * memory_speed.c: how long a request takes to watch, in ns, for some patterns. Prints a line for
 * each, and "N passed".
 */
#define _POSIX_C_SOURCE 199309L
#include "memory_schedule.h"

#include "gpu/memory/memory.h"

#include <time.h>

enum { BLOCKS = 64, ROUNDS = 64, REPEATS = 8, BLOCK_WARPS = 8, AREA = 64 << 20 };

static uint64_t base;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* Where the lanes of a request are. */
typedef void pattern(uint64_t *address, uint64_t request, uint32_t bytes);

static void side_by_side(uint64_t *address, uint64_t request, uint32_t bytes)
{
    uint64_t first = base + request * LANES * bytes % AREA;
    for (uint32_t lane = 0; lane < LANES; lane++)
        address[lane] = first + lane * bytes;
}

static void shifted(uint64_t *address, uint64_t request, uint32_t bytes)
{
    uint64_t first = base + 4 + request * LANES * bytes % (AREA - 4096);
    for (uint32_t lane = 0; lane < LANES; lane++)
        address[lane] = first + lane * bytes;
}

static void scattered(uint64_t *address, uint64_t request, uint32_t bytes)
{
    for (uint32_t lane = 0; lane < LANES; lane++)
        address[lane] = base + (request / 32 * 32 * LANES + lane * 32 + request % 32) * 4 % AREA;
    (void)bytes;
}

static void same(uint64_t *address, uint64_t request, uint32_t bytes)
{
    for (uint32_t lane = 0; lane < LANES; lane++)
        address[lane] = base + request % 1024 * bytes;
}

static void shared_row(uint64_t *address, uint64_t request, uint32_t bytes)
{
    for (uint32_t lane = 0; lane < LANES; lane++)
        address[lane] = 1024 + request % 8 * 128 + lane * bytes;
}

static void shared_tile(uint64_t *address, uint64_t request, uint32_t bytes)
{
    for (uint32_t lane = 0; lane < LANES; lane++)
        address[lane] = 1024 + request % 8 * 128 + lane / 16 * bytes;
}

static void shared_column(uint64_t *address, uint64_t request, uint32_t bytes)
{
    for (uint32_t lane = 0; lane < LANES; lane++)
        address[lane] = 1024 + lane * 132 + request % 8 * bytes;
}

/* Fills in `same` and `next` as the executor does. */
static void find_runs(struct request *request)
{
    request->same = request->next = 0;
    for (uint32_t lane = 1; lane < LANES; lane++) {
        request->same |= (uint32_t)(request->address[lane] == request->address[lane - 1]) << lane;
        request->next |=
            (uint32_t)(request->address[lane] == request->address[lane - 1] + request->bytes)
            << lane;
    }
}

static double measure(pattern *pattern, enum access_kind kind, uint32_t bytes, bool shared,
                      uint32_t workers)
{
    static struct tally tally;
    struct ptx_module *module = schedule_module();
    uint32_t grid[3] = {BLOCKS, 1, 1}, block[3] = {32 * BLOCK_WARPS, 1, 1};
    static unsigned char memory[SCHEDULE_SHARED];
    uint64_t request_number = 0;
    watch_launch(1, "k", grid, block, module, workers);
    tally_begin(&tally, module);
    struct watcher *watcher = watcher_make(&tally, 0);
    double before = now();
    for (uint32_t b = 0; b < BLOCKS; b++) {
        if (b % 8 == 0) watcher_next_sm(watcher);
        struct watched_block *one =
            watch_block(watcher, b, memory, SCHEDULE_SHARED, module->functions[0], 0);
        struct watched_warp *warps[BLOCK_WARPS];
        for (uint32_t w = 0; w < BLOCK_WARPS; w++)
            warps[w] = watch_warp(one, w, 32);
        uint64_t address[LANES];
        int error = 0;
        if (shared) { /* everything is written first */
            struct request fill = {.instruction = module->accesses[1],
                                   .kind = ACCESS_STORE,
                                   .mask = UINT32_MAX,
                                   .bytes = 4,
                                   .element = 4,
                                   .address = address};
            for (uint64_t at = 1024; at < 1024 + 7168; at += 128) {
                for (uint32_t lane = 0; lane < LANES; lane++)
                    address[lane] = at + 4 * lane;
                watch_shared(warps[0], &fill, &error);
            }
            watch_barrier(one, 0xff);
        }
        for (uint32_t round = 0; round < ROUNDS; round++)
            for (uint32_t w = 0; w < BLOCK_WARPS; w++) {
                pattern(address, kind == ACCESS_STORE && shared ? w : request_number++, bytes);
                struct request request = {.instruction = module->accesses[0],
                                          .kind = kind,
                                          .mask = UINT32_MAX,
                                          .bytes = bytes,
                                          .element = bytes,
                                          .address = address,
                                          .consecutive = pattern == side_by_side ||
                                                         pattern == shifted ||
                                                         pattern == shared_row};
                find_runs(&request);
                for (int k = 0; k < REPEATS; k++)
                    (shared ? watch_shared : watch_global)(warps[w], &request, &error);
                if (round % 16 == 15 && w == BLOCK_WARPS - 1 && shared) watch_barrier(one, 0xff);
            }
        watch_block_end(one);
    }
    double spent = now() - before;
    watcher_free(watcher);
    watch_end(&tally);
    tally_free(&tally);
    EXPECT(strcmp(last_fault(), "") == 0);
    return spent / (BLOCKS * ROUNDS * BLOCK_WARPS * (double)REPEATS);
}

static void report(const char *name, pattern *pattern, enum access_kind kind, uint32_t bytes,
                   bool shared)
{
    measure(pattern, kind, bytes, shared, 1);
    printf("%-40s %5.0f ns alone, %5.0f ns of several workers\n", name,
           measure(pattern, kind, bytes, shared, 1), measure(pattern, kind, bytes, shared, 2));
}

int main(void)
{
    struct allocation *a = memory_allocate(SPACE_DEVICE, AREA + 4096, NULL, 0);
    base = (uint64_t)(uintptr_t)a->base;
    memory_written(a->base, a->bytes);
    report("loads of 4 bytes side by side", side_by_side, ACCESS_LOAD, 4, false);
    report("stores of 4 bytes side by side", side_by_side, ACCESS_STORE, 4, false);
    report("loads of 16 bytes side by side", side_by_side, ACCESS_LOAD, 16, false);
    report("loads of 4 bytes, shifted by one", shifted, ACCESS_LOAD, 4, false);
    report("loads of one word", same, ACCESS_LOAD, 4, false);
    report("loads with a stride of 32 words", scattered, ACCESS_LOAD, 4, false);
    report("stores with a stride of 32 words", scattered, ACCESS_STORE, 4, false);
    report("atomics with a stride of 32 words", scattered, ACCESS_REDUCTION, 4, false);
    report("shared loads of a row", shared_row, ACCESS_LOAD, 4, true);
    report("shared loads of two words", shared_tile, ACCESS_LOAD, 4, true);
    report("shared loads of a column", shared_column, ACCESS_LOAD, 4, true);
    report("shared stores of a row", shared_row, ACCESS_STORE, 4, true);
    printf("%d passed\n", expected);
    return 0;
}
