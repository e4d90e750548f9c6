/*
 * fragment.c: products of small matrices by a warp, for mma.h and for PTX. Each thread holds the
 * elements that a GPU of compute capability 8.0 and later gives it: words of 4 bytes, which hold
 * one to four elements, in blocks of 8 rows or columns. Products are exact, and sums cut off as
 * tensor cores do it: see add_products().
 */
#include "sim/ptx/fragment.h"

#include "sim/engine/access.h"
#include "sim/engine/block.h"
#include "sim/engine/running.h"
#include "sim/gpu/profile.h"
#include "sim/requests/fault.h"
#include "sim/requests/lane.h"
#include "warpup/fragment.h"
#include "warpup/runtime.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define CALLER ((uintptr_t)__builtin_return_address(0))

enum { WORD = 4, BLOCK = 8, SIDE_MAX = 32, SHARE_MAX = 16 };

/* Bits that tensor cores keep beyond those of a float while they add: of the largest number's
 * significand, and so of all. Like all of how they add, it is measured on an H200: the sums of
 * checker/test/sim/sums.cu are the same there, bit by bit. */
enum { GUARD_BITS = 2 };

/* Tensor cores of an SM, one per scheduler. Rows of a of this many bytes make full use of them;
 * shorter ones reach a share of the rate, which is measured on an H200: 225 of 314 Tflop/s with
 * m16n8k4 of TF32, 451 of 629 with m16n8k8 of bfloat16. */
enum { TENSOR_CORES = 4, FULL_DEPTH = 32 };
static const double SHORT_RATE = 0.72;

enum { A, B, C, D };

static const unsigned char bytes_of[] = {
    [WARPUP_HALF] = 2,   [WARPUP_BFLOAT16] = 2, [WARPUP_TF32] = 4, [WARPUP_FLOAT] = 4,
    [WARPUP_DOUBLE] = 8, [WARPUP_S8] = 1,       [WARPUP_U8] = 1,   [WARPUP_S32] = 4,
};

/* ---- elements ------------------------------------------------------------------------------- */

/* Rounds the magnitude at 13 bits from the end. */
float warpup_tf32(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    if ((bits & 0x7f800000) != 0x7f800000) bits += 0x1000;
    bits &= ~0x1fffu;
    memcpy(&value, &bits, sizeof bits);
    return value;
}

/* The number at a place; a GPU does not look at the last 13 bits of a TF32. */
static double element_value(enum warpup_element element, const void *at)
{
    uint16_t half;
    uint32_t word;
    float number;
    double wide;
    int32_t whole;
    switch (element) {
    case WARPUP_HALF: memcpy(&half, at, sizeof half); return warpup_half_value(half);
    case WARPUP_BFLOAT16:
        memcpy(&half, at, sizeof half);
        word = (uint32_t)half << 16;
        memcpy(&number, &word, sizeof number);
        return number;
    case WARPUP_TF32:
        memcpy(&word, at, sizeof word);
        word &= ~0x1fffu;
        memcpy(&number, &word, sizeof number);
        return number;
    case WARPUP_FLOAT: memcpy(&number, at, sizeof number); return number;
    case WARPUP_DOUBLE: memcpy(&wide, at, sizeof wide); return wide;
    case WARPUP_S8: return *(const signed char *)at;
    case WARPUP_U8: return *(const unsigned char *)at;
    case WARPUP_S32: memcpy(&whole, at, sizeof whole); return whole;
    }
    return 0;
}

/* An integer sum that does not fit wraps around, or becomes the nearest one that does. */
static int32_t whole_sum(double value, bool saturate)
{
    if (saturate && value >= INT32_MAX) return INT32_MAX;
    if (saturate && value <= INT32_MIN) return INT32_MIN;
    return (int32_t)(uint32_t)(int64_t)value;
}

static void element_set(enum warpup_element element, void *at, double value, bool saturate)
{
    uint16_t half = element == WARPUP_HALF ? warpup_half(value, WARPUP_NEAREST) : 0;
    float number = (float)value;
    int32_t whole = element == WARPUP_S32 ? whole_sum(value, saturate) : 0;
    switch (element) {
    case WARPUP_HALF: memcpy(at, &half, sizeof half); break;
    case WARPUP_DOUBLE: memcpy(at, &value, sizeof value); break;
    case WARPUP_S32: memcpy(at, &whole, sizeof whole); break;
    default: memcpy(at, &number, sizeof number); break;
    }
}

/* ---- which thread holds what ---------------------------------------------------------------- */

struct place {
    unsigned row, column;
};

/* Of a sum: pairs of neighbours in a row, four threads per row, blocks below each other first. */
static struct place place_of_sum(struct warpup_fragment shape, unsigned lane, unsigned i)
{
    unsigned block = i / 2, blocks = shape.m / BLOCK;
    return (struct place){lane / 4 + BLOCK * (block % blocks),
                          lane % 4 * 2 + i % 2 + BLOCK * (block / blocks)};
}

