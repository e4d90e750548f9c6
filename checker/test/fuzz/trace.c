/*
 * trace.c: fuzz target: any bytes as a trace.jsonl (judge/read/trace_read.h), of a program that
 * ended well and of one that died. The reader reports a mistake in one line that names the file.
 * What it has read is complete and in range.
 */
#define _GNU_SOURCE
#include "judge/read/trace_read.h"
#include "target.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int trace_file = -1;
static char trace_path[64];

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    trace_file = memfd_create("trace.jsonl", MFD_CLOEXEC);
    MUST(trace_file >= 0);
    snprintf(trace_path, sizeof trace_path, "/proc/self/fd/%d", trace_file);
    return 0;
}

static void write_trace(const uint8_t *data, size_t size)
{
    MUST(ftruncate(trace_file, 0) == 0);
    MUST(pwrite(trace_file, data, size, 0) == (ssize_t)size);
}

static void look_at(const struct trace *trace)
{
    size_t seen = 0;
    for (int event = 0; event < EVENT_KINDS; event++)
        TRACE_EACH (trace, (enum event)event, r) {
            MUST(r->line >= 0 && (r->line == 0 || r->file != NULL));
            MUST(r->end >= r->start);
            seen++;
        }
    MUST(seen == trace->count);
    MUST(trace_kernels(trace) <= trace->count);
    TRACE_EACH (trace, EVENT_FINAL, r) {
        const struct record *alloc = trace_alloc(trace, r->final.alloc);
        MUST(alloc == NULL || alloc->alloc.id == r->final.alloc);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {NULL};
    struct trace well, died;
    write_trace(data, size);
    const char *wrong = trace_read(&arena, trace_path, "trace.jsonl", false, &well);
    MUST(wrong == NULL || strncmp(wrong, "trace.jsonl", strlen("trace.jsonl")) == 0);
    MUST(wrong == NULL || strchr(wrong, '\n') == NULL);
    MUST(wrong != NULL || well.device != NULL);
    look_at(&well);
    MUST(trace_read(&arena, trace_path, "trace.jsonl", true, &died) == NULL);
    MUST(died.count == well.count);
    arena_free(&arena);
    return 0;
}
