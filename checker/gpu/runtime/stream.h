/*
 * stream.h: the timelines of streams, and what waits for what.
 */
#ifndef WARPUP_STREAM_H
#define WARPUP_STREAM_H

#include "gpu/runtime/order.h"
#include "gpu/runtime/runtime.h"

#include <stdbool.h>
#include <stdint.h>

enum { PRIORITY_GREATEST = -5 };

struct stream {
    long long number; /* in the trace; 0 is the default stream */
    uint64_t handle;
    int64_t ready;  /* when all its work is done */
    order_set work; /* work that comes before anything put into it now (order.h) */
    unsigned int flags;
    int priority;
    uint64_t thread; /* whose cudaStreamPerThread it is; 0: no thread's */
    bool branch;     /* of another stream, for a graph */
    bool destroyed;  /* by the program; it stays until its work is done */
    struct stream *next;
};

/* The stream that the program names in this call; NULL if there is none with this handle. */
struct stream *stream_find(const struct call *call, uint64_t handle);
struct stream *stream_default(void);
bool stream_is_default(const struct stream *stream);

/* When work that is put into a stream now may begin; and that the stream's work ends at `end`. */
int64_t stream_start(const struct stream *stream);
void stream_finish(struct stream *stream, int64_t end);

/* The work in flight that comes before anything put into the stream now. Puts work into it. Notes
 * that the host has waited for all of it. */
order_set stream_before(const struct stream *stream);
void stream_put(struct stream *stream, const struct order_work *work);
void stream_wait(const struct stream *stream);

/* A point in a stream's work: when it is reached, and the work in flight before it. */
struct stream_point {
    int64_t ready;
    order_set work;
};
struct stream_point stream_point(const struct stream *stream);
struct stream_point stream_join(struct stream_point one, struct stream_point other);

/* A stream that goes on where `stream` is now, and counts as part of it; moved to another point;
 * joined to that stream again and freed. NULL if there is no memory. */
struct stream *stream_branch(struct stream *stream);
void stream_set_point(struct stream *branch, struct stream_point point);
void stream_end_branch(struct stream *branch, struct stream *stream, struct stream_point end);

/* The program waits for all work that ends by this time. */
void stream_wait_until(int64_t time);

/* When all work of all streams is done; waits for it; destroys all streams and events. */
int64_t stream_all_done(void);
void stream_wait_all(void);
void stream_reset(void);

/* Records that the program knows that work is done, and knows it since `start`. */
void stream_record_sync(const struct call *call, const char *what, int64_t start);

/* Waits until this work is done, which is at this time, and records that the program waited. */
cudaError_t stream_wait_for(const struct call *call, const char *what, int64_t time,
                            order_set work);

/* Is this work, which ends at this time, done now? cudaErrorNotReady if it is not. The second one
 * records a yes. */
cudaError_t stream_poll(int64_t time, order_set work);
cudaError_t stream_query(const struct call *call, int64_t time, order_set work);

/* Writes the first launch whose kernel nothing orders before this point, if there is one. */
void stream_write_running(order_set before);

/* event.c: these bits no longer stand for any work; all events are destroyed. */
void events_forget(order_set work);
void events_reset(void);

#endif
