/*
 * time.c: tests the room time/: what instructions cost, which arithmetic is counted, how the
 * model's terms follow the counts, and the records of a launch.
 */
#define _GNU_SOURCE
#include "gpu/time/counts.h"
#include "gpu/time/model.h"
#include "gpu/time/profile.h"
#include "gpu/time/record.h"
#include "trace/trace.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int passed;

static const char PTX[] =
    ".version 7.8\n.target sm_90\n.address_size 64\n"
    ".visible .entry k(.param .u64 p)\n{\n"
    ".reg .f32 %f<4>;\n.reg .f64 %d<4>;\n.reg .b32 %r<8>;\n.reg .b64 %rd<8>;\n"
    ".loc 1 10 5\n"
    "ld.param.u64 %rd1, [p];\n"
    "ld.global.f32 %f1, [%rd1];\n"
    "fma.rn.f32 %f2, %f1, %f1, %f1;\n"
    ".loc 1 11 5\n"
    "div.rn.f32 %f2, %f2, %f1;\n"
    "cvt.f64.f32 %d1, %f2;\n"
    "add.f64 %d2, %d1, %d1;\n"
    ".loc 1 12 5\n"
    "div.s32 %r3, %r1, %r2;\n"
    "rem.s32 %r4, %r1, %r2;\n"
    "div.s32 %r5, %r1, 10;\n"
    "div.u64 %rd3, %rd1, %rd2;\n"
    "st.global.f32 [%rd1], %f2;\n"
    "ret;\n}\n"
    ".file 1 \"axpy.cu\"\n";

static struct ptx_module *module;
static struct ptx_function *kernel;
static struct tally tally;
static struct launch launch;

/* A launch of 1000 blocks in which each warp ran each instruction once. */
static void make_launch(void)
{
    module = ptx_read(PTX, strlen(PTX));
    assert(module != NULL && module->error_count == 0 && module->function_count == 1);
    kernel = module->functions[0];
    kernel->first = 0;
    module->numbers = kernel->code_count;
    tally_begin(&tally, module);
    launch = (struct launch){.id = 1, .kernel = kernel, .grid = {1000, 1, 1}, .block = {256, 1, 1}};
    tally.blocks = 1000;
    tally.warps = 8000;
    for (uint32_t i = 0; i < kernel->code_count; i++) {
        tally.executed[i] = tally.warps;
        tally.executed_lanes[i] = tally.warps * LANES;
    }
    tally.warp_instructions = tally.warps * kernel->code_count;
    tally.longest_warp = kernel->code_count;
    tally.threads = 256000;
    tally.thread_bytes = 8 * tally.threads;
    tally.busiest_bytes = 8;
    tally.global[CLASS_LOAD] = tally.global[CLASS_STORE] = (struct access_counts){
        .requests = 8000, .sectors = 32000, .ideal = 32000, .bytes = 1024000, .lanes = 256000};
    tally.l1_clocks = 16000 * L1_PARTS;
    tally.store_lines = 8000;
    tally.store_sectors = 32000;
    tally.l2_bytes = tally.dram_bytes = tally.dram_bursts = 2048000;
    tally.dram_store_bytes = 1024000;
    for (uint32_t i = 0; i < module->access_count; i++)
        tally.sites[i].global = tally.global[CLASS_LOAD];
}

static void test_arithmetic(void)
{
    struct counts counts = counts_of(kernel, &tally);
    assert(counts.arithmetic[FLOAT_OPERATIONS] == 2 * 256000);
    assert(counts.arithmetic[FLOAT_DIVISIONS] == 256000);
    assert(counts.arithmetic[DOUBLE_OPERATIONS] == 256000);
    assert(counts.arithmetic[CONVERSIONS] == 256000);
    assert(counts.arithmetic[DIVISIONS] ==
           256000); /* a quotient and its remainder; none by a constant */
    assert(counts.arithmetic[DIVISIONS_64] == 256000);
    assert(counts.warps.doubles == 8000);
    assert(counts.warps.floats == 7 * 8000); /* an fma, and six of the division */
    assert(counts.in_floats.doubles == 0 && counts.in_floats.floats == 8 * 8000);
    passed++;
}

static void test_model(void)
{
    struct kernel_time in_l2, cold, more;
    time_kernel(&launch, &tally, 4 << 20, &in_l2);
    time_kernel(&launch, &tally, (uint64_t)1 << 30, &cold);
    assert(in_l2.ns > in_l2.start_ns && cold.ns > in_l2.ns && in_l2.dram_ns < cold.dram_ns);
    assert(in_l2.doubles_cost_ns >= 0 && in_l2.divisions_cost_ns > 0);
    assert(in_l2.blocks_per_sm == 8);
    tally.store_sectors *= 8;
    tally.store_lines *= 8;
    tally.l1_clocks *= 8;
    time_kernel(&launch, &tally, 4 << 20, &more);
    assert(more.stores_ns > 7 * in_l2.stores_ns && more.l1_ns > in_l2.l1_ns && more.ns > in_l2.ns);
    tally.store_sectors /= 8;
    tally.store_lines /= 8;
    tally.l1_clocks /= 8;
    tally.block_work[1] = 1;
    time_kernel(&launch, &tally, 4 << 20, &more);
    assert(more.compute_ns > 100 * in_l2.compute_ns); /* one SM has all of the work */
    tally.block_work[1] = 0;
    passed++;
}

