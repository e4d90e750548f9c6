/*
 * matrix.c: mma.sync and wmma.mma: products of small matrices by a warp. The elements that the
 * lanes hold (matrix.h) are collected into matrices, multiplied, and handed out again. 4-bit and
 * 1-bit numbers are not known, nor is m8n8k4 of halves, which only GPUs of compute capability 7.0
 * have.
 */
#include "gpu/warp/half.h"
#include "gpu/warp/matrix.h"

#include <float.h>

/* ---- which thread holds what ------------------------------------------------------------------
 */

/* The place of an element of a sum. A thread has pairs of neighbours in a row. Four threads share a
 * row, and blocks below each other come first. */
static struct element_position position_of_sum(struct fragment shape, unsigned lane, unsigned i)
{
    unsigned block = i / 2, blocks = shape.m / BLOCK_SIDE;
    return (struct element_position){lane / 4 + BLOCK_SIDE * (block % blocks),
                                     lane % 4 * 2 + i % 2 + BLOCK_SIDE * (block / blocks)};
}

/* The place of an element of a factor. A word holds neighbours along k. Four threads hold the words
 * of a row of a, or of a column of b. Words of a go down its blocks of rows first, words of b along
 * k. */
static struct element_position position_of_factor(struct fragment shape, unsigned lane, unsigned i)
{
    unsigned in_word = in_register(shape.type);
    unsigned word = i / in_word, across = 4 * in_word; /* along k, what four threads hold */
    bool is_a = shape.use == MATRIX_A;
    unsigned blocks = shape.m / BLOCK_SIDE, steps = shape.k / across;
    unsigned block = is_a ? word % blocks : word / steps,
             step = is_a ? word / blocks : word % steps;
    unsigned k = lane % 4 * in_word + i % in_word + across * step,
             other = lane / 4 + BLOCK_SIDE * block;
    return is_a ? (struct element_position){other, k} : (struct element_position){k, other};
}

struct element_position fragment_position(struct fragment shape, unsigned lane, unsigned i)
{
    return shape.use == MATRIX_SUM ? position_of_sum(shape, lane, i)
                                   : position_of_factor(shape, lane, i);
}

unsigned fragment_share(struct fragment shape)
{
    unsigned elements = shape.use == MATRIX_A   ? shape.m * shape.k
                        : shape.use == MATRIX_B ? shape.k * shape.n
                                                : shape.m * shape.n;
    return elements / LANES;
}

bool find_shape(const struct ptx_instruction *i, struct fragment *shape)
{
    static const struct {
        uint8_t modifier, m, n, k;
    } shapes[] = {
        {M_m16n16k16, 16, 16, 16}, {M_m8n32k16, 8, 32, 16}, {M_m32n8k16, 32, 8, 16},
        {M_m16n16k8, 16, 16, 8},   {M_m8n8k4, 8, 8, 4},     {M_m8n8k16, 8, 8, 16},
        {M_m16n8k4, 16, 8, 4},     {M_m16n8k8, 16, 8, 8},   {M_m16n8k16, 16, 8, 16},
        {M_m16n8k32, 16, 8, 32},
    };
    for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++)
        if (ptx_has(i, shapes[k].modifier)) {
            shape->m = shapes[k].m, shape->n = shapes[k].n, shape->k = shapes[k].k;
            return true;
        }
    return false;
}

bool holds_fragment(const struct ptx_operand *elements, const struct ptx_operand *operand,
                    struct fragment fragment)
{
    unsigned share = fragment_share(fragment), count = register_count(operand);
    unsigned bytes = fragment.type == TYPE_f64 ? 8 : WORD_BYTES;
    if (operand->kind != OPERAND_VALUE && operand->kind != OPERAND_VECTOR) return false;
    if (fragment.use != MATRIX_SUM && fragment.k % (4 * in_register(fragment.type)) != 0)
        return false;
    const struct ptx_operand *registers = registers_of(elements, operand);
    for (unsigned k = 0; k < count; k++)
        if (registers[k].kind != OPERAND_VALUE || registers[k].bytes != bytes) return false;
    return share != 0 && share <= SHARE_MAX && count * in_register(fragment.type) >= share;
}

uint64_t held_element(const struct warp *warp, const struct ptx_operand *registers,
                      enum ptx_type type, unsigned lane, unsigned i)
{
    unsigned bytes = ptx_type_bytes(type), in_word = in_register(type);
    const struct ptx_operand *one = &registers[i / in_word];
    if (bytes == 8) return OPERAND_OF(warp, one, const bits_64)[lane];
    uint32_t word = OPERAND_OF(warp, one, const bits_32)[lane];
    return bytes == 4 ? word : word >> 8 * bytes * (i % in_word) & ((UINT32_C(1) << 8 * bytes) - 1);
}

