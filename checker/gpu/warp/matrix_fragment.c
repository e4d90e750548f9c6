/*
 * matrix_fragment.c: which elements of a matrix a thread holds, and where they are in its registers
 * (matrix.h).
 */
#include "gpu/warp/matrix.h"

unsigned element_bytes(enum ptx_type type)
{
    switch (type) {
    case TYPE_u8:
    case TYPE_s8: return 1;
    case TYPE_f16:
    case TYPE_bf16: return 2;
    case TYPE_f64: return 8;
    default: return 4;
    }
}

/* The place of an element of a sum. A thread has pairs of neighbours in a row. Four threads share a
 * row, and blocks below each other come first. */
static struct element_place place_of_sum(struct fragment shape, unsigned lane, unsigned i)
{
    unsigned block = i / 2, blocks = shape.m / BLOCK_SIDE;
    return (struct element_place){lane / 4 + BLOCK_SIDE * (block % blocks),
                                  lane % 4 * 2 + i % 2 + BLOCK_SIDE * (block / blocks)};
}

/* The place of an element of a factor. A word holds neighbours along k. Four threads hold the words
 * of a row of a, or of a column of b. Words of a go down its blocks of rows first, words of b along
 * k. */
static struct element_place place_of_factor(struct fragment shape, unsigned lane, unsigned i)
{
    unsigned bytes = element_bytes(shape.type),
             in_word = bytes < WORD_BYTES ? WORD_BYTES / bytes : 1;
    unsigned word = i / in_word, across = 4 * in_word; /* along k, what four threads hold */
    bool is_a = shape.use == MATRIX_A;
    unsigned blocks = shape.m / BLOCK_SIDE, steps = shape.k / across;
    unsigned block = is_a ? word % blocks : word / steps,
             step = is_a ? word / blocks : word % steps;
    unsigned k = lane % 4 * in_word + i % in_word + across * step,
             other = lane / 4 + BLOCK_SIDE * block;
    return is_a ? (struct element_place){other, k} : (struct element_place){k, other};
}

struct element_place fragment_place(struct fragment shape, unsigned lane, unsigned i)
{
    return shape.use == MATRIX_SUM ? place_of_sum(shape, lane, i) : place_of_factor(shape, lane, i);
}

unsigned fragment_share(struct fragment shape)
{
    unsigned elements = shape.use == MATRIX_A   ? shape.m * shape.k
                        : shape.use == MATRIX_B ? shape.k * shape.n
                                                : shape.m * shape.n;
    return elements / LANES;
}

bool shape_of(enum ptx_modifier modifier, struct fragment *shape)
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
        if (shapes[k].modifier == modifier) {
            shape->m = shapes[k].m, shape->n = shapes[k].n, shape->k = shapes[k].k;
            return true;
        }
    return false;
}

bool find_shape(const struct ptx_instruction *i, struct fragment *shape)
{
    for (int k = 0; k < i->modifier_count; k++)
        if (shape_of(i->modifiers[k], shape)) return true;
    return false;
}

/* ---- registers ------------------------------------------------------------------------------ */

/* A register has one element, or a word of several. */
static unsigned in_register(enum ptx_type type)
{
    unsigned bytes = element_bytes(type);
    return bytes < WORD_BYTES ? WORD_BYTES / bytes : 1;
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
    unsigned bytes = element_bytes(type), in_word = in_register(type);
    const struct ptx_operand *one = &registers[i / in_word];
    if (bytes == 8) return OPERAND_OF(warp, one, const bits_64)[lane];
    uint32_t word = OPERAND_OF(warp, one, const bits_32)[lane];
    return bytes == 4 ? word : word >> 8 * bytes * (i % in_word) & ((UINT32_C(1) << 8 * bytes) - 1);
}

void hold_element(const struct warp *warp, const struct ptx_operand *registers, enum ptx_type type,
                  unsigned lane, unsigned i, uint64_t bits)
{
    unsigned bytes = element_bytes(type), in_word = in_register(type);
    const struct ptx_operand *one = &registers[i / in_word];
    unsigned char *at =
        OPERAND_OF(warp, one, unsigned char) + lane * one->bytes + bytes * (i % in_word);
    memcpy(at, &bits, bytes);
}
