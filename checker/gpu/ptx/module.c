/*
 * module.c: a text becomes a module, and is freed again: its outermost level, which says what it
 * was made for, its variables and functions. Debug information is skipped. What goes wrong becomes
 * errors of the module.
 */
#include "gpu/ptx/reader.h"

#include <stdlib.h>
#include <string.h>

/* ---- directives ----------------------------------------------------------------------------- */

static void read_version(struct reader *reader)
{
    /* "7.8" was read as one number with a point. */
    double version = 0;
    if (reader->lexer.token.kind == TOKEN_DOUBLE)
        memcpy(&version, &reader->lexer.token.value, sizeof version);
    reader->module->version = version > 0 && version < 1000 ? (int)(version * 10 + 0.5) : 0;
    lexer_next(&reader->lexer);
}

/* sm_90, debug … */
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

/* Debug information: nothing in it is needed here (objects.c looks for names). */
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
    struct token name = reader->lexer.token;
    struct symbol *from = named_symbol(reader);
    lexer_next(&reader->lexer);
    if (!expect_mark(reader, ',')) return;
    struct symbol *to = named_symbol(reader);
    if (to == NULL || to->kind != SYMBOL_FUNCTION) {
        refuse_name(reader, "undefined function", &reader->lexer.token);
        return;
    }
    if (from != NULL && from->kind == SYMBOL_FUNCTION)
        from->function->alias = to->function;
    else if (from == NULL)
        symbols_add(&reader->names, SYMBOL_FUNCTION, name.text, name.length)->function =
            to->function;
    lexer_next(&reader->lexer);
    lexer_take(&reader->lexer, ';');
}

static struct ptx_function *function_named(struct reader *reader, struct token name, bool entry)
{
    struct ptx_module *module = reader->module;
    struct symbol *symbol = symbols_here(&reader->names, name.text, name.length);
    if (symbol != NULL && symbol->kind == SYMBOL_FUNCTION && symbol->function->entry == entry)
        return symbol->function;
    if (is_taken(reader, &name)) return NULL;
    struct ptx_function *function = arena_new(reader->arena, sizeof *function);
    function->name = arena_text(reader->arena, name.text, name.length);
    function->plain_name = plain_function_name(reader->arena, function->name);
    function->module = module;
    function->entry = entry;
    function->index = module->function_count;
    symbols_add(&reader->names, SYMBOL_FUNCTION, function->name, name.length)->function = function;
    ADD(module->functions, module->function_count, reader->function_room) = function;
    return function;
}

/* The token follows .func or .entry. */
static void read_function(struct reader *reader, bool entry, bool external)
{
    struct token name;
    struct ptx_function head = read_head(reader, &name), *function;
    if (reader->panic || (function = function_named(reader, name, entry)) == NULL) return;
    read_performance(reader, &head);
    if (reader->panic) return;
    bool body = token_is(&reader->lexer, '{');
    if (body && function->defined) {
        is_taken(reader, &name);
        return;
    }
    if (!function->defined) {
        head.name = function->name;
        head.plain_name = function->plain_name;
        head.entry = entry;
        head.index = function->index;
        head.alias = function->alias;
        head.defined = body;
        head.param_bytes = entry ? head.call_bytes : 0;
        head.external = external && !body;
        if (entry) head.call_bytes = 0;
        *function = head;
    }
    if (body)
        read_body(reader, function);
    else
        expect_mark(reader, ';');
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

/* A function or a variable. The linking words before it say whether it is defined elsewhere. */
static void read_definition(struct reader *reader)
{
    struct lexer *lexer = &reader->lexer;
    bool external = false, was;
    do {
        was = lexer_take_word(lexer, ".extern");
        external |= was;
    } while (was || lexer_take_word(lexer, ".visible") || lexer_take_word(lexer, ".weak") ||
             lexer_take_word(lexer, ".common"));
    if (lexer_take_word(lexer, ".entry"))
        read_function(reader, true, external);
    else if (lexer_take_word(lexer, ".func"))
        read_function(reader, false, external);
    else if (lexer_take_word(lexer, ".global"))
        read_variable(reader, SPACE_GLOBAL, external);
    else if (lexer_take_word(lexer, ".const"))
        read_variable(reader, SPACE_CONST, external);
    else if (lexer_take_word(lexer, ".shared"))
        read_variable(reader, SPACE_SHARED, external);
    else if (lexer_take_word(lexer, ".local"))
        read_variable(reader, SPACE_LOCAL, external);
    else if (token_word(lexer, ".tex") || token_word(lexer, ".texref") ||
             token_word(lexer, ".surfref") || token_word(lexer, ".samplerref"))
        reader_unknown(reader, "texture references");
    else
        reader_refuse(reader, "'%.*s' is not expected here", (int)lexer->token.length,
                      lexer->token.text);
}

static void read_module(struct reader *reader)
{
    struct lexer *lexer = &reader->lexer;
    while (lexer->token.kind != TOKEN_END) {
        if (lexer_take(lexer, ';')) {
        } else if (lexer_take_word(lexer, ".version")) {
            read_version(reader);
        } else if (lexer_take_word(lexer, ".target")) {
            read_target(reader);
        } else if (lexer_take_word(lexer, ".address_size")) {
            if (lexer->token.value != 64) reader_unknown(reader, "addresses of 32 bits");
            lexer_next(lexer);
        } else if (token_word(lexer, ".file") || token_word(lexer, ".pragma")) {
            lexer_skip_line(lexer); /* locations.c has read the files already */
        } else if (lexer_take_word(lexer, ".loc")) {
            read_loc(reader);
        } else if (lexer_take_word(lexer, ".section")) {
            skip_section(reader);
        } else if (lexer_take_word(lexer, ".alias")) {
            read_alias(reader);
        } else {
            read_definition(reader);
        }
        if (reader->panic) recover(reader);
    }
}

/* ---- the module ----------------------------------------------------------------------------- */

static void finish(struct reader *reader)
{
    struct ptx_module *module = reader->module;
    module->functions = arena_settled(reader->arena, module->functions,
                                      module->function_count * sizeof *module->functions);
    module->variables = arena_settled(reader->arena, module->variables,
                                      module->variable_count * sizeof *module->variables);
    module->errors =
        arena_settled(reader->arena, module->errors, module->error_count * sizeof *module->errors);
    locations_end(reader);
    constants_finish(reader);
    free(reader->constants);
    free(reader->starts);
    free(reader->body.code);
    free(reader->body.elements);
    free(reader->body.register_bytes);
    free(reader->body.labels);
    free(reader->body.jumps);
}

static void add_words(struct reader *reader, enum symbol_kind kind, const char *const *names,
                      uint32_t count)
{
    for (uint32_t k = 0; k < count; k++)
        symbols_add(&reader->words, kind, names[k], strlen(names[k]))->number = k;
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
    symbols_begin(&reader->words, arena);
    add_words(reader, SYMBOL_OPCODE, ptx_opcodes, OPCODES);
    add_words(reader, SYMBOL_TYPE, ptx_types, TYPES);
    add_words(reader, SYMBOL_MODIFIER, ptx_modifiers, MODIFIERS);
    add_words(reader, SYMBOL_SPECIAL, ptx_specials, SPECIALS);
    locations_begin(reader);
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
