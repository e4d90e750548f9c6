/*
 * warp_matrix.c: tests products of matrices by a warp. Sums of floats are compared with those of an
 * H200, which checker/test/sim/sums.cu prints (sums.txt has them); all other shapes and types with
 * products of small whole numbers. Loads, stores and exchanges of fragments are tested with
 * matrices whose elements say where they are.
 */
#include "test/gpu/one_instruction.h"
#include "test/gpu/own_memory.h"

#include "gpu/warp/half.h"
#include "gpu/warp/matrix.h"

#include <assert.h>

enum { PRODUCTS = 64, ROWS = 16, COLUMNS = 8 };

static int passed;

static void check(bool good, const char *what)
{
    if (good)
        passed++;
    else {
        printf("wrong: %s\n", what);
        exit(1);
    }
}

/* The i-th number of a series, in [-64, 64): as in sums.cu. */
static float number(uint32_t series, uint32_t i)
{
    uint64_t h = (series * 0x9e3779b97f4a7c15u + i) * 0xff51afd7ed558ccdu;
    h = (h ^ (h >> 33)) * 0xc4ceb9fe1a85ec53u;
    h ^= h >> 29;
    float value = (float)(uint32_t)(h >> 40) / 8388608.0f - 1.0f;
    int exponent = (int)(h % 13) - 6;
    return exponent < 0 ? value / (float)(1 << -exponent) : value * (float)(1 << exponent);
}

static uint32_t pair(float first, float second)
{
    return float_bits(first) >> 16 | (float_bits(second) & 0xffff0000u);
}

static uint32_t a_word(uint32_t series, unsigned depth, bool bfloat, unsigned g, unsigned t,
                       unsigned r)
{
    if (!bfloat) return float_bits(number(series, (g + r % 2 * 8) * depth + t + r / 2 * 4));
    uint32_t at = (g + r % 2 * 8) * depth + 2 * t + r / 2 * 8;
    return pair(number(series, at), number(series, at + 1));
}

static uint32_t b_word(uint32_t series, bool bfloat, unsigned g, unsigned t, unsigned r)
{
    if (!bfloat) return float_bits(number(series, (t + r * 4) * COLUMNS + g));
    uint32_t at = (2 * t + r * 8) * COLUMNS + g;
    return pair(number(series, at), number(series, at + COLUMNS));
}

static void test_sums(const char *text, unsigned depth, bool bfloat, uint64_t wanted)
{
    static float out[PRODUCTS * ROWS * COLUMNS];
    unsigned a_words = bfloat ? depth / 4 : depth / 2, b_words = bfloat ? depth / 8 : depth / 4;
    struct one one;
    uint64_t sum = 0xcbf29ce484222325u;
    check(one_read(&one, text), text);
    for (uint32_t p = 0; p < PRODUCTS; p++) {
        for (unsigned l = 0; l < LANES; l++) {
            unsigned k = 0, g = l / 4, t = l % 4;
            for (unsigned r = 0; r < a_words; r++)
                one_set(one.sources[k++], l, a_word(3 * p + 1, depth, bfloat, g, t, r));
            for (unsigned r = 0; r < b_words; r++)
                one_set(one.sources[k++], l, b_word(3 * p + 2, bfloat, g, t, r));
            for (unsigned r = 0; r < 4; r++)
                one_set(one.sources[k++], l,
                        float_bits(number(3 * p, (g + r / 2 * 8) * COLUMNS + 2 * t + r % 2)));
            assert(k == one.source_count);
        }
        one_run(&one, UINT32_MAX);
        for (unsigned l = 0; l < LANES; l++)
            for (unsigned r = 0; r < 4; r++)
                out[(p * ROWS + l / 4 + r / 2 * 8) * COLUMNS + 2 * (l % 4) + r % 2] =
                    float_of((uint32_t)one_get(one.results[r], l));
    }
    for (size_t i = 0; i < sizeof out / sizeof out[0]; i++)
        sum = (sum ^ float_bits(out[i])) * 0x100000001b3u;
    check(sum == wanted, text);
    ptx_free(one.module);
}

/* ---- whole numbers of all types ------------------------------------------------------------- */

static uint64_t bits_of(enum ptx_type type, double value)
{
    switch (type) {
    case TYPE_f16: return short_bits(FORMAT_F16, value, ROUND_NEAREST, false);
    case TYPE_bf16: return short_bits(FORMAT_BF16, value, ROUND_NEAREST, false);
    case TYPE_f64: return double_bits(value);
    case TYPE_f32:
    case TYPE_tf32: return float_bits((float)value);
    default: return (uint64_t)(int64_t)value;
    }
}

static double small(unsigned use, struct element_position location)
{
    return (double)((location.row * 7 + location.column * 3 + use * 5) % 9);
}

