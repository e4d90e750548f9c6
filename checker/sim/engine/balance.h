/*
 * balance.h: how evenly the blocks of a launch keep the SMs busy. Blocks begin in their order:
 * first one on each SM, then a second one on each, until the SMs hold no more. After that each
 * begins where another one has ended. The blocks on an SM share its units evenly.
 */
#ifndef WARPUP_BALANCE_H
#define WARPUP_BALANCE_H

#include <stdint.h>

enum { BALANCE_BLOCKS = 1 << 15 }; /* of more blocks, the last ones hardly matter */

/* Clocks of an SM that a block needs, if it has the SM's units for itself. */
struct block_work {
    float compute; /* of the schedulers */
    float memory;  /* of the L1 and the load-store unit */
};

/* How much longer the last SM is busy than all would be if they shared the work evenly. `held` is
 * how many blocks an SM holds at a time. 1 if no block has work. */
struct block_work balance(const struct block_work *work, uint64_t blocks, int sms, int held);

#endif
