/* warp_together.c: unit tests of what threads of a block do together: barriers, mistakes at them,
 * copies, printf. */
#include "kernel_text.h"

#define KERNEL(body)                                                                               \
    HEAD ".visible .global .align 1 .b8 format[8] = {37, 100, 32, 37, 103, 10, 0, 0};\n"           \
         ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"                  \
         ".visible .entry k(.param .u64 k_param_0, .param .u64 k_param_1)\n{\n"                    \
         ".reg .pred %p<9>; .reg .b32 %r<32>; .reg .b64 %d<16>; .reg .f64 %f<9>;\n"                \
         ".shared .align 16 .b8 s[512]; .shared .align 8 .b8 bar[8];\n"                            \
         ".local .align 8 .b8 local[16];\n"                                                        \
         "ld.param.u64 %d0, [k_param_0]; ld.param.u64 %d9, [k_param_1];\n"                         \
         "mov.u32 %r0, %tid.x; mov.u32 %r31, %ctaid.x; mov.u32 %r30, %ntid.x;\n"                   \
         "mad.lo.s32 %r29, %r31, %r30, %r0; mul.wide.u32 %d1, %r29, 4; add.s64 %d1, %d0, %d1;\n"   \
         "shl.b32 %r28, %r0, 2; mov.u32 %r27, s; add.s32 %r28, %r28, %r27;\n" body                 \
         "\nst.global.u32 [%d1], %r1;\nret;\n}\n"

static char faults[1000];

/* The names and details of the faults since the last call, each with a line break. */
static const char *new_faults(void)
{
    long long times;
    int line;
    const struct fault *one;
    faults[0] = '\0';
    for (int i = 0; (one = fault_look(i, &times, &line)) != NULL; i++)
        snprintf(faults + strlen(faults), sizeof faults - strlen(faults), "%s %s\n", one->name,
                 one->detail);
    fault_forget_kernel();
    return faults;
}

static uint32_t *result;

static int run(const char *text, uint32_t grid, uint32_t block, void *more)
{
    result = buffer(4 * (size_t)grid * block);
    struct launched done = launch_kernel(module_of(text), grid, block, 1, false, result, more);
    tally_free(&done.tally);
    return done.error;
}

static void barriers(void)
{
    CHECK(run(KERNEL("st.shared.u32 [%r28], %r0; bar.sync 0; xor.b32 %r2, %r28, 0;"
                     "mov.u32 %r3, 127; sub.s32 %r3, %r3, %r0; shl.b32 %r3, %r3, 2;"
                     "add.s32 %r3, %r3, %r27; ld.shared.u32 %r1, [%r3];"),
              2, 128, NULL) == 0);
    for (uint32_t i = 0; i < 256; i++)
        assert(result[i] == 127 - i % 128);
    CHECK(new_faults()[0] == '\0');
    /* half of a warp comes later; some threads end before */
    run(KERNEL("and.b32 %r2, %r0, 1; setp.eq.u32 %p1, %r2, 0; @%p1 bra B; mov.u32 %r4, 1;"
               "B: setp.gt.u32 %p2, %r0, 90; @%p2 exit; bar.sync 0; mov.u32 %r1, 5;"),
        1, 128, NULL);
    CHECK(result[0] == 5 && result[90] == 5 && result[91] == 0 && new_faults()[0] == '\0');
    run(KERNEL("setp.lt.u32 %p1, %r0, 40; barrier.sync 0; bar.red.popc.u32 %r1, 0, %p1;"
               "bar.red.and.pred %p2, 0, %p1; @%p2 mov.u32 %r1, 0;"),
        1, 64, NULL);
    CHECK(result[0] == 40 && result[63] == 40);
    /* producers arrive, consumers wait */
    run(KERNEL("setp.lt.u32 %p1, %r0, 32; @%p1 bra P; bar.sync 1, 64; ld.shared.u32 %r1, [s];"
               "bra E; P: mov.u32 %r1, 8; st.shared.u32 [s], %r1; bar.arrive 1, 64; E:"),
        1, 64, NULL);
    CHECK(result[0] == 8 && result[40] == 8);
}

