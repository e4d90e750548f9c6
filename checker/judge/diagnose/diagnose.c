/*
 * diagnose.c: see diagnose.h. The table has the order in which diagnoses are shown: the one that
 * explains the most comes first.
 */
#include "judge/diagnose/diagnose.h"

#include <string.h>

/* The measures that each diagnosis explains. */
static const struct {
    const char *name, *measures[4];
} known[] = {
    /* the program cannot have worked */
    {"does-not-compile", {"compiles"}},
    {"trace-not-whole", {"runs"}},
    {"launch-refused", {"kernels", "faults"}},
    {"partial-copy", {"right", "refuses", "may_refuse", "faults"}},
    {"null-pointer", {"faults"}},
    {"host-pointer-in-kernel", {"faults"}},
    {"device-pointer-on-host", {"faults"}},
    {"copy-direction", {"faults"}},
    {"copy-out-of-bounds", {"faults"}},
    {"copy-too-early", {"faults", "right", "refuses", "may_refuse"}},
    {"host-too-early", {"faults", "right", "refuses", "may_refuse"}},
    {"streams-not-ordered", {"faults"}},
    {"out-of-bounds", {"faults"}},
    {"shared-out-of-bounds", {"faults"}},
    {"misaligned-access", {"faults"}},
    {"use-after-free", {"faults"}},
    {"double-free", {"faults"}},
    {"bad-free", {"faults"}},
    {"assert-failed", {"faults"}},
    {"barrier-divergence", {"faults"}},
    {"lanes-missing", {"faults"}},
    {"race-in-block", {"faults"}},
    {"race-between-blocks", {"faults"}},
    {"uninitialised-read", {"faults"}},
    {"api-error", {"faults"}},
    /* how it ended */
    {"crashed", {"runs", "refuses", "may_refuse"}},
    {"timed-out", {"runs", "refuses", "may_refuse"}},
    {"non-zero-exit", {"runs", "refuses", "may_refuse"}},
    {"no-output", {"runs", "refuses", "may_refuse"}},
    {"missing-line", {"runs", "refuses", "may_refuse"}},
    {"no-kernel", {"kernels"}},
    /* the result */
    {"not-copied-back", {"right", "refuses", "may_refuse"}},
    {"tail-missing", {"right", "refuses", "may_refuse"}},
    {"all-zeros", {"right", "refuses", "may_refuse"}},
    {"never-written", {"right", "refuses", "may_refuse"}},
    {"not-a-number", {"right", "refuses", "may_refuse"}},
    {"scaled", {"right", "refuses", "may_refuse"}},
    {"repeated", {"right", "refuses", "may_refuse"}},
    {"wrong-formula", {"right", "refuses", "may_refuse"}},
    {"transposed", {"right", "refuses", "may_refuse"}},
    {"partial-sum", {"right", "refuses", "may_refuse"}},
    {"off-by-a-constant", {"right", "refuses", "may_refuse"}},
    {"shifted", {"right", "refuses", "may_refuse"}},
    {"every-kth", {"right", "refuses", "may_refuse"}},
    {"blocks-moved", {"right", "refuses", "may_refuse"}},
    {"whole-numbers", {"right", "refuses", "may_refuse"}},
    {"half-precision", {"right", "refuses", "may_refuse"}},
    {"differs-from-run-to-run", {"right", "refuses", "may_refuse"}},
    {"wrong-result", {"right", "refuses", "may_refuse"}},
    {"result-not-found", {"right", "refuses", "may_refuse"}},
    {"printed-diff", {"right", "refuses", "may_refuse"}},
    {"result-from-host", {"right"}},
    /* memory, timer, speed */
    {"leak", {"faults"}},
    {"part-a-skipped", {"runs"}},
    {"work-outside-the-timer", {"timer"}},
    {"time-not-measured", {"runs", "timer"}},
    {"timer-stopped-early", {"timer"}},
    {"wrong-unit", {"timer", "timer_excess"}},
    {"times-the-copies", {"timer_excess"}},
    {"wrong-rate", {"timer_excess"}},
    {"first-library-call", {"timer_excess"}},
    {"printed-figure", {"timer", "timer_excess"}},
    {"uncoalesced-access", {"sectors", "load_sectors"}},
    {"bank-conflict", {"wavefronts"}},
    {"few-blocks", {"blocks_per_sm_filled"}},
    {"managed-memory-moves", {"share"}},
    {"atomics-on-one-address", {"share"}},
    {"redundant-work", {"share"}},
    {"double-arithmetic", {"share"}},
    {"division-in-loop", {"share"}},
    {"tiny-blocks", {"share"}},
    {"times-several-runs", {"timer_excess", "share"}},
    {"output-truncated", {"runs", "refuses", "may_refuse"}},
};
enum { KNOWN = sizeof known / sizeof known[0] };

