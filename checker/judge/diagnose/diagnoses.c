/*
 * diagnoses.c: see diagnoses.h. The table has the order in which diagnoses are shown: the one that
 * explains the most comes first.
 */
#include "judge/diagnose/diagnoses.h"

#include <string.h>

enum { DIAGNOSES_MAX = 1000 }; /* a forged trace may hold more faults */
enum { CAUSES_MAX = 3 };       /* of what stops a program or makes it wrong: see diagnoses_trim() */

/* Measures that several diagnoses explain. A fault may be the cause of a wrong result: then it is
 * shown there. */
enum {
    RESULT = 1 << MEASURE_RIGHT | 1 << MEASURE_REFUSES | 1 << MEASURE_MAY_REFUSE,
    ENDS = 1 << MEASURE_RUNS | 1 << MEASURE_REFUSES | 1 << MEASURE_MAY_REFUSE,
    FAULT = 1 << MEASURE_FAULTS | 1 << MEASURE_RIGHT,
    TIMES = 1 << MEASURE_TIMER | 1 << MEASURE_TIMER_EXCESS | 1 << MEASURE_END_TO_END,
};

/* The measures that each diagnosis explains, and the next step where the ladder's own would not
 * help: the student has to correct this mistake first. */
static const struct {
    const char *name;
    int measures;
    const char *step;
} known[] = {
    /* the program cannot have worked */
    {"does-not-compile", 1 << MEASURE_COMPILES, NULL},
    {"trace-not-whole", 1 << MEASURE_RUNS, NULL},
    {"launch-refused", 1 << MEASURE_KERNELS | 1 << MEASURE_FAULTS,
     "make the launch fit the GPU's limits, and check cudaGetLastError() after it"},
    {"partial-copy", FAULT | RESULT,
     "give the copy its size in bytes: number of elements x sizeof(float)"},
    {"null-pointer", FAULT, "find where this pointer is set: did its allocation succeed?"},
    {"host-pointer-in-kernel", FAULT,
     "pass the kernel a pointer from cudaMalloc, and copy the data there first"},
    {"device-pointer-on-host", FAULT,
     "copy the data to the host first, and use the host's own pointer there"},
    {"copy-direction", FAULT,
     "make the copy's kind match its pointers: destination first, then source"},
    {"copy-out-of-bounds", FAULT, "compare the copy's size in bytes with the sizes of both arrays"},
    {"copy-too-early", FAULT | RESULT,
     "make this copy wait for the kernel: use the kernel's stream, or synchronize"},
    {"host-too-early", FAULT | RESULT,
     "let the host wait for the GPU before it uses this memory: cudaDeviceSynchronize()"},
    {"streams-not-ordered", FAULT,
     "record an event in one stream, and let the other stream wait for it"},
    /* what was not exchanged may be an index */
    {"barrier-divergence", FAULT,
     "let every thread of the block reach this barrier: move it out of the branch"},
    {"lanes-missing", FAULT,
     "let every lane in the mask make this call, or leave the other lanes out of the mask"},
    {"out-of-bounds", FAULT, "guard this access: which index does the last thread compute?"},
    {"shared-out-of-bounds", FAULT,
     "compare the index with the shared array's size: which thread passes its end?"},
    {"misaligned-access", FAULT, "start each wide access at a multiple of its own size"},
    {"use-after-free", FAULT, "free this memory only after the last kernel and copy that use it"},
    {"double-free", FAULT, "free each pointer exactly once"},
    {"bad-free", FAULT, "pass cudaFree the pointer that cudaMalloc returned, unchanged"},
    {"assert-failed", FAULT, "find out which thread fails the assert, and with which values"},
    {"race-in-block", FAULT,
     "if both threads write, give each an element of its own, or use an atomic; if one of them "
     "reads, put a __syncthreads() between the two accesses"},
    {"race-between-blocks", FAULT, "let only one thread write each element, or use an atomic"},
    {"uninitialised-read", FAULT,
     "write this memory before the kernel reads it: is a copy or a barrier missing?"},
    {"api-error", FAULT, "check this call's arguments, and the return value of every CUDA call"},
    /* how it ended */
    {"crashed", ENDS, NULL},
    {"timed-out", ENDS, "look for a loop that never ends, or a barrier that not all threads reach"},
    {"non-zero-exit", ENDS, NULL},
    {"no-output", ENDS, NULL},
    {"missing-line", ENDS, NULL},
    {"no-kernel", 1 << MEASURE_KERNELS, NULL},
    /* the result */
    {"not-copied-back", RESULT,
     "copy the result to the host after the kernel, with cudaMemcpyDeviceToHost"},
    {"tail-missing", RESULT,
     "give every element a thread: round up the blocks, or the elements per thread, and "
     "guard the last ones"},
    {"all-zeros", RESULT, "check that the kernel writes to the array that is copied back"},
    {"never-written", RESULT,
     "check that the kernel runs, and writes to the array that is copied back"},
    {"not-a-number", RESULT, "look for a division by 0, or for an operand that was never set"},
    {"scaled", RESULT, "compare this line with part A: is a factor used twice, or not at all?"},
    {"repeated", RESULT, "copy the inputs to the GPU again before each launch that changes them"},
    {"wrong-formula", RESULT, "compare this line with part A's formula"},
    {"transposed", RESULT,
     "where this line stores its result, which index is the row, and which is the column?"},
    {"partial-sum", RESULT,
     "look at the limits of the loop over the terms: which terms does no thread add?"},
    {"not-reset", RESULT, "set the sum to 0 before each element that the thread computes"},
    {"off-by-a-constant", RESULT,
     "look for a start value that is not 0, or for a term that is added once too often"},
    {"shifted", RESULT, "compute by hand which element thread 0 of block 0 stores"},
    {"every-kth", RESULT,
     "which threads compute these elements, and which elements does no thread compute?"},
    {"blocks-moved", RESULT, "compute by hand which elements block 0 and block 1 store"},
    {"whole-numbers", RESULT,
     "look for an int, or for an integer division, in the computation of the result"},
    {"half-precision", RESULT,
     "look for a 16-bit type in the computation of the result, and use float"},
    {"differs-from-run-to-run", RESULT,
     "find two threads that use the same memory, where nothing decides which comes first"},
    {"wrong-result", RESULT, NULL},
    {"result-not-found", RESULT,
     "compare part A's result with the array that came back from the GPU"},
    {"printed-diff", RESULT,
     "compute Diff from part A's result and from the array that came back from the GPU"},
    {"result-from-host", 1 << MEASURE_RIGHT,
     "let the kernel compute the result from the inputs in the GPU's memory"},
    {"index-overflow", 1 << MEASURE_LARGER,
     "compute this index in 64 bits: convert one factor to size_t before the product"},
    /* memory, timer, speed */
    {"leak", 1 << MEASURE_FAULTS, "free everything that the program allocates"},
    {"part-a-skipped", 1 << MEASURE_RUNS,
     "call part A between two clock readings, and use its result in Diff"},
    {"work-outside-the-timer", 1 << MEASURE_TIMER | 1 << MEASURE_END_TO_END,
     "put all kernels that the result needs between the two clock readings"},
    {"time-not-measured", 1 << MEASURE_RUNS | 1 << MEASURE_TIMER | 1 << MEASURE_END_TO_END,
     "print the difference of two clock readings"},
    {"timer-stopped-early", 1 << MEASURE_TIMER | 1 << MEASURE_END_TO_END, NULL},
    {"wrong-unit", TIMES,
     "convert the time to seconds once, directly after the call that gives it"},
    {"times-the-copies", 1 << MEASURE_TIMER_EXCESS, NULL},
    {"wrong-rate", TIMES, "compute P and B from the same time, with the handout's formulas"},
    {"first-library-call", 1 << MEASURE_TIMER_EXCESS,
     "make the same call once before you start the timer"},
    {"printed-figure", TIMES,
     "print the difference of the two clock readings just before and just after the kernel"},
    {"uncoalesced-access", 1 << MEASURE_SECTORS | 1 << MEASURE_LOAD_SECTORS, NULL},
    {"bank-conflict", 1 << MEASURE_WAVEFRONTS, NULL},
    {"few-blocks", 1 << MEASURE_BLOCKS | 1 << MEASURE_SHARE_SECOND_SHAPE, NULL},
    {"managed-memory-moves", 1 << MEASURE_SHARE,
     "move the arrays to the GPU before you start the timer: cudaMemPrefetchAsync()"},
    {"atomics-on-one-address", 1 << MEASURE_SHARE | 1 << MEASURE_SHARE_SECOND_SHAPE,
     "add within each warp or block first: then few threads need an atomic"},
    {"redundant-work", 1 << MEASURE_SHARE,
     "let each thread do a part of the work that no other thread does"},
    {"double-arithmetic", 1 << MEASURE_SHARE,
     "use float constants, variables and functions in this line: 0.5f, sqrtf()"},
    {"division-in-loop", 1 << MEASURE_SHARE,
     "move the division out of the innermost loop, or divide by a constant"},
    {"tiny-blocks", 1 << MEASURE_SHARE, "try larger blocks, such as 128 to 512 threads"},
    {"job-wrong", 1 << MEASURE_END_TO_END,
     "compare y with part A after the job: which piece is wrong first?"},
    {"pageable-copies", 1 << MEASURE_COPY_OVERLAP | 1 << MEASURE_BUS_SHARE,
     "use pinned memory: cudaMallocHost(), or cudaHostRegister() before the timer"},
    {"copies-in-turn", 1 << MEASURE_COPY_OVERLAP | 1 << MEASURE_BUS_SHARE, NULL},
    {"small-copies", 1 << MEASURE_BUS_SHARE, "cut the arrays into fewer and larger pieces"},
    {"times-several-runs", 1 << MEASURE_TIMER_EXCESS | 1 << MEASURE_SHARE,
     "divide the time by the number of launches that it includes"},
    {"output-truncated", ENDS, NULL},
};
enum { KNOWN = sizeof known / sizeof known[0] };

