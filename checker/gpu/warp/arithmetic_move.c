/*
 * arithmetic_move.c: mov: of a value, a predicate, a special register that changes, a vector that
 * becomes one wide value, and a wide value that becomes a vector. A value that a shuffle or a load
 * did not set moves like any other.
 */
#include "gpu/warp/arithmetic.h"

#define MOVES(bits, U) UNARY(move_##bits, U, U, x)
MOVES(16, uint16_t)
MOVES(32, uint32_t)
MOVES(64, uint64_t)

static void move_128(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)
{
    blend_16(D_OF(warp, i, char), A_OF(warp, i, char), mask);
}

static void move_predicate(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)
{
    set_predicate(warp, &i->operand[0], predicate_of(warp, &i->operand[1]), mask);
}

/* ---- special registers ---------------------------------------------------------------------- */

enum { SPECIAL_ROW = 4 * LANES };

static bool changes(const struct ptx_operand *operand)
{
    return operand->base == BASE_SPECIAL && operand->at >= SPECIAL_READ * SPECIAL_ROW;
}

static void move_special(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)
{
    uint64_t value = special_read(warp, (enum ptx_special)(i->operand[1].at / SPECIAL_ROW));
    const struct ptx_operand *d = &i->operand[0];
    EACH_LANE (l, mask)
        set_lane_bits(OPERAND_OF(warp, d, char), d->bytes, l, value);
}

/* The rows of the last two specials are twice as long. */
static void move_clock64(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)
{
    uint64_t value = special_read(warp, SPECIAL_clock64), *d = D_OF(warp, i, uint64_t);
    EACH_LANE (l, mask)
        d[l] = value;
}

static void move_globaltimer(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)
{
    uint64_t value = special_read(warp, SPECIAL_globaltimer), *d = D_OF(warp, i, uint64_t);
    EACH_LANE (l, mask)
        d[l] = value;
}

static ptx_execute *select_special(const struct ptx_instruction *i)
{
    const struct ptx_operand *d = &i->operand[0], *from = &i->operand[1];
    if (d->bytes != 4 && d->bytes != 8) return NULL;
    if (from->at < SPECIAL_clock64 * SPECIAL_ROW) return move_special;
    if (d->bytes != 8) return NULL;
    return from->at == SPECIAL_clock64 * SPECIAL_ROW ? move_clock64 : move_globaltimer;
}

/* ---- vectors -------------------------------------------------------------------------------- */

/* The elements of a vector, all of one size, which make up `bytes`; NULL if they do not. */
static const struct ptx_operand *elements_of(const struct ptx_function *function,
                                             const struct ptx_operand *vector, unsigned bytes)
{
    const struct ptx_operand *elements = &function->elements[vector->first];
    if (vector->count != 2 && vector->count != 4 && vector->count != 8) return NULL;
    if (bytes == 0) return NULL; /* a predicate */
    for (unsigned k = 0; k < vector->count; k++) {
        if (elements[k].kind == OPERAND_SINK) continue;
        if (elements[k].kind != OPERAND_VALUE || elements[k].bytes * vector->count != bytes)
            return NULL;
    }
    return elements;
}

static void move_bits(void *to, const void *from, unsigned to_bytes, unsigned from_bytes,
                      unsigned element, unsigned to_first, unsigned from_first, uint32_t mask)
{
    EACH_LANE (l, mask)
        memcpy((char *)to + l * to_bytes + to_first,
               (const char *)from + l * from_bytes + from_first, element);
}

/* A register of 1 byte per lane has 2. */
static unsigned stride_of(const struct ptx_operand *operand)
{
    return operand->bytes == 1 ? 2 : operand->bytes;
}

static void pack(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)
{
    const struct ptx_operand *d = &i->operand[0], *elements = i->detail;
    unsigned count = i->operand[1].count, bytes = d->bytes / count;
    unsigned char kept[16 * LANES];
    for (unsigned k = 0; k < count; k++)
        if (elements[k].kind == OPERAND_VALUE)
            move_bits(kept, OPERAND_OF(warp, &elements[k], char), d->bytes, stride_of(&elements[k]),
                      bytes, k * bytes, 0, mask);
    blend(OPERAND_OF(warp, d, char), kept, d->bytes, mask);
}

