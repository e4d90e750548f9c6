/*
 * arithmetic_carry.c: sums of many words: add.cc, addc, sub.cc, subc, mad.cc, madc. Each lane has
 * one carry flag, a bit of warp.carry: the carry of a sum, or the borrow of a difference.
 */
#include "gpu/warp/arithmetic.h"

/* `takes` says whether the flag is added or subtracted, `sets` whether the instruction sets it.
 * Each lane's function has x, y, z and the flag; it makes the result and its own carry. */
#define CHAIN(name, U, W, operands, takes, sets, sum)                                              \
    static void name(struct warp *warp, const struct ptx_instruction *i, uint32_t mask)            \
    {                                                                                              \
        uint32_t carries = 0;                                                                      \
        U *d = D_OF(warp, i, U);                                                                   \
        const U *a = A_OF(warp, i, U), *b = B_OF(warp, i, U),                                      \
                *c = operands > 2 ? C_OF(warp, i, U) : a;                                          \
        EACH_LANE (l, mask) {                                                                      \
            const U x = a[l], y = b[l], z = c[l];                                                  \
            const W flag = takes ? warp->carry >> l & 1 : 0;                                       \
            const W whole = sum;                                                                   \
            (void)z;                                                                               \
            d[l] = (U)whole;                                                                       \
            if ((U)(whole >> (8 * sizeof(U))) != 0) carries |= 1u << l;                            \
        }                                                                                          \
        if (sets) warp->carry = (warp->carry & ~mask) | carries;                                   \
    }

#define LOW_OF(U, W)  (W)(U)((W)x * y)
#define HIGH_OF(U, W) ((W)x * y >> (8 * sizeof(U)))

/* The higher half of a signed product: the unsigned one's, less what the signs make of it. */
#define SIGNED_HIGH_OF(U, W)                                                                       \
    (W)(U)(HIGH_OF(U, W) - ((x >> (8 * sizeof(U) - 1)) ? y : 0) -                                  \
           ((y >> (8 * sizeof(U) - 1)) ? x : 0))

#define CHAINS(bits, U, W)                                                                         \
    CHAIN(add_cc_##bits, U, W, 2, false, true, (W)x + y + flag)                                    \
    CHAIN(addc_##bits, U, W, 2, true, false, (W)x + y + flag)                                      \
    CHAIN(addc_cc_##bits, U, W, 2, true, true, (W)x + y + flag)                                    \
    CHAIN(sub_cc_##bits, U, W, 2, false, true, (W)x - y - flag)                                    \
    CHAIN(subc_##bits, U, W, 2, true, false, (W)x - y - flag)                                      \
    CHAIN(subc_cc_##bits, U, W, 2, true, true, (W)x - y - flag)                                    \
    CHAIN(mad_lo_cc_##bits, U, W, 3, false, true, LOW_OF(U, W) + z + flag)                         \
    CHAIN(madc_lo_##bits, U, W, 3, true, false, LOW_OF(U, W) + z + flag)                           \
    CHAIN(madc_lo_cc_##bits, U, W, 3, true, true, LOW_OF(U, W) + z + flag)                         \
    CHAIN(mad_hi_cc_u##bits, U, W, 3, false, true, HIGH_OF(U, W) + z + flag)                       \
    CHAIN(madc_hi_u##bits, U, W, 3, true, false, HIGH_OF(U, W) + z + flag)                         \
    CHAIN(madc_hi_cc_u##bits, U, W, 3, true, true, HIGH_OF(U, W) + z + flag)                       \
    CHAIN(mad_hi_cc_s##bits, U, W, 3, false, true, SIGNED_HIGH_OF(U, W) + z + flag)                \
    CHAIN(madc_hi_s##bits, U, W, 3, true, false, SIGNED_HIGH_OF(U, W) + z + flag)                  \
    CHAIN(madc_hi_cc_s##bits, U, W, 3, true, true, SIGNED_HIGH_OF(U, W) + z + flag)
CHAINS(32, uint32_t, uint64_t)
CHAINS(64, uint64_t, unsigned __int128)

#define ROWS(type, bits, w)                                                                        \
    CHOICE(add, type, FORM_CC, w w w, add_cc_##bits), CHOICE(addc, type, 0, w w w, addc_##bits),   \
        CHOICE(addc, type, FORM_CC, w w w, addc_cc_##bits),                                        \
        CHOICE(sub, type, FORM_CC, w w w, sub_cc_##bits),                                          \
        CHOICE(subc, type, 0, w w w, subc_##bits),                                                 \
        CHOICE(subc, type, FORM_CC, w w w, subc_cc_##bits),                                        \
        CHOICE(mad, type, FORM_LO | FORM_CC, w w w w, mad_lo_cc_##bits),                           \
        CHOICE(madc, type, FORM_LO, w w w w, madc_lo_##bits),                                      \
        CHOICE(madc, type, FORM_LO | FORM_CC, w w w w, madc_lo_cc_##bits),                         \
        CHOICE(mad, type, FORM_HI | FORM_CC, w w w w, mad_hi_cc_##type),                           \
        CHOICE(madc, type, FORM_HI, w w w w, madc_hi_##type),                                      \
        CHOICE(madc, type, FORM_HI | FORM_CC, w w w w, madc_hi_cc_##type)

static const struct choice choices[] = {
    ROWS(u32, 32, "4"),
    ROWS(s32, 32, "4"),
    ROWS(u64, 64, "8"),
    ROWS(s64, 64, "8"),
};

ptx_execute *select_carry(const struct ptx_function *function, struct ptx_instruction *instruction)
{
    unsigned form;
    enum rounding rounding;
    (void)function;
    if (!arithmetic_form(instruction, &form, &rounding)) return NULL;
    return choose(CHOICES(choices), instruction, form);
}
