/* running.c: see running.h. */
#include "sim/engine/running.h"

_Thread_local struct cursor cursor = NO_CURSOR;
_Thread_local struct worker *running_worker;

_Noreturn void running_abort(int error)
{
    struct worker *worker = running_worker;
    worker->error = error;
    running_keep(worker->running_warp, worker->running_lane);
    for (;;)
        running_leave(worker);
}

_Noreturn void running_give_entry(uintptr_t pc)
{
    running_worker->entry = pc;
    for (;;)
        running_leave(running_worker);
}