static size_t rank(const char *name)
{
    for (size_t i = 0; i < KNOWN; i++)
        if (strcmp(known[i].name, name) == 0) return i;
    return KNOWN;
}

/* A call that failed before anything else went wrong explains the rest. It ranks like a refused
 * launch. Of one name, those with an exact cause come first.
 */
static size_t site(const struct diagnosis *diagnosis)
{
    return 2 * rank(diagnosis->comes_first ? "launch-refused" : diagnosis->name) +
           !diagnosis->exact;
}

bool diagnosis_has_page(const struct diagnosis *diagnosis)
{
    return rank(diagnosis->name) < KNOWN;
}

/* True when a criterion asks about the diagnosis of this rank; an unknown one is a fault. */
static bool explains(size_t own, const struct criterion *criterion)
{
    int measures = own < KNOWN ? known[own].measures : FAULT;
    for (int i = 0; i < criterion->alternative_count; i++)
        if ((measures >> criterion->alternatives[i].measure & 1) != 0) return true;
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
    const struct criterion *open = ladder_next(ladder);
    for (size_t i = 0; i < diagnoses->count && open != NULL; i++) {
        const char *explained = diagnosis_criterion(&diagnoses->list[i], ladder);
        if (explained == NULL || strcmp(explained, open->id) != 0) continue;
        size_t own = rank(diagnoses->list[i].name);
        if (diagnoses->list[i].next != NULL) return diagnoses->list[i].next;
        return own < KNOWN && known[own].step != NULL ? known[own].step : open->next;
    }
    return open != NULL ? open->next : NULL;
}

