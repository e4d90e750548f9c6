/*
 * actions.h: what replies ask of the program (enum wire_action_kind).
 */
#ifndef WARPUP_ACTIONS_H
#define WARPUP_ACTIONS_H

#include <stdint.h>

/* The box, mapped. */
void actions_begin(unsigned char *box);

/* The file of the memory that the GPU shares with the program. */
void actions_take_file(int file);

/* In a forked child: memory that its parent has registered, outside of the GPU's addresses, is its
 * own from now on. */
void actions_leave(uint64_t base, uint64_t bytes);

/* Does `count` actions at `list`, and returns what follows them. `lock` is released while a host
 * function runs. */
const unsigned char *actions_do(const unsigned char *list, uint32_t count);

#endif
