/* warp_control.c: unit tests of control flow: divergence, calls, time slices, and exchange between
 * lanes. */
#include "kernel_text.h"

#define KERNEL(body)                                                                               \
    HEAD ".visible .entry k(.param .u64 k_param_0, .param .u64 k_param_1)\n{\n"                    \
         ".reg .pred %p<9>; .reg .b32 %r<32>; .reg .b64 %d<16>; .reg .f32 %f<9>;\n"                \
         "ld.param.u64 %d0, [k_param_0]; ld.param.u64 %d9, [k_param_1];\n"                         \
         "mov.u32 %r0, %tid.x; mov.u32 %r31, %ctaid.x; mov.u32 %r30, %ntid.x;\n"                   \
         "mad.lo.s32 %r29, %r31, %r30, %r0; mul.wide.u32 %d1, %r29, 4; add.s64 %d1, %d0, "         \
         "%d1;\n" body "\nst.global.u32 [%d1], %r1;\nret;\n}\n"

/* Runs one warp; the result is what each lane left in %r1. */
static uint32_t *one_warp(const char *text, uint32_t threads)
{
    uint32_t *result = buffer(4 * 64);
    struct launched done = launch_kernel(module_of(text), 1, threads, 1, false, result, NULL);
    CHECK(done.error == 0);
    tally_free(&done.tally);
    return result;
}

static void plain(void)
{
    uint32_t *r = one_warp(KERNEL("add.s32 %r1, %r0, 5;"), 32);
    for (uint32_t i = 0; i < 32; i++)
        assert(r[i] == i + 5);
    r = one_warp(KERNEL("mov.u32 %r1, 1; setp.lt.u32 %p1, %r0, 9; @%p1 mov.u32 %r1, 2;"
                        "@!%p1 add.s32 %r1, %r1, 6;"),
                 20);
    for (uint32_t i = 0; i < 20; i++)
        assert(r[i] == (i < 9 ? 2u : 7u));
    CHECK(r[20] == 0);
}

/* Lanes go different ways, and meet where the ways do. */
static void divergence(void)
{
    uint32_t *r = one_warp(KERNEL("setp.lt.u32 %p1, %r0, 10; @%p1 bra A; activemask.b32 %r1; bra B;"
                                  "A: activemask.b32 %r1; B: activemask.b32 %r2;"
                                  "shl.b32 %r3, %r2, 0; xor.b32 %r1, %r1, %r3;"),
                           32);
    CHECK(r[0] == (0x3ffu ^ ~0u) && r[10] == (0xfffffc00u ^ ~0u));
    /* a loop that lanes leave one after the other */
    r = one_warp(KERNEL("mov.u32 %r1, 0; L: setp.ge.u32 %p1, %r1, %r0; @%p1 bra E;"
                        "add.s32 %r1, %r1, 1; bra L; E: activemask.b32 %r2;"
                        "popc.b32 %r2, %r2; shl.b32 %r2, %r2, 8; add.s32 %r1, %r1, %r2;"),
                 32);
    for (uint32_t i = 0; i < 32; i++)
        assert(r[i] == i + (32u << 8));
    /* a table of branches */
    r = one_warp(KERNEL("and.b32 %r2, %r0, 3; T: .branchtargets X, Y, Z, W; brx.idx %r2, T;"
                        "X: mov.u32 %r1, 10; bra E; Y: mov.u32 %r1, 11; bra E;"
                        "Z: mov.u32 %r1, 12; bra E; W: mov.u32 %r1, 13; E: activemask.b32 %r3;"
                        "setp.ne.u32 %p1, %r3, -1; @%p1 mov.u32 %r1, 99;"),
                 32);
    for (uint32_t i = 0; i < 32; i++)
        assert(r[i] == 10 + i % 4);
    passed += 2;
}

