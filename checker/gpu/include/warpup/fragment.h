/*
 * fragment.h: what mma.h needs from libsimgpu.so. The threads of a warp hold a matrix together,
 * each a few elements of it.
 */
#ifndef WARPUP_FRAGMENT_H
#define WARPUP_FRAGMENT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum warpup_matrix { WARPUP_MATRIX_A, WARPUP_MATRIX_B, WARPUP_SUM };
enum warpup_element {
    WARPUP_HALF,
    WARPUP_BFLOAT16,
    WARPUP_TF32,
    WARPUP_FLOAT,
    WARPUP_DOUBLE,
    WARPUP_S8,
    WARPUP_U8,
    WARPUP_S32
};

/* One of the matrices of a product: a is m x k, b is k x n, sums are m x n. A thread has `size`
 * elements; if these are more than its share, they repeat. */
struct warpup_fragment {
    unsigned char matrix, element, by_rows, size;
    unsigned char m, n, k;
};

/* Each waits for the warp first. In memory, rows or columns are `stride` elements apart. */
void warpup_fragment_load(struct warpup_fragment shape, void *x, const void *at, unsigned stride);
void warpup_fragment_store(struct warpup_fragment shape, const void *x, void *at, unsigned stride);

/* d = a b + c: the four shapes, a, b and c, and d */
struct warpup_fragments {
    struct warpup_fragment shape[4];
    const void *from[3];
    void *to;
    int saturate; /* integers */
    int done;
};
void warpup_fragment_multiply(struct warpup_fragments *fragments);

/* The nearest number of 11 significant bits, as in cvt.rna.tf32.f32 */
float warpup_tf32(float value) __attribute__((const));

#ifdef __cplusplus
}
#endif

#endif
