/*
 * arithmetic_address.c: addresses: from a state space to generic ones and back (cvta), what a
 * generic address is of (isspacep), and addresses in the shared memory of a cluster (mapa,
 * getctarank). A generic address is that of the GPU's memory, or an offset in a window (ptx.h).
 * Clusters run one block at a time, so a block maps only itself.
 */
#include "gpu/warp/arithmetic.h"

/* Where the window of a state space is; global and constant memory have none. */
static bool window_of(const struct ptx_instruction *i, uint64_t *window)
{
    *window = 0;
    for (int k = 0; k < i->modifier_count; k++) {
        switch (i->modifiers[k]) {
        case M_global:
        case M_const: return true;
        case M_shared:
        case M_shared_cta:
        case M_shared_cluster: *window = SHARED_WINDOW; return true;
        case M_local: *window = LOCAL_WINDOW; return true;
        case M_param:
        case M_param_entry: *window = PARAM_WINDOW; return true;
        default: break;
        }
    }
    return false;
}

UNARY(same_32, uint32_t, uint32_t, x)
UNARY(same_64, uint64_t, uint64_t, x)
UNARY(shared_to_generic, uint64_t, uint64_t, x + SHARED_WINDOW)
UNARY(local_to_generic, uint64_t, uint64_t, x + LOCAL_WINDOW)
UNARY(generic_to_shared, uint64_t, uint64_t, x - SHARED_WINDOW)
UNARY(generic_to_local, uint64_t, uint64_t, x - LOCAL_WINDOW)

static ptx_execute *select_cvta(const struct ptx_instruction *i)
{
    uint64_t window;
    bool to = ptx_has(i, M_to);
    if (!window_of(i, &window)) return NULL;
    if (has_widths(i, "44")) return window == 0 ? same_32 : NULL;
    if (!has_widths(i, "88")) return NULL;
    switch (window) {
    case SHARED_WINDOW: return to ? generic_to_shared : shared_to_generic;
    case LOCAL_WINDOW: return to ? generic_to_local : local_to_generic;
    default: return same_64; /* the address of a parameter is in its window already */
    }
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
    blend_4(D_OF(warp, i, uint32_t),
            VALUES(warp, char, BASE_SPECIAL, SPECIAL_cluster_ctarank * 4 * LANES), mask);
}

static ptx_execute *select_cluster(const struct ptx_instruction *i)
{
    if (i->opcode == OP_mapa)
        return has_widths(i, "444") ? same_32 : has_widths(i, "884") ? same_64 : NULL;
    return has_widths(i, "44") || has_widths(i, "48") ? own_rank : NULL;
}

ptx_execute *select_address(const struct ptx_function *function, struct ptx_instruction *i)
{
    uint64_t window;
    (void)function;
    switch (i->opcode) {
    case OP_cvta: return select_cvta(i);
    case OP_isspacep: return window_of(i, &window) && has_widths(i, "08") ? isspacep : NULL;
    case OP_mapa:
    case OP_getctarank: return select_cluster(i);
    default: return NULL;
    }
}