static const char calls_text[] =
    HEAD ".func (.param .b32 out) factorial(.param .b32 in)\n{ .reg .b32 %r<9>; .reg .pred %p<3>;\n"
         "ld.param.u32 %r1, [in]; setp.gt.u32 %p1, %r1, 1; @%p1 bra R; mov.u32 %r2, 1; bra E;\n"
         "R: sub.s32 %r3, %r1, 1;\n{ .param .b32 a; st.param.b32 [a], %r3; .param .b32 b;\n"
         "call.uni (b), factorial, (a); ld.param.b32 %r4, [b]; }\n"
         "mul.lo.s32 %r2, %r4, %r1; E: st.param.b32 [out], %r2; ret; }\n"
         ".func (.param .b32 out) twice(.param .b32 in)\n{ .reg .b32 %r<4>;\n"
         "ld.param.u32 %r1, [in]; add.s32 %r2, %r1, %r1; st.param.b32 [out], %r2; ret; }\n"
         ".func (.param .b32 out) deep(.param .b32 in)\n{ .reg .b32 %r<4>;\n"
         "ld.param.u32 %r1, [in]; { .param .b32 a; st.param.b32 [a], %r1; .param .b32 b;\n"
         "call.uni (b), deep, (a); ld.param.b32 %r2, [b]; } st.param.b32 [out], %r2; ret; }\n"
         ".visible .entry k(.param .u64 k_param_0, .param .u64 k_param_1)\n"
         "{ .reg .b32 %r<9>; .reg .b64 %d<9>; .reg .pred %p<4>;\n"
         "ld.param.u64 %d0, [k_param_0]; mov.u32 %r0, %tid.x; mul.wide.u32 %d1, %r0, 4;\n"
         "add.s64 %d1, %d0, %d1; and.b32 %r1, %r0, 7; mov.u64 %d3, twice; mov.u64 %d4, factorial;\n"
         "setp.lt.u32 %p1, %r0, 16; selp.b64 %d5, %d3, %d4, %p1;\n"
         "{ .param .b32 a; st.param.b32 [a], %r1; .param .b32 b;\n"
         "P: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
         "call (b), %d5, (a), P; ld.param.b32 %r2, [b]; }\n"
         "activemask.b32 %r3; setp.ne.u32 %p2, %r3, -1; @%p2 mov.u32 %r2, 0;\n"
         "st.global.u32 [%d1], %r2; ret; }\n"
         ".visible .entry endless(.param .u64 k_param_0, .param .u64 k_param_1)\n"
         "{ .reg .b32 %r<9>; { .param .b32 a; st.param.b32 [a], 1; .param .b32 b;\n"
         "call.uni (b), deep, (a); ld.param.b32 %r2, [b]; } ret; }\n";

/* Calls, recursion, function pointers that differ between lanes; a stack that is too small. */
static void calls(void)
{
    static const uint32_t factorial[8] = {1, 1, 2, 6, 24, 120, 720, 5040};
    struct ptx_module *module = module_of(calls_text);
    uint32_t *r = buffer(4 * 32);
    struct launched done = launch_kernel(module, 1, 32, 1, false, r, NULL);
    CHECK(done.error == 0);
    for (uint32_t i = 0; i < 32; i++)
        assert(r[i] == (i < 16 ? 2 * (i & 7) : factorial[i & 7]));
    struct launch launch = {.id = 99,
                            .kernel = ptx_function(module, "endless"),
                            .grid = {1, 1, 1},
                            .block = {32, 1, 1},
                            .cluster = {1, 1, 1},
                            .parameters = (unsigned char[16]){0},
                            .blocks_per_sm = 1,
                            .sms = 1};
    CHECK(launch_run(&launch, &done.tally) == LAUNCH_STACK_ERROR);
}

/* A lock for which each lane spins, a flag between warps, a barrier by hand between blocks. */
static void waiting(void)
{
    uint32_t *lock = buffer(64), *r = buffer(4 * 64);
    struct ptx_module *module = module_of(
        KERNEL("L: atom.global.cas.b32 %r2, [%d9], 0, 1; setp.ne.u32 %p1, %r2, 0; @%p1 bra L;"
               "ld.global.u32 %r3, [%d9+4]; add.s32 %r3, %r3, 1; st.global.u32 [%d9+4], %r3;"
               "membar.gl; atom.global.exch.b32 %r4, [%d9], 0; mov.u32 %r1, 1;"));
    struct launched done = launch_kernel(module, 1, 64, 0, false, r, lock);
    CHECK(done.error == 0 && lock[1] == 64);
    uint32_t *flag = buffer(64);
    module = module_of(KERNEL("setp.lt.u32 %p1, %r0, 32; @!%p1 bra S;"
                              "W: ld.volatile.global.u32 %r2, [%d9]; setp.eq.u32 %p2, %r2, 0;"
                              "@%p2 bra W; bra E; S: mov.u32 %r3, 7;"
                              "st.volatile.global.u32 [%d9], %r3; E: mov.u32 %r1, 3;"));
    done = launch_kernel(module, 1, 64, 0, false, r, flag);
    CHECK(done.error == 0 && r[0] == 3 && r[63] == 3);
    uint32_t *count = buffer(64);
    module = module_of(KERNEL("setp.ne.u32 %p1, %r0, 0; @%p1 bra N;"
                              "atom.global.add.u32 %r2, [%d9], 1;"
                              "W: ld.volatile.global.u32 %r2, [%d9]; setp.lt.u32 %p2, %r2, 16;"
                              "@%p2 bra W; N: bar.sync 0; ld.volatile.global.u32 %r1, [%d9];"));
    uint32_t *all = buffer(4 * 16 * 64);
    done = launch_kernel(module, 16, 64, 0, false, all, count);
    CHECK(done.error == 0 && all[0] == 16 && all[16 * 64 - 1] == 16);
    /* the first block waits for the last one, which no atomic shows */
    count[0] = 0;
    module =
        module_of(KERNEL("setp.ne.u32 %p1, %r31, 15; @%p1 bra W; st.volatile.global.u32 [%d9], 5;"
                         "W: ld.volatile.global.u32 %r1, [%d9]; setp.ne.u32 %p2, %r1, 5;"
                         "@%p2 bra W;"));
    for (uint32_t workers = 1; workers <= 4; workers += 3) {
        count[0] = 0;
        done = launch_kernel(module, 16, 32, workers, false, all, count);
        CHECK(done.error == 0 && all[0] == 5 && all[511] == 5);
    }
}

