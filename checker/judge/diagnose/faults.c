/*
 * faults.c: the diagnoses that a trace states outright: memory faults and races, refused launches,
 * failed calls and leaks. The simulated GPU is asked first, for it knows the lines.
 */
#include "judge/diagnose/diagnose.h"
#include "judge/read/phrases.h"

#include <string.h>

enum { NOT_READY = 600 };

/* "reads 4 bytes", "writes 16 bytes" */
static const char *deed(struct arena *arena, const struct record *r)
{
    const char *kind = r->fault.kind != NULL ? r->fault.kind : "load";
    const char *verb = strcmp(kind, "store") == 0    ? "writes"
                       : strcmp(kind, "atomic") == 0 ? "updates"
                       : strcmp(kind, "copy") == 0   ? "copies"
                                                     : "reads";
    return arena_format(arena, "%s %llu bytes%s", verb, (unsigned long long)r->fault.bytes,
                        r->fault.shared ? " of shared memory" : "");
}

/* ", 8 bytes past the end of an array of 4000 bytes" */
static const char *where(struct arena *arena, const struct record *r)
{
    unsigned long long bytes = r->fault.alloc_bytes, offset = (unsigned long long)r->fault.offset;
    if (bytes == 0) return "";
    if (r->fault.offset < 0)
        return arena_format(arena, ", %llu bytes in front of an array of %llu bytes", -offset,
                            bytes);
    if (offset == bytes)
        return arena_format(arena, ", just behind the end of an array of %llu bytes", bytes);
    if (offset > bytes)
        return arena_format(arena, ", %llu bytes behind the end of an array of %llu bytes",
                            offset - bytes, bytes);
    return arena_format(arena, ", at byte %llu of an array of %llu bytes", offset, bytes);
}

/* Two threads at one place. In shared memory a barrier keeps them apart. */
static const char *race_words(struct arena *arena, const struct record *r, const char *who)
{
    const uint32_t *block = r->fault.shared ? NULL : r->fault.other_block; /* else the same */
    const char *other =
        r->fault.has_other ? phrase_thread(arena, block, r->fault.other_thread) : "another thread";
    if (r->fault.other_line > 0 && r->fault.other_line != r->line)
        other = arena_format(arena, "%s (line %d)", other, r->fault.other_line);
    if (r->fault.shared)
        return arena_format(arena,
                            "%s %s that %s uses too, with no barrier (__syncthreads) between them",
                            who, deed(arena, r), other);
    return arena_format(arena,
                        "%s and %s use the same memory, one of them writes, and nothing says which "
                        "comes first",
                        who, other);
}

/* What only the threads of one block can do together; NULL for any other fault. */
static const char *block_words(struct arena *arena, const struct record *r, const char *who)
{
    const char *name = r->fault.name;
    if (strcmp(name, "barrier-divergence") == 0)
        return arena_format(
            arena,
            "%s waits at a barrier (__syncthreads) that not every thread of its block reaches",
            who);
    if (strcmp(name, "lanes-missing") == 0)
        return arena_format(arena, "%s names lanes of its warp that do not come", who);
    if (strcmp(name, "shared-out-of-bounds") == 0)
        return arena_format(arena, "%s %s out of bounds%s", who, deed(arena, r), where(arena, r));
    if (strcmp(name, "uninitialised-read") == 0 && r->fault.shared)
        return arena_format(arena,
                            "%s %s that no thread of its block has written by then (only a barrier "
                            "makes sure of it)",
                            who, deed(arena, r));
    if (strncmp(name, "race-", 5) == 0) return race_words(arena, r, who);
    return NULL;
}

/* What happened, by the fault's name; `who` did it. What the device says of a fault of the host
 * says it all. */
static const char *fault_words(struct arena *arena, const struct record *r, const char *who)
{
    const char *name = r->fault.name;
    const char *together = block_words(arena, r, who);
    if (!r->fault.in_kernel && r->fault.detail != NULL) return r->fault.detail;
    if (together != NULL) return together;
    if (strcmp(name, "out-of-bounds") == 0)
        return arena_format(arena, "%s %s out of bounds%s", who, deed(arena, r), where(arena, r));
    if (strcmp(name, "use-after-free") == 0)
        return arena_format(arena, "%s %s of memory that was freed before", who, deed(arena, r));
    if (strcmp(name, "double-free") == 0) return "this memory was freed before";
    if (strcmp(name, "bad-free") == 0) return "this pointer is not one that was allocated";
    if (strcmp(name, "host-pointer-in-kernel") == 0)
        return arena_format(arena, "%s follows a pointer to the host's memory", who);
    if (strcmp(name, "device-pointer-on-host") == 0)
        return "the host follows a pointer to the GPU's memory";
    if (strcmp(name, "uninitialised-read") == 0)
        return arena_format(arena, "%s %s that nothing has written%s", who, deed(arena, r),
                            where(arena, r));
    if (strcmp(name, "misaligned-access") == 0)
        return arena_format(arena, "%s %s at an address that is not a multiple of %llu", who,
                            deed(arena, r), (unsigned long long)r->fault.bytes);
    if (strcmp(name, "copy-out-of-bounds") == 0)
        return arena_format(arena, "the copy of %llu bytes goes past the end of its array%s",
                            (unsigned long long)r->fault.bytes, where(arena, r));
    if (strcmp(name, "copy-direction") == 0)
        return "the direction of this copy does not fit its pointers";
    if (strcmp(name, "assert-failed") == 0)
        return arena_format(arena, "an assert failed in %s", who);
    if (strcmp(name, "null-pointer") == 0)
        return arena_format(arena, "%s follows a null pointer", who);
    if (strcmp(name, "leak") == 0)
        return r->fault.bytes > 0 ? arena_format(arena, "%llu bytes are allocated and never freed",
                                                 (unsigned long long)r->fault.bytes)
                                  : "this memory is never freed";
    return arena_format(arena, "%s: %.60s", who, name);
}

