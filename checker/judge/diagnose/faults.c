/*
 * faults.c: see kinds.h. The simulated GPU's faults come first, because it knows the lines.
 */
#include "judge/diagnose/kinds.h"
#include "judge/read/run_facts.h"
#include "judge/measure/larger.h"
#include "judge/read/phrases.h"
#include "judge/read/source.h"

#include <string.h>

enum {
    NOT_READY = 600,  /* cudaErrorNotReady is the answer of a query, not a failure */
    ERRORS_MAX = 100, /* failed calls per run: later ones repeat the first */
    NARROW = 1 << 16, /* an index of 16 bits begins again here */
    FAR = 4096,       /* bytes before an array: an index that is off by a few elements is nearer */
    FLOAT_EXACT = 1 << 24, /* the check has few runs above: they are for indices that overflow */
    SAME_MAX = 3, /* faults of one name that are shown: further lines come from the same mistake */
};

/* The launch whose kernel caused a fault; NULL when it is not known. */
static const struct record *launch_of(const struct run *run, const struct record *fault)
{
    const struct record *launch = fault;
    while (launch > run->trace.records && launch->event != EVENT_LAUNCH)
        launch--;
    return launch->event == EVENT_LAUNCH ? launch : NULL;
}

static bool says(const struct record *r, const char *words)
{
    return r->fault.detail != NULL && strstr(r->fault.detail, words) != NULL;
}

static bool is_race(const struct record *r)
{
    return strncmp(r->fault.name, "race-", 5) == 0;
}

/* Is __syncwarp() enough? Not if threads of several warps race, too: then a barrier repairs both.
 */
static bool in_one_warp(const struct check *check, const struct record *race)
{
    for (size_t i = 0; i < check->run_count; i++)
        TRACE_EACH (&check->runs[i].trace, EVENT_FAULT, r)
            if (is_race(r) && !r->fault.same_warp) return false;
    return race->fault.same_warp;
}

/* Do threads update the same element of global memory, all in one line? No barrier helps there. */
static bool updates_one_element(const struct record *r)
{
    return !r->fault.shared && (r->fault.other_line == 0 || r->fault.other_line == r->line);
}

/* Was shared memory read before it was written? Then a race at the write is one of this read. */
static bool reads_unset_shared(const struct check *check)
{
    for (size_t i = 0; i < check->run_count; i++)
        TRACE_EACH (&check->runs[i].trace, EVENT_FAULT, r)
            if (r->fault.shared && strcmp(r->fault.name, "uninitialised-read") == 0) return true;
    return false;
}

/* Which barrier ends a race, and where? NULL if none does, or if it is not known what the threads
 * do. */
static const char *barrier_of(const struct check *check, const struct record *r)
{
    const char *kind = r->fault.kind != NULL ? r->fault.kind : "load", *other = r->fault.other_kind;
    if (other == NULL || strcmp(other, kind) == 0 || updates_one_element(r)) return NULL;
    if (in_one_warp(check, r))
        return "put a __syncwarp() between the two accesses, or a __syncthreads() that all threads "
               "of the block reach";
    if (!r->fault.shared) return NULL;
    return strcmp(kind, "store") == 0 && !reads_unset_shared(check)
               ? "put a __syncthreads() after the read, before this memory is written again: in a "
                 "loop, at the end of its body"
               : "put a __syncthreads() between the write and the read, where all threads of the "
                 "block reach it";
}