static void exchange(void)
{
    uint32_t *r = one_warp(KERNEL("shfl.sync.bfly.b32 %r1|%p1, %r0, 1, 31, -1;"), 32);
    for (uint32_t i = 0; i < 32; i++)
        assert(r[i] == (i ^ 1));
    r = one_warp(KERNEL("shfl.sync.down.b32 %r1, %r0, 4, 0x181f, -1;"), 32);
    for (uint32_t i = 0; i < 32; i++)
        assert(r[i] == (i % 8 < 4 ? i + 4 : i));
    r = one_warp(KERNEL("shfl.sync.up.b32 %r1, %r0, 1, 0, -1;"), 32);
    for (uint32_t i = 0; i < 32; i++)
        assert(r[i] == (i > 0 ? i - 1 : 0));
    r = one_warp(KERNEL("shfl.sync.idx.b32 %r1, %r0, 3, 31, -1;"), 32);
    CHECK(r[0] == 3 && r[31] == 3);
    /* halves of a warp that come to different places, with masks of their own */
    r = one_warp(KERNEL("setp.lt.u32 %p1, %r0, 16; @%p1 bra A;"
                        "shfl.sync.bfly.b32 %r1, %r0, 2, 31, 0xffff0000; bra E;"
                        "A: shfl.sync.bfly.b32 %r1, %r0, 1, 31, 0x0000ffff; E: bar.warp.sync -1;"),
                 32);
    for (uint32_t i = 0; i < 32; i++)
        assert(r[i] == (i ^ (i < 16 ? 1 : 2)));
    /* one mask, two places */
    r = one_warp(KERNEL("setp.lt.u32 %p1, %r0, 16; @%p1 bra A;"
                        "shfl.sync.bfly.b32 %r1, %r0, 16, 31, -1; bra E;"
                        "A: shfl.sync.bfly.b32 %r1, %r0, 16, 31, -1; E:"),
                 32);
    for (uint32_t i = 0; i < 32; i++)
        assert(r[i] == (i ^ 16));
    /* a mask in a register, whose place the result takes */
    r = one_warp(KERNEL("mov.u32 %r1, 0; and.b32 %r2, %r0, 1; setp.eq.u32 %p1, %r2, 0; @%p1 bra E;"
                        "activemask.b32 %r3; shfl.sync.idx.b32 %r3, %r0, 5, 31, %r3;"
                        "mov.u32 %r1, %r3; E:"),
                 32);
    for (uint32_t i = 0; i < 32; i++)
        assert(r[i] == (i % 2 ? 5 : 0));
    r = one_warp(KERNEL("setp.lt.u32 %p1, %r0, 5; vote.sync.ballot.b32 %r1, %p1, -1;"), 32);
    CHECK(r[0] == 31 && r[9] == 31);
    r = one_warp(KERNEL("and.b32 %r2, %r0, 1; match.any.sync.b32 %r1, %r2, -1;"), 32);
    CHECK(r[0] == 0x55555555u && r[1] == 0xaaaaaaaau);
    r = one_warp(KERNEL("redux.sync.add.u32 %r1, %r0, -1;"), 32);
    CHECK(r[7] == 496);
    r = one_warp(KERNEL("setp.gt.u32 %p1, %r0, 100; vote.sync.any.pred %p2, %p1, -1;"
                        "selp.u32 %r1, 1, 2, %p2;"),
                 32);
    CHECK(r[0] == 2);
}

/* Parallel launches give what one worker gives, counts and sums of floats included. */
static void workers(void)
{
    struct ptx_module *module =
        module_of(KERNEL("cvt.rn.f32.u32 %f1, %r29; mul.f32 %f1, %f1, 0f3DCCCCCD;"
                         "red.global.add.f32 [%d9], %f1; mov.u32 %r1, %r29;"));
    uint32_t *r = buffer(4 * 256 * 128);
    uint32_t sums[3];
    uint64_t counts[3];
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t *sum = buffer(64);
        struct launched done = launch_kernel(module, 256, 128, 1u << i, false, r, sum);
        CHECK(done.error == 0);
        sums[i] = *sum;
        counts[i] = done.tally.warp_instructions;
    }
    CHECK(sums[0] == sums[1] && sums[0] == sums[2]);
    CHECK(counts[0] == counts[1] && counts[0] == counts[2]);
    CHECK(r[256 * 128 - 1] == 256 * 128 - 1);
}

int main(void)
{
    begin_tests();
    plain();
    divergence();
    calls();
    waiting();
    exchange();
    workers();
    printf("%d passed\n", passed);
    return 0;
}
