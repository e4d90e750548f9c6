/*
 * reader.c: what all parts of the reader need: errors, small steps over tokens, words of PTX.
 */
#include "gpu/ptx/reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { ERRORS_MAX = 100 };

static void add_error(struct reader *reader, uint32_t line, uint32_t location, bool is_unknown,
                      const char *format, va_list list)
{
    struct ptx_module *module = reader->module;
    struct ptx_error error = {.text_line = line, .location = location, .unknown = is_unknown};
    if (module->error_count >= ERRORS_MAX) return;
    vsnprintf(error.text, sizeof error.text, format, list);
    ADD(module->errors, module->error_count, reader->error_room) = error;
}

void note_error(struct reader *reader, uint32_t line, uint32_t location, bool is_unknown,
                const char *format, ...)
{
    va_list list;
    va_start(list, format);
    add_error(reader, line, location, is_unknown, format, list);
    va_end(list);
}

void reader_complain(struct reader *reader, bool is_unknown, const char *format, ...)
{
    if (reader->panic) return;
    bool in_function = reader->body.function != NULL;
    va_list list;
    va_start(list, format);
    add_error(reader, in_function ? reader->statement_line : reader->lexer.token.line,
              reader->body.location, is_unknown, format, list);
    va_end(list);
    reader->panic = true;
}

void refuse_name(struct reader *reader, const char *why, const struct token *name)
{
    reader_refuse(reader, "%s '%.*s'", why, (int)name->length, name->text);
}

bool expect_mark(struct reader *reader, char mark)
{
    if (lexer_take(&reader->lexer, mark)) return true;
    reader_refuse(reader, "'%c' is missing before '%.*s'", mark, (int)reader->lexer.token.length,
                  reader->lexer.token.text);
    return false;
}

struct symbol *named_symbol(const struct reader *reader)
{
    const struct token *token = &reader->lexer.token;
    return token->kind == TOKEN_WORD ? symbols_find(&reader->names, token->text, token->length)
                                     : NULL;
}

bool is_taken(struct reader *reader, const struct token *name)
{
    if (symbols_here(&reader->names, name->text, name->length) == NULL) return false;
    reader_refuse(reader, "'%.*s' is defined twice", (int)name->length, name->text);
    return true;
}

int word_of(const struct reader *reader, enum symbol_kind kind, const char *text, size_t length)
{
    const struct symbol *word = symbols_find(&reader->words, text, length);
    for (; word != NULL; word = word->bucket)
        if (word->kind == kind && word->length == length && memcmp(word->name, text, length) == 0)
            return (int)word->number;
    return -1;
}

enum ptx_type type_of(const struct reader *reader, const struct token *word)
{
    int type = word_of(reader, SYMBOL_TYPE, word->text + 1, word->length - 1);
    return type < 0 ? TYPES : (enum ptx_type)type;
}
