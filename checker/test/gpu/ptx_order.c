/*
 * ptx_order.c: tests of the order into which the reader of PTX puts blocks: where lanes meet again.
 * They execute code with an interpreter of their own.
 */
#include "test/gpu/ptx_reading.h"

/* --- Order of blocks: an interpreter of 32 lanes that runs those with the lowest index --- */

enum { LANES_RUN = 32, STEPS_MAX = 20000 };

/* Decides whether a lane takes the branch at a line of the text when it comes there for the n-th
 * time. */
typedef bool decide(unsigned lane, uint32_t line, unsigned visit);

/* Runs kernel k. Each add is a mark: its lanes are counted, and the sequence of marks of each lane
 * is hashed. */
struct case_run {
    uint64_t hash[LANES_RUN];
    unsigned marks, steps;
    unsigned times[200]; /* by number of the mark: how often it ran, for however many lanes */
};

static struct case_run run_lanes(const struct ptx_module *module, decide *decide)
{
    const struct ptx_function *kernel = ptx_function(module, "k");
    struct case_run run = {.marks = 0};
    unsigned visits[LANES_RUN] = {0};
    int32_t pc[LANES_RUN] = {0};
    for (; run.steps < STEPS_MAX; run.steps++) {
        int32_t lowest = INT32_MAX;
        for (unsigned l = 0; l < LANES_RUN; l++)
            if (pc[l] >= 0 && pc[l] < lowest) lowest = pc[l];
        if (lowest == INT32_MAX) break;
        const struct ptx_instruction *one = &kernel->code[lowest];
        run.marks += one->opcode == OP_add;
        if (one->opcode == OP_add) run.times[one->operand[2].value % 200]++;
        for (unsigned l = 0; l < LANES_RUN; l++) {
            if (pc[l] != lowest) continue;
            pc[l]++;
            if (one->opcode == OP_add) run.hash[l] = run.hash[l] * 1000003 + one->text_line;
            if (one->opcode == OP_ret) pc[l] = -1;
            if (one->opcode != OP_bra) continue;
            bool taken =
                one->guard < 0 || decide(l, one->text_line, visits[l]++) != one->guard_negated;
            if (taken) pc[l] = one->target;
        }
    }
    return run;
}

static bool by_lane(unsigned lane, uint32_t line, unsigned visit)
{
    uint64_t x = (uint64_t)lane * 0x9e3779b97f4a7c15u ^ (uint64_t)line * 0xc2b2ae3d27d4eb4fu ^
                 (uint64_t)visit * 0x165667b19e3779f9u;
    x ^= x >> 31;
    x *= 0xbf58476d1ce4e5b9u;
    return (x >> 40 & 3) != 0;
}

static void test_meeting(void)
{
    /* A diamond, whose sides come in the wrong order, inside a loop with a break that runs code of
     * its own. */
    struct ptx_module *module =
        read_kernel("", "",
                    "bra HEAD;\nJOIN: add.u32 %r1, %r1, 1;\n@%p1 bra HEAD;\nbra END;\nHEAD: "
                    "add.u32 %r1, %r1, 2;\n@%p2 bra THEN;\nbra ELSE;\n"
                    "END: add.u32 %r1, %r1, 3;\nst.global.u32 [%rd1], %r1;\nret;\nTHEN: add.u32 "
                    "%r1, %r1, 4;\nbra JOIN;\n"
                    "ELSE: add.u32 %r1, %r1, 5;\n@%p3 bra JOIN;\nadd.u32 %r1, %r1, 6;\nbra END;\n");
    CHECK(module->error_count == 0);
    const struct ptx_function *kernel = ptx_function(module, "k");
    int32_t at[8] = {0};
    for (uint32_t k = 0; k < kernel->code_count; k++)
        if (kernel->code[k].opcode == OP_add) at[kernel->code[k].operand[2].value] = (int32_t)k;
    /* HEAD, THEN and ELSE, JOIN; then the break's own code; then END. */
    CHECK(at[2] < at[4] && at[2] < at[5] && at[4] < at[1] && at[5] < at[1] && at[1] < at[6] &&
          at[6] < at[3]);
    struct case_run run = run_lanes(module, by_lane);
    CHECK(run.steps < STEPS_MAX);
    ptx_free(module);
}

