/*
 * read.c: the reader's face: a text becomes a module, and is freed again. What goes wrong becomes
 * errors of the module.
 */
#include "gpu/ptx/reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ERRORS_MAX = 100 };

static void add_error(struct reader *reader, uint32_t line, uint32_t place, bool is_unknown,
                      const char *format, va_list list)
{
    struct ptx_module *module = reader->module;
    if (module->error_count >= ERRORS_MAX) return;
    module->errors = arena_grown(module->errors, module->error_count, &reader->error_room,
                                 sizeof *module->errors);
    struct ptx_error *error = &module->errors[module->error_count++];
    *error = (struct ptx_error){.text_line = line, .place = place, .unknown = is_unknown};
    vsnprintf(error->text, sizeof error->text, format, list);
}

void note_error(struct reader *reader, uint32_t line, uint32_t place, bool is_unknown,
                const char *format, ...)
{
    va_list list;
    va_start(list, format);
    add_error(reader, line, place, is_unknown, format, list);
    va_end(list);
}

/* The line of the statement that is being read. */
static uint32_t line_of(const struct reader *reader)
{
    return reader->body.function != NULL ? reader->statement_line : reader->lexer.token.line;
}

void reader_refuse(struct reader *reader, const char *format, ...)
{
    if (reader->panic) return;
    va_list list;
    va_start(list, format);
    add_error(reader, line_of(reader), reader->body.place, false, format, list);
    va_end(list);
    reader->panic = true;
}

void reader_unknown(struct reader *reader, const char *format, ...)
{
    if (reader->panic) return;
    va_list list;
    va_start(list, format);
    add_error(reader, line_of(reader), reader->body.place, true, format, list);
    va_end(list);
    reader->panic = true;
}

bool expect_mark(struct reader *reader, char mark)
{
    if (lexer_take(&reader->lexer, mark)) return true;
    reader_refuse(reader, "'%c' is missing before '%.*s'", mark, (int)reader->lexer.token.length,
                  reader->lexer.token.text);
    return false;
}

/* An array that grew becomes part of the arena. */
static void *settled(struct reader *reader, void *array, size_t bytes)
{
    void *copy = arena_new(reader->arena, bytes + 1);
    if (bytes != 0) memcpy(copy, array, bytes);
    free(array);
    return copy;
}

static void finish(struct reader *reader)
{
    struct ptx_module *module = reader->module;
    module->functions =
        settled(reader, module->functions, module->function_count * sizeof *module->functions);
    module->variables =
        settled(reader, module->variables, module->variable_count * sizeof *module->variables);
    module->errors = settled(reader, module->errors, module->error_count * sizeof *module->errors);
    places_end(reader);
    constants_finish(reader);
    symbols_end(&reader->names);
    symbols_end(&reader->words);
    free(reader->constants);
    free(reader->starts);
    free(reader->body.code);
    free(reader->body.elements);
    free(reader->body.register_bytes);
    free(reader->body.labels);
    free(reader->body.jumps);
}

struct ptx_module *ptx_read(const char *text, size_t bytes)
{
    struct arena *arena = arena_make();
    struct reader *reader = arena_new(arena, sizeof *reader);
    struct ptx_module *module = arena_new(arena, sizeof *module);
    const char *zero = memchr(text, '\0', bytes);
    size_t length = zero == NULL ? bytes : (size_t)(zero - text);
    *reader = (struct reader){.arena = arena, .module = module};
    module->arena = arena;
    module->text = arena_text(arena, text, length);
    lexer_begin(&reader->lexer, module->text, length);
    symbols_begin(&reader->names, arena);
    words_begin(reader);
    places_begin(reader);
    constant_of(reader, 8, 0); /* BASE_CONSTANT 0 */
    read_module(reader);
    finish_module(reader);
    finish(reader);
    return module;
}

void ptx_free(struct ptx_module *module)
{
    if (module != NULL) arena_free(module->arena);
}

struct ptx_function *ptx_function(const struct ptx_module *module, const char *name)
{
    for (uint32_t f = 0; f < module->function_count; f++)
        if (strcmp(module->functions[f]->name, name) == 0) return module->functions[f];
    return NULL;
}

struct ptx_variable *ptx_variable(const struct ptx_module *module, const char *name)
{
    for (uint32_t v = 0; v < module->variable_count; v++)
        if (strcmp(module->variables[v]->name, name) == 0) return module->variables[v];
    return NULL;
}