static void test_blocks(void)
{
    assert(time_blocks_per_sm(256, 0, 0) == 8);
    assert(time_blocks_per_sm(256, 128, 0) == 2);
    assert(time_blocks_per_sm(32, 0, 0) == 32);
    assert(time_blocks_per_sm(256, 0, 100 << 10) == 2);
    passed++;
}

/* Instructions that ptxas makes part of others, and atomic operations that it does once per warp.
 */
static void test_fused(void)
{
    static const char text[] =
        ".version 7.8\n.target sm_90\n.address_size 64\n"
        ".visible .entry f(.param .u64 p)\n{\n.reg .b32 %r<16>;\n.reg .b64 %rd<16>;\n"
        "ld.param.u64 %rd1, [p];\n"
        "mov.u32 %r1, %tid.x;\n"
        "mul.wide.u32 %rd2, %r1, 4;\n"
        "add.s64 %rd3, %rd1, %rd2;\n" /* IMAD.WIDE */
        "add.s64 %rd4, %rd3, 64;\n"   /* an offset */
        "ld.global.u32 %r2, [%rd3];\n"
        "and.b32 %r3, %r2, %r1;\n" /* LOP3 */
        "xor.b32 %r4, %r3, 7;\n"
        "shl.b32 %r5, %r4, 3;\n" /* LEA */
        "add.s32 %r6, %r5, %r2;\n"
        "st.global.u32 [%rd4], %r6;\n"
        "red.global.add.u32 [%rd1], %r6;\n" /* the warp adds up */
        "red.global.add.u32 [%rd3], %r6;\n"
        "red.global.add.u64 [%rd1], 1;\n"
        "red.global.add.u64 [%rd1], %rd3;\n" /* REDUX has 32 bits */
        "red.global.max.u64 [%rd1], 1;\n"
        "ret;\n}\n";
    static const char fused[] = "...ff.f.f........";
    struct ptx_module *one = ptx_read(text, strlen(text));
    assert(one != NULL && one->error_count == 0);
    const struct ptx_function *function = one->functions[0];
    assert(function->code_count == sizeof fused - 1);
    for (uint32_t i = 0; i < function->code_count; i++)
        assert(function->code[i].fused == (fused[i] == 'f'));
    static const char together[] = "...........t.t...";
    for (uint32_t i = 0; i < function->code_count; i++)
        assert(function->code[i].together == (together[i] == 't'));
    ptx_free(one);
    passed++;
}

static void test_end(void)
{
    struct kernel_time time = {.ns = 100, .dram_ns = 80};
    assert(time_end(1000, &time) == 1100);
    assert(time_end(1000, &time) == 1160); /* it shares the memory with the one before */
    assert(time_end(9000, &time) == 9100);
    passed++;
}

/* How often the text is in the trace. */
static int count_of(const char *trace, const char *text)
{
    int count = 0;
    for (const char *at = trace; (at = strstr(at, text)) != NULL; at++)
        count++;
    return count;
}

static void test_records(void)
{
    char folder[] = "/tmp/time-XXXXXX", path[64];
    assert(mkdtemp(folder) != NULL);
    setenv("WARPUP_TRACE", folder, 1);
    assert(trace_open());
    struct kernel_time time;
    time_kernel(&launch, &tally, 4 << 20, &time);
    record_accesses(&launch, &tally, false);
    record_kernel(&launch, &tally, &time, &(struct kernel_record){.start = 10, .end = 20});
    record_library_kernel(2, &(struct kernel_record){.library = "cublas"}, 100, 50);
    trace_close("exit");
    snprintf(path, sizeof path, "%s/trace.jsonl", folder);
    FILE *file = fopen(path, "r");
    assert(file != NULL);
    char *trace = calloc(1, 1 << 16);
    assert(trace != NULL && fread(trace, 1, (1 << 16) - 1, file) > 0);
    fclose(file);
    assert(count_of(trace, "\"event\":\"access\"") == 2);
    assert(count_of(trace, "\"space\":\"global\"") == 2);
    assert(count_of(trace, "\"event\":\"arithmetic\"") == 3);
    assert(count_of(trace, "\"event\":\"kernel\"") == 2);
    assert(count_of(trace, "\"even_threads\":256000") == 1);
    assert(count_of(trace, "\"file\":\"axpy.cu\",\"line\":10") >= 1);
    unlink(path);
    rmdir(folder);
    free(trace);
    passed++;
}

int main(void)
{
    unsetenv("WARPUP_PROFILE");
    unsetenv("WARPUP_COLD");
    assert(strcmp(profile()->name, "NVIDIA H200") == 0);
    make_launch();
    test_arithmetic();
    test_model();
    test_blocks();
    test_fused();
    test_end();
    test_records();
    printf("%d passed\n", passed);
    return 0;
}