void hold_element(const struct warp *warp, const struct ptx_operand *registers, enum ptx_type type,
                  unsigned lane, unsigned i, uint64_t bits)
{
    unsigned bytes = ptx_type_bytes(type), in_word = in_register(type);
    const struct ptx_operand *one = &registers[i / in_word];
    unsigned char *at =
        OPERAND_OF(warp, one, unsigned char) + lane * one->bytes + bytes * (i % in_word);
    memcpy(at, &bits, bytes);
}

/* ---- elements ------------------------------------------------------------------------------- */

/* The four matrices of an instruction. */
struct product {
    struct fragment a, b, c, d;
    bool saturate;
};

/* An integer sum that does not fit wraps around, or becomes the nearest one that does. */
static int32_t whole_sum(double value, bool saturate)
{
    if (saturate && value >= INT32_MAX) return INT32_MAX;
    if (saturate && value <= INT32_MIN) return INT32_MIN;
    return (int32_t)(uint32_t)(int64_t)value;
}

static uint64_t element_bits(enum ptx_type type, double value, bool saturate)
{
    switch (type) {
    case TYPE_f16: return short_bits(FORMAT_F16, value, ROUND_NEAREST, false);
    case TYPE_f64: return double_bits(value);
    case TYPE_s32: return (uint32_t)whole_sum(value, saturate);
    default: return float_bits(canonical((float)value));
    }
}

/* Where in a matrix the elements of each lane are: of the shape that was last asked for, since a
 * kernel uses few. */
struct map {
    struct fragment shape;
    unsigned share;
    uint16_t at[LANES][SHARE_MAX];
};

static const struct map *map_of(struct map *map, struct fragment shape)
{
    if (map->share != 0 && memcmp(&map->shape, &shape, sizeof shape) == 0) return map;
    map->shape = shape;
    map->share = fragment_share(shape);
    for (unsigned lane = 0; lane < LANES; lane++)
        for (unsigned i = 0; i < map->share; i++) {
            struct element_position position = fragment_position(shape, lane, i);
            map->at[lane][i] = (uint16_t)(position.row * SIDE_MAX + position.column);
        }
    return map;
}

/* Halves of a whole warp: a register has 64 of them. */
static void collect_shorts(matrix numbers, const struct map *map, const struct warp *warp,
                           const struct ptx_operand *registers)
{
    float values[2 * LANES];
    for (unsigned i = 0; i < map->share; i += 2) {
        const uint16_t *from = OPERAND_OF(warp, &registers[i / 2], const uint16_t);
        floats_of(map->shape.type == TYPE_f16 ? FORMAT_F16 : FORMAT_BF16, values, from, 2 * LANES);
        for (unsigned lane = 0; lane < LANES; lane++) {
            numbers[map->at[lane][i]] = (double)values[2 * lane];
            numbers[map->at[lane][i + 1]] = (double)values[2 * lane + 1];
        }
    }
}

/* Registers with one element or several bytes. A GPU does not look at the last 13 bits of a TF32.
 */
#define EACH_WORD(T, expression)                                                                   \
    for (unsigned i = 0; i < map->share; i++) {                                                    \
        const T *from = OPERAND_OF(warp, &registers[i / in_word], const T);                        \
        const unsigned first = 32 / in_word * (i % in_word);                                       \
        (void)first;                                                                               \
        for (unsigned lane = 0; lane < LANES; lane++) {                                            \
            const T word = from[lane];                                                             \
            numbers[map->at[lane][i]] = expression;                                                \
        }                                                                                          \
    }

static void collect_words(matrix numbers, const struct map *map, const struct warp *warp,
                          const struct ptx_operand *registers)
{
    const unsigned in_word = in_register(map->shape.type);
    switch (map->shape.type) {
    case TYPE_s8: EACH_WORD(uint32_t, (int8_t)(word >> first)); break;
    case TYPE_u8: EACH_WORD(uint32_t, (uint8_t)(word >> first)); break;
    case TYPE_s32: EACH_WORD(uint32_t, (int32_t)word); break;
    case TYPE_tf32: EACH_WORD(uint32_t, (double)float_of(word & ~0x1fffu)); break;
    case TYPE_f64: EACH_WORD(double, word); break;
    default: EACH_WORD(float, (double)word); break;
    }
}

/* Collects the matrix from the lanes' registers. The elements of lanes that did not come are 0: the
 * kernel has a fault then. */
static void collect(matrix numbers, const struct map *map, const struct warp *warp,
                    const struct ptx_operand *registers, uint32_t mask)
{
    enum ptx_type type = map->shape.type;
    if (type == TYPE_f16 || type == TYPE_bf16)
        collect_shorts(numbers, map, warp, registers);
    else
        collect_words(numbers, map, warp, registers);
    if (mask == FULL_MASK) return;
    EACH_LANE (lane, ~mask)
        for (unsigned i = 0; i < map->share; i++)
            numbers[map->at[lane][i]] = 0;
}

