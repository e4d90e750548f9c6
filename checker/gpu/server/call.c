/*
 * call.c: serves one message after the other: finds its function in the table, collects what the
 * program has to do, and sends the reply. While a function waits for the program (call_read(),
 * call_host() …), the next level of calls is served: the program may touch closed memory or read a
 * clock meanwhile.
 */
#define _GNU_SOURCE
#include "gpu/server/call.h"

#include "gpu/memory/memory.h"
#include "gpu/runtime/runtime.h"
#include "gpu/server/clock.h"
#include "gpu/server/connection.h"
#include "gpu/server/line.h"
#include "gpu/server/session.h"
#include "gpu/warp/launch.h"
#include "trace/trace.h"
#include "gpu/wire/serve.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the calls that a program may send ------------------------------------------------------ */

/* By their number: name, function, and whether runtime/ or this room serves it. Made from
 * wire/calls.def. */
#define CALL(name) serve_function serve_##name;
#define OWN(name)  serve_function serve_##name;
#define CUDA(name)
#include "gpu/wire/calls.def"

static const struct table_entry {
    const char *name;
    serve_function *serve;
    bool own; /* served by server/ itself: no CUDA call */
} table[WIRE_CALLS] = {
#define CALL(name) [WIRE_##name] = {#name, serve_##name, false},
#define CUDA(name) [WIRE_##name] = {#name, take_##name, false},
#define OWN(name)  [WIRE_##name] = {#name, serve_##name, true},
#include "gpu/wire/calls.def"
};

enum { LEVELS_MAX = 16, ACTIONS_MAX = 256, TEXT_BYTES = 1 << 16 };

/* A call that is being served, and its reply so far. */
static struct level {
    struct message message;
    struct call call;
    struct wire_reply reply;
    struct wire_action actions[ACTIONS_MAX];
    unsigned char answer[WIRE_PAYLOAD];
    char text[TEXT_BYTES]; /* of prints, not yet sent */
    size_t text_bytes;
} * levels[LEVELS_MAX];
static int depth;  /* levels in use */
static bool ended; /* the program has ended: nothing can be asked of it */

static struct level *level(void)
{
    return levels[depth - 1];
}

static bool receive(void)
{
    if (depth == LEVELS_MAX) connection_refuse("calls inside calls inside calls");
    if (levels[depth] == NULL) levels[depth] = malloc(sizeof *levels[depth]);
    if (levels[depth] == NULL) connection_refuse("no memory");
    if (!ended && !connection_receive(&levels[depth]->message)) ended = true;
    return !ended;
}

/* ---- the reply ------------------------------------------------------------------------------ */

/* Puts the text of prints into the box, which must not be in use. */
static void print_by_box(struct level *level)
{
    size_t room;
    if (level->text_bytes == 0) return;
    memcpy(connection_box(&room), level->text, level->text_bytes);
    level->actions[level->reply.actions++] =
        (struct wire_action){.kind = ACTION_PRINT, .bytes = level->text_bytes, .value = 0};
    level->text_bytes = 0;
}

/* The file of shared memory goes with the first reply that has some of it mapped. */
static int file_to_send(const struct level *level)
{
    static bool sent;
    for (uint32_t i = 0; i < level->reply.actions && !sent; i++)
        if (level->actions[i].kind == ACTION_MAP) {
            sent = true;
            return memory_shared_file();
        }
    return -1;
}

static void send_level(struct level *level, bool unfinished)
{
    level->reply.unfinished = unfinished;
    connection_send(&level->reply, level->actions, level->answer, file_to_send(level));
    level->reply.actions = 0;
}

static void serve_level(void);

/* Sends what the reply says so far: the program does it, and goes on. */
static void ask_program(void)
{
    struct level *one = level();
    uint32_t payload = one->reply.payload;
    one->reply.payload = 0;
    send_level(one, true);
    one->reply.payload = payload;
}

/* Waits until it has done that; serves other calls meanwhile. */
static bool await_program(void)
{
    uint64_t thread = level()->message.request.thread;
    while (receive()) {
        const struct wire_request *request = &levels[depth]->message.request;
        if (request->call == WIRE_go_on && request->thread == thread) return true;
        serve_level();
    }
    return false;
}

