/*
 * trace.h: functions that write a trace. The simulated GPU and the tracer both call them. README.md
 * in this folder describes the format. A record is one line of JSON: open it, add fields, close it.
 * Every function may be called from any thread: an open record holds the lock of the trace.
 */
#ifndef WARPUP_TRACE_H
#define WARPUP_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Opens `trace.jsonl` in the directory that WARPUP_TRACE names. Removes that variable and the key
 * in WARPUP_KEY from the environment. What WARPUP_SNAPSHOT says now holds to the end. If
 * WARPUP_TRACE_MB is set, all snapshots together have at most this many MB, and the records a
 * sixteenth of that; what does not fit counts as dropped. Without WARPUP_TRACE nothing is recorded,
 * and every call below does nothing. If the file cannot be created, writes the reason on stderr and
 * returns false.
 */
bool trace_open(void);

/* Removes a variable from the environment and erases its name and value. Then neither this program
 * nor one that it starts can read them, not even in /proc/self/environ. */
void trace_forget(const char *name);

/* True between a successful trace_open() and trace_close(). */
bool trace_is_open(void);

/* Starts a record of this kind; the same thread must call trace_end(). */
void trace_begin(const char *event);
void trace_string(const char *key, const char *value); /* null when value is NULL */
void trace_integer(const char *key, long long value);
void trace_number(const char *key, double value); /* null when not finite */
void trace_flag(const char *key, bool value);
void trace_triple(const char *key, uint32_t x, uint32_t y, uint32_t z); /* [x, y, z] */

/* Up to 32 numbers, at least one: [4, 8, null …]; null for those that are not in the mask. */
void trace_list(const char *key, const int64_t *values, unsigned count, uint32_t mask);

void trace_source(const char *file, int line); /* "file", "line"; nothing when file is NULL */

/* Several fields: trace_fields("id:%lu name:%s ms:%g", …). Numbers that printf would write in any
 * other way than with d, u or g (l and z before them) are not known. */
void trace_fields(const char *format, ...) __attribute__((format(printf, 1, 2)));
void trace_end(void);

/* Saves `bytes` bytes at `data` in a new file next to the trace. Returns the name of the file,
 * which is valid until the next call in this thread. Returns NULL if nothing is recorded, if
 * WARPUP_SNAPSHOT=0, or if the file could not be written (it then counts as a dropped record). */
const char *trace_snapshot(const void *data, size_t bytes);

/* Counts records that the caller could not write; the closing record contains their number. */
void trace_dropped(long long records);

/* Writes the closing record and closes the file. `how` says how the program ended: "exit",
 * "signal 11". Safe to call twice; the second call does nothing. */
void trace_close(const char *how);

#ifdef __cplusplus
}
#endif
#endif
