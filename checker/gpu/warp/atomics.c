/*
 * atomics.c: atom and red. The lanes of a request do their operations one after the other. Each is
 * an atomic operation of this machine, because other blocks run at the same time. Additions of
 * floats whose result nobody uses are kept while blocks run in parallel, and are done in the order
 * of blocks (log.c): so a sum does not depend on the number of cores.
 */
#include "gpu/ptx/arena.h"
#include "gpu/warp/access.h"
#include "gpu/warp/half.h"
#include "gpu/warp/log.h"

/* The operation and the operands of an atom or red. */
struct atomic_detail {
    struct operation operation;
    enum access_kind access;
    bool real; /* an addition of floats */
    bool logs; /* its order matters for the sum, and nobody uses its result */
    uint8_t b, c;
    const struct ptx_operand *elements;
};

/* ---- a request ------------------------------------------------------------------------------ */

/* Exchange, or compare and exchange, of 16 bytes: as halves, the lower one first. */
static void change_16(bool swaps, void *at, const uint64_t value[2], const uint64_t compare[2],
                      uint64_t old[2])
{
    unsigned __int128 *word = at, before = *word, after, wanted;
    memcpy(&after, value, 16);
    memcpy(&wanted, compare, 16);
    for (;;) {
        unsigned __int128 next = swaps && before != wanted ? before : after;
        unsigned __int128 seen = __sync_val_compare_and_swap(word, before, next);
        if (seen == before) break;
        before = seen;
    }
    memcpy(old, &before, 16);
}

/* Values of lanes: of one register, or of an element of a vector of them; of a register of 16 bytes
 * one half. They are moved to or from the register. */
static void move_values(const struct warp *warp, const struct atomic_detail *detail,
                        const struct ptx_operand *operand, uint32_t element, uint32_t mask,
                        bool to_register, uint64_t value[LANES])
{
    bool vector = operand->kind == OPERAND_VECTOR;
    if (vector) operand = &detail->elements[operand->first + element];
    if (operand->kind != OPERAND_VALUE) return;
    uint32_t stride = operand->bytes == 1 ? 2 : operand->bytes;
    unsigned char *at = VALUES(warp, unsigned char, operand->base, operand->at);
    if (stride == 16) at += 8 * element;
    EACH_LANE (lane, mask) {
        unsigned char *one = at + (size_t)stride * lane;
        if (!to_register) value[lane] = 0;
        memcpy(to_register ? (void *)one : &value[lane], to_register ? (void *)&value[lane] : one,
               stride < 8 ? stride : 8);
    }
}

/* The old values in memory go to the lanes' registers. Returns the lanes that found what they
 * compared with. */
static uint32_t do_lanes(struct warp *warp, const struct ptx_instruction *at, bool shared,
                         uint32_t mask, const uint64_t *address)
{
    const struct atomic_detail *detail = at->detail;
    const struct operation *operation = &detail->operation;
    bool swaps = operation->kind == M_cas, wide = at->bytes == 16;
    unsigned char *base = shared ? warp->block->shared : NULL;
    struct log *log = detail->logs && !shared && warp->block->log->keeps ? warp->block->log : NULL;
    uint64_t value[8][LANES], compare[8][LANES] = {0}, old[8][LANES];
    uint32_t count = wide ? 2 : at->vector;
    for (uint32_t i = 0; i < count; i++) {
        move_values(warp, detail, &at->operand[detail->b], i, mask, false, value[i]);
        if (!swaps) continue;
        memcpy(compare[i], value[i], sizeof compare[i]);
        move_values(warp, detail, &at->operand[detail->c], i, mask, false, value[i]);
    }
    for (uint32_t i = 0; i < at->vector; i++)
        EACH_LANE (lane, mask) {
            unsigned char *word = base + address[lane] + (size_t)i * at->bytes;
            if (log != NULL) {
                log_reduction(log, operation, (uint64_t)(uintptr_t)word, value[i][lane]);
            } else if (wide) {
                uint64_t halves[3][2] = {{value[0][lane], value[1][lane]},
                                         {compare[0][lane], compare[1][lane]}};
                change_16(swaps, word, halves[0], halves[1], halves[2]);
                old[0][lane] = halves[2][0], old[1][lane] = halves[2][1];
            } else
                old[i][lane] = operation_do(operation, word, value[i][lane], compare[i][lane]);
        }
    for (uint32_t i = 0; i < count && detail->b > 1; i++)
        move_values(warp, detail, &at->operand[0], i, mask, true, old[i]);
    uint32_t same = 0;
    EACH_LANE (lane, swaps ? mask : 0)
        same |= (uint32_t)(old[0][lane] == compare[0][lane]) << lane;
    return same;
}