/* However lanes go through a loop, they leave it together. */
static void test_loops(void)
{
    static const struct {
        const char *text;
        unsigned inner; /* its mark 2 runs at least so often */
    } cases[] = {
        /* while (…) { if (…) continue; if (…) break; } */
        {"HEAD: @%p1 bra BODY;\nbra END;\nBODY: add.u32 %r1, %r1, 2;\n@%p2 bra HEAD;\nadd.u32 %r1, "
         "%r1, 3;\n@%p3 bra END;\n"
         "bra HEAD;\nEND: add.u32 %r1, %r1, 9;\nret;",
         2},
        /* do { do { } while (…); } while (…); the inner loop's exit stands before the loop */
        {"bra OUTER;\nAFTER: add.u32 %r1, %r1, 4;\n@%p1 bra OUTER;\nbra END;\nOUTER: add.u32 %r1, "
         "%r1, 1;\n"
         "INNER: add.u32 %r1, %r1, 2;\n@%p2 bra INNER;\nbra AFTER;\nEND: add.u32 %r1, %r1, "
         "9;\nret;",
         2},
        /* a break that runs code of its own, and one that does not */
        {"L: add.u32 %r1, %r1, 2;\n@%p1 bra B1;\n@%p2 bra END;\nbra L;\nB1: add.u32 %r1, %r1, "
         "5;\nbra END;\n"
         "END: add.u32 %r1, %r1, 9;\nret;",
         1},
        /* switch within a loop: cases jump into each other */
        {"L: @%p1 bra C1;\n@%p2 bra C2;\nadd.u32 %r1, %r1, 2;\nbra NEXT;\nC2: add.u32 %r1, %r1, "
         "6;\nC1: add.u32 %r1, %r1, 7;\n"
         "NEXT: add.u32 %r1, %r1, 8;\n@%p3 bra L;\nadd.u32 %r1, %r1, 9;\nret;",
         0},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct ptx_module *module = read_kernel("", "", cases[c].text);
        CHECK(module->error_count == 0);
        struct case_run run = run_lanes(module, by_lane);
        if (getenv("VERBOSE"))
            fprintf(stderr, "%zu: %u steps, %u %u\n", c, run.steps, run.times[9], run.times[2]);
        CHECK(run.steps < STEPS_MAX && run.times[9] == 1 && run.times[2] >= cases[c].inner);
        ptx_free(module);
    }
}

/* A random graph of blocks as text: each is a mark and then a branch, a jump, an end, or nothing.
 */
struct graph {
    int blocks, kind[64], to[64]; /* kind: 0 falls through, 1 jump, 2 branch, 3 end */
    uint32_t line[64];            /* of the block's mark */
    char text[64 * 100];
};

static uint64_t seed = 88172645463325252u;
static int random_below(int n)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (int)(seed >> 20) & 0x7fffffff ? (int)((seed >> 20) % (uint64_t)n) : 0;
}

static void make_graph(struct graph *graph, uint32_t first_line)
{
    char *at = graph->text;
    uint32_t line = first_line;
    graph->blocks = 2 + random_below(30);
    for (int b = 0; b < graph->blocks; b++) {
        graph->kind[b] =
            b + 1 == graph->blocks ? 3 : (int[]){0, 1, 2, 2, 2, 2, 2, 3}[random_below(8)];
        graph->to[b] = random_below(graph->blocks);
        graph->line[b] = line;
        at += sprintf(at, "L%d: add.u32 %%r1, %%r1, 1;\n", b);
        line++;
        if (graph->kind[b] == 1) at += sprintf(at, "bra L%d;\n", graph->to[b]);
        if (graph->kind[b] == 2) at += sprintf(at, "@%%p1 bra L%d;\n", graph->to[b]);
        if (graph->kind[b] == 3) at += sprintf(at, "ret;\n");
        line += graph->kind[b] != 0;
    }
}

/* Follows one lane through the text itself. */
static uint64_t follow(const struct graph *graph, unsigned lane, bool *ends)
{
    uint64_t hash = 0;
    unsigned visits = 0;
    int b = 0;
    for (int steps = 0; steps < 300; steps++) {
        hash = hash * 1000003 + graph->line[b];
        *ends = graph->kind[b] == 3;
        if (*ends) return hash;
        bool taken = graph->kind[b] == 1 ||
                     (graph->kind[b] == 2 && by_lane(lane, graph->line[b] + 1, visits++));
        b = taken ? graph->to[b] : b + 1;
    }
    return hash;
}

static void test_random_graphs(void)
{
    static struct graph graph;
    unsigned compared = 0;
    for (int g = 0; g < 400; g++) {
        struct ptx_module *module = read_kernel("", "", "FIRST:\n");
        uint32_t first = instruction(module, 0)->text_line;
        ptx_free(module);
        make_graph(&graph, first - 2);
        module = read_kernel("", "", graph.text);
        assert(module->error_count == 0);
        bool all = true;
        uint64_t expected[LANES_RUN];
        for (unsigned l = 0; l < LANES_RUN; l++) {
            bool ends;
            expected[l] = follow(&graph, l, &ends);
            all &= ends;
        }
        struct case_run run = all ? run_lanes(module, by_lane) : (struct case_run){.marks = 0};
        for (unsigned l = 0; all && l < LANES_RUN; l++)
            assert(run.hash[l] == expected[l]);
        compared += all;
        ptx_free(module);
    }
    CHECK(compared > 100);
}

static void test_switch(void)
{
    struct ptx_module *module =
        read_kernel("", "",
                    "T: .branchtargets A, B, C, A;\nbrx.idx %r1, T;\nC: add.u32 %r1, %r1, 3;\nbra "
                    "E;\nA: add.u32 %r1, %r1, 1;\nbra E;\n"
                    "B: add.u32 %r1, %r1, 2;\nE: st.global.u32 [%rd1], %r1;\nret;");
    CHECK(module->error_count == 0);
    const struct ptx_instruction *one = find(module, OP_brx);
    const struct ptx_function *kernel = ptx_function(module, "k");
    for (int t = 0; t < 4; t++)
        CHECK(kernel->code[one->targets[t]].operand[2].value == (uint64_t)(int[]){1, 2, 3, 1}[t]);
    CHECK(one->targets[4] == -1);
    ptx_free(module);
}

int main(void)
{
    test_meeting();
    test_loops();
    test_random_graphs();
    test_switch();
    printf("%u passed\n", passed);
    return 0;
}