/* The next step for a fault whose cause is known better than its name says; else NULL. */
static const char *next_of(const struct check *check, const struct run *run, const struct record *r)
{
    const struct record *array = trace_alloc(&run->trace, r->fault.alloc);
    if (says(r, "__threadfence"))
        return "put a __threadfence() between the store and the atomic after it, and one before "
               "the "
               "other block's reads";
    if (says(r, "asynchronous copy"))
        return "wait for the asynchronous copy, and then for the other threads: "
               "__pipeline_wait_prior(), __syncthreads()";
    if (says(r, "does not include this lane"))
        return "give each lane a mask with its own bit: a group's mask has to be shifted to its "
               "lanes";
    if (says(r, "cudaFreeHost")) return "free pinned memory with cudaFreeHost";
    if (is_race(r) && barrier_of(check, r) != NULL) return barrier_of(check, r);
    if (is_race(r) && updates_one_element(r))
        return "give each element to one thread: which elements do these two threads compute? Or "
               "use an atomic";
    bool unset = strcmp(r->fault.name, "uninitialised-read") == 0;
    if ((unset || strcmp(r->fault.name, "out-of-bounds") == 0) && array != NULL &&
        source_line_has(check->arena, check->source, array->line, "MallocPitch"))
        return "a pitch is in bytes: rows of floats begin pitch / sizeof(float) elements apart, "
               "also in the kernel";
    if (unset && r->fault.shared && r->fault.has_other)
        return "let no thread of the block end before the barrier: guard only what a thread must "
               "not do";
    if (unset && r->fault.kind != NULL && strcmp(r->fault.kind, "atomic") == 0)
        return "set this memory to 0 before the kernel adds to it: cudaMemset()";
    if (strcmp(r->fault.name, "shared-out-of-bounds") == 0 && says(r, "before the start"))
        return "the index is negative here: which element should this thread use, and is it in its "
               "own block?";
    if (unset && r->fault.shared)
        return "find the thread that has to write this element. If there is one, put a "
               "__syncthreads() between its write and this read";
    return NULL;
}

static const char *verb_of(const char *kind)
{
    if (kind == NULL) return "reads";
    return strcmp(kind, "store") == 0    ? "writes"
           : strcmp(kind, "atomic") == 0 ? "updates"
           : strcmp(kind, "copy") == 0   ? "copies"
                                         : "reads";
}

/* "reads 4 bytes", "writes 16 bytes" */
static const char *deed(struct arena *arena, const struct record *r)
{
    const char *verb = verb_of(r->fault.kind);
    return arena_format(arena, "%s %llu byte%s%s", verb, (unsigned long long)r->fault.bytes,
                        r->fault.bytes == 1 ? "" : "s", r->fault.shared ? " of shared memory" : "");
}

/* The array that a fault names, if the program's line names it too: "x, "; else "". */
static const char *array_of(struct arena *arena, const char *source, const struct run *run,
                            const struct record *r)
{
    const struct record *launch = launch_of(run, r);
    int column;
    const char *code = source_code(arena, source, r->line, &column);
    for (size_t i = 0; launch != NULL && i < LAUNCH_POINTERS && r->fault.alloc != 0; i++) {
        if (launch->launch.pointers[i] != r->fault.alloc) continue;
        const char *name = source_pointer(arena, source, launch->launch.kernel, i);
        return name != NULL && source_names(code, name) ? arena_format(arena, "%s, ", name) : "";
    }
    return "";
}

/* ", 8 bytes past the end of x, an array of 4000 bytes". `name`: "x, " or "" */
static const char *where(struct arena *arena, int64_t at, unsigned long long bytes,
                         const char *name)
{
    unsigned long long offset = (unsigned long long)at;
    if (bytes == 0) return "";
    if (at < 0)
        return arena_format(arena, ", %llu bytes before the start of %san array of %llu bytes",
                            -offset, name, bytes);
    if (offset == bytes)
        return arena_format(arena, ", just past the end of %san array of %llu bytes", name, bytes);
    if (offset > bytes)
        return arena_format(arena, ", %llu bytes past the end of %san array of %llu bytes",
                            offset - bytes, name, bytes);
    return arena_format(arena, ", at byte %llu of %san array of %llu bytes", offset, name, bytes);
}

/* Two threads use the same place. In shared memory, a barrier has to separate them. */
static const char *race_words(const struct check *check, const struct record *r, const char *who)
{
    struct arena *arena = check->arena;
    const uint32_t *block = r->fault.shared ? NULL : r->fault.other_block; /* else the same */
    const char *other =
        r->fault.has_other ? phrase_thread(arena, block, r->fault.other_thread) : "another thread";
    if (r->fault.other_line > 0 && r->fault.other_line != r->line)
        other = arena_format(arena, "%s (line %d)", other, r->fault.other_line);
    const char *verb = verb_of(r->fault.kind);
    const char *others = r->fault.other_kind != NULL ? verb_of(r->fault.other_kind) : "uses";
    bool alike = strcmp(verb, others) == 0;
    if (says(r, "__threadfence"))
        return arena_format(arena, "%s reads what %s stores here, without a fence", who,
                            r->fault.has_other
                                ? phrase_thread(arena, r->fault.other_block, r->fault.other_thread)
                                : "another thread");
    if (r->fault.shared)
        return arena_format(arena, "%s %s that %s %s%s, and no %s", who, deed(arena, r), other,
                            others, alike ? " too" : "",
                            in_one_warp(check, r)
                                ? "barrier separates them: they are in one warp, so __syncwarp() "
                                  "is enough"
                                : "barrier (__syncthreads) separates them");
    if (alike)
        return arena_format(
            arena, "%s and %s both write this memory. Nothing decides which is last", who, other);
    return arena_format(
        arena,
        "%s and %s use the same memory, and one of them writes. Nothing decides which comes first",
        who, other);
}

