/*
 * own_time.h: how much of the real time the program has used, and how much it has waited for a core
 * because other programs were using it. A busy machine must not make a GPU look slow.
 */
#ifndef WARPUP_OWN_TIME_H
#define WARPUP_OWN_TIME_H

#include <stdint.h>

/* From here on, waits count for own_time(). The first call in each thread makes it known. */
void own_time_mark(void);

/* Of `elapsed` ns since the mark, those that the program used: without the waits of its known
 * threads, but at least as long as the one that ran longest. Where the system does not tell, all.
 */
int64_t own_time(int64_t elapsed);

#endif
