/*
 * moves.c: mov: of a value, a predicate, a vector that becomes one wide value, and a wide value
 * that becomes a vector. Also addresses: from a state space to generic ones and back (cvta), what a
 * generic address is of (isspacep), and addresses in the shared memory of a cluster (mapa,
 * getctarank). Clusters run one block at a time, so a block maps only itself.
 */
#include "gpu/warp/compute.h"

/* A value that a shuffle or a load did not set moves like any other. */
#define MOVE(U) SAME_1(mov, any, 0, U, x)
MOVE(uint16_t)
MOVE(uint32_t)
MOVE(uint64_t)

static void move_128(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)
{
    blend(D_OF(warp, i, char), A_OF(warp, i, char), 16, mask);
}
RULE(mov, any, any, 0, move_128, 2, 16, 16)

static void move_byte(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)
{
    blend(D_OF(warp, i, char), A_OF(warp, i, char), 2, mask);
}
RULE(mov, any, any, 0, move_byte, 2, 1, 1)

static void move_predicate(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)
{
    set_predicate(warp, &i->operand[0], predicate_of(warp, &i->operand[1]), mask);
}
RULE(mov, any, any, 0, move_predicate, 2, 0)

/* ---- vectors -------------------------------------------------------------------------------- */

/* Do the elements, all of one size, make up `bytes`? */
static bool make_up(const struct ptx_operand *elements, const struct ptx_operand *vector,
                    unsigned bytes)
{
    if (vector->count != 2 && vector->count != 4 && vector->count != 8) return false;
    if (bytes == 0) return false; /* a predicate */
    for (unsigned k = 0; k < vector->count; k++)
        if (elements[k].kind != OPERAND_SINK &&
            (elements[k].kind != OPERAND_VALUE || elements[k].bytes * vector->count != bytes))
            return false;
    return true;
}

/* A register of 1 byte per lane has 2. */
static void move_part(void *to, unsigned to_bytes, const void *from, unsigned from_bytes,
                      unsigned part, uint32_t mask)
{
    EACH_LANE (l, mask)
        memcpy((char *)to + l * (to_bytes == 1 ? 2 : to_bytes),
               (const char *)from + l * (from_bytes == 1 ? 2 : from_bytes), part);
}

static void pack(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)
{
    const struct ptx_operand *d = &i->operand[0], *elements = i->detail;
    unsigned count = i->operand[1].count, part = d->bytes / count;
    unsigned char kept[16 * LANES];
    for (unsigned k = 0; k < count; k++)
        if (elements[k].kind == OPERAND_VALUE)
            move_part(kept + k * part, d->bytes, OPERAND_OF(warp, &elements[k], char),
                      elements[k].bytes, part, mask);
    blend(OPERAND_OF(warp, d, char), kept, d->bytes, mask);
}

static void unpack(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)
{
    const struct ptx_operand *from = &i->operand[1], *elements = i->detail;
    unsigned count = i->operand[0].count, part = from->bytes / count;
    unsigned char kept[16 * LANES];
    memcpy(kept, OPERAND_OF(warp, from, char), (size_t)from->bytes * LANES);
    for (unsigned k = 0; k < count; k++)
        if (elements[k].kind == OPERAND_VALUE)
            move_part(OPERAND_OF(warp, &elements[k], char), elements[k].bytes, kept + k * part,
                      from->bytes, part, mask);
}

/* The usual ones, in one loop: two halves of a word, two words of a double word. */
#define PAIR(bits, U, W)                                                                           \
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
        const W *from = A_OF(warp, i, W);                                                          \
        U part[2][LANES];                                                                          \
        ALL_LANES part[0][l] = (U)from[l];                                                         \
        ALL_LANES part[1][l] = (U)(from[l] >> bits);                                               \
        for (int k = 0; k < 2; k++)                                                                \
            if (elements[k].kind == OPERAND_VALUE)                                                 \
                blend(OPERAND_OF(warp, &elements[k], U), part[k], sizeof(U), mask);                \
    }
PAIR(16, uint16_t, uint32_t)
PAIR(32, uint32_t, uint64_t)