static void mistakes(void)
{
    run(KERNEL("setp.lt.u32 %p1, %r0, 16; mov.u32 %r1, %r0; @!%p1 bra E;"
               "shfl.sync.bfly.b32 %r1, %r0, 1, 31, -1; E: bar.sync 0;"),
        1, 32, NULL);
    CHECK(strcmp(new_faults(), "lanes-missing it waits for lane 16 of the warp, but that lane "
                               "waits at a barrier of the block\n") == 0);
    CHECK(result[0] == 1);
    /* in two branches: another function does not meet this one, the same function does */
    run(KERNEL("setp.lt.u32 %p1, %r0, 16; @%p1 bra A; shfl.sync.up.b32 %r1, %r0, 1, 0, -1;"
               "bra E; A: shfl.sync.down.b32 %r1, %r0, 1, 31, -1; E:"),
        1, 32, NULL);
    CHECK(strcmp(new_faults(), "lanes-missing it waits for lane 16 of the warp, but that lane "
                               "waits at another call\n") == 0);
    run(KERNEL("setp.lt.u32 %p1, %r0, 16; @%p1 bra A; shfl.sync.bfly.b32 %r1, %r0, 16, 31, -1;"
               "bra E; A: shfl.sync.bfly.b32 %r1, %r0, 17, 31, -1; E:"),
        1, 32, NULL);
    CHECK(new_faults()[0] == '\0' && result[0] == 17 && result[31] == 15);
    run(KERNEL("shfl.sync.bfly.b32 %r1, %r0, 1, 31, 0xffff;"), 1, 32, NULL);
    CHECK(strncmp(new_faults(),
                  "lanes-missing lane 16 of the warp calls it, but the mask "
                  "0x0000ffff",
                  60) == 0);
    run(KERNEL("setp.lt.u32 %p1, %r0, 32; @%p1 bra A; bar.sync 1; bra E; A: bar.sync 2; E:"), 1, 64,
        NULL);
    CHECK(strncmp(new_faults(),
                  "barrier-divergence it waits for threads that have ended or wait "
                  "at another place\n",
                  70) == 0);
    run(KERNEL("setp.lt.u32 %p1, %r0, 9; @!%p1 bra E; shfl.sync.idx.b32 %r1, %r0, 20, 31, 0x1ff;"
               "E:"),
        1, 32, NULL);
    CHECK(result[0] == 0x7ff5dead);
    CHECK(run(KERNEL("setp.eq.u32 %p1, %r0, 3; @%p1 trap;"), 1, 32, NULL) == LAUNCH_FAILED);
    CHECK(strcmp(new_faults(), "assert-failed __trap() was called\n") == 0);
}

static void printing(void)
{
    printed[0] = '\0';
    run(KERNEL(
            "setp.ge.u32 %p1, %r0, 2; @%p1 bra E; mov.u64 %d2, local; st.local.u32 [local], %r29;"
            "cvt.rn.f64.u32 %f1, %r29; st.local.f64 [local+8], %f1; mov.u64 %d3, format;"
            "cvta.global.u64 %d3, %d3; cvta.local.u64 %d2, %d2;"
            "{ .param .b64 f; st.param.b64 [f], %d3; .param .b64 a; st.param.b64 [a], %d2;"
            ".param .b32 r; call.uni (r), vprintf, (f, a); ld.param.b32 %r1, [r]; } E:"),
        2, 32, NULL);
    CHECK(strcmp(printed, "0 0\n1 1\n32 32\n33 33\n") == 0);
}

static void copies(void)
{
    int *from = buffer(512);
    for (int i = 0; i < 128; i++)
        from[i] = 1000 + i;
    memory_written(from, 512);
    run(KERNEL("mul.wide.u32 %d3, %r0, 4; add.s64 %d3, %d9, %d3;"
               "cp.async.ca.shared.global [%r28], [%d3], 4; cp.async.commit_group;"
               "cp.async.wait_group 0; bar.sync 0; ld.shared.u32 %r1, [%r28];"),
        1, 64, from);
    CHECK(result[0] == 1000 && result[63] == 1063 && new_faults()[0] == '\0');
    /* an mbarrier: 64 arrivals, two phases */
    run(KERNEL("mov.u32 %r5, bar; setp.ne.u32 %p1, %r0, 0; @%p1 bra A;"
               "mbarrier.init.shared.b64 [%r5], 64; A: bar.sync 0; mov.u32 %r6, 0;"
               "L: mbarrier.arrive.shared.b64 %d4, [%r5];"
               "W: mbarrier.try_wait.shared.b64 %p2, [%r5], %d4; @!%p2 bra W;"
               "add.s32 %r6, %r6, 1; setp.lt.u32 %p3, %r6, 5; @%p3 bra L; mov.u32 %r1, %r6;"),
        1, 64, NULL);
    CHECK(result[0] == 5 && result[63] == 5 && new_faults()[0] == '\0');
    run(KERNEL("mov.u32 %r5, bar; setp.ne.u32 %p1, %r0, 0; @%p1 bra A;"
               "mbarrier.init.shared.b64 [%r5], 65; A: bar.sync 0;"
               "mbarrier.arrive.shared.b64 %d4, [%r5];"
               "W: mbarrier.try_wait.shared.b64 %p2, [%r5], %d4; @!%p2 bra W; mov.u32 %r1, 9;"),
        1, 64, NULL);
    CHECK(result[0] == 9 && strncmp(new_faults(), "barrier-divergence it waits", 27) == 0);
}

/* The lowest block that fails is reported, whatever the number of workers. */
static void failures(void)
{
    struct ptx_module *module = module_of(
        KERNEL("setp.ge.u32 %p1, %r31, 77; @%p1 st.global.u32 [0], %r0; mov.u32 %r1, 4;"));
    for (uint32_t workers = 1; workers <= 4; workers *= 2) {
        uint32_t *all = buffer(4 * 256 * 64);
        struct launched done = launch_kernel(module, 256, 64, workers, false, all, NULL);
        CHECK(done.error == LAUNCH_ILLEGAL_ADDRESS);
        long long times;
        int line;
        const struct fault *one = fault_look(0, &times, &line);
        CHECK(one != NULL && strcmp(one->name, "null-pointer") == 0 && one->block[0] == 77);
        CHECK(all[76 * 64] == 4);
        fault_forget_kernel();
        tally_free(&done.tally);
    }
}

int main(void)
{
    begin_tests();
    barriers();
    mistakes();
    printing();
    copies();
    failures();
    printf("%d passed\n", passed);
    return 0;
}
