/*
 * trace.c: writes the trace, for the functions of trace.h. One buffer, under one lock, holds the
 * records. Records reach the file in order, and the first one immediately. So a killed program
 * leaves at least `begin`, and only its last line may be incomplete. A write that fails is counted,
 * and the closing record contains this number.
 */
#define _GNU_SOURCE
#include "trace/trace.h"
#include "trace/mac.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER_BYTES = 1 << 16, RECORD_BYTES_MAX = 1 << 13, TEXT_PART = 16 };

static struct {
    pthread_mutex_t lock;
    int directory, file; /* -1 when closed */
    char buffer[BUFFER_BYTES];
    size_t used;
    long long records, dropped;
    int snapshots;
    bool without_snapshots;
    size_t text_bytes, snapshot_bytes, bytes_max; /* written so far, and the most; 0: any number */
    bool keyed;                /* there was a key: the two below hold checksums */
    struct mac text, contents; /* of the bytes of the trace, and of all snapshots in order */
} trace = {.lock = PTHREAD_MUTEX_INITIALIZER, .directory = -1, .file = -1};

static bool write_all(int file, const char *data, size_t bytes)
{
    while (bytes > 0) {
        ssize_t written = write(file, data, bytes);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        data += written;
        bytes -= (size_t)written;
    }
    return true;
}

/* Counts bytes that are to be written; false if they would be more than may be. */
static bool has_room(size_t *written, size_t most, size_t bytes)
{
    if (trace.bytes_max != 0 && (bytes > most || *written > most - bytes)) return false;
    *written += bytes;
    return true;
}

static bool flush_text(void)
{
    return has_room(&trace.text_bytes, trace.bytes_max / TEXT_PART, trace.used) &&
           write_all(trace.file, trace.buffer, trace.used);
}

static void flush_buffer(void)
{
    if (!flush_text()) trace.dropped++;
    if (trace.keyed) mac_add(&trace.text, trace.buffer, trace.used);
    trace.used = 0;
}

static void put(const char *text, size_t length)
{
    if (trace.used + length > sizeof trace.buffer) return; /* records stay shorter than this */
    memcpy(trace.buffer + trace.used, text, length);
    trace.used += length;
}

/* Writes a JSON string. Text is cut at a length that no real name or message reaches. */
static void put_quoted(const char *text)
{
    put("\"", 1);
    for (size_t i = 0; text[i] != '\0' && i < RECORD_BYTES_MAX / 8; i++) {
        unsigned char c = (unsigned char)text[i];
        char escaped[8];
        if (c == '"' || c == '\\')
            put(escaped, (size_t)snprintf(escaped, sizeof escaped, "\\%c", c));
        else if (c < 0x20 || c == 0x7f)
            put(escaped, (size_t)snprintf(escaped, sizeof escaped, "\\u%04x", c));
        else
            put((const char *)&c, 1);
    }
    put("\"", 1);
}

static void put_key(const char *key)
{
    put(",", 1);
    put_quoted(key);
    put(":", 1);
}

void trace_forget(const char *name)
{
    char *text = getenv(name);
    if (text == NULL) return;
    char *begin = text - strlen(name) - 1; /* the name and the equals sign */
    size_t bytes = (size_t)(text - begin) + strlen(text);
    unsetenv(name); /* finds it by its name */
    memset(begin, 0, bytes);
}

static void take_key(void)
{
    uint64_t key[2];
    trace.keyed = mac_key(getenv("WARPUP_KEY"), key);
    trace_forget("WARPUP_KEY");
    if (!trace.keyed) return;
    mac_begin(&trace.text, key);
    mac_begin(&trace.contents, key);
}

