/*
 * async.h: asynchronous copies and the mbarriers on which threads wait for them.
 */
#ifndef WARPUP_ASYNC_H
#define WARPUP_ASYNC_H

#include "gpu/warp/control.h"

/* All copies of these lanes arrive. */
void copies_land(struct warp *warp, uint32_t mask);

void shared_offsets(const struct warp *warp, const struct ptx_operand *operand,
                    uint64_t offset[LANES]);

ptx_execute *phase_select(struct ptx_instruction *at);

#endif