/* Of a factor: a word holds neighbours along k. Four threads hold the words of a row of a, or of a
 * column of b. Words of a go down its blocks of rows first, words of b along k. */
static struct place place_of_factor(struct warpup_fragment shape, unsigned lane, unsigned i)
{
    unsigned bytes = bytes_of[shape.element], in_word = bytes < WORD ? WORD / bytes : 1;
    unsigned word = i / in_word, across = 4 * in_word; /* along k, what four threads hold */
    bool is_a = shape.matrix == WARPUP_MATRIX_A;
    unsigned blocks = shape.m / BLOCK, steps = shape.k / across;
    unsigned block = is_a ? word % blocks : word / steps,
             step = is_a ? word / blocks : word % steps;
    unsigned k = lane % 4 * in_word + i % in_word + across * step, other = lane / 4 + BLOCK * block;
    return is_a ? (struct place){other, k} : (struct place){k, other};
}

static struct place place_of(struct warpup_fragment shape, unsigned lane, unsigned i)
{
    return shape.matrix == WARPUP_SUM ? place_of_sum(shape, lane, i)
                                      : place_of_factor(shape, lane, i);
}

/* A thread's share; what it holds beyond that repeats. */
static unsigned share_of(struct warpup_fragment shape)
{
    unsigned elements = shape.matrix == WARPUP_MATRIX_A   ? shape.m * shape.k
                        : shape.matrix == WARPUP_MATRIX_B ? shape.k * shape.n
                                                          : shape.m * shape.n;
    return elements / LANES;
}

/* ---- memory --------------------------------------------------------------------------------- */

uint32_t fragment_gather(uint64_t value, const uint64_t **from, uintptr_t pc)
{
    char detail[100];
    uint32_t came = block_meet(value, from, pc);
    if (came != UINT32_MAX) {
        snprintf(detail, sizeof detail,
                 "all 32 lanes of the warp have to call it, but only %d of them do",
                 __builtin_popcount(came));
        fault_here("lanes-missing", pc, NULL, 0, NULL, detail);
    }
    return came;
}

/* Where element i of the running lane is in memory, in elements */
static size_t offset_of(struct warpup_fragment shape, unsigned i, unsigned stride)
{
    struct place place = place_of(shape, running_lane(), i);
    return shape.by_rows ? (size_t)place.row * stride + place.column
                         : (size_t)place.column * stride + place.row;
}

/* How many elements from the i-th on a thread accesses with one instruction: a word of a factor,
 * two sums; one element where these are not neighbours in memory. */
static unsigned neighbours(struct warpup_fragment shape, unsigned i, unsigned stride)
{
    unsigned bytes = bytes_of[shape.element];
    unsigned most = shape.matrix == WARPUP_SUM ? 2 : bytes < WORD ? WORD / bytes : 1, count = 1;
    size_t first = offset_of(shape, i, stride);
    while (count < most && i + count < share_of(shape) &&
           offset_of(shape, i + count, stride) == first + count)
        count++;
    return count;
}

/* Factors of 2 bytes whose neighbours along k are apart: a GPU loads words, too, and then exchanges
 * rows and columns of each block of 8 x 8 among the threads. */
static bool is_turned(struct warpup_fragment shape)
{
    bool along_k = shape.by_rows == (shape.matrix == WARPUP_MATRIX_A);
    return shape.matrix != WARPUP_SUM && bytes_of[shape.element] == 2 && !along_k;
}

static void load_turned(struct warpup_fragment shape, char *held, const char *at, unsigned stride,
                        uintptr_t pc)
{
    const uint64_t *from;
    for (unsigned i = 0; i < share_of(shape); i += 2) {
        struct place place = place_of(shape, running_lane(), i);
        size_t row = place.column % BLOCK + place.row / BLOCK * BLOCK;
        size_t column = place.row % BLOCK + place.column / BLOCK * BLOCK;
        size_t word = shape.by_rows ? row * stride + column : column * stride + row;
        access_announce(at + word * 2, WORD, ACCESS_LOAD, pc);
    }
    fragment_gather(0, &from, pc); /* the others have loaded what this lane gets */
    for (unsigned i = 0; i < share_of(shape); i++)
        memcpy(held + i * 2, at + offset_of(shape, i, stride) * 2, 2);
}

static void load_straight(struct warpup_fragment shape, char *held, const char *at, unsigned stride,
                          uintptr_t pc)
{
    unsigned bytes = bytes_of[shape.element], count;
    for (unsigned i = 0; i < share_of(shape); i += count) {
        const char *first = at + offset_of(shape, i, stride) * bytes;
        count = neighbours(shape, i, stride);
        access_announce(first, count * bytes, ACCESS_LOAD, pc);
        memcpy(held + i * bytes, first, count * bytes);
    }
}