bool call_flush(void)
{
    if (ended) return false;
    print_by_box(level());
    if (level()->reply.actions == 0) return true;
    ask_program();
    return await_program();
}

void call_action(struct wire_action action)
{
    struct level *one = level();
    if (one->reply.actions >= ACTIONS_MAX - 2) call_flush();
    one->actions[one->reply.actions++] = action;
}

void call_answer(const void *data, size_t bytes)
{
    struct level *one = level();
    if (bytes > WIRE_PAYLOAD - one->reply.payload) return; /* no call answers so much */
    memcpy(one->answer + one->reply.payload, data, bytes);
    one->reply.payload += (uint32_t)bytes;
}

void call_print(const char *text, size_t bytes)
{
    while (depth > 0 && bytes > 0) {
        struct level *one = level();
        size_t room = TEXT_BYTES - one->text_bytes, part = bytes < room ? bytes : room;
        memcpy(one->text + one->text_bytes, text, part);
        one->text_bytes += part;
        text += part;
        bytes -= part;
        if (one->text_bytes == TEXT_BYTES && !call_flush()) return;
    }
}

/* ---- the program's memory ------------------------------------------------------------------- */

/* Rows on both sides, and how far they have been copied. */
struct rows {
    uint64_t address;
    unsigned char *own;
    size_t pitch, own_pitch, width, rows;
    size_t row, byte; /* the next one */
};

/* Part of the rows that fits into half of the box: whole rows, or a part of one. */
struct span {
    uint64_t address;
    unsigned char *own;
    size_t width, rows;
};

static bool next_span(struct rows *rows, size_t room, struct span *span)
{
    if (rows->row == rows->rows) return false;
    *span = (struct span){rows->address + rows->row * rows->pitch + rows->byte,
                          rows->own + rows->row * rows->own_pitch + rows->byte, 0, 1};
    size_t left = rows->width - rows->byte;
    if (rows->byte == 0 && rows->width <= room) {
        size_t fit = room / rows->width, wanted = rows->rows - rows->row;
        span->width = rows->width;
        span->rows = fit < wanted ? fit : wanted;
        rows->row += span->rows;
    } else {
        span->width = left < room ? left : room;
        rows->byte += span->width;
        if (span->width == left) rows->row++, rows->byte = 0;
    }
    return true;
}

static void copy_span(const struct rows *rows, const struct span *span, unsigned char *box,
                      bool to_box)
{
    for (size_t i = 0; i < span->rows; i++) {
        unsigned char *own = span->own + i * rows->own_pitch;
        memcpy(to_box ? box : own, to_box ? own : box, span->width);
        box += span->width;
    }
}

/* Has the program copy a span to or from the box, from `at` on. */
static void ask_span(const struct rows *rows, const struct span *span, size_t at,
                     enum wire_action_kind kind)
{
    call_action((struct wire_action){.kind = kind,
                                     .bytes = span->width,
                                     .address = span->address,
                                     .value = at,
                                     .extra = rows->pitch,
                                     .extra2 = span->rows});
    ask_program();
}

static struct rows make_rows(uint64_t address, size_t pitch, const void *own, size_t own_pitch,
                             size_t width, size_t count)
{
    struct rows rows = {address, (unsigned char *)(uintptr_t)own, pitch, own_pitch,
                        width,   width == 0 ? 0 : count,          0,     0};
    if (pitch == width && own_pitch == width && rows.rows > 0)
        rows.width *= rows.rows, rows.rows = 1;
    return rows;
}

/* While the program fills one half of the box, the other one is emptied here. */
bool call_read_rows(uint64_t address, size_t pitch, void *to, size_t own_pitch, size_t width,
                    size_t count)
{
    struct rows rows = make_rows(address, pitch, to, own_pitch, width, count);
    struct span span, next;
    size_t room, half = 0;
    unsigned char *box = connection_box(&room);
    room /= 2;
    if (!call_flush()) return false; /* prints have the box until then */
    bool more = next_span(&rows, room, &span);
    if (more) ask_span(&rows, &span, 0, ACTION_READ);
    while (more) {
        if (!await_program()) return false;
        more = next_span(&rows, room, &next);
        if (more) ask_span(&rows, &next, room * !half, ACTION_READ);
        copy_span(&rows, &span, box + room * half, false);
        span = next;
        half = !half;
    }
    return true;
}