static void add_fault(struct diagnoses *diagnoses, const struct run *run, const struct record *r)
{
    struct arena *arena = diagnoses->arena;
    const char *who =
        r->fault.in_kernel ? phrase_thread(arena, r->fault.block, r->fault.thread) : "the host";
    const char *times = r->fault.count > 1 ? arena_format(arena, " (%llu times here)",
                                                          (unsigned long long)r->fault.count)
                                           : "";
    const char *detail = r->fault.in_kernel && r->fault.detail != NULL ? r->fault.detail : "";
    const char *text = arena_format(arena, "%s%s%s%s", fault_words(arena, r, who),
                                    detail[0] != '\0' ? ": " : "", detail, times);
    json_t *evidence = json_pack("{s:s, s:s, s:I}", "run", run->dir, "arguments", run->arguments,
                                 "count", (json_int_t)r->fault.count);
    if (evidence != NULL && r->fault.in_kernel)
        json_object_update_new(evidence,
                               json_pack("{s:[iii], s:[iii]}", "block", (int)r->fault.block[0],
                                         (int)r->fault.block[1], (int)r->fault.block[2], "thread",
                                         (int)r->fault.thread[0], (int)r->fault.thread[1],
                                         (int)r->fault.thread[2]));
    if (evidence != NULL && r->fault.alloc != 0)
        json_object_set_new(evidence, "alloc", json_integer((json_int_t)r->fault.alloc));
    diagnoses_add(diagnoses, r->fault.name, r->file, r->line, text, evidence);
}

static void add_refusals(struct diagnoses *diagnoses, const struct run *run)
{
    struct arena *arena = diagnoses->arena;
    TRACE_EACH (&run->trace, EVENT_LAUNCH, r) {
        if (r->launch.error == 0) continue;
        diagnoses_add(diagnoses, "launch-refused", r->file, r->line,
                      arena_format(arena, "%s was refused for %s: %s", phrase_launch(arena, r),
                                   run->arguments, phrase_refusal(arena, r)),
                      json_pack("{s:s, s:I, s:s}", "run", run->dir, "error",
                                (json_int_t)r->launch.error, "arguments", run->arguments));
    }
}

/* True when another record of the run says the same as this failed call, and says it better; of an
 * error that a kernel left behind, when one of the `faults` told so far may be its reason. */
static bool told_elsewhere(const struct run *run, const struct record *error, size_t faults)
{
    uint64_t code = error->error.code;
    const char *call = error->error.call;
    bool asked = code == NOT_READY && strstr(call, "Query") != NULL; /* an answer, no failure */
    if (code == 0 || asked || strstr(call, "LastError") != NULL) return true;
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

static void add_errors(struct diagnoses *diagnoses, const struct run *run, size_t before)
{
    size_t read = 0;
    TRACE_EACH (&run->trace, EVENT_ERROR, r) {
        if (++read > 100) break; /* the first ones tell */
        if (told_elsewhere(run, r, diagnoses->count - before)) continue;
        const char *text = arena_format(
            diagnoses->arena, "%.60s failed for %s: %.200s (%.60s)", r->error.call, run->arguments,
            r->error.text != NULL ? r->error.text : "no reason given", r->error.name);
        diagnoses_add(diagnoses, kernel_fault(r->error.code), r->file, r->line, text,
                      json_pack("{s:s, s:I, s:s}", "run", run->dir, "code",
                                (json_int_t)r->error.code, "call", r->error.call));
    }
}

/* Leaks that only a `final` record tells: the tracer's way. */
static void add_leaks(struct diagnoses *diagnoses, const struct run *run)
{
    TRACE_EACH (&run->trace, EVENT_FINAL, r) {
        const struct record *alloc =
            r->final.leaked && !run->died ? trace_alloc(&run->trace, r->final.alloc) : NULL;
        if (alloc == NULL) continue;
        diagnoses_add(
            diagnoses, "leak", alloc->file, alloc->line,
            arena_format(diagnoses->arena, "%llu bytes are allocated and never freed",
                         (unsigned long long)alloc->alloc.bytes),
            json_pack("{s:s, s:I}", "run", run->dir, "alloc", (json_int_t)r->final.alloc));
    }
}

size_t diagnose_faults(struct diagnoses *diagnoses, const struct check *check)
{
    size_t before = diagnoses->count;
    for (int device = DEVICE_SIM; device <= DEVICE_REAL; device++) {
        bool known = diagnoses->count > before; /* of a fault's consequences nothing is said */
        for (size_t i = 0; i < check->run_count; i++) {
            const struct run *run = &check->runs[i];
            if ((int)run->device != device) continue;
            TRACE_EACH (&run->trace, EVENT_FAULT, r)
                if (!known && (!run->died || strcmp(r->fault.name, "leak") != 0))
                    add_fault(diagnoses, run, r);
            add_refusals(diagnoses, run);
            add_errors(diagnoses, run, before);
            add_leaks(diagnoses, run);
        }
    }
    return diagnoses->count - before;
}
