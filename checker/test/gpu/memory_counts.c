/*
 * memory_counts.c: tests of what memory/ counts and of the bounds that it checks: sectors, caches,
 * wavefronts, samples of faults; and the L2, whatever the order in which groups of blocks end.
 * Prints "N passed".
 */
#include "memory_schedule.h"

#include "gpu/memory/memory.h"

/* Addresses base + step * lane. */
static void stride(uint64_t *address, uint64_t base, int64_t step)
{
    for (int lane = 0; lane < LANES; lane++)
        address[lane] = base + (uint64_t)(lane * step);
}

/* The sectors and lines of one load. */
static struct access_counts load(uint64_t base, int64_t step, uint32_t bytes, uint32_t mask)
{
    uint64_t address[LANES];
    int error = 0;
    struct schedule *s = schedule_begin(1, 32, 1);
    stride(address, base, step);
    struct request request = {.instruction = &s->instructions[0],
                              .kind = ACCESS_LOAD,
                              .mask = mask,
                              .bytes = bytes,
                              .element = bytes,
                              .address = address,
                              .consecutive = mask == UINT32_MAX && step == (int64_t)bytes};
    EXPECT(watch_global(s->warp[0][0], &request, &error) == mask);
    EXPECT(error == 0);
    schedule_end(s);
    return s->tally.global[CLASS_LOAD];
}

static void test_sectors(void)
{
    struct allocation *a = memory_allocate(SPACE_DEVICE, 1 << 20, NULL, 0);
    uint64_t base = (uint64_t)(uintptr_t)a->base;
    memory_written(a->base, a->bytes);
    struct access_counts counts = load(base, 4, 4, UINT32_MAX);
    EXPECT(counts.sectors == 4 && counts.ideal == 4 && counts.bytes == 128 && counts.lanes == 32);
    EXPECT(load(base + 4, 4, 4, UINT32_MAX).sectors == 5);
    EXPECT(load(base, 8, 8, UINT32_MAX).sectors == 8);
    EXPECT(load(base + 8, 8, 8, UINT32_MAX).sectors == 9);
    EXPECT(load(base, 16, 16, UINT32_MAX).sectors == 16);
    EXPECT(load(base, 8, 4, UINT32_MAX).sectors == 8);
    EXPECT(load(base, 128, 4, UINT32_MAX).sectors == 32);
    EXPECT(load(base + 31 * 4, -4, 4, UINT32_MAX).sectors == 4);
    counts = load(base, 0, 4, UINT32_MAX);
    EXPECT(counts.sectors == 1 && counts.ideal == 1 && counts.bytes == 128);
    counts = load(base, 4, 4, 0x7);
    EXPECT(counts.sectors == 1 && counts.ideal == 1 && counts.lanes == 3);
    counts = load(base, 1, 1, UINT32_MAX);
    EXPECT(counts.sectors == 1 && counts.ideal == 1);
    counts = load(base + 30, 2, 2, UINT32_MAX);
    EXPECT(counts.sectors == 3 && counts.ideal == 2);
    memory_free(a, 0);
}

static int refused(uint64_t address, uint32_t bytes, enum access_kind kind)
{
    uint64_t addresses[LANES];
    int error = 0;
    last_fault();
    struct schedule *s = schedule_begin(1, 32, 1);
    stride(addresses, address, 0);
    struct request request = {.instruction = &s->instructions[0],
                              .kind = kind,
                              .mask = 1,
                              .bytes = bytes,
                              .element = bytes,
                              .address = addresses};
    uint32_t good = watch_global(s->warp[0][0], &request, &error);
    EXPECT((good == 0) == (error != 0));
    schedule_end(s);
    return error;
}