/* While the program empties one half, the other one is filled. */
bool call_write_rows(uint64_t address, size_t pitch, const void *from, size_t own_pitch,
                     size_t width, size_t count)
{
    struct rows rows = make_rows(address, pitch, from, own_pitch, width, count);
    struct span span;
    size_t room, half = 0;
    unsigned char *box = connection_box(&room);
    room /= 2;
    if (!call_flush()) return false;
    bool asked = false;
    while (next_span(&rows, room, &span)) {
        copy_span(&rows, &span, box + room * half, true);
        if (asked && !await_program()) return false;
        ask_span(&rows, &span, room * half, ACTION_WRITE);
        asked = true;
        half = !half;
    }
    return !asked || await_program();
}

bool call_read(uint64_t address, void *to, size_t bytes)
{
    return call_read_rows(address, bytes, to, bytes, bytes, 1);
}

bool call_write(uint64_t address, const void *from, size_t bytes)
{
    return call_write_rows(address, bytes, from, bytes, bytes, 1);
}

bool call_move_rows(uint64_t to, size_t to_pitch, uint64_t from, size_t from_pitch, size_t width,
                    size_t rows)
{
    for (size_t i = 0; i < rows; i++)
        call_action((struct wire_action){.kind = ACTION_MOVE,
                                         .bytes = width,
                                         .address = to + i * to_pitch,
                                         .value = from + i * from_pitch});
    return call_flush();
}

bool call_host(uint64_t function, uint64_t data, int kind, uint64_t stream, cudaError_t status)
{
    call_action((struct wire_action){.kind = ACTION_CALL_HOST,
                                     .bytes = (uint64_t)kind,
                                     .address = function,
                                     .value = data,
                                     .extra = stream,
                                     .extra2 = (uint64_t)status});
    return call_flush();
}

/* ---- serving -------------------------------------------------------------------------------- */

/* Serves the message that has been received for the next level. */
static void serve_level(void)
{
    struct level *one = levels[depth];
    const struct table_entry *entry = &table[one->message.request.call];
    one->reply = (struct wire_reply){0};
    one->text_bytes = 0;
    one->call = (struct call){.name = entry->name,
                              .number = one->message.request.call,
                              .request = &one->message.request,
                              .argument = one->message.request.argument,
                              .payload = one->message.payload,
                              .reply = &one->reply};
    if (!session_has_begun() && one->message.request.call != WIRE_hello)
        connection_refuse("a program calls its GPU before it greets it");
    if (depth == 0) clock_came(&one->message);
    depth++;
    if (entry->own)
        one->call.error = entry->serve(&one->call);
    else
        runtime_serve(&one->call, entry->serve);
    if (!ended) {
        one->reply.error = (int32_t)one->call.error;
        /* The program's part of the call comes before the clock runs again. */
        bool asked = one->text_bytes > 0 || one->reply.actions > 0;
        if (asked) call_flush();
        if (depth == 1) clock_leaves(&one->message, asked);
        send_level(one, false);
    }
    if (one->message.file >= 0) close(one->message.file);
    depth--;
}

int call_take_file(void)
{
    int file = level()->message.file;
    level()->message.file = -1;
    return file;
}

void session_serve(void)
{
    warp_print = call_print;
    while (receive())
        serve_level();
}

cudaError_t serve_go_on(struct call *call)
{
    (void)call;
    connection_refuse("the program goes on with a call that has ended");
}

/* ---- places --------------------------------------------------------------------------------- */

int call_line(const struct call *call, const char **file)
{
    struct line line = line_of(call->request->frame, WIRE_FRAMES);
    if (file != NULL) *file = line.file;
    return line.line;
}

void call_source(const struct call *call)
{
    const char *file;
    int line = trace_is_open() ? call_line(call, &file) : 0;
    if (line > 0) trace_source(file, line);
}

void call_unknown(const struct call *call, const char *what)
{
    const char *file;
    int line = call_line(call, &file);
    if (line > 0)
        fprintf(stderr, "%s:%d: the simulated GPU does not know %s\n", file, line, what);
    else
        fprintf(stderr, "warp-up: the simulated GPU does not know %s\n", what);
    trace_begin("unknown");
    trace_fields("what:%s", what);
    if (line > 0) trace_source(file, line);
    trace_end();
}
