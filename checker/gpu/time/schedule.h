/*
 * schedule.h: which SM gets which blocks. The first ones go to the SMs in turn, until each holds as
 * many as it can; each later one goes where a block ends first. So an SM may get many blocks that
 * work long, while the others wait for it.
 */
#ifndef WARPUP_SCHEDULE_H
#define WARPUP_SCHEDULE_H

#include <stdint.h>

/* The work of the SM that gets most, by the mean of all SMs that get any. `work`: of each block;
 * `held`: blocks that an SM holds at a time. 1 if there is no memory. */
double schedule_imbalance(const uint32_t *work, uint32_t blocks, uint32_t sms, uint32_t held);

#endif