/* Fills the registers from `first` on with a matrix of small numbers. */
static unsigned fill(const struct one *one, unsigned operand, struct fragment shape)
{
    const struct ptx_operand *of = &one->instruction->operand[operand];
    const struct ptx_operand *registers = registers_of(one->function->elements, of);
    for (unsigned l = 0; l < LANES; l++)
        for (unsigned i = 0; i < fragment_share(shape); i++)
            hold_element(&test_warp, registers, shape.type, l, i,
                         bits_of(shape.type, small(shape.use, fragment_position(shape, l, i))));
    return register_count(of);
}

static void test_product(const char *text, struct fragment shape, enum ptx_type a,
                         enum ptx_type sum)
{
    struct one one;
    struct fragment of_a = shape, of_b = shape, of_sum = shape;
    of_a.use = MATRIX_A, of_b.use = MATRIX_B, of_sum.use = MATRIX_SUM;
    of_a.type = of_b.type = (uint8_t)a, of_sum.type = (uint8_t)sum;
    check(one_read(&one, text), text);
    test_warp.base[BASE_FRAME] = test_frame;
    fill(&one, 1, of_a), fill(&one, 2, of_b), fill(&one, 3, of_sum);
    one_run(&one, UINT32_MAX);
    const struct ptx_operand *d =
        registers_of(one.function->elements, &one.instruction->operand[0]);
    for (unsigned l = 0; l < LANES; l++)
        for (unsigned i = 0; i < fragment_share(of_sum); i++) {
            struct element_position at = fragment_position(of_sum, l, i);
            double wanted = small(MATRIX_SUM, at);
            for (unsigned k = 0; k < shape.k; k++)
                wanted += small(MATRIX_A, (struct element_position){at.row, k}) *
                          small(MATRIX_B, (struct element_position){k, at.column});
            uint64_t bytes = ptx_type_bytes(sum),
                     ones = bytes == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * bytes) - 1;
            uint64_t got = held_element(&test_warp, d, sum, l, i);
            if (got != (bits_of(sum, wanted) & ones)) {
                printf("lane %u, element %u: %llx instead of %g\n", l, i, (unsigned long long)got,
                       wanted);
                check(false, text);
            }
        }
    passed++;
    ptx_free(one.module);
}

/* ---- memory --------------------------------------------------------------------------------- */

/* wmma.load of a matrix in memory, then wmma.store of sums: elements are where they belong. */
static void test_load(const char *text, struct fragment shape, bool by_rows, unsigned stride)
{
    static _Alignas(64) unsigned char memory[SIDE_MAX * 64 * 8];
    struct one one;
    unsigned bytes = ptx_type_bytes(shape.type);
    check(one_read(&one, text), text);
    for (unsigned i = 0; i < sizeof memory / bytes; i++) {
        uint64_t value = i + 1;
        memcpy(memory + i * bytes, &value, bytes);
    }
    for (unsigned l = 0; l < LANES; l++) {
        one_set(one.sources[0], l, (uint64_t)(uintptr_t)memory);
        one_set(one.sources[1], l, stride);
    }
    one_run(&one, UINT32_MAX);
    const struct ptx_operand *d =
        registers_of(one.function->elements, &one.instruction->operand[0]);
    for (unsigned l = 0; l < LANES; l++)
        for (unsigned i = 0; i < fragment_share(shape); i++) {
            struct element_position at = fragment_position(shape, l, i);
            unsigned index = by_rows ? at.row * stride + at.column : at.column * stride + at.row;
            uint64_t ones = bytes == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * bytes) - 1;
            check(held_element(&test_warp, d, shape.type, l, i) == ((index + 1) & ones), text);
        }
    ptx_free(one.module);
}

static void test_store(void)
{
    static _Alignas(64) float memory[16 * 20];
    struct one one;
    struct fragment shape = {MATRIX_SUM, TYPE_f32, 16, 16, 16};
    check(one_read(&one, "wmma.store.d.sync.aligned.col.m16n16k16.global.f32 [%d0], "
                         "{%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}, %r8;"),
          "wmma.store");
    test_warp.base[BASE_FRAME] = test_frame;
    const struct ptx_operand *d =
        registers_of(one.function->elements, &one.instruction->operand[1]);
    for (unsigned l = 0; l < LANES; l++) {
        one_set(&one.instruction->operand[0], l, (uint64_t)(uintptr_t)memory);
        if (one.instruction->operand[0].bytes == 8) {
            uint64_t address = (uint64_t)(uintptr_t)memory;
            memcpy(test_frame + one.instruction->operand[0].at + 8 * l, &address, 8);
        }
        one_set(&one.instruction->operand[2], l, 20);
        for (unsigned i = 0; i < 8; i++) {
            struct element_position at = fragment_position(shape, l, i);
            hold_element(&test_warp, d, TYPE_f32, l, i,
                         float_bits((float)(100 * at.row + at.column)));
        }
    }
    one_run(&one, UINT32_MAX);
    for (unsigned row = 0; row < 16; row++)
        for (unsigned column = 0; column < 16; column++)
            check(memory[column * 20 + row] == (float)(100 * row + column), "wmma.store");
    ptx_free(one.module);
}

