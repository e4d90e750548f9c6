/* running.c: see running.h. */
#include "sim/engine/running.h"

#include "sim/engine/engine.h"

_Thread_local struct cursor cursor = NO_CURSOR;
_Thread_local struct worker *running_worker;

void running_yield(void)
{
    running_worker->running_warp->running |= 1u << running_lane();
    running_pause();
}

_Noreturn void running_abort(int error)
{
    struct worker *worker = running_worker;
    worker->error = error;
    worker->running_warp->running |= 1u << running_lane();
    running_stop(worker->running_warp, running_lane());
    for (;;)
        running_leave(worker);
}

_Noreturn void running_give_entry(uintptr_t pc)
{
    running_worker->entry = pc;
    for (;;)
        running_leave(running_worker);
}

/* Inlined, so that `plain` is a constant: each thread of a kernel comes through this loop. */
static inline __attribute__((always_inline)) void run_each(struct worker *worker, struct warp *warp,
                                                           bool plain)
{
    void (*thread)(void *) = worker->launch->thread;
    void *argument = worker->launch->argument;
    uint32_t lane = warp->begun, lanes = warp->lanes;
    for (; lane < lanes && warp->begun <= lane; lane++) {
        running_begin(worker, warp, lane, plain);
        thread(argument);
        running_keep(warp, lane);
    }
    if (warp->begun < lane) warp->begun = lane;
}

/* Runs the threads of a warp that have not begun, one after another. While one of them waits,
 * another fiber runs the rest. */
static void run_new(struct worker *worker, struct warp *warp)
{
    cursor.log = &worker->log;
    if (running_is_plain(worker, warp))
        run_each(worker, warp, true);
    else
        run_each(worker, warp, false);
    cursor_settle();
}

void running_threads(void *argument)
{
    struct worker *worker = argument;
    lane_runs = true;
    for (;; running_leave(worker)) {
        if (worker->running_warp == NULL) {
            worker->launch->thread(worker->launch->argument);
            running_give_entry(0);
        }
        run_new(worker, worker->running_warp);
    }
}