bool trace_open(void)
{
    const char *directory = getenv("WARPUP_TRACE"), *wanted = getenv("WARPUP_SNAPSHOT");
    const char *megabytes = getenv("WARPUP_TRACE_MB");
    trace.bytes_max = megabytes == NULL ? 0 : strtoul(megabytes, NULL, 10) << 20;
    trace.without_snapshots = wanted != NULL && wanted[0] == '0';
    take_key();
    if (directory == NULL || directory[0] == '\0' || trace.file >= 0) return true;
    trace.directory = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (trace.directory >= 0)
        trace.file =
            openat(trace.directory, "trace.jsonl", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (trace.file < 0) {
        fprintf(stderr, "warp-up: cannot write a trace in %s: %s\n", directory, strerror(errno));
        return false;
    }
    trace_forget("WARPUP_TRACE");
    return true;
}

bool trace_is_open(void)
{
    return trace.file >= 0;
}

void trace_begin(const char *event)
{
    pthread_mutex_lock(&trace.lock);
    if (trace.file < 0) return;
    if (trace.used + RECORD_BYTES_MAX > sizeof trace.buffer) flush_buffer();
    put("{\"event\":", 9);
    put_quoted(event);
}

void trace_string(const char *key, const char *value)
{
    if (trace.file < 0) return;
    put_key(key);
    if (value == NULL)
        put("null", 4);
    else
        put_quoted(value);
}

void trace_integer(const char *key, long long value)
{
    if (trace.file < 0) return;
    char text[32];
    put_key(key);
    put(text, (size_t)snprintf(text, sizeof text, "%lld", value));
}

void trace_number(const char *key, double value)
{
    if (trace.file < 0) return;
    char text[40];
    put_key(key);
    if (isfinite(value))
        put(text, (size_t)snprintf(text, sizeof text, "%.17g", value));
    else
        put("null", 4);
}

void trace_flag(const char *key, bool value)
{
    if (trace.file < 0) return;
    put_key(key);
    if (value)
        put("true", 4);
    else
        put("false", 5);
}

void trace_triple(const char *key, uint32_t x, uint32_t y, uint32_t z)
{
    if (trace.file < 0) return;
    char text[48];
    put_key(key);
    put(text, (size_t)snprintf(text, sizeof text, "[%u,%u,%u]", x, y, z));
}

void trace_list(const char *key, const int64_t *values, unsigned count, uint32_t mask)
{
    if (trace.file < 0) return;
    char text[32];
    put_key(key);
    for (unsigned i = 0; i < count; i++) {
        put(i == 0 ? "[" : ",", 1);
        if ((mask >> i & 1) == 0)
            put("null", 4);
        else
            put(text, (size_t)snprintf(text, sizeof text, "%lld", (long long)values[i]));
    }
    put("]", 1);
}

void trace_source(const char *file, int line)
{
    if (file != NULL) trace_fields("file:%s line:%d", file, line);
}

/* One field of trace_fields(), of the kind that its format says. */
static void put_field(const char *key, const char *kind, va_list *values)
{
    bool is_long = *kind == 'l' || *kind == 'z';
    switch (kind[is_long]) {
    case 's': trace_string(key, va_arg(*values, const char *)); break;
    case 'g': trace_number(key, va_arg(*values, double)); break;
    case 'u':
        trace_integer(key, is_long ? va_arg(*values, long) : (long)va_arg(*values, unsigned));
        break;
    default: trace_integer(key, is_long ? va_arg(*values, long) : va_arg(*values, int));
    }
}

void trace_fields(const char *format, ...)
{
    char key[32];
    va_list values;
    va_start(values, format);
    while (sscanf(format, " %31[^:]", key) == 1) {
        const char *kind = strchr(format, '%') + 1;
        put_field(key, kind, &values);
        format = kind + strcspn(kind, " ");
    }
    va_end(values);
}

void trace_end(void)
{
    if (trace.file >= 0) {
        put("}\n", 2);
        if (trace.records++ == 0) flush_buffer();
    }
    pthread_mutex_unlock(&trace.lock);
}

const char *trace_snapshot(const void *data, size_t bytes)
{
    static _Thread_local char name[32];
    if (trace.file < 0 || trace.without_snapshots) return NULL;

    pthread_mutex_lock(&trace.lock);
    snprintf(name, sizeof name, "data-%d.bin", trace.snapshots++);
    int file = !has_room(&trace.snapshot_bytes, trace.bytes_max, bytes)
                   ? -1
                   : openat(trace.directory, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool saved = file >= 0 && write_all(file, data, bytes);
    if (trace.keyed) mac_add(&trace.contents, data, bytes);
    if (file >= 0) close(file);
    if (!saved) trace.dropped++;
    pthread_mutex_unlock(&trace.lock);
    return saved ? name : NULL;
}

void trace_dropped(long long records)
{
    pthread_mutex_lock(&trace.lock);
    trace.dropped += records;
    pthread_mutex_unlock(&trace.lock);
}

/* Adds the checksums to the open record. The last one is that of all bytes before it. */
static void put_macs(void)
{
    char text[20];
    trace_integer("snapshots", trace.snapshots);
    snprintf(text, sizeof text, "%016llx", (unsigned long long)mac_value(&trace.contents));
    trace_string("contents", text);
    flush_buffer();
    snprintf(text, sizeof text, "%016llx", (unsigned long long)mac_value(&trace.text));
    trace_string("mac", text);
    memset(&trace.text, 0, sizeof trace.text);
    memset(&trace.contents, 0, sizeof trace.contents);
    trace.keyed = false;
}

void trace_close(const char *how)
{
    if (trace.file < 0) return;
    trace_begin("end");
    trace_string("how", how);
    trace_integer("records", trace.records);
    trace_integer("dropped", trace.dropped);
    if (trace.keyed) put_macs();
    trace_end();
    pthread_mutex_lock(&trace.lock);
    flush_buffer();
    close(trace.file);
    close(trace.directory);
    trace.file = trace.directory = -1;
    pthread_mutex_unlock(&trace.lock);
}