/* An insertion sort is stable, and the list is short. */
void diagnoses_sort(struct diagnoses *diagnoses)
{
    struct diagnosis *list = diagnoses->list;
    for (size_t i = 1; i < diagnoses->count; i++)
        for (size_t j = i; j > 0 && site(&list[j]) < site(&list[j - 1]); j--) {
            struct diagnosis swapped = list[j];
            list[j] = list[j - 1];
            list[j - 1] = swapped;
        }
}

void diagnoses_trim(struct diagnoses *diagnoses)
{
    size_t kept = 0, causes = 0;
    for (size_t i = 0; i < diagnoses->count; i++) {
        struct diagnosis *one = &diagnoses->list[i];
        size_t own = rank(one->name);
        if ((own == KNOWN || own < rank("leak")) && causes++ >= CAUSES_MAX)
            json_decref(one->evidence);
        else
            diagnoses->list[kept++] = *one;
    }
    diagnoses->count = kept;
}

/* True when the list has this diagnosis, perhaps from a device that knows no lines. */
static bool has(const struct diagnoses *diagnoses, const struct diagnosis *new)
{
    for (size_t i = 0; i < diagnoses->count; i++) {
        const struct diagnosis *d = &diagnoses->list[i];
        bool here = new->file == NULL || (d->file != NULL && d->line == new->line);
        if (here && strcmp(d->name, new->name) == 0) return true;
    }
    return false;
}

bool diagnoses_add(struct diagnoses *diagnoses, const struct run *run, const char *name,
                   const struct record *site, json_t *evidence, const char *format, ...)
{
    struct diagnosis new = {.name = name, .evidence = evidence};
    if (site != NULL) {
        new.file = site->file;
        new.line = site->line;
    }
    if (diagnoses->count == DIAGNOSES_MAX || has(diagnoses, &new)) {
        json_decref(evidence);
        return false;
    }
    va_list arguments;
    va_start(arguments, format);
    new.text = arena_format_list(diagnoses->arena, format, arguments);
    va_end(arguments);
    if (evidence == NULL) new.evidence = json_object();
    if (run != NULL)
        json_object_update_new(
            new.evidence, json_pack("{s:s, s:s}", "run", run->dir, "arguments", run->arguments));
    if (diagnoses->list == NULL)
        diagnoses->list = arena_alloc(diagnoses->arena, DIAGNOSES_MAX * sizeof *diagnoses->list);
    diagnoses->list[diagnoses->count++] = new;
    return true;
}

void diagnoses_free(struct diagnoses *diagnoses)
{
    for (size_t i = 0; i < diagnoses->count; i++)
        json_decref(diagnoses->list[i].evidence);
    diagnoses->count = 0;
}