/* A thread read what is missing because another one had ended. */
static const char *early_end_words(struct arena *arena, const struct record *r, const char *who)
{
    const char *at =
        r->fault.other_line > 0 ? arena_format(arena, " at line %d", r->fault.other_line) : "";
    return arena_format(arena,
                        "%s %s that no thread of its block has written before. Probably %s had to "
                        "write them, but that thread ended%s, before the barrier",
                        who, deed(arena, r), phrase_thread(arena, NULL, r->fault.other_thread), at);
}

/* The words for a fault that `who` caused. For a fault of the host, the trace has them. */
static const char *fault_words(const struct check *check, const struct run *run,
                               const struct record *r, const char *who)
{
    struct arena *arena = check->arena;
    const char *name = r->fault.name, *array = array_of(arena, check->source, run, r);
    unsigned long long bytes = r->fault.bytes;
    if (!r->fault.in_kernel && r->fault.detail != NULL) return r->fault.detail;
    if (is_race(r)) return race_words(check, r, who);
    if (says(r, "does not include this lane"))
        return arena_format(arena, "%s makes this call with a mask without its own lane", who);
    if (strcmp(name, "uninitialised-read") == 0 && r->fault.shared && r->fault.has_other)
        return early_end_words(arena, r, who);
    if (strcmp(name, "uninitialised-read") == 0 && r->fault.shared)
        return arena_format(arena,
                            "%s %s that no thread of its block has written before. A thread has to "
                            "write them, and a barrier has to follow",
                            who, deed(arena, r));
    if (strcmp(name, "barrier-divergence") == 0 && r->fault.has_other && r->fault.detail == NULL)
        return arena_format(arena,
                            "%s waits at a barrier (__syncthreads), but %s of its block ends "
                            "without reaching it",
                            who, phrase_thread(arena, NULL, r->fault.other_thread));
    if (strcmp(name, "misaligned-access") == 0 && bytes == 0)
        return arena_format(arena, "%s makes an access that is not aligned", who);
    if (strcmp(name, "misaligned-access") == 0)
        return arena_format(arena, "%s %s at an address that is not a multiple of %llu%s", who,
                            deed(arena, r), bytes,
                            bytes == 8 && source_line_with(arena, check->source, "float4", NULL) > 0
                                ? ". (A float4 counts as two halves of 8 bytes here)"
                                : "");
    if (strcmp(name, "copy-out-of-bounds") == 0)
        return arena_format(arena, "the copy of %llu bytes goes past the end of its array%s", bytes,
                            where(arena, r->fault.offset, r->fault.alloc_bytes, array));
    if (strcmp(name, "leak") == 0 && bytes > 0)
        return arena_format(arena, "%llu bytes are allocated, but never freed", bytes);
    const char *words = diagnosis_words(name);
    if (words == NULL) return arena_format(arena, "%s: %.60s", who, name);
    return arena_format(arena, words, who, deed(arena, r),
                        where(arena, r->fault.offset, r->fault.alloc_bytes, array));
}

/* A thread's number in a grid of one dimension. */
static int64_t number_of(const uint32_t block[3], const uint32_t thread[3],
                         const struct record *launch)
{
    return (int64_t)block[0] * launch->launch.block[0] + thread[0];
}

/* Two threads share an element because the index of one of them has lost its upper or lower bits.
 */
