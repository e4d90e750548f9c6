/* phrases.h: describes parts of a trace in the terms of the student's program. */
#ifndef WARPUP_PHRASES_H
#define WARPUP_PHRASES_H

#include "judge/read/trace_read.h"

/* `gpu_axpy<<<1, 512>>>`; dim3(…) where there is more than one dimension. */
const char *phrase_launch(struct arena *arena, const struct record *launch);

/* "1 wavefront", "2 wavefronts". */
const char *phrase_count(struct arena *arena, double count, const char *thing);

/* "thread 5 of block 256"; all three coordinates if y or z is not 0. Without a block (NULL):
 * "thread 5". */
const char *phrase_thread(struct arena *arena, const uint32_t block[3], const uint32_t thread[3]);

/* Why a launch was refused: "2048 threads per block; the GPU takes at most 1024". */
const char *phrase_refusal(struct arena *arena, const struct record *launch);

#endif