/* Registers beyond a lane's share hold it once more. */
static void hand_out(const matrix numbers, const struct map *map, const struct warp *warp,
                     const struct ptx_operand *registers, unsigned count, bool saturate,
                     uint32_t mask)
{
    enum ptx_type type = map->shape.type;
    for (unsigned i = 0; i < count * in_register(type); i++)
        EACH_LANE (lane, mask) {
            double value = numbers[map->at[lane][i % map->share]];
            if (type == TYPE_f32)
                OPERAND_OF(warp, &registers[i], float)[lane] = canonical((float)value);
            else
                hold_element(warp, registers, type, lane, i, element_bits(type, value, saturate));
        }
}

/* ---- products ------------------------------------------------------------------------------- */

/* Tensor cores add exactly for integers and doubles, and cut off for all others. This was measured
 * on an H200: the sums of checker/test/sim/sums.cu are the same there, bit by bit. */

/* Bits that tensor cores keep beyond those of a float while they add: of the largest number's
 * significand, and so of all. */
enum { GUARD_BITS = 2 };

/* Integers and doubles need no other rounding than that of a double. */
static void multiply_exactly(matrix sum, const matrix a, const matrix b, struct fragment shape)
{
    for (unsigned row = 0; row < shape.m; row++)
        for (unsigned k = 0; k < shape.k; k++) {
            double left = a[row * SIDE_MAX + k], *to = sum + row * SIDE_MAX;
            const double *right = b + k * SIDE_MAX;
            for (unsigned column = 0; column < shape.n; column++)
                to[column] = shape.type == TYPE_f64 ? fma(left, right[column], to[column])
                                                    : to[column] + left * right[column];
        }
}

/* The power of two in a magnitude: 4 for 5.5. */
static inline double power_in(double value)
{
    return double_of(double_bits(value) & UINT64_C(0x7ff) << (DBL_MANT_DIG - 1));
}

/* A number is multiplied with this: the bits that tensor cores keep of it are then before the
 * point. It depends on the magnitude of the largest number. */
static inline double units_of(double largest)
{
    const double kept = 1 << (FLT_MANT_DIG - 1 + GUARD_BITS);
    const double least = 1e-150; /* less than any product of floats, and not 0 */
    return kept / power_in(largest > least ? largest : least);
}

static inline double cut_to_float(double value)
{
    return double_of(double_bits(value) & ~((UINT64_C(1) << (DBL_MANT_DIG - FLT_MANT_DIG)) - 1));
}

/* Adds `depth` products to a block of neighbouring sums as tensor cores do. Of the products and the
 * sum, they cut off all bits that are too small beside the largest of them. They add exactly what
 * is left, and cut that off to a float. The exponents of its factors say how large a product is.
 * Infinities and NaN remain. */
static void add_products(double *to, const double *left, const double *right, unsigned depth)
{
    double products[SIDE_MAX][BLOCK_SIDE], largest[BLOCK_SIDE], units[BLOCK_SIDE], sum[BLOCK_SIDE];
    for (unsigned c = 0; c < BLOCK_SIDE; c++)
        largest[c] = fabs(to[c]);
    for (unsigned k = 0; k < depth; k++) {
        double factor = left[k], power = power_in(factor);
        for (unsigned c = 0; c < BLOCK_SIDE; c++) {
            double magnitude = power * power_in(right[k * SIDE_MAX + c]);
            products[k][c] = factor * right[k * SIDE_MAX + c];
            largest[c] = magnitude > largest[c] ? magnitude : largest[c];
        }
    }
    for (unsigned c = 0; c < BLOCK_SIDE; c++) {
        units[c] = units_of(largest[c]);
        sum[c] = trunc(to[c] * units[c]);
    }
    for (unsigned k = 0; k < depth; k++)
        for (unsigned c = 0; c < BLOCK_SIDE; c++)
            sum[c] += trunc(products[k][c] * units[c]);
    for (unsigned c = 0; c < BLOCK_SIDE; c++)
        to[c] = cut_to_float(sum[c] / units[c]);
}

/* How many products one instruction of the hardware adds to a sum: ptxas makes two of that of
 * wmma's TF32, which alone is 16 wide. */
static unsigned depth_of(struct fragment shape)
{
    return shape.type == TYPE_tf32 && shape.n == 16 ? shape.k / 2 : shape.k;
}