void warpup_fragment_load(struct warpup_fragment shape, void *x, const void *at, unsigned stride)
{
    const uint64_t *from;
    unsigned bytes = bytes_of[shape.element], share = share_of(shape);
    char *held = x;
    if (!lane_runs) return;
    fragment_gather(0, &from, CALLER);
    if (is_turned(shape))
        load_turned(shape, held, at, stride, CALLER);
    else
        load_straight(shape, held, at, stride, CALLER);
    for (unsigned i = share; i < shape.size; i++)
        memcpy(held + i * bytes, held + i % share * bytes, bytes);
}

void warpup_fragment_store(struct warpup_fragment shape, const void *x, void *at, unsigned stride)
{
    const uint64_t *from;
    unsigned bytes = bytes_of[shape.element], count;
    if (!lane_runs) return;
    fragment_gather(0, &from, CALLER);
    for (unsigned i = 0; i < share_of(shape); i += count) {
        char *first = (char *)at + offset_of(shape, i, stride) * bytes;
        count = neighbours(shape, i, stride);
        access_announce(first, count * bytes, ACCESS_STORE, CALLER);
        memcpy(first, (const char *)x + i * bytes, count * bytes);
    }
}

/* ---- products ------------------------------------------------------------------------------- */

/* Numbers of a matrix, row by row, each row SIDE_MAX apart */
typedef double matrix[SIDE_MAX * SIDE_MAX];

/* Where in a matrix the elements of each lane are. Of the shape that it was last asked for: a
 * kernel uses few. */
struct map {
    struct warpup_fragment shape;
    unsigned share;
    uint16_t at[LANES][SHARE_MAX];
};

static const struct map *map_of(struct map *map, struct warpup_fragment shape)
{
    if (memcmp(&map->shape, &shape, sizeof shape) == 0) return map;
    map->shape = shape;
    map->share = share_of(shape);
    for (unsigned lane = 0; lane < LANES; lane++)
        for (unsigned i = 0; i < map->share; i++) {
            struct place place = place_of(shape, lane, i);
            map->at[lane][i] = (uint16_t)(place.row * SIDE_MAX + place.column);
        }
    return map;
}

/* What lanes that did not come would bring is 0: the kernel has a fault then. */
static void collect(matrix numbers, const struct map *map, unsigned which,
                    struct warpup_fragments *const lanes[LANES], uint32_t came)
{
    enum warpup_element element = map->shape.element;
    unsigned bytes = bytes_of[element];
    if (came != UINT32_MAX) memset(numbers, 0, sizeof(matrix));
    EACH_LANE (lane, came) {
        const char *held = lanes[lane]->from[which];
        for (unsigned i = 0; i < map->share; i++)
            numbers[map->at[lane][i]] = element_value(element, held + i * bytes);
    }
}

static void hand_out(const matrix numbers, const struct map *map,
                     struct warpup_fragments *const lanes[LANES], uint32_t came)
{
    enum warpup_element element = map->shape.element;
    unsigned bytes = bytes_of[element];
    EACH_LANE (lane, came) {
        char *held = lanes[lane]->to;
        for (unsigned i = 0; i < map->share; i++)
            element_set(element, held + i * bytes, numbers[map->at[lane][i]],
                        lanes[lane]->saturate);
        lanes[lane]->done = 1;
    }
}

/* sum += a b. Integers and doubles need no other rounding than that of a double. */
static void multiply_exactly(matrix sum, const matrix a, const matrix b,
                             struct warpup_fragment shape)
{
    for (unsigned row = 0; row < shape.m; row++)
        for (unsigned k = 0; k < shape.k; k++) {
            double left = a[row * SIDE_MAX + k], *to = sum + row * SIDE_MAX;
            const double *right = b + k * SIDE_MAX;
            for (unsigned column = 0; column < shape.n; column++)
                to[column] += left * right[column];
        }
}