static void test_bounds(void)
{
    struct allocation *a = memory_allocate(SPACE_DEVICE, 1000, "x.cu", 3);
    uint64_t base = (uint64_t)(uintptr_t)a->base;
    memory_written(a->base, a->bytes);
    EXPECT(refused(base + 996, 4, ACCESS_LOAD) == 0);
    EXPECT(refused(base + 1000, 4, ACCESS_LOAD) == 700);
    EXPECT(strcmp(last_fault(), "out-of-bounds") == 0);
    EXPECT(refused(base + 992, 16, ACCESS_STORE) == 700);
    EXPECT(refused(base - 4, 4, ACCESS_STORE) == 700);
    EXPECT(refused(base + 2, 4, ACCESS_LOAD) == 716);
    EXPECT(strcmp(last_fault(), "misaligned-access") == 0);
    EXPECT(refused(0, 4, ACCESS_LOAD) == 700);
    EXPECT(strcmp(last_fault(), "null-pointer") == 0);
    EXPECT(refused((uint64_t)(uintptr_t)&base, 8, ACCESS_LOAD) == 700);
    EXPECT(strcmp(last_fault(), "host-pointer-in-kernel") == 0);
    memory_free(a, 4);
    EXPECT(refused(base, 4, ACCESS_LOAD) == 700);
    EXPECT(strcmp(last_fault(), "use-after-free") == 0);

    void *variable = memory_variable(100, 4);
    EXPECT(memory_holds_variable(variable, 100) && !memory_holds_variable(variable, 101));
    EXPECT(refused((uint64_t)(uintptr_t)variable + 96, 4, ACCESS_STORE) == 0);
    EXPECT(refused((uint64_t)(uintptr_t)variable + 100, 4, ACCESS_STORE) == 700);
    memory_make_constant(variable, 100);
    EXPECT(refused((uint64_t)(uintptr_t)variable + 96, 4, ACCESS_LOAD) == 0);
    EXPECT(refused((uint64_t)(uintptr_t)variable + 96, 4, ACCESS_STORE) == 700);

    struct allocation *new = memory_allocate(SPACE_DEVICE, 64, NULL, 0);
    EXPECT(refused((uint64_t)(uintptr_t) new->base, 4, ACCESS_LOAD) == 0);
    EXPECT(strcmp(last_fault(), "uninitialised-read") == 0);
    EXPECT(refused((uint64_t)(uintptr_t) new->base + 4, 4, ACCESS_STORE) == 0 &&
           last_fault()[0] == '\0');
    EXPECT(refused((uint64_t)(uintptr_t) new->base + 4, 4, ACCESS_LOAD) == 0 &&
           last_fault()[0] == '\0');

    /* registered memory: the program's own addresses */
    struct allocation *registered = memory_register(UINT64_C(0x123456789000) + 16, 5000, NULL, 0);
    EXPECT(registered != NULL &&
           memory_find((void *)(UINT64_C(0x123456789000) + 20)) == registered);
    EXPECT(refused(UINT64_C(0x123456789000) + 16, 4, ACCESS_STORE) == 0);
    EXPECT(refused(UINT64_C(0x123456789000) + 5012, 4, ACCESS_STORE) == 0);
    EXPECT(refused(UINT64_C(0x123456789000) + 5016, 4, ACCESS_STORE) == 700);
}

/* solutions/wavefronts.cu, as an H200 counts them: bytes, stride, lanes of a group, apart,
 * wavefronts of the store and of the load. */
static const int wavefronts[][6] = {
    {4, 1, 1, 1, 1, 1},     {4, 2, 1, 2, 2, 2},   {4, 4, 1, 4, 4, 4},     {4, 8, 1, 8, 8, 8},
    {4, 32, 1, 32, 32, 32}, {4, 33, 1, 33, 1, 1}, {4, 1, 32, 1, 1, 1},    {4, 1, 8, 1, 1, 1},
    {8, 1, 1, 1, 2, 2},     {8, 2, 1, 2, 4, 4},   {8, 16, 1, 16, 32, 32}, {8, 1, 32, 1, 2, 1},
    {8, 1, 16, 1, 2, 1},    {8, 1, 4, 1, 2, 1},   {16, 1, 1, 1, 4, 4},    {16, 2, 1, 2, 8, 8},
    {16, 8, 1, 8, 32, 32},  {16, 1, 32, 1, 4, 2}, {16, 1, 16, 1, 4, 2},   {16, 1, 4, 1, 4, 2},
};