static ptx_execute *select_vector(const struct ptx_function *function, struct ptx_instruction *i)
{
    bool packs = i->operand[1].kind == OPERAND_VECTOR;
    const struct ptx_operand *vector = &i->operand[packs], *value = &i->operand[!packs];
    const struct ptx_operand *elements = &function->elements[vector->first];
    if (value->kind != OPERAND_VALUE || !make_up(elements, vector, value->bytes)) return NULL;
    bool two = vector->count == 2 &&
               (!packs || (elements[0].kind == OPERAND_VALUE && elements[1].kind == OPERAND_VALUE));
    i->detail = elements;
    if (two && value->bytes == 4) return packs ? pack_16 : unpack_16;
    if (two && value->bytes == 8) return packs ? pack_32 : unpack_32;
    return packs ? pack : unpack;
}

/* ---- addresses ------------------------------------------------------------------------------ */

/* Where the window of a state space is; global and constant memory have none. */
static bool window_of(const struct ptx_instruction *i, uint64_t *window)
{
    *window = i->space == SPACE_SHARED  ? SHARED_WINDOW
              : i->space == SPACE_LOCAL ? LOCAL_WINDOW
              : i->space == SPACE_PARAM ? PARAM_WINDOW
                                        : 0;
    return i->space != SPACE_GENERIC && !ptx_has(i, M_param_func);
}

/* The instruction's offset is what is added to an address of the space. The address of a parameter
 * is in its window already. */
EXECUTES(add_window, uint64_t, const uint64_t *a = A_OF(warp, i, uint64_t);
         const uint64_t window = (uint64_t)i->offset, (void)0, a[l] + window)

static void same_32(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)
{
    blend(D_OF(warp, i, char), A_OF(warp, i, char), 4, mask);
}

static ptx_execute *select_cvta(struct ptx_instruction *i)
{
    uint64_t window;
    if (!window_of(i, &window)) return NULL;
    if (has_sizes(i, "44")) return window == 0 ? same_32 : NULL;
    if (window == PARAM_WINDOW) window = 0;
    i->offset = (int64_t)(ptx_has(i, M_to) ? -window : window);
    return has_sizes(i, "88") ? add_window : NULL;
}

static bool is_in(uint64_t address, uint64_t window)
{
    return address - window < WINDOW_BYTES;
}

static bool is_global(uint64_t address)
{
    return !is_in(address, SHARED_WINDOW) && !is_in(address, LOCAL_WINDOW) &&
           !is_in(address, PARAM_WINDOW) && !is_in(address, FUNCTION_WINDOW);
}

static void isspacep(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)
{
    const uint64_t *address = OPERAND_OF(warp, &i->operand[1], uint64_t);
    uint64_t window;
    uint32_t bits = 0;
    window_of(i, &window);
    EACH_LANE (l, mask)
        if (window == 0 ? is_global(address[l]) : is_in(address[l], window)) bits |= 1u << l;
    set_predicate(warp, &i->operand[0], bits, mask);
}

/* A block reaches only its own shared memory, so the rank is its own. */
static void own_rank(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)
{
    blend(D_OF(warp, i, uint32_t),
          VALUES(warp, char, BASE_SPECIAL, SPECIAL_cluster_ctarank * 4 * LANES), 4, mask);
}

ptx_execute *select_move(const struct ptx_function *function, struct ptx_instruction *i)
{
    uint64_t window;
    switch (i->opcode) {
    case OP_cvta: return select_cvta(i);
    case OP_isspacep: return window_of(i, &window) && has_sizes(i, "08") ? isspacep : NULL;
    case OP_mapa:
        i->offset = 0;
        return has_sizes(i, "444") ? same_32 : has_sizes(i, "884") ? add_window : NULL;
    case OP_getctarank: return has_sizes(i, "44") || has_sizes(i, "48") ? own_rank : NULL;
    case OP_mov: break;
    default: return NULL;
    }
    bool vector = i->operand[0].kind == OPERAND_VECTOR || i->operand[1].kind == OPERAND_VECTOR;
    return vector && i->operand_count == 2 && i->modifier_count == 0 ? select_vector(function, i)
                                                                     : NULL;
}