static const char *narrow_words(const struct run *run, const struct record *r)
{
    const struct record *launch = launch_of(run, r);
    if (!is_race(r) || !r->fault.has_other) return "";
    if (launch == NULL || launch->launch.grid[1] != 1) return "";
    int64_t number = number_of(r->fault.block, r->fault.thread, launch);
    int64_t other = number_of(r->fault.other_block, r->fault.other_thread, launch);
    int64_t apart = number - other;
    if (apart != 0 && (float)number == (float)other)
        return ". Their numbers are the same number as a float, which has 24 bits";
    return apart != 0 && apart % NARROW == 0 && launch->launch.block[0] < NARROW
               ? ". The numbers of these threads differ by a multiple of 65536, as if the index "
                 "had only 16 bits"
               : "";
}

/* Does a kernel leave its array far before the start, or do threads meet in one element, while
 * nothing is wrong for less elements? An index that overflows becomes negative, or begins again. */
static bool is_overflow(const struct check *check, const struct run *run, const struct record *r)
{
    bool before = strcmp(r->fault.name, "out-of-bounds") == 0 && r->fault.in_kernel &&
                  !r->fault.shared && r->fault.alloc_bytes > 0 && r->fault.offset < -FAR;
    bool meet = is_race(r) && !r->fault.shared && run->problem.elements > FLOAT_EXACT &&
                narrow_words(run, r)[0] == '\0';
    const struct run *smaller = NULL;
    for (size_t i = 0; (before || meet) && i < check->run_count; i++) {
        const struct run *other = &check->runs[i];
        if (other->device != run->device) continue;
        bool wrong = run_saw_fault(other);
        if (wrong && meet && other != run) return false;
        if (!wrong && other->problem.elements < run->problem.elements) smaller = other;
    }
    return smaller != NULL;
}

/* The line of a fault; of a missing fence, that of the store before it. */
static const struct record *site_of(struct arena *arena, const struct record *r)
{
    if (!says(r, "__threadfence") || r->fault.other_line == 0) return r;
    struct record *site = arena_alloc(arena, sizeof *site);
    site->file = r->file;
    site->line = r->fault.other_line;
    return site;
}

static bool is_shown_enough(const struct diagnoses *diagnoses, const char *name)
{
    size_t same = 0;
    for (size_t i = 0; i < diagnoses->count; i++)
        same += strcmp(diagnoses->list[i].name, name) == 0;
    return same >= SAME_MAX;
}

/* The call that freed the memory of a use after free; NULL: it is not known. */
static const struct record *freed_by(const struct run *run, const struct record *r)
{
    const struct record *found = NULL;
    if (strcmp(r->fault.name, "use-after-free") != 0 || r->fault.alloc == 0) return NULL;
    TRACE_EACH (&run->trace, EVENT_FREE, one)
        if (one->free.id == r->fault.alloc && one->line > 0 && one < r) found = one;
    return found;
}

static void add_fault(struct diagnoses *diagnoses, const struct check *check, const struct run *run,
                      const struct record *r)
{
    struct arena *arena = diagnoses->arena;
    const char *who =
        r->fault.in_kernel ? phrase_thread(arena, r->fault.block, r->fault.thread) : "the host";
    const char *times = r->fault.count > 1 ? arena_format(arena, " (%llu times here)",
                                                          (unsigned long long)r->fault.count)
                                           : "";
    const char *detail = r->fault.in_kernel && r->fault.detail != NULL ? r->fault.detail : "";
    const char *text =
        arena_format(arena, "%s%s%s%s%s", fault_words(check, run, r, who),
                     detail[0] != '\0' ? ": " : "", detail, times, narrow_words(run, r));
    json_t *evidence = json_pack("{s:I}", "count", (json_int_t)r->fault.count);
    if (evidence != NULL && r->fault.in_kernel)
        json_object_update_new(evidence,
                               json_pack("{s:[iii], s:[iii]}", "block", (int)r->fault.block[0],
                                         (int)r->fault.block[1], (int)r->fault.block[2], "thread",
                                         (int)r->fault.thread[0], (int)r->fault.thread[1],
                                         (int)r->fault.thread[2]));
    if (evidence != NULL && r->fault.alloc != 0)
        json_object_set_new(evidence, "alloc", json_integer((json_int_t)r->fault.alloc));
    const struct record *site = site_of(arena, r), *freed = freed_by(run, r);
    if (freed != NULL && r->line > 0) {
        text = arena_format(arena, "%s. It is freed here, and used in line %d", text, r->line);
        site = freed;
    }
    const char *name = r->fault.name, *next = next_of(check, run, r);
    if ((freed != NULL || strcmp(name, "double-free") == 0) &&
        source_in_destructor(arena, check->source, site->line)) {
        if (freed != NULL)
            text = arena_format(arena,
                                "%s. This is a destructor: it runs for each copy of its "
                                "object, such as the argument of a call",
                                text);
        next = "pass a reference to the object, or only its pointer";
    }
    if (is_overflow(check, run, r)) {
        text = arena_format(arena,
                            "with arguments %s, %s. Probably the type of this index is too small",
                            run->arguments, text);
        name = "index-overflow";
    }
    if (!diagnoses_add(diagnoses, run, name, site, evidence, "%s", text)) return;
    struct diagnosis *added = &diagnoses->list[diagnoses->count - 1];
    if (name != r->fault.name) added->ranks_as = r->fault.name;
    added->next = next;
    added->exact = detail[0] != '\0';
}