static void test_rows(void)
{
    static _Alignas(16) uint16_t memory[32][8];
    struct one load, turned, store, move;
    check(one_read(&load, "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r0, %r1, %r2, %r3}, [%d0];"),
          "ldmatrix");
    for (unsigned row = 0; row < 32; row++) {
        for (unsigned column = 0; column < 8; column++)
            memory[row][column] = (uint16_t)(row * 8 + column);
        one_set(load.sources[0], row, (uint64_t)(uintptr_t)memory[row]);
    }
    one_run(&load, UINT32_MAX);
    for (unsigned l = 0; l < LANES; l++)
        for (unsigned k = 0; k < 4; k++) {
            uint32_t first = (8 * k + l / 4) * 8 + l % 4 * 2;
            check(one_get(load.results[k], l) == (first | (first + 1) << 16), "ldmatrix");
        }
    check(one_read(&turned,
                   "ldmatrix.sync.aligned.m8n8.x2.trans.shared::cta.b16 {%r0, %r1}, [%d0+0];"),
          "ldmatrix.trans");
    for (unsigned l = 0; l < LANES; l++)
        one_set(turned.sources[0], l, (uint64_t)(uintptr_t)memory[l % 16]);
    one_run(&turned, UINT32_MAX);
    for (unsigned l = 0; l < LANES; l++)
        for (unsigned k = 0; k < 2; k++) {
            uint32_t first = (8 * k + l % 4 * 2) * 8 + l / 4;
            check(one_get(turned.results[k], l) == (first | (first + 8) << 16), "ldmatrix.trans");
        }
    check(one_read(&store, "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%d0], {%r1};"), "stmatrix");
    check(one_read(&move, "movmatrix.sync.aligned.m8n8.trans.b16 %r0, %r1;"), "movmatrix");
    for (unsigned l = 0; l < LANES; l++) {
        uint64_t address = (uint64_t)(uintptr_t)memory[l % 8];
        memcpy(test_frame + store.instruction->operand[0].at + 8 * l, &address, 8);
        const struct ptx_operand *word =
            registers_of(store.function->elements, &store.instruction->operand[1]);
        one_set(word, l, 0x10000 * (l + 100) + l);
    }
    one_run(&store, UINT32_MAX);
    for (unsigned l = 0; l < LANES; l++)
        check(memory[l / 4][l % 4 * 2] == l && memory[l / 4][l % 4 * 2 + 1] == l + 100, "stmatrix");
    for (unsigned l = 0; l < LANES; l++) {
        uint32_t first = l / 4 * 8 + l % 4 * 2;
        one_set(move.sources[0], l, first | (first + 1) << 16);
    }
    one_run(&move, UINT32_MAX);
    for (unsigned l = 0; l < LANES; l++) {
        uint32_t first = l % 4 * 2 * 8 + l / 4;
        check(one_get(move.results[0], l) == (first | (first + 8) << 16), "movmatrix");
    }
}

