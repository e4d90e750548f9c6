/* registers.c: see registers.h. */
#define _GNU_SOURCE
#include "gpu/cudart/registers.h"

#if defined __x86_64__

enum { WRITE = 2 }; /* a bit of the processor's error code */

uintptr_t registers_pc(const ucontext_t *context)
{
    return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
}

bool registers_write(const ucontext_t *context)
{
    return context->uc_mcontext.gregs[REG_ERR] & WRITE;
}

#elif defined __aarch64__

uintptr_t registers_pc(const ucontext_t *context)
{
    return (uintptr_t)context->uc_mcontext.pc;
}

/* Instructions that load and then store: cas, casp, and the atomics, of which ldapr only loads
 */
static bool swaps(uint32_t code)
{
    if ((code & 0x3fa07c00) == 0x08a07c00 || (code & 0xbfa07c00) == 0x08207c00) return true;
    return (code & 0x3f200c00) == 0x38200000 && (code & 0x3ffffc00) != 0x38bfc000;
}

/* The instruction itself tells: Arm's manual for A64, "Loads and stores". Not every system says it
 * in the signal's context. The C library copies with SVE where the processor has it. */
bool registers_write(const ucontext_t *context)
{
    uint32_t code = *(const uint32_t *)registers_pc(context);
    bool bit_22 = code >> 22 & 1, bit_23 = code >> 23 & 1;
    if ((code & 0xffffffe0) == 0xd50b7420) return true;  /* dc zva sets memory to zero */
    if ((code & 0xfe000000) == 0xe4000000) return true;  /* SVE: stores of vectors */
    if ((code & 0x0a000000) != 0x08000000) return false; /* neither a load nor a store */
    if (swaps(code)) return true;
    if ((code & 0x3f200c00) == 0x19000000) return !bit_22 && !bit_23; /* stlur, ldapur */
    if ((code & 0x38000000) != 0x38000000) return !bit_22; /* pairs, exclusive ones, structures */
    bool of_16_bytes = (code & 0xc4000000) == 0x04000000 && bit_23;
    return !bit_22 && (!bit_23 || of_16_bytes);
}

#endif
