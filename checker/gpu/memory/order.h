/*
 * order.h: which accesses of other threads come before what a thread does now (happens-before).
 */
#ifndef WARPUP_ORDER_H
#define WARPUP_ORDER_H

#include "gpu/memory/watching.h"

void order_launch(uint32_t workers);
void order_end(void);
bool order_watcher(struct watcher *watcher);
void order_free_watcher(struct watcher *watcher);
void order_block(struct watched_block *block);
void order_block_end(struct watched_block *block);
void order_free_block(struct watched_block *block);
void order_warp(struct watched_warp *warp);

#endif