int main(void)
{
    test_sums(
        "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%r0, %r1, %r2, %r3}, {%r4, %r5}, "
        "{%r8}, {%r10, %r11, %r12, %r13};",
        4, false, 0x3e160a29b236e001);
    test_sums("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%r0, %r1, %r2, %r3}, "
              "{%r4, %r5, %r6, %r7}, {%r8, %r9}, {%r10, %r11, %r12, %r13};",
              8, false, 0x16ff6197a7bc85a2);
    test_sums(
        "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%r0, %r1, %r2, %r3}, {%r4, %r5}, "
        "{%r8}, {%r10, %r11, %r12, %r13};",
        8, true, 0xf98eb40a8495ec34);
    test_sums("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%r0, %r1, %r2, %r3}, "
              "{%r4, %r5, %r6, %r7}, {%r8, %r9}, {%r10, %r11, %r12, %r13};",
              16, true, 0xfa763daa901acd40);
    test_product("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%r0, %r1, %r2, %r3}, "
                 "{%r4, %r5, %r6, %r7}, {%r8, %r9}, {%r10, %r11, %r12, %r13};",
                 (struct fragment){0, 0, 16, 8, 16}, TYPE_f16, TYPE_f32);
    test_product(
        "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%r0, %r1}, {%r4, %r5, %r6, %r7}, "
        "{%r8, %r9}, {%r10, %r11};",
        (struct fragment){0, 0, 16, 8, 16}, TYPE_f16, TYPE_f16);
    test_product(
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%r0, %r1, %r2, %r3}, {%r4, %r5}, "
        "{%r8}, {%r10, %r11, %r12, %r13};",
        (struct fragment){0, 0, 16, 8, 8}, TYPE_f16, TYPE_f32);
    test_product("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%r0, %r1, %r2, %r3}, "
                 "{%r4, %r5, %r6, %r7}, {%r8, %r9}, {%r10, %r11, %r12, %r13};",
                 (struct fragment){0, 0, 16, 8, 32}, TYPE_s8, TYPE_s32);
    test_product("mma.sync.aligned.m16n8k16.row.col.satfinite.s32.u8.u8.s32 {%r0, %r1, %r2, %r3}, "
                 "{%r4, %r5}, "
                 "{%r8}, {%r10, %r11, %r12, %r13};",
                 (struct fragment){0, 0, 16, 8, 16}, TYPE_u8, TYPE_s32);
    test_product(
        "mma.sync.aligned.m8n8k16.row.col.s32.u8.u8.s32 {%r0, %r1}, {%r4}, {%r8}, {%r10, %r11};",
        (struct fragment){0, 0, 8, 8, 16}, TYPE_u8, TYPE_s32);
    test_product(
        "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%d0, %d1}, {%d2}, {%d3}, {%d4, %d5};",
        (struct fragment){0, 0, 8, 8, 4}, TYPE_f64, TYPE_f64);
    test_product("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%d0, %d1, %d2, %d3}, "
                 "{%d4, %d5, %d6, %d7}, {%d8, %d9}, {%d10, %d11, %d12, %d13};",
                 (struct fragment){0, 0, 16, 8, 8}, TYPE_f64, TYPE_f64);
    test_product(
        "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}, "
        "{%r8, %r9, %r10, %r11, %r12, %r13, %r14, %r15}, "
        "{%r16, %r17, %r18, %r19, %r20, %r21, %r22, %r23}, "
        "{%r24, %r25, %r26, %r27, %r28, %r29, %r30, %r31};",
        (struct fragment){0, 0, 16, 16, 16}, TYPE_f16, TYPE_f32);
    test_product("wmma.mma.sync.aligned.row.row.m16n16k8.f32.tf32.tf32.f32 "
                 "{%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}, {%r8, %r9, %r10, %r11}, "
                 "{%r16, %r17, %r18, %r19}, {%r24, %r25, %r26, %r27, %r28, %r29, %r30, %r31};",
                 (struct fragment){0, 0, 16, 16, 8}, TYPE_tf32, TYPE_f32);
    test_product("wmma.mma.sync.aligned.row.col.m8n32k16.s32.s8.s8.s32 "
                 "{%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}, {%r8}, {%r16, %r17, %r18, %r19}, "
                 "{%r24, %r25, %r26, %r27, %r28, %r29, %r30, %r31};",
                 (struct fragment){0, 0, 8, 32, 16}, TYPE_s8, TYPE_s32);
    test_load("wmma.load.a.sync.aligned.row.m16n16k16.global.f16 "
              "{%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}, [%d0], %r8;",
              (struct fragment){MATRIX_A, TYPE_f16, 16, 16, 16}, true, 24);
    test_load("wmma.load.a.sync.aligned.col.m16n16k16.shared.f16 "
              "{%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}, [%d0], %r8;",
              (struct fragment){MATRIX_A, TYPE_f16, 16, 16, 16}, false, 24);
    test_load("wmma.load.b.sync.aligned.row.m32n8k16.global.bf16 {%r0, %r1}, [%d0], %r8;",
              (struct fragment){MATRIX_B, TYPE_bf16, 32, 8, 16}, true, 16);
    test_load("wmma.load.b.sync.aligned.col.m16n16k8.global.tf32 {%r0, %r1, %r2, %r3}, [%d0], %r8;",
              (struct fragment){MATRIX_B, TYPE_tf32, 16, 16, 8}, false, 16);
    test_load("wmma.load.c.sync.aligned.row.m16n16k16.global.f32 "
              "{%r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7}, [%d0], %r8;",
              (struct fragment){MATRIX_SUM, TYPE_f32, 16, 16, 16}, true, 20);
    test_load("wmma.load.c.sync.aligned.row.m8n8k4.global.f64 {%d1, %d2}, [%d0], %r8;",
              (struct fragment){MATRIX_SUM, TYPE_f64, 8, 8, 4}, true, 8);
    test_load("wmma.load.a.sync.aligned.row.m16n16k16.global.s8 {%r0, %r1}, [%d0], %r8;",
              (struct fragment){MATRIX_A, TYPE_s8, 16, 16, 16}, true, 16);
    test_store();
    test_rows();
    printf("%d passed\n", passed);
    return 0;
}