/* The next step after a diagnosis, where the ladder's own would not help: the student has to
 * correct this mistake first. */
static const struct {
    const char *name, *step;
} steps[] = {
    {"launch-refused",
     "make the launch fit the GPU's limits, and check cudaGetLastError() after it"},
    {"partial-copy", "give the copy its size in bytes: number of elements x sizeof(float)"},
    {"null-pointer", "find where this pointer is set: did its allocation succeed?"},
    {"host-pointer-in-kernel",
     "pass the kernel a pointer from cudaMalloc, and copy the data there first"},
    {"device-pointer-on-host",
     "copy the data to the host first, and use the host's own pointer there"},
    {"copy-direction", "make the copy's kind match its pointers: destination first, then source"},
    {"copy-out-of-bounds", "compare the copy's size in bytes with the sizes of both arrays"},
    {"copy-too-early",
     "make this copy wait for the kernel: use the kernel's stream, or synchronize"},
    {"host-too-early",
     "let the host wait for the GPU before it uses this memory: cudaDeviceSynchronize()"},
    {"streams-not-ordered", "record an event in one stream, and let the other stream wait for it"},
    {"out-of-bounds", "guard this access: which index does the last thread compute?"},
    {"shared-out-of-bounds",
     "compare the index with the shared array's size: which thread passes its end?"},
    {"misaligned-access", "start each wide access at a multiple of its own size"},
    {"use-after-free", "free this memory only after the last kernel and copy that use it"},
    {"double-free", "free each pointer exactly once"},
    {"bad-free", "pass cudaFree the pointer that cudaMalloc returned, unchanged"},
    {"assert-failed", "find out which thread fails the assert, and with which values"},
    {"barrier-divergence",
     "let every thread of the block reach this barrier: move it out of the branch"},
    {"lanes-missing",
     "let every lane in the mask make this call, or leave the other lanes out of the mask"},
    {"race-in-block", "put a __syncthreads() between the two accesses"},
    {"race-between-blocks", "let only one thread write each element, or use an atomic"},
    {"uninitialised-read",
     "write this memory before the kernel reads it: is a copy or a barrier missing?"},
    {"api-error", "check this call's arguments, and the return value of every CUDA call"},
    {"timed-out", "look for a loop that never ends, or a barrier that not all threads reach"},
    {"not-copied-back",
     "copy the result to the host after the kernel, with cudaMemcpyDeviceToHost"},
    {"tail-missing",
     "give every element a thread: round the number of blocks up, and guard the last one"},
    {"all-zeros", "check that the kernel writes to the array that is copied back"},
    {"never-written", "check that the kernel runs, and writes to the array that is copied back"},
    {"not-a-number", "look for a division by 0, or for an operand that was never set"},
    {"scaled", "compare this line with part A: is a factor used twice, or not at all?"},
    {"repeated", "copy the inputs to the GPU again before each launch that changes them"},
    {"wrong-formula", "compare this line with part A's formula"},
    {"transposed",
     "where this line stores its result, which index is the row, and which is the column?"},
    {"partial-sum",
     "look at the limits of the loop over the terms: which terms does no thread add?"},
    {"off-by-a-constant",
     "look for a start value that is not 0, or for a term that is added once too often"},
    {"shifted", "compute by hand which element thread 0 of block 0 stores"},
    {"every-kth",
     "which threads compute these elements, and which elements does no thread compute?"},
    {"blocks-moved", "compute by hand which elements block 0 and block 1 store"},
    {"whole-numbers",
     "look for an int, or for an integer division, in the computation of the result"},
    {"half-precision", "look for a 16-bit type in the computation of the result, and use float"},
    {"differs-from-run-to-run",
     "find two threads that use the same memory, where nothing decides which comes first"},
    {"result-not-found", "compare part A's result with the array that came back from the GPU"},
    {"printed-diff",
     "compute Diff from part A's result and from the array that came back from the GPU"},
    {"result-from-host", "let the kernel compute the result from the inputs in the GPU's memory"},
    {"leak", "free everything that the program allocates"},
};