static void unpack(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)
{
    const struct ptx_operand *from = &i->operand[1], *elements = i->detail;
    unsigned count = i->operand[0].count, bytes = from->bytes / count;
    unsigned char kept[16 * LANES];
    memcpy(kept, OPERAND_OF(warp, from, char), (size_t)from->bytes * LANES);
    for (unsigned k = 0; k < count; k++)
        if (elements[k].kind == OPERAND_VALUE)
            move_bits(OPERAND_OF(warp, &elements[k], char), kept, stride_of(&elements[k]),
                      from->bytes, bytes, 0, k * bytes, mask);
}

/* The usual ones, in one loop: two halves of a word, two words of a double word. */
#define TWO(bits, U, W)                                                                            \
    static void pack_##bits(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)     \
    {                                                                                              \
        const struct ptx_operand *elements = i->detail;                                            \
        const U *low = OPERAND_OF(warp, &elements[0], const U),                                    \
                *high = OPERAND_OF(warp, &elements[1], const U);                                   \
        W kept[LANES], *d = D_OF(warp, i, W), *to = mask == FULL_MASK ? d : kept;                  \
        ALL_LANES to[l] = (W)low[l] | (W)high[l] << bits;                                          \
        if (mask != FULL_MASK) blend(d, kept, sizeof(W), mask);                                    \
    }                                                                                              \
    static void unpack_##bits(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)   \
    {                                                                                              \
        const struct ptx_operand *elements = i->detail;                                            \
        const W *from = OPERAND_OF(warp, &i->operand[1], const W);                                 \
        U low[LANES], high[LANES];                                                                 \
        ALL_LANES low[l] = (U)from[l];                                                             \
        ALL_LANES high[l] = (U)(from[l] >> bits);                                                  \
        if (elements[0].kind == OPERAND_VALUE)                                                     \
            blend(OPERAND_OF(warp, &elements[0], U), low, sizeof(U), mask);                        \
        if (elements[1].kind == OPERAND_VALUE)                                                     \
            blend(OPERAND_OF(warp, &elements[1], U), high, sizeof(U), mask);                       \
    }
TWO(16, uint16_t, uint32_t)
TWO(32, uint32_t, uint64_t)

static ptx_execute *select_pack(const struct ptx_function *function, struct ptx_instruction *i)
{
    const struct ptx_operand *d = &i->operand[0], *vector = &i->operand[1];
    const struct ptx_operand *elements = elements_of(function, vector, d->bytes);
    if (elements == NULL || d->kind != OPERAND_VALUE) return NULL;
    i->detail = elements;
    bool two = vector->count == 2 && elements[0].kind == OPERAND_VALUE &&
               elements[1].kind == OPERAND_VALUE;
    return two && d->bytes == 4 ? pack_16 : two && d->bytes == 8 ? pack_32 : pack;
}

static ptx_execute *select_unpack(const struct ptx_function *function, struct ptx_instruction *i)
{
    const struct ptx_operand *vector = &i->operand[0], *from = &i->operand[1];
    const struct ptx_operand *elements = elements_of(function, vector, from->bytes);
    if (elements == NULL || from->kind != OPERAND_VALUE) return NULL;
    i->detail = elements;
    return vector->count == 2 && from->bytes == 4   ? unpack_16
           : vector->count == 2 && from->bytes == 8 ? unpack_32
                                                    : unpack;
}

/* ---- choosing ------------------------------------------------------------------------------- */

ptx_execute *select_move(const struct ptx_function *function, struct ptx_instruction *i)
{
    if (i->opcode != OP_mov || i->operand_count != 2 || i->modifier_count != 0) return NULL;
    if (i->operand[1].kind == OPERAND_VECTOR) return select_pack(function, i);
    if (i->operand[0].kind == OPERAND_VECTOR) return select_unpack(function, i);
    if (i->operand[1].kind == OPERAND_VALUE && changes(&i->operand[1])) return select_special(i);
    if (has_widths(i, "44")) return move_32;
    if (has_widths(i, "88")) return move_64;
    if (has_widths(i, "22") || has_widths(i, "11")) return move_16;
    if (has_widths(i, "00")) return move_predicate;
    return has_widths(i, "xx") ? move_128 : NULL;
}
