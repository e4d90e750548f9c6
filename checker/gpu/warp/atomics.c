/*
 * atomics.c: atom and red. The lanes of a request do their operations one after the other. Each is
 * an atomic operation of this machine, because other blocks run at the same time. Additions of
 * floats whose result nobody uses are kept while blocks run in parallel, and are done in the order
 * of blocks (log.c): so a sum does not depend on the number of cores.
 */
#include "gpu/warp/access.h"
#include "gpu/ptx/arena.h"
#include "gpu/warp/atomics.h"
#include "gpu/warp/log.h"

#include <math.h>
#include <string.h>

/* ---- operations on one value ---------------------------------------------------------------- */

#define APPLY_INTEGERS(T, name)                                                                    \
    static T apply_##name(uint8_t operation, T old, T value, T compare)                            \
    {                                                                                              \
        switch (operation) {                                                                       \
        case M_add: return (T)(old + value);                                                       \
        case M_exch: return value;                                                                 \
        case M_min: return value < old ? value : old;                                              \
        case M_max: return value > old ? value : old;                                              \
        case M_and: return old & value;                                                            \
        case M_or: return old | value;                                                             \
        case M_xor: return old ^ value;                                                            \
        case M_cas: return old == compare ? value : old;                                           \
        case M_inc: return old >= value ? 0 : (T)(old + 1);                                        \
        case M_dec: return old == 0 || old > value ? value : (T)(old - 1);                         \
        default: return old;                                                                       \
        }                                                                                          \
    }
APPLY_INTEGERS(uint16_t, u16)
APPLY_INTEGERS(uint32_t, u32)
APPLY_INTEGERS(uint64_t, u64)
APPLY_INTEGERS(int32_t, s32)
APPLY_INTEGERS(int64_t, s64)

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float from_half(uint16_t bits)
{
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    float size = exponent == 31  ? (fraction != 0 ? NAN : INFINITY)
                 : exponent == 0 ? ldexpf((float)fraction, -24)
                                 : ldexpf((float)(1024 + fraction), exponent - 25);
    return bits >> 15 ? -size : size;
}

/* To the nearest half, ties to even. The sum of two halves is exact in double, and is rounded once.
 */
static uint16_t to_half(double value)
{
    uint16_t sign = signbit(value) ? 0x8000 : 0;
    double size = fabs(value);
    if (isnan(value)) return 0x7fff;
    if (size >= 65520) return sign | 0x7c00;
    if (size < 0x1p-14) return sign | (uint16_t)nearbyint(size * 0x1p24);
    int exponent;
    double fraction = frexp(size, &exponent); /* 0.5 … 1 */
    uint32_t units = (uint32_t)nearbyint(fraction * 2048);
    return sign | (uint16_t)(((uint32_t)(exponent + 13) << 10) + units);
}

static float from_bf16(uint16_t bits)
{
    return float_of((uint32_t)bits << 16);
}

