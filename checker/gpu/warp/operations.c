/*
 * operations.c: atomic operations on one word of memory: a number, its bits, or two short numbers.
 */
#include "gpu/warp/half.h"
#include "gpu/warp/log.h"

/* A number, if one of two is none and the smaller or larger one is wanted. A sum of two floats or
 * short numbers is rounded once more afterwards, which changes nothing. */
static double real_number(uint8_t kind, double x, double y)
{
    return kind == M_add ? x + y : kind == M_min ? fmin(x, y) : fmax(x, y);
}

static uint64_t short_number(uint8_t kind, enum short_format format, uint64_t x, uint64_t y)
{
    double number =
        real_number(kind, short_value(format, (uint16_t)x), short_value(format, (uint16_t)y));
    return short_bits(format, number, ROUND_NEAREST, false);
}

/* A sum, the smaller one or the larger one of two numbers. */
static uint64_t number_of(uint8_t kind, enum ptx_type type, uint64_t x, uint64_t y)
{
    enum short_format format;
    bool pair;
    if (short_type(type, &format, &pair))
        return short_number(kind, format, x, y) |
               (pair ? short_number(kind, format, x >> 16, y >> 16) << 16 : 0);
    if (type == TYPE_f32)
        return float_bits(
            (float)real_number(kind, (double)float_of((uint32_t)x), (double)float_of((uint32_t)y)));
    if (type == TYPE_f64) return double_bits(real_number(kind, double_of(x), double_of(y)));
    if (kind == M_add) return x + y;
    bool less = type == TYPE_s32   ? (int32_t)y < (int32_t)x
                : type == TYPE_s64 ? (int64_t)y < (int64_t)x
                                   : y < x;
    return less == (kind == M_min) ? y : x;
}

/* The new value of a word of memory. */
static uint64_t applied(const struct operation *operation, uint64_t old, uint64_t value,
                        uint64_t compare)
{
    switch (operation->kind) {
    case M_add:
    case M_min:
    case M_max: return number_of(operation->kind, operation->type, old, value);
    case M_exch: return value;
    case M_and: return old & value;
    case M_or: return old | value;
    case M_xor: return old ^ value;
    case M_cas: return old == compare ? value : old;
    case M_inc: return old >= value ? 0 : old + 1;
    default: return old == 0 || old > value ? value : old - 1; /* M_dec */
    }
}

#define CHANGE(T)                                                                                  \
    {                                                                                              \
        T *word = at, old = __atomic_load_n(word, __ATOMIC_RELAXED);                               \
        while (!__atomic_compare_exchange_n(word, &old,                                            \
                                            (T)applied(operation, old, (T)value, (T)compare),      \
                                            true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))             \
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