/* The power of two in a magnitude: 4 for 5.5. */
static double power_in(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits &= UINT64_C(0x7ff) << (DBL_MANT_DIG - 1);
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* A number is multiplied with this: the bits that tensor cores keep of it are then before the
 * point. It depends on the magnitude of the largest number. */
static double units_of(double largest)
{
    static const double kept = 1 << (FLT_MANT_DIG - 1 + GUARD_BITS),
                        least = 1e-150; /* less than any product of floats, and not 0 */
    return kept / power_in(largest > least ? largest : least);
}

static double cut_to_float(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits &= ~((UINT64_C(1) << (DBL_MANT_DIG - FLT_MANT_DIG)) - 1);
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Adds `depth` products to a BLOCK of neighbouring sums as tensor cores do. Of the products and the
 * sum, they cut off all bits that are too small beside the largest of them. They add exactly what
 * is left, and cut that off to a float. The exponents of its factors say how large a product is.
 * Infinities and NaN remain. */
static void add_products(double *to, const double *left, const double *right, unsigned depth)
{
    double products[SIDE_MAX][BLOCK], largest[BLOCK], units[BLOCK], sum[BLOCK];
    for (unsigned c = 0; c < BLOCK; c++)
        largest[c] = fabs(to[c]);
    for (unsigned k = 0; k < depth; k++) {
        double factor = left[k], power = power_in(factor);
        for (unsigned c = 0; c < BLOCK; c++) {
            double magnitude = power * power_in(right[k * SIDE_MAX + c]);
            products[k][c] = factor * right[k * SIDE_MAX + c];
            largest[c] = magnitude > largest[c] ? magnitude : largest[c];
        }
    }
    for (unsigned c = 0; c < BLOCK; c++) {
        units[c] = units_of(largest[c]);
        sum[c] = trunc(to[c] * units[c]);
    }
    for (unsigned k = 0; k < depth; k++)
        for (unsigned c = 0; c < BLOCK; c++)
            sum[c] += trunc(products[k][c] * units[c]);
    for (unsigned c = 0; c < BLOCK; c++)
        to[c] = cut_to_float(sum[c] / units[c]);
}

/* How many products one instruction of the hardware adds to a sum: nvcc makes two of that of wmma's
 * TF32, which alone is 16 wide. */
static unsigned depth_of(struct warpup_fragment shape)
{
    return shape.element == WARPUP_TF32 && shape.n == 16 ? shape.k / 2 : shape.k;
}

static void multiply_cut(matrix sum, const matrix a, const matrix b, struct warpup_fragment shape)
{
    const unsigned depth = depth_of(shape);
    for (unsigned row = 0; row < shape.m; row++)
        for (unsigned column = 0; column < shape.n; column += BLOCK)
            for (unsigned k = 0; k < shape.k; k += depth)
                add_products(sum + row * SIDE_MAX + column, a + row * SIDE_MAX + k,
                             b + k * SIDE_MAX + column, depth);
}

/* The operations of TF32 numbers that would take as long as these. Shorter numbers are done faster,
 * by as much as more of them fit into a word. Doubles go at the rate of the GPU's double units. */
static double work_of(struct warpup_fragment shape, double flops)
{
    const struct profile *gpu = profile();
    double bytes = bytes_of[shape.element];
    if (shape.element == WARPUP_DOUBLE)
        return flops / 2 * gpu->tensor_flops_per_clock / gpu->doubles_per_clock;
    double work = flops * bytes / WORD;
    return depth_of(shape) * bytes < FULL_DEPTH ? work / SHORT_RATE : work;
}

/* Counts the operations, and the time that the warp waits for its scheduler's tensor core. */
static void count_product(struct warpup_fragment shape)
{
    const struct profile *gpu = profile();
    struct tally *tally = &running_worker->tally;
    uint64_t flops = UINT64_C(2) * shape.m * shape.n * shape.k;
    double work = work_of(shape, (double)flops);
    tally->tensor_flops += flops;
    tally->tensor_work += work;
    running_worker->running_warp->chain->ns +=
        work * TENSOR_CORES / (gpu->tensor_flops_per_clock * gpu->clock_ghz);
}

void fragment_multiply(struct warpup_fragments *const lanes[LANES], uint32_t came)
{
    static _Thread_local struct map maps[4];
    const struct warpup_fragment *shape = lanes[__builtin_ctz(came)]->shape;
    matrix a, b, sum;
    collect(a, map_of(&maps[A], shape[A]), A, lanes, came);
    collect(b, map_of(&maps[B], shape[B]), B, lanes, came);
    collect(sum, map_of(&maps[C], shape[C]), C, lanes, came);
    if (bytes_of[shape[A].element] == 2 || shape[A].element == WARPUP_TF32)
        multiply_cut(sum, a, b, shape[A]);
    else
        multiply_exactly(sum, a, b, shape[A]);
    hand_out(sum, map_of(&maps[D], shape[D]), lanes, came);
    count_product(shape[A]);
}

/* The first lane that goes on computes for all: the others' matrices are still as they brought
 * them. */
void warpup_fragment_multiply(struct warpup_fragments *fragments)
{
    struct warpup_fragments *lanes[LANES];
    const uint64_t *from;
    if (!lane_runs) return;
    uint32_t came = fragment_gather((uintptr_t)fragments, &from, CALLER);
    if (fragments->done) return;
    EACH_LANE (lane, came)
        lanes[lane] = (struct warpup_fragments *)from[lane];
    fragment_multiply(lanes, came);
}
