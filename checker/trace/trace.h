/*
 * trace.h: writing a trace. The simulated GPU and the tracer both call these; the format is in
 * README.md beside this file. A record is one line of JSON: open it, add fields, close it.
 * Every function may be called from any thread: a record holds the trace's lock while it is open.
 */
#ifndef WARPUP_TRACE_H
#define WARPUP_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Opens `trace.jsonl` in the directory that WARPUP_TRACE names, and takes that variable, and the
 * key in WARPUP_SEAL, out of the environment. Without the first nothing is recorded and every call
 * below does nothing. Returns false, having said why on stderr, when the file cannot be made. */
bool trace_open(void);

/* True between a successful trace_open() and trace_close(). */
bool trace_is_open(void);

/* Starts a record of the given kind; trace_end() must follow in the same thread. */
void trace_begin(const char *event);
void trace_string(const char *key, const char *value); /* null when value is NULL */
void trace_integer(const char *key, long long value);
void trace_number(const char *key, double value); /* null when not finite */
void trace_flag(const char *key, bool value);
void trace_triple(const char *key, uint32_t x, uint32_t y, uint32_t z); /* [x, y, z] */
void trace_source(const char *file, int line); /* "file", "line"; nothing when file is NULL */
void trace_end(void);

/* Saves `bytes` bytes at `data` in a file of its own beside the trace and returns its name, valid
 * until the next call in this thread. Returns NULL when nothing is recorded, when
 * WARPUP_SNAPSHOT=0, or when it could not be written (the trace then counts it as dropped). */
const char *trace_snapshot(const void *data, size_t bytes);

/* Counts records that whoever calls could not give; the closing record tells. */
void trace_dropped(long long records);

/* Writes the closing record and closes the file. `how` says what ended the program: "exit",
 * "signal 11". Safe to call twice; the second call does nothing. */
void trace_close(const char *how);

#ifdef __cplusplus
}
#endif
#endif