static void request_to(struct warp *warp, const struct ptx_instruction *at, bool shared,
                       uint32_t mask, const uint64_t *address)
{
    const struct atomic_detail *detail = at->detail;
    struct request request = {.instruction = at,
                              .kind = detail->access,
                              .mask = mask,
                              .bytes = (uint32_t)at->bytes * at->vector,
                              .element = at->bytes,
                              .address = address,
                              .location =
                                  at->location != 0 ? at->location : warp_location(warp, at),
                              .is_volatile = true,
                              .real = detail->real,
                              .swaps = detail->operation.kind == M_cas};
    uint32_t lanes = announced(warp, &request, shared);
    uint32_t swapped = lanes != 0 ? do_lanes(warp, at, shared, lanes, address) : 0;
    if (swapped != 0 && !shared) watch_swap(warp->watched, swapped, address, at->spins);
}

static void atomic(struct warp *warp, const struct ptx_instruction *at, uint32_t mask)
{
    const struct atomic_detail *detail = at->detail;
    uint64_t room[LANES], offset[LANES];
    const uint64_t *address = access_addresses(warp, at, &at->operand[detail->b - 1], room);
    warp->control->polled = warp->control->polled || detail->access == ACCESS_ATOMIC;
    if (at->b & ACCESS_RELEASES) watch_fence(warp->watched, mask, access_scope(at));
    uint32_t shared = mask;
    if (at->space != SPACE_SHARED) {
        shared =
            at->space == SPACE_GENERIC ? lanes_in_window(SHARED_WINDOW, mask, address, offset) : 0;
        if (mask & ~shared) request_to(warp, at, false, mask & ~shared, address);
        address = offset;
    }
    warp->control->drew =
        warp->control->drew || (shared != mask && !at->unused && detail->access == ACCESS_ATOMIC);
    if (shared != 0 && !warp->control->stop) request_to(warp, at, true, shared, address);
    if (at->b & ACCESS_ACQUIRES) watch_fence(warp->watched, mask, access_scope(at));
}

/* ---- choice --------------------------------------------------------------------------------- */

static uint8_t operation_of(const struct ptx_instruction *at)
{
    static const uint8_t all[] = {M_add, M_exch, M_min, M_max, M_and,
                                  M_or,  M_xor,  M_cas, M_inc, M_dec};
    for (size_t i = 0; i < sizeof all; i++)
        if (ptx_has(at, all[i])) return all[i];
    return 0;
}

ptx_execute *atomic_select(const struct ptx_function *function, struct ptx_instruction *at)
{
    uint8_t kind = operation_of(at), type = at->types[0];
    bool unused = at->opcode == OP_red || at->unused;
    bool ordered = kind == M_exch || kind == M_cas || kind == M_inc || kind == M_dec;
    bool real = type == TYPE_f32 || type == TYPE_f64 || type == TYPE_f16 || type == TYPE_f16x2 ||
                type == TYPE_bf16 || type == TYPE_bf16x2;
    int first = at->opcode == OP_atom ? 1 : 0; /* the address */
    if (kind == 0 || at->operand_count < first + 2) return NULL;
    struct atomic_detail *detail = arena_new(function->module->arena, sizeof *detail);
    *detail =
        (struct atomic_detail){.operation = {.kind = kind, .type = type, .bytes = at->bytes},
                               .access = unused && !ordered ? ACCESS_REDUCTION : ACCESS_ATOMIC,
                               .real = real && kind == M_add,
                               .logs = unused && real && kind == M_add,
                               .b = (uint8_t)(first + 1),
                               .c = (uint8_t)(first + 2),
                               .elements = function->elements};
    at->detail = detail;
    at->b = access_flags(at);
    const struct ptx_operand *address = &at->operand[first];
    if (address->bytes == 4) at->b |= ACCESS_NARROW_ADDRESS;
    at->offset = address->offset;
    return atomic;
}
