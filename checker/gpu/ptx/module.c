/*
 * module.c: the outermost level of a text: what it was made for, its files, variables and
 * functions. Debug information is skipped.
 */
#include "gpu/ptx/reader.h"

#include <string.h>

static void read_version(struct reader *reader)
{
    /* "7.8" was read as one number with a point. */
    double version = 0;
    if (reader->lexer.token.kind == TOKEN_DOUBLE)
        memcpy(&version, &reader->lexer.token.value, sizeof version);
    reader->module->version = version > 0 && version < 1000 ? (int)(version * 10 + 0.5) : 0;
    lexer_next(&reader->lexer);
}

static void read_target(struct reader *reader)
{
    struct lexer *lexer = &reader->lexer;
    do {
        int target = 0;
        if (lexer->token.kind == TOKEN_WORD && lexer->token.length > 3 &&
            memcmp(lexer->token.text, "sm_", 3) == 0)
            for (uint32_t i = 3; i < lexer->token.length && i < 8; i++)
                if (lexer->token.text[i] >= '0' && lexer->token.text[i] <= '9')
                    target = target * 10 + lexer->token.text[i] - '0';
        if (target != 0) reader->module->target = target;
        if (token_word(lexer, "debug")) reader->module->source_build = true;
        lexer_next(lexer);
    } while (lexer_take(lexer, ','));
}

/* Debug information: nothing in it is needed. */
static void skip_section(struct reader *reader)
{
    struct lexer *lexer = &reader->lexer;
    while (lexer->token.kind == TOKEN_WORD)
        lexer_next(lexer); /* its name */
    if (!token_is(lexer, '{')) {
        reader_refuse(reader, "a section has no '{'");
        return;
    }
    const char *end = memchr(lexer->at, '}', (size_t)(lexer->end - lexer->at));
    if (end == NULL) end = lexer->end;
    for (const char *at = lexer->at; (at = memchr(at, '\n', (size_t)(end - at))) != NULL; at++)
        lexer->line++;
    lexer->at = end;
    lexer_next(lexer);
    expect_mark(reader, '}');
}

/* .alias name, function; */
static void read_alias(struct reader *reader)
{
    struct lexer *lexer = &reader->lexer;
    struct token name = lexer->token;
    lexer_next(lexer);
    if (!expect_mark(reader, ',')) return;
    struct symbol *to = symbols_find(&reader->names, lexer->token.text, lexer->token.length);
    struct symbol *from = symbols_find(&reader->names, name.text, name.length);
    if (to == NULL || to->kind != SYMBOL_FUNCTION) {
        reader_refuse(reader, "undefined function '%.*s'", (int)lexer->token.length,
                      lexer->token.text);
        return;
    }
    if (from != NULL && from->kind == SYMBOL_FUNCTION) {
        from->function->alias = to->function;
    } else if (from == NULL) {
        symbols_add(&reader->names, SYMBOL_FUNCTION, name.text, name.length)->function =
            to->function;
    }
    lexer_next(lexer);
    lexer_take(lexer, ';');
}

/* After an error: to the end of the statement, or of the braces that it opens. */
static void recover(struct reader *reader)
{
    struct lexer *lexer = &reader->lexer;
    unsigned depth = 0;
    for (; lexer->token.kind != TOKEN_END; lexer_next(lexer)) {
        if (token_is(lexer, '{')) depth++;
        if (token_is(lexer, '}') && depth > 0) depth--;
        if (depth == 0 && (token_is(lexer, ';') || token_is(lexer, '}'))) break;
    }
    lexer_next(lexer);
    reader->panic = false;
}

static void read_variable_of(struct reader *reader, const char *space, bool external)
{
    lexer_next(&reader->lexer);
    read_variable(reader,
                  strcmp(space, ".global") == 0   ? SPACE_GLOBAL
                  : strcmp(space, ".const") == 0  ? SPACE_CONST
                  : strcmp(space, ".shared") == 0 ? SPACE_SHARED
                                                  : SPACE_LOCAL,
                  external);
}

/* A directive of the module. The linking words before it say whether it is defined elsewhere. */
static void read_directive(struct reader *reader)
{
    static const char *const spaces[] = {".global", ".const", ".shared", ".local"};
    struct lexer *lexer = &reader->lexer;
    bool external = false;
    for (;; lexer_next(lexer)) {
        if (token_word(lexer, ".extern"))
            external = true;
        else if (!token_word(lexer, ".visible") && !token_word(lexer, ".weak") &&
                 !token_word(lexer, ".common"))
            break;
    }
    if (token_word(lexer, ".entry") || token_word(lexer, ".func")) {
        bool entry = token_word(lexer, ".entry");
        lexer_next(lexer);
        read_function(reader, entry, external);
        return;
    }
    for (size_t s = 0; s < sizeof spaces / sizeof *spaces; s++)
        if (token_word(lexer, spaces[s])) {
            read_variable_of(reader, spaces[s], external);
            return;
        }
    if (token_word(lexer, ".tex") || token_word(lexer, ".texref") ||
        token_word(lexer, ".surfref") || token_word(lexer, ".samplerref"))
        reader_unknown(reader, "texture references");
    else
        reader_refuse(reader, "'%.*s' is not expected here", (int)lexer->token.length,
                      lexer->token.text);
}

static bool take_word(struct lexer *lexer, const char *word)
{
    if (!token_word(lexer, word)) return false;
    lexer_next(lexer);
    return true;
}

void read_module(struct reader *reader)
{
    struct lexer *lexer = &reader->lexer;
    while (lexer->token.kind != TOKEN_END) {
        if (lexer_take(lexer, ';')) {
        } else if (take_word(lexer, ".version")) {
            read_version(reader);
        } else if (take_word(lexer, ".target")) {
            read_target(reader);
        } else if (take_word(lexer, ".address_size")) {
            if (lexer->token.value != 64) reader_unknown(reader, "addresses of 32 bits");
            lexer_next(lexer);
        } else if (token_word(lexer, ".file") || token_word(lexer, ".pragma")) {
            lexer_skip_line(lexer); /* places.c has read the files already */
        } else if (take_word(lexer, ".loc")) {
            read_loc(reader);
        } else if (take_word(lexer, ".section")) {
            skip_section(reader);
        } else if (take_word(lexer, ".alias")) {
            read_alias(reader);
        } else {
            read_directive(reader);
        }
        if (reader->panic) recover(reader);
    }
}