static uint16_t to_bf16(float value)
{
    uint32_t bits = bits_of(value);
    if (isnan(value)) return 0x7fff;
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

static uint16_t add_half(uint16_t a, uint16_t b, bool brain)
{
    if (brain) return to_bf16(from_bf16(a) + from_bf16(b));
    return to_half((double)from_half(a) + (double)from_half(b));
}

/* The new value of a word of memory. */
static uint64_t applied(const struct operation *operation, uint64_t old, uint64_t value,
                        uint64_t compare)
{
    uint8_t kind = operation->kind;
    bool exchanges = kind == M_exch || kind == M_cas;
    switch (exchanges ? (operation->bytes == 8   ? TYPE_u64
                         : operation->bytes == 2 ? TYPE_u16
                                                 : TYPE_u32)
                      : operation->type) {
    case TYPE_f32: {
        float a = float_of((uint32_t)old), b = float_of((uint32_t)value);
        return bits_of(kind == M_add ? a + b : kind == M_min ? fminf(a, b) : fmaxf(a, b));
    }
    case TYPE_f64: {
        double a, b;
        memcpy(&a, &old, sizeof a);
        memcpy(&b, &value, sizeof b);
        a = kind == M_add ? a + b : kind == M_min ? fmin(a, b) : fmax(a, b);
        memcpy(&old, &a, sizeof a);
        return old;
    }
    case TYPE_f16:
    case TYPE_bf16: return add_half((uint16_t)old, (uint16_t)value, operation->type == TYPE_bf16);
    case TYPE_f16x2:
    case TYPE_bf16x2: {
        bool brain = operation->type == TYPE_bf16x2;
        return add_half((uint16_t)old, (uint16_t)value, brain) |
               (uint32_t)add_half((uint16_t)(old >> 16), (uint16_t)(value >> 16), brain) << 16;
    }
    case TYPE_s32: return (uint32_t)apply_s32(kind, (int32_t)old, (int32_t)value, (int32_t)compare);
    case TYPE_s64: return (uint64_t)apply_s64(kind, (int64_t)old, (int64_t)value, (int64_t)compare);
    default:
        if (operation->bytes == 8) return apply_u64(kind, old, value, compare);
        if (operation->bytes == 2)
            return apply_u16(kind, (uint16_t)old, (uint16_t)value, (uint16_t)compare);
        return apply_u32(kind, (uint32_t)old, (uint32_t)value, (uint32_t)compare);
    }
}

#define CHANGE(T)                                                                                  \
    {                                                                                              \
        T *word = at, old = __atomic_load_n(word, __ATOMIC_RELAXED);                               \
        while (!__atomic_compare_exchange_n(word, &old,                                            \
                                            (T)applied(operation, old, value, compare), true,      \
                                            __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))                   \
            continue;                                                                              \
        return old;                                                                                \
    }

uint64_t operation_do(const struct operation *operation, void *at, uint64_t value, uint64_t compare)
{
    switch (operation->bytes) {
    case 2: CHANGE(uint16_t)
    case 8: CHANGE(uint64_t)
    default: CHANGE(uint32_t)
    }
}

/* Exchange, or compare and exchange, of 16 bytes. */
static void change_16(bool swaps, unsigned char *at, const unsigned char *value,
                      const unsigned char *compare, unsigned char *old)
{
    unsigned __int128 *word = (void *)at, before = *word, after, wanted = 0;
    memcpy(&after, value, 16);
    if (swaps) memcpy(&wanted, compare, 16);
    for (;;) {
        unsigned __int128 next = swaps && before != wanted ? before : after;
        unsigned __int128 seen = __sync_val_compare_and_swap(word, before, next);
        if (seen == before) break;
        before = seen;
    }
    memcpy(old, &before, 16);
}

/* ---- a request ------------------------------------------------------------------------------ */

/* Values of lanes: of one register, or of a vector of them. */
static void gather(const struct warp *warp, const struct atomic_detail *detail,
                   const struct ptx_operand *operand, uint32_t element, uint32_t mask,
                   uint64_t value[LANES])
{
    if (operand->kind == OPERAND_VECTOR) operand = &detail->elements[operand->first + element];
    uint32_t bytes = operand->bytes == 1 ? 2 : operand->bytes;
    const unsigned char *from = VALUES(warp, const unsigned char, operand->base, operand->at);
    EACH_LANE (lane, mask) {
        value[lane] = 0;
        memcpy(&value[lane], from + (size_t)bytes * lane, bytes < 8 ? bytes : 8);
    }
}

static void scatter(const struct warp *warp, const struct atomic_detail *detail,
                    const struct ptx_operand *operand, uint32_t element, uint32_t mask,
                    const uint64_t value[LANES])
{
    if (operand->kind == OPERAND_VECTOR) operand = &detail->elements[operand->first + element];
    if (operand->kind != OPERAND_VALUE) return;
    uint32_t bytes = operand->bytes == 1 ? 2 : operand->bytes;
    unsigned char *to = VALUES(warp, unsigned char, operand->base, operand->at);
    EACH_LANE (lane, mask)
        memcpy(to + (size_t)bytes * lane, &value[lane], bytes < 8 ? bytes : 8);
}

/* The old values in memory go to the lanes' registers. */
static void do_lanes(struct warp *warp, const struct ptx_instruction *at, bool shared,
                     uint32_t mask, const uint64_t *address)
{
    const struct atomic_detail *detail = at->detail;
    const struct operation *operation = &detail->operation;
    const struct ptx_operand *b = &at->operand[detail->b], *c = &at->operand[detail->c];
    unsigned char *base = shared ? warp->block->shared : NULL;
    struct log *log = detail->logs && !shared && warp->block->log->keeps ? warp->block->log : NULL;
    for (uint32_t i = 0; i < at->vector; i++) {
        uint64_t value[LANES], compare[LANES], old[LANES];
        gather(warp, detail, b, i, mask, value);
        bool swaps = operation->kind == M_cas;
        if (swaps) {
            memcpy(compare, value, sizeof compare);
            gather(warp, detail, c, i, mask, value);
        }
        EACH_LANE (lane, mask) {
            unsigned char *word = base + address[lane] + (size_t)i * operation->bytes;
            if (log != NULL)
                log_reduction(log, operation, (uint64_t)(uintptr_t)word, value[lane]);
            else
                old[lane] = operation_do(operation, word, value[lane], swaps ? compare[lane] : 0);
        }
        if (detail->b > 1) scatter(warp, detail, &at->operand[0], i, mask, old);
    }
}

static void do_wide(struct warp *warp, const struct ptx_instruction *at, bool shared, uint32_t mask,
                    const uint64_t *address)
{
    const struct atomic_detail *detail = at->detail;
    bool swaps = detail->operation.kind == M_cas;
    uint64_t half[3][2][LANES] = {0}; /* of b, c and the old value */
    for (uint32_t k = 0; k < 2; k++) {
        int number = k == 0 ? detail->b : detail->c;
        const struct ptx_operand *operand = &at->operand[number];
        if (k == 1 && !swaps) break;
        for (uint32_t i = 0; i < 2; i++)
            if (operand->kind == OPERAND_VECTOR)
                gather(warp, detail, operand, i, mask, half[k][i]);
            else
                EACH_LANE (lane, mask)
                    half[k][i][lane] =
                        VALUES(warp, const uint64_t, operand->base, operand->at)[2 * lane + i];
    }
    EACH_LANE (lane, mask) {
        uint64_t b[2] = {half[0][0][lane], half[0][1][lane]};
        uint64_t c[2] = {half[1][0][lane], half[1][1][lane]}, old[2];
        change_16(swaps, (shared ? warp->block->shared : NULL) + address[lane],
                  (unsigned char *)(swaps ? c : b), (unsigned char *)b, (unsigned char *)old);
        half[2][0][lane] = old[0];
        half[2][1][lane] = old[1];
    }
    const struct ptx_operand *d = &at->operand[0];
    for (uint32_t i = 0; i < 2 && detail->b > 1; i++)
        if (d->kind == OPERAND_VECTOR)
            scatter(warp, detail, d, i, mask, half[2][i]);
        else if (d->kind == OPERAND_VALUE)
            EACH_LANE (lane, mask)
                VALUES(warp, uint64_t, d->base, d->at)[2 * lane + i] = half[2][i][lane];
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
                              .place = at->place != 0 ? at->place : warp_place(warp, at),
                              .is_volatile = true,
                              .real = detail->real,
                              .swaps = detail->operation.kind == M_cas};
    int error = 0;
    find_runs(&request);
    uint32_t lanes = shared ? watch_shared(warp->watched, &request, &error)
                            : watch_global(warp->watched, &request, &error);
    if (lanes != 0) {
        if (at->bytes == 16)
            do_wide(warp, at, shared, lanes, address);
        else
            do_lanes(warp, at, shared, lanes, address);
    }
    if (UNLIKELY(error != 0)) warp_fail(warp, error);
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
