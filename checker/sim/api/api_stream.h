/*
 * api_stream.h: the streams' lines of time, and what waits for what.
 */
#ifndef WARPUP_API_STREAM_H
#define WARPUP_API_STREAM_H

#include "cuda_runtime_api.h"
#include "sim/streams/stream_order.h"

#include <stdbool.h>
#include <stdint.h>

/* Work put into a stream: when it may begin, and that it is done at a time. */
int64_t stream_start(cudaStream_t stream);
void stream_finish(cudaStream_t stream, int64_t end);
bool stream_is_valid(cudaStream_t stream);
long long stream_number(cudaStream_t stream); /* 0 is the default stream */

/* The work in flight that what is put into a stream now comes after. Puts more there. The host has
 * waited for all that a stream holds. */
order_set stream_before(cudaStream_t stream);
void stream_put(cudaStream_t stream, const struct order_work *work);
void stream_wait(cudaStream_t stream);

/* The program waits until all work that ends by this time is done. */
void stream_wait_until(int64_t time);

/* When all work of all streams is done. Waits for it. Destroys all streams and events. */
int64_t stream_all_done(void);
void stream_wait_all(void);
void stream_reset(void);

#endif
