/*
 * convert.h: what the files that execute cvt share: how an instruction converts.
 */
#ifndef WARPUP_CONVERT_H
#define WARPUP_CONVERT_H

#include "gpu/warp/arithmetic.h"

enum whole_rounding { WHOLE_NOT, WHOLE_NEAREST, WHOLE_ZERO, WHOLE_DOWN, WHOLE_UP };

struct conversion {
    enum ptx_type to, from;
    enum rounding rounding;    /* to a real number */
    enum whole_rounding whole; /* to a whole one, of any type */
    bool away;                 /* .rna: a half is rounded away from zero */
    bool ftz, sat, relu, finite, pack;
};

/* What types and modifiers say; false if one of them is not known. */
bool conversion_of(const struct ptx_instruction *instruction, struct conversion *how);

bool is_real_type(enum ptx_type type);   /* f16, bf16, tf32, f32, f64 */
bool is_signed_type(enum ptx_type type); /* s8 … s64 */
unsigned value_bytes(enum ptx_type type);

/* The bits of one number converted; whole numbers are not yet cut to their type. The processor's
 * rounding is set. */
uint64_t converted(const struct conversion *how, uint64_t bits);

ptx_execute convert_any;

/* cvt of pairs, and cvt.pack (convert_pairs.c). */
ptx_execute *select_pairs(struct ptx_instruction *instruction, const struct conversion *how);

#endif