static void add_refusal(struct diagnoses *diagnoses, const struct run *run, const struct record *r)
{
    struct arena *arena = diagnoses->arena;
    diagnoses_add(diagnoses, run, "launch-refused", r,
                  json_pack("{s:I}", "error", (json_int_t)r->launch.error),
                  "with arguments %s, the GPU refused the launch %s: %s", run->arguments,
                  phrase_launch(arena, r), phrase_refusal(arena, r));
}

/* True for calls that only ask or advise. A program may try them, and no result depends on them. */
static bool asks_or_advises(const char *call)
{
    static const char *const calls[] = {
        "cudaDeviceCanAccessPeer",     "cudaDeviceEnablePeerAccess",
        "cudaDeviceDisablePeerAccess", "cudaDeviceSetCacheConfig",
        "cudaDeviceSetLimit",          "cudaFuncSetCacheConfig",
        "cudaFuncSetSharedMemConfig",  "cudaMemAdvise",
        "cudaMemPrefetchAsync",        "cudaPointerGetAttributes",
        "cudaSetDeviceFlags",          "cudaStreamSetAttribute",
    };
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        if (strcmp(call, calls[i]) == 0) return true;
    return false;
}

/* True when another record of the run describes the same failure better. If a kernel caused the
 * error: true when one of the `faults` found so far may be its reason. */
static bool repeats_another(const struct run *run, const struct record *error, size_t faults)
{
    uint64_t code = error->error.code;
    const char *call = error->error.call;
    bool asked = code == NOT_READY && strstr(call, "Query") != NULL; /* an answer, no failure */
    if (code == 0 || asked || asks_or_advises(call) || strstr(call, "LastError") != NULL)
        return true;
    if (code >= FIRST_KERNEL_ERROR && code <= LAST_KERNEL_ERROR && faults > 0) return true;
    TRACE_EACH (&run->trace, EVENT_LAUNCH, r)
        if (r->launch.error == code) return true;
    TRACE_EACH (&run->trace, EVENT_FAULT, r)
        if ((r->line != 0 && r->line == error->line) || r + 1 == error) return true;
    return false;
}

/* The errors of a kernel that name their fault. */
static const char *kernel_fault(uint64_t code)
{
    switch (code) {
    case 710: return "assert-failed";
    case 716: return "misaligned-access";
    default: return "api-error";
    }
}

/* A failed call comes first when no fault precedes it. */
static void add_error(struct diagnoses *diagnoses, const struct run *run, const struct record *r)
{
    const struct record *fault = trace_first(&run->trace, EVENT_FAULT);
    bool added = diagnoses_add(
        diagnoses, run, kernel_fault(r->error.code), r,
        json_pack("{s:I, s:s}", "code", (json_int_t)r->error.code, "call", r->error.call),
        "with arguments %s, %.60s failed: %.200s (%.60s)", run->arguments, r->error.call,
        r->error.text != NULL ? r->error.text : "no reason given", r->error.name);
    bool of_kernel = r->error.code >= FIRST_KERNEL_ERROR && r->error.code <= LAST_KERNEL_ERROR;
    if (added && !of_kernel)
        diagnoses->list[diagnoses->count - 1].ranks_as =
            fault == NULL || r < fault ? "launch-refused" : NULL;
    if (added && strcmp(r->error.name, "cudaErrorNotReady") == 0)
        diagnoses->list[diagnoses->count - 1].next =
            "wait for the later event before this call: cudaEventSynchronize()";
}