static size_t rank(const char *name)
{
    for (size_t i = 0; i < KNOWN; i++)
        if (strcmp(known[i].name, name) == 0) return i;
    return KNOWN;
}

/* A call that failed before anything else went wrong explains the rest. It ranks like a refused
 * launch.
 */
static size_t place(const struct diagnosis *diagnosis)
{
    return rank(diagnosis->comes_first ? "launch-refused" : diagnosis->name);
}

bool diagnosis_has_page(const struct diagnosis *diagnosis)
{
    return rank(diagnosis->name) < KNOWN;
}

/* True when a criterion asks about the diagnosis of this rank. A fault may be the cause of a wrong
 * result: then it is shown there. */
static bool explains(size_t own, const struct criterion *criterion)
{
    bool fault = own == KNOWN || strcmp(known[own].measures[0], "faults") == 0;
    if (fault && own != rank("leak") && criterion_asks(criterion, MEASURE_RIGHT)) return true;
    if (own == KNOWN) return criterion_asks(criterion, MEASURE_FAULTS);
    for (int i = 0; i < 4 && known[own].measures[i] != NULL; i++)
        if (criterion_asks(criterion, (enum measure_name)measure_find(known[own].measures[i])))
            return true;
    return false;
}

const char *diagnosis_criterion(const struct diagnosis *diagnosis, const struct ladder *ladder)
{
    size_t own = rank(diagnosis->name);
    const struct criterion *failed = NULL, *waits = NULL;
    for (size_t i = 0; i < ladder->count; i++) {
        const struct criterion *c = &ladder->criteria[i];
        if (explains(own, c) && c->passed == PASSED_NO) return c->id;
        if (explains(own, c) && c->after != NULL && waits == NULL) waits = c;
        if (c->passed == PASSED_NO && failed == NULL) failed = c;
    }
    if (waits == NULL) return NULL;
    bool stops = own == KNOWN || own < rank("crashed");
    return stops ? failed->id : waits->id;
}

const char *diagnoses_next(const struct diagnoses *diagnoses, const struct ladder *ladder)
{
    const struct criterion *open = ladder_first_open(ladder);
    const struct diagnosis *first = NULL;
    for (size_t i = 0; i < diagnoses->count && open != NULL && first == NULL; i++) {
        const char *explained = diagnosis_criterion(&diagnoses->list[i], ladder);
        if (explained != NULL && strcmp(explained, open->id) == 0) first = &diagnoses->list[i];
    }
    for (size_t i = 0; i < sizeof steps / sizeof steps[0] && first != NULL; i++)
        if (strcmp(steps[i].name, first->name) == 0) return steps[i].step;
    return open != NULL ? open->next : NULL;
}

/* An insertion sort is stable, and the list is short. */
void diagnoses_sort(struct diagnoses *diagnoses)
{
    struct diagnosis *list = diagnoses->list;
    for (size_t i = 1; i < diagnoses->count; i++)
        for (size_t j = i; j > 0 && place(&list[j]) < place(&list[j - 1]); j--) {
            struct diagnosis swapped = list[j];
            list[j] = list[j - 1];
            list[j - 1] = swapped;
        }
}
