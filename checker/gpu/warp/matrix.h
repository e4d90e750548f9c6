/*
 * matrix.h: the matrices that a warp multiplies: which thread holds which element, and in which
 * register. A thread holds what a GPU of compute capability 8.0 and later gives it: words of 4
 * bytes, which hold one to four elements, in blocks of 8 rows or columns.
 */
#ifndef WARPUP_MATRIX_H
#define WARPUP_MATRIX_H

#include "gpu/warp/compute.h"

enum { SIDE_MAX = 32, SHARE_MAX = 16, BLOCK_SIDE = 8, WORD_BYTES = 4 };

enum matrix_use { MATRIX_A, MATRIX_B, MATRIX_SUM };

/* One of the matrices of a product: a is m x k, b is k x n, sums are m x n. */
struct fragment {
    uint8_t use, type; /* enum matrix_use; enum ptx_type of the elements */
    uint8_t m, n, k;
};

struct element_position {
    unsigned row, column;
};

/* Where the i-th element of a lane is in the matrix. */
struct element_position fragment_position(struct fragment fragment, unsigned lane, unsigned i);

/* How many elements a register holds, and a lane. */
static inline unsigned in_register(enum ptx_type type)
{
    unsigned bytes = ptx_type_bytes(type);
    return bytes < WORD_BYTES ? WORD_BYTES / bytes : 1;
}
unsigned fragment_share(struct fragment fragment);

/* The shape among an instruction's modifiers: m16n8k16 …; false: there is none. */
bool find_shape(const struct ptx_instruction *instruction, struct fragment *fragment);

/* Are they values of this size, and enough for the lane's share? */
bool holds_fragment(const struct ptx_operand *elements, const struct ptx_operand *operand,
                    struct fragment fragment);

/* The bits of the i-th element that a lane holds, and setting them. */
uint64_t held_element(const struct warp *warp, const struct ptx_operand *registers,
                      enum ptx_type type, unsigned lane, unsigned i);
void hold_element(const struct warp *warp, const struct ptx_operand *registers, enum ptx_type type,
                  unsigned lane, unsigned i, uint64_t bits);

/* Numbers of a matrix, row by row, each row SIDE_MAX apart. */
typedef double matrix[SIDE_MAX * SIDE_MAX];

#endif
