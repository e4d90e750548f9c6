/*
 * start.c: the beginning and the end of a program on the simulated GPU.
 */
#include "gpu/memory/fault.h"
#include "gpu/memory/memory.h"
#include "gpu/runtime/allocation.h"
#include "gpu/runtime/larger.h"
#include "gpu/runtime/repeat.h"
#include "gpu/runtime/runtime.h"
#include "gpu/memory/perturb.h"
#include "gpu/time/profile.h"
#include "gpu/warp/launch.h"

void runtime_start(void)
{
    memory_limit((uint64_t)(profile()->memory_gb * 1e9));
    perturb_begin();
    larger_begin();
    warp_print = repeat_print;
}

void runtime_finish(bool leaks)
{
    allocations_report(leaks);
    fault_report(0, NULL);
}
