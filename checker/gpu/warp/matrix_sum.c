/*
 * matrix_sum.c: how tensor cores add products: exactly for integers and doubles, and cut off for
 * all others. This was measured on an H200: the sums of checker/test/sim/sums.cu are the same
 * there, bit by bit.
 */
#include "gpu/warp/matrix.h"

#include <float.h>

/* Bits that tensor cores keep beyond those of a float while they add: of the largest number's
 * significand, and so of all. */
enum { GUARD_BITS = 2 };

/* Integers and doubles need no other rounding than that of a double. */
void multiply_exactly(matrix sum, const matrix a, const matrix b, struct fragment shape)
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

void multiply_cut(matrix sum, const matrix a, const matrix b, struct fragment shape)
{
    const unsigned depth = depth_of(shape);
    for (unsigned row = 0; row < shape.m; row++)
        for (unsigned column = 0; column < shape.n; column += BLOCK_SIDE)
            for (unsigned k = 0; k < shape.k; k += depth)
                add_products(sum + row * SIDE_MAX + column, a + row * SIDE_MAX + k,
                             b + k * SIDE_MAX + column, depth);
}