static void multiply_cut(matrix sum, const matrix a, const matrix b, struct fragment shape)
{
    const unsigned depth = depth_of(shape);
    for (unsigned row = 0; row < shape.m; row++)
        for (unsigned column = 0; column < shape.n; column += BLOCK_SIDE)
            for (unsigned k = 0; k < shape.k; k += depth)
                add_products(sum + row * SIDE_MAX + column, a + row * SIDE_MAX + k,
                             b + k * SIDE_MAX + column, depth);
}

static bool is_real_factor(enum ptx_type type)
{
    return type == TYPE_f16 || type == TYPE_bf16 || type == TYPE_tf32;
}

static bool product_of(const struct ptx_instruction *i, struct product *product);

static void multiply(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)
{
    static _Thread_local struct map maps[4];
    const struct ptx_operand *elements = i->detail, *d = &i->operand[0];
    struct product product;
    matrix a, b, sum;
    product_of(i, &product);
    collect(a, map_of(&maps[0], product.a), warp, registers_of(elements, &i->operand[1]), mask);
    collect(b, map_of(&maps[1], product.b), warp, registers_of(elements, &i->operand[2]), mask);
    collect(sum, map_of(&maps[2], product.c), warp, registers_of(elements, &i->operand[3]), mask);
    if (is_real_factor(product.a.type))
        multiply_cut(sum, a, b, product.a);
    else
        multiply_exactly(sum, a, b, product.a);
    hand_out(sum, map_of(&maps[3], product.d), warp, registers_of(elements, d), register_count(d),
             product.saturate, mask);
    warp_count_tensor(warp, UINT64_C(2) * product.a.m * product.a.n * product.a.k);
}

/* ---- choosing ------------------------------------------------------------------------------- */

/* Which types are multiplied, and what they are added to. */
static bool fits(const struct product *product)
{
    enum ptx_type a = product->a.type, b = product->b.type, c = product->c.type,
                  d = product->d.type;
    bool halves = (c == TYPE_f16 || c == TYPE_f32) && (d == TYPE_f16 || d == TYPE_f32);
    switch (a) {
    case TYPE_f16: return b == a && halves && product->a.k >= 8;
    case TYPE_bf16: return b == a && c == TYPE_f32 && d == TYPE_f32 && product->a.k >= 8;
    case TYPE_tf32: return b == a && c == TYPE_f32 && d == TYPE_f32 && product->a.k <= 8;
    case TYPE_f64: return b == a && c == TYPE_f64 && d == TYPE_f64;
    case TYPE_s8:
    case TYPE_u8:
        return (b == TYPE_s8 || b == TYPE_u8) && c == TYPE_s32 && d == TYPE_s32 &&
               product->a.k >= 16;
    default: return false;
    }
}

/* mma says the types of d, a, b and c. wmma.mma of halves says those of d and c only. */
static bool product_of(const struct ptx_instruction *i, struct product *product)
{
    struct fragment shape = {0};
    bool four = i->type_count == 4;
    if (!find_shape(i, &shape) || (!four && i->type_count != 2)) return false;
    *product = (struct product){shape, shape, shape, shape, ptx_has(i, M_satfinite)};
    product->a.use = MATRIX_A, product->b.use = MATRIX_B;
    product->c.use = product->d.use = MATRIX_SUM;
    product->d.type = i->types[0];
    product->a.type = four ? i->types[1] : TYPE_f16;
    product->b.type = four ? i->types[2] : TYPE_f16;
    product->c.type = i->types[four ? 3 : 1];
    return fits(product);
}

/* Rows and columns in registers are the same for all layouts of wmma; mma knows only row.col. */
static bool knows_modifiers(const struct ptx_instruction *i)
{
    static const uint8_t allowed[] = {M_sync, M_aligned, M_row, M_col, M_satfinite, M_mma, M_rn};
    int columns = 0, unknown = 0;
    for (int k = 0; k < i->modifier_count; k++) {
        columns += i->modifiers[k] == M_row ? 1 : i->modifiers[k] == M_col ? 2 : 0;
        unknown += memchr(allowed, i->modifiers[k], sizeof allowed) == NULL;
    }
    if (unknown > 1) return false; /* one is the shape */
    return i->opcode == OP_wmma || (columns == 3 && !ptx_has(i, M_mma));
}

ptx_execute *select_matrix(const struct ptx_function *function, struct ptx_instruction *i)
{
    struct product product;
    bool is_product = i->opcode == OP_mma || (i->opcode == OP_wmma && ptx_has(i, M_mma));
    if (!is_product || i->operand_count != 4 || !knows_modifiers(i) || !product_of(i, &product))
        return NULL;
    const struct fragment order[] = {product.d, product.a, product.b, product.c};
    for (int k = 0; k < 4; k++)
        if (!holds_fragment(function->elements, &i->operand[k], order[k])) return NULL;
    i->detail = function->elements;
    return multiply;
}
