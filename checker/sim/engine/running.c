/* running.c: see running.h. */
#include "sim/engine/running.h"

#include "sim/requests/lane.h"

_Thread_local struct cursor cursor;
_Thread_local struct worker *running_worker;

void running_set(struct worker *worker, uint32_t lane)
{
    const struct warp *warp = worker->running_warp;
    uint32_t row = warp->written[lane], thread = warp->first_thread + lane;
    worker->running_lane = lane;
    cursor.event = &worker->log.event[row][lane];
    cursor.offset = &worker->log.offset[row][lane];
    cursor.end = &worker->log.event[0][0] + LOG_ROWS * LANES + lane;
    cursor.block = 0;
    cursor.vectors = 0;
    cursor.store.at = NULL;
    if (worker->flat)
        warpup_lane.thread[0] = thread;
    else
        memcpy(warpup_lane.thread, worker->thread_at[thread], sizeof warpup_lane.thread);
}

void running_keep(struct worker *worker)
{
    cursor_settle();
    size_t used = (size_t)(cursor.event - &worker->log.event[0][0]) / LANES;
    worker->running_warp->written[worker->running_lane] = (uint32_t)used;
}

void running_leave(struct worker *worker)
{
    lane_runs = false;
    fiber_leave(&worker->fibers);
    lane_runs = true;
}

void running_pause(void)
{
    struct worker *worker = running_worker;
    uint32_t lane = worker->running_lane;
    running_keep(worker);
    running_leave(worker);
    running_set(worker, lane);
}

_Noreturn void running_abort(int error)
{
    struct worker *worker = running_worker;
    worker->error = error;
    running_keep(worker);
    for (;;)
        running_leave(worker);
}

_Noreturn void running_give_entry(uintptr_t pc)
{
    running_worker->entry = pc;
    for (;;)
        running_leave(running_worker);
}
