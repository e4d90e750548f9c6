/*
 * rewrite_asm.h: turns asm statements that are PTX into calls of include/warpup/ptx.h.
 */
#ifndef WARPUP_REWRITE_ASM_H
#define WARPUP_REWRITE_ASM_H

#include "sim/translate/rewrite_tokens.h"

/* If an asm statement of PTX begins at this token, `replace` gets each token that changes, and its
 * new text. Other assembly, and what the lab does not understand, stays. False if there is not
 * enough memory. */
bool asm_rewrite(const struct tokens *tokens, size_t index,
                 void (*replace)(size_t token, const char *text));

/* Frees the texts that `replace` got. */
void asm_forget(void);

#endif