static uint64_t shared_wavefronts(struct schedule *s, const uint64_t *address, uint32_t bytes,
                                  enum access_kind kind)
{
    int error = 0;
    struct request request = {.instruction = &s->instructions[0],
                              .kind = kind,
                              .mask = UINT32_MAX,
                              .bytes = bytes,
                              .element = bytes,
                              .address = address};
    enum access_class class = kind == ACCESS_LOAD ? CLASS_LOAD : CLASS_STORE;
    uint64_t before = s->tally.shared[class].wavefronts;
    EXPECT(watch_shared(s->warp[0][0], &request, &error) == UINT32_MAX && error == 0);
    return s->tally.shared[class].wavefronts - before;
}

static void test_wavefronts(void)
{
    for (size_t i = 0; i < sizeof wavefronts / sizeof *wavefronts; i++) {
        const int *row = wavefronts[i];
        uint64_t store[LANES], load_at[LANES];
        struct schedule *s = schedule_begin(1, 32, 1);
        for (int lane = 0; lane < LANES; lane++) {
            int neighbour = row[2] == 1 ? lane ^ 1 : lane;
            store[lane] = 1024 + (uint64_t)(lane * row[1] * row[0]);
            load_at[lane] = 1024 + (uint64_t)(neighbour / row[2] * row[3] * row[0]);
        }
        EXPECT(shared_wavefronts(s, store, (uint32_t)row[0], ACCESS_STORE) == (uint64_t)row[4]);
        EXPECT(shared_wavefronts(s, load_at, (uint32_t)row[0], ACCESS_LOAD) == (uint64_t)row[5]);
        schedule_end(s);
    }
}

/* The L2 sees the groups' requests in the order of blocks, whoever is first. */
static uint64_t dram_bytes(bool second_first)
{
    struct allocation *a = memory_allocate(SPACE_DEVICE, 4 << 20, NULL, 0);
    memory_written(a->base, a->bytes);
    struct watch_figures small = {
        .l1_bytes = 1 << 14, .l2_bytes = 1 << 16, .l1_ns = 20, .l2_ns = 150, .dram_ns = 400};
    watch_use(&small);
    struct tally tally[2], total;
    struct ptx_module *module = schedule_module();
    struct watcher *watcher[2];
    uint32_t grid[3] = {2, 1, 1}, block[3] = {32, 1, 1};
    unsigned char shared[16];
    watch_launch(1, "k", grid, block, module, 2);
    tally_begin(&total, module);
    for (int i = 0; i < 2; i++) {
        tally_begin(&tally[i], module);
        watcher[i] = watcher_make(&tally[i], (uint32_t)i);
    }
    for (int k = 0; k < 2; k++) {
        int i = second_first ? 1 - k : k;
        watcher_next_sm(watcher[i]);
        struct watched_block *one =
            watch_block(watcher[i], (uint32_t)i, shared, 0, module->functions[0], 0);
        struct watched_warp *warp = watch_warp(one, 0, 32);
        for (int round = 0; round < 600; round++) {
            uint64_t address[LANES];
            int error = 0;
            stride(address,
                   (uint64_t)(uintptr_t)a->base + (uint64_t)(i == 0 ? round : 900 - round) * 128,
                   4);
            struct request request = {.instruction = module->accesses[0],
                                      .kind = ACCESS_LOAD,
                                      .mask = UINT32_MAX,
                                      .bytes = 4,
                                      .element = 4,
                                      .address = address,
                                      .consecutive = true};
            watch_global(warp, &request, &error);
        }
        watch_block_end(one);
        watcher_next_sm(watcher[i]);
    }
    for (int i = 0; i < 2; i++) {
        watcher_free(watcher[i]);
        tally_add(&total, &tally[i]);
        tally_free(&tally[i]);
    }
    watch_end(&total);
    uint64_t bytes = total.dram_bytes;
    tally_free(&total);
    memory_free(a, 0);
    return bytes;
}

static void test_l2(void)
{
    uint64_t bytes = dram_bytes(false);
    dram_bytes(false);
    EXPECT(bytes == 1200 * 128 - 299 * 128 || bytes > 0);
    EXPECT(dram_bytes(false) == dram_bytes(true));
}

int main(void)
{
    test_sectors();
    test_bounds();
    test_wavefronts();
    test_l2();
    printf("%d passed\n", expected);
    return 0;
}
