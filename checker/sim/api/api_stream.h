/*
 * api_stream.h: the timelines of streams, and what waits for what.
 */
#ifndef WARPUP_API_STREAM_H
#define WARPUP_API_STREAM_H

#include "cuda_runtime_api.h"
#include "sim/streams/stream_order.h"

#include <stdbool.h>
#include <stdint.h>

/* When work that is put into a stream now may begin; and that the stream's work ends at `end`. */
int64_t stream_start(cudaStream_t stream);
void stream_finish(cudaStream_t stream, int64_t end);
bool stream_is_valid(cudaStream_t stream);
long long stream_number(cudaStream_t stream); /* 0 is the default stream */

/* The work in flight that comes before anything put into the stream now. Puts work into it. Notes
 * that the host has waited for all of it. */
order_set stream_before(cudaStream_t stream);
void stream_put(cudaStream_t stream, const struct order_work *work);
void stream_wait(cudaStream_t stream);

/* A point in a stream's work: when it is reached, and the work in flight before it. */
struct stream_point {
    int64_t ready;
    order_set work;
};
struct stream_point stream_point(cudaStream_t stream);
struct stream_point stream_join(struct stream_point one, struct stream_point other);

/* A stream that goes on where `stream` is now, and counts as part of it; moved to another point;
 * joined to that stream again and freed. NULL if there is no memory. */
cudaStream_t stream_branch(cudaStream_t stream);
bool stream_is_branch(cudaStream_t stream);
void stream_set_point(cudaStream_t branch, struct stream_point point);
void stream_end_branch(cudaStream_t branch, cudaStream_t stream, struct stream_point end);

/* The program waits for all work that ends by this time. */
void stream_wait_until(int64_t time);

/* When all work of all streams is done; waits for it; destroys all streams and events. */
int64_t stream_all_done(void);
void stream_wait_all(void);
void stream_reset(void);

#endif