/* Refused launches and failed calls, in the order in which they happened. A launch that
 * returns the error of an earlier kernel was not refused. */
static void add_refusals(struct diagnoses *diagnoses, const struct run *run, bool of_job,
                         size_t before)
{
    size_t errors = 0;
    const struct record *fault = trace_first(&run->trace, EVENT_FAULT);
    for (size_t i = 0; i < run->trace.count; i++) {
        const struct record *r = &run->trace.records[i];
        if (run_is_job(run, r) != of_job) continue;
        bool follows = r->event == EVENT_LAUNCH && r->launch.error >= FIRST_KERNEL_ERROR &&
                       r->launch.error <= LAST_KERNEL_ERROR && fault != NULL && fault < r;
        if (r->event == EVENT_LAUNCH && r->launch.error != 0 && !follows)
            add_refusal(diagnoses, run, r);
        if (r->event == EVENT_ERROR && errors++ < ERRORS_MAX &&
            !repeats_another(run, r, diagnoses->count - before))
            add_error(diagnoses, run, r);
    }
}

/* Leaks that only a `final` record shows, as the tracer writes them. */
static void add_leaks(struct diagnoses *diagnoses, const struct run *run, bool of_job)
{
    TRACE_EACH (&run->trace, EVENT_FINAL, r) {
        if (run_is_job(run, r) != of_job) continue;
        const struct record *alloc =
            r->final.leaked && !run->died ? trace_alloc(&run->trace, r->final.alloc) : NULL;
        if (alloc == NULL) continue;
        diagnoses_add(
            diagnoses, run, "leak", alloc, json_pack("{s:I}", "alloc", (json_int_t)r->final.alloc),
            "%llu bytes are allocated, but never freed", (unsigned long long)alloc->alloc.bytes);
    }
}

size_t diagnose_faults(struct diagnoses *diagnoses, const struct check *check, bool of_job)
{
    size_t before = diagnoses->count;
    for (int device = DEVICE_SIM; device <= DEVICE_REAL; device++) {
        bool explained = diagnoses->count > before; /* what only follows from a fault is left out */
        for (size_t i = 0; i < check->run_count; i++) {
            const struct run *run = &check->runs[i];
            if ((int)run->device != device) continue;
            TRACE_EACH (&run->trace, EVENT_FAULT, r)
                if (!explained && run_is_job(run, r) == of_job &&
                    (!run->died || strcmp(r->fault.name, "leak") != 0) &&
                    !is_shown_enough(diagnoses, r->fault.name))
                    add_fault(diagnoses, check, run, r);
            add_refusals(diagnoses, run, of_job, before);
            add_leaks(diagnoses, run, of_job);
        }
    }
    for (size_t i = before; i < diagnoses->count; i++)
        diagnoses->list[i].of_job = of_job;
    return diagnoses->count - before;
}

void diagnose_larger(struct diagnoses *diagnoses, const struct check *check)
{
    const struct run *run;
    const struct record *r = larger_failed(check, &run);
    if (r == NULL) return;
    struct arena *arena = check->arena;
    json_t *evidence = json_pack("{s:s}", "larger", r->larger.arguments);
    const char *deed = arena_format(arena, "%s %s %llu bytes out of bounds%s",
                                    phrase_thread(arena, r->larger.block, r->larger.thread),
                                    verb_of(r->larger.kind), (unsigned long long)r->larger.bytes,
                                    where(arena, r->larger.offset, r->larger.alloc_bytes, ""));
    if (r->larger.outside)
        diagnoses_add(diagnoses, NULL, "index-overflow", r, evidence,
                      "with arguments %s, %s. Probably the type of this index is too small",
                      r->larger.arguments, deed);
    else
        diagnoses_add(
            diagnoses, NULL, "index-overflow", trace_launch(&run->trace, r->larger.kernel),
            evidence,
            "with arguments %s, no thread of block 0 stores anything. Probably an int is too small "
            "for a number that its threads compute",
            r->larger.arguments);
}
