/* counts.c: see counts.h. */
#include "judge/measure/counts.h"
#include "judge/timing/timer.h"

#include <math.h>
#include <string.h>

/* of a kernel's threads; one thread may also fetch what the others share, which doubles its bytes
 */
static const double EVEN_LEAST = 0.45;

static void add_traffic(struct traffic *sum, const struct traffic *more)
{
    sum->requests += more->requests;
    sum->sectors += more->sectors;
    sum->ideal += more->ideal;
    sum->bytes += more->bytes;
}

/* Threads that touch global memory. If most of them hardly do, it is as many as would do if each
 * moved as many bytes as the busiest one. */
static double sharing_threads(const struct record *r)
{
    bool even = r->kernel.even_threads >= EVEN_LEAST * r->kernel.threads;
    return even ? r->kernel.threads : r->kernel.even_threads;
}

static void add_kernel(struct counts *counts, const struct record *r, double *longest_ns)
{
    counts->kernels++;
    if (r->kernel.library != NULL) {
        counts->library_kernels++;
        counts->library = r->kernel.library;
        counts->library_bytes += r->kernel.dram_bytes;
    }
    counts->start_ns += r->kernel.start_ns;
    if (r->end - r->start > *longest_ns) {
        *longest_ns = r->end - r->start;
        counts->kind = r->kernel.kind;
    }
    counts->kernel_ns += r->end - r->start;
    counts->doubles_cost_ns += r->kernel.doubles_cost_ns;
    counts->divisions_cost_ns += r->kernel.divisions_cost_ns;
    if (!r->kernel.counted) return;
    counts->threads = fmax(counts->threads, sharing_threads(r));
    counts->dram_bytes += r->kernel.dram_bytes;
    counts->moved_bytes += r->kernel.moved_bytes;
    counts->overlap_bytes += r->kernel.overlap_bytes;
    counts->tensor_flops += r->kernel.tensor_flops;
    counts->loaded_bytes += r->kernel.loaded;
    add_traffic(&counts->load, &r->kernel.load);
    add_traffic(&counts->store, &r->kernel.store);
}

static void add_access(struct counts *counts, const struct record *r)
{
    if (!r->access.shared) return;
    counts->shared_wavefronts += r->access.used;
    counts->shared_ideal += r->access.ideal;
    counts->shared_requests += r->access.requests;
    if (strcmp(r->access.kind, "load") == 0)
        counts->shared_load_bytes += (double)r->access.size * r->access.lanes;
}

/* How much of a kernel's time counts if the GPU was not full: as much as a larger launch of its
 * kind would take for each part like it, by the time model. A library's has no such time: there
 * the share of the SMs that had a block counts. */
static double busy_ns(const struct trace *trace, const struct record *kernel)
{
    if (kernel->kernel.part_ns > 0) return kernel->kernel.part_ns;
    const struct record *launch = trace_launch(trace, kernel->kernel.id);
    if (launch == NULL || trace->sms <= 0) return 0;
    double share = fmin(launch->launch.blocks / trace->sms, 1);
    return share * fmax(kernel->end - kernel->start - kernel->kernel.start_ns, 0);
}

struct counts counts_of(const struct run *run)
{
    struct counts counts = {.first = run->timed.first, .last = run->timed.last};
    double static_shared = 0, longest_ns = 0;
    TRACE_EACH (&run->trace, EVENT_KERNEL, r) {
        if (!run_times(run, r)) continue;
        static_shared = fmax(static_shared, r->kernel.static_shared);
        double busy = busy_ns(&run->trace, r);
        counts.busy_ns += busy;
        if (r->kernel.library != NULL) counts.library_busy_ns += busy;
        add_kernel(&counts, r, &longest_ns);
    }
    TRACE_EACH (&run->trace, EVENT_LAUNCH, r) {
        if (!counts_hold(&counts, r->launch.id) || r->launch.error != 0) continue;
        counts.blocks = fmax(counts.blocks, r->launch.blocks);
        counts.block_shared = fmax(counts.block_shared, r->launch.shared + static_shared);
    }
    TRACE_EACH (&run->trace, EVENT_ACCESS, r)
        if (counts_hold(&counts, r->access.kernel)) add_access(&counts, r);
    return counts;
}

struct occupancy occupancy_of(const struct check *check)
{
    const struct record *longest = NULL, *launch;
    const struct run *run = check_next_timed(check, NULL);
    struct occupancy none = {.value = NAN};
    struct occupancy_sm sm;
    if (run == NULL) return none;
    TRACE_EACH (&run->trace, EVENT_KERNEL, r)
        if (run_times(run, r) &&
            (longest == NULL || r->end - r->start > longest->end - longest->start))
            longest = r;
    if (longest == NULL || (longest->kernel.library != NULL && !longest->kernel.counted))
        return none;
    launch = trace_launch(&run->trace, longest->kernel.id);
    if (launch == NULL || launch->launch.threads <= 0) return none;
    if (!occupancy_sm(run->trace.capability, &sm)) return none;
    return occupancy_on(&sm, launch->launch.threads, longest->kernel.registers,
                        longest->kernel.static_shared + launch->launch.shared);
}
