/*
 * variable.c: declarations of variables: their space, size and alignment, and the bytes and
 * addresses that they begin with.
 */
#include "gpu/ptx/reader.h"

#include <string.h>

/* Initialisers of more bytes than this are not known; declarations alone may be of any size. */
static const uint64_t INITIAL_BYTES_MAX = UINT64_C(1) << 30;
static const uint64_t VARIABLE_BYTES_MAX = UINT64_C(1) << 40;

struct declaration {
    enum ptx_type type;
    unsigned vector;
    uint64_t align, bytes;
    bool managed, array, open; /* open: name[] */
    struct token name;
};

static void read_attributes(struct reader *reader, struct declaration *one)
{
    struct lexer *lexer = &reader->lexer;
    if (!expect_mark(reader, '(')) return;
    for (; lexer->token.kind != TOKEN_END && !token_is(lexer, ')'); lexer_next(lexer))
        if (token_word(lexer, ".managed")) one->managed = true;
    expect_mark(reader, ')');
}

/* .align 8 .v2 .f32 .attribute(.managed) …, in any order. */
static void read_qualities(struct reader *reader, struct declaration *one)
{
    struct lexer *lexer = &reader->lexer;
    while (lexer->token.kind == TOKEN_WORD && lexer->token.text[0] == '.') {
        struct token word = lexer->token;
        enum ptx_type type = type_of(reader, word.text + 1, word.length - 1);
        lexer_next(lexer);
        if (word.length == 6 && memcmp(word.text, ".align", 6) == 0) {
            one->align = lexer->token.value;
            if (lexer->token.kind != TOKEN_NUMBER || one->align == 0 || one->align > (1 << 20) ||
                (one->align & (one->align - 1)) != 0)
                reader_refuse(reader, "the alignment is not a power of two");
            lexer_next(lexer);
        } else if (word.length == 10 && memcmp(word.text, ".attribute", 10) == 0) {
            read_attributes(reader, one);
        } else if (word.length == 3 && word.text[1] == 'v' &&
                   (word.text[2] == '2' || word.text[2] == '4')) {
            one->vector = (unsigned)(word.text[2] - '0');
        } else if (type != TYPES) {
            one->type = type;
        } else {
            reader_refuse(reader, "'%.*s' is not expected in a declaration", (int)word.length,
                          word.text);
        }
        if (reader->panic) return;
    }
}

static void read_dimensions(struct reader *reader, struct declaration *one)
{
    while (lexer_take(&reader->lexer, '[')) {
        one->array = true;
        if (lexer_take(&reader->lexer, ']')) {
            one->open = true;
            continue;
        }
        uint64_t count = read_expression(reader).bits;
        if (count != 0 && one->bytes > VARIABLE_BYTES_MAX / count)
            reader_refuse(reader, "the array is too large");
        else
            one->bytes *= count;
        expect_mark(reader, ']');
        if (reader->panic) return;
    }
}

/* The bytes of an initialiser while they are read. */
struct initial {
    struct ptx_variable *variable;
    unsigned char *bytes;
    uint64_t at, room;
    unsigned element;
    bool real;
    size_t fixup_room;
};

static void add_fixup(struct reader *reader, struct initial *initial, const struct symbol *to,
                      int64_t add, bool generic, uint64_t shift)
{
    struct ptx_variable *variable = initial->variable;
    struct ptx_fixup *old = variable->fixups;
    if (variable->fixup_count >= initial->fixup_room) {
        initial->fixup_room = initial->fixup_room == 0 ? 8 : initial->fixup_room * 2;
        variable->fixups = arena_new(reader->arena, initial->fixup_room * sizeof *old);
        if (old != NULL) memcpy(variable->fixups, old, variable->fixup_count * sizeof *old);
    }
    variable->fixups[variable->fixup_count++] =
        (struct ptx_fixup){.at = initial->at,
                           .bytes = initial->element,
                           .add = add,
                           .generic = generic,
                           .shift = (uint8_t)shift,
                           .variable = to->kind == SYMBOL_VARIABLE ? to->variable : NULL,
                           .function = to->kind == SYMBOL_FUNCTION ? to->function : NULL};
}

/* name + 4, generic(name) + 4; `shift`: the byte of the address that mask() asks for. */
static void read_address_value(struct reader *reader, struct initial *initial, uint64_t shift)
{
    struct lexer *lexer = &reader->lexer;
    bool generic = token_word(lexer, "generic");
    if (generic) {
        lexer_next(lexer);
        if (!expect_mark(reader, '(')) return;
    }
    struct symbol *to = symbols_find(&reader->names, lexer->token.text, lexer->token.length);
    if (lexer->token.kind != TOKEN_WORD || to == NULL ||
        (to->kind != SYMBOL_VARIABLE && to->kind != SYMBOL_FUNCTION)) {
        reader_refuse(reader, "undefined name '%.*s'", (int)lexer->token.length, lexer->token.text);
        return;
    }
    lexer_next(lexer);
    if (generic && !expect_mark(reader, ')')) return;
    int64_t add = 0;
    if (token_is(lexer, '+') || token_is(lexer, '-')) {
        bool minus = token_is(lexer, '-');
        lexer_next(lexer);
        add = (int64_t)read_expression(reader).bits;
        if (minus) add = (int64_t)(0 - (uint64_t)add);
    }
    add_fixup(reader, initial, to, add, generic, shift);
}

/* 0xFF00(name): one byte of an address. */
static bool read_masked(struct reader *reader, struct initial *initial)
{
    struct lexer *lexer = &reader->lexer;
    if (lexer->token.kind != TOKEN_NUMBER || *lexer->at != '(') return false;
    uint64_t mask = lexer->token.value;
    uint64_t shift = mask == 0 ? 0 : (uint64_t)__builtin_ctzll(mask) / 8 * 8;
    lexer_next(lexer);
    expect_mark(reader, '(');
    read_address_value(reader, initial, shift);
    expect_mark(reader, ')');
    return true;
}

static void read_element(struct reader *reader, struct initial *initial)
{
    if (initial->at + initial->element > initial->room) {
        reader_refuse(reader, "more initial values than elements");
        return;
    }
    if (reader->lexer.token.kind == TOKEN_WORD) {
        read_address_value(reader, initial, 0);
    } else if (!read_masked(reader, initial)) {
        uint64_t bits = value_bits(read_expression(reader), initial->element, initial->real);
        memcpy(initial->bytes + initial->at, &bits, initial->element > 8 ? 8 : initial->element);
    }
    initial->at += initial->element;
}

static void read_elements(struct reader *reader, struct initial *initial)
{
    /* Braces of inner dimensions add nothing: compilers write one flat list. */
    unsigned depth = 0;
    do {
        while (lexer_take(&reader->lexer, '{'))
            depth++;
        if (!token_is(&reader->lexer, '}')) read_element(reader, initial);
        while (depth > 0 && lexer_take(&reader->lexer, '}'))
            depth--;
    } while (!reader->panic && lexer_take(&reader->lexer, ','));
    if (!reader->panic && depth > 0) reader_refuse(reader, "'}' is missing");
}

static void read_initial(struct reader *reader, struct ptx_variable *variable,
                         const struct declaration *one)
{
    struct initial initial = {.variable = variable,
                              .room = variable->bytes,
                              .element = ptx_type_bytes(one->type),
                              .real = ptx_is_real(one->type)};
    if (variable->bytes > INITIAL_BYTES_MAX) {
        reader_unknown(reader, "initial values of a variable of %llu bytes",
                       (unsigned long long)variable->bytes);
        return;
    }
    initial.bytes = arena_new(reader->arena, variable->bytes + 8);
    variable->initial = initial.bytes;
    read_elements(reader, &initial);
}

/* The variable of this name, which may have been declared before. */
static struct ptx_variable *variable_named(struct reader *reader, const struct declaration *one,
                                           enum ptx_space space, bool external)
{
    struct ptx_module *module = reader->module;
    struct symbol *symbol = symbols_here(&reader->names, one->name.text, one->name.length);
    if (symbol != NULL) {
        if (symbol->kind == SYMBOL_VARIABLE && symbol->variable->space == space &&
            (external || symbol->variable->external || symbol->variable->bytes == one->bytes))
            return symbol->variable;
        reader_refuse(reader, "'%.*s' is defined twice", (int)one->name.length, one->name.text);
        return NULL;
    }
    struct ptx_variable *variable = arena_new(reader->arena, sizeof *variable);
    char *name = arena_text(reader->arena, one->name.text, one->name.length);
    symbols_add(&reader->names, SYMBOL_VARIABLE, name, one->name.length)->variable = variable;
    module->variables = arena_grown(module->variables, module->variable_count,
                                    &reader->variable_room, sizeof *module->variables);
    uint32_t index = module->variable_count++;
    module->variables[index] = variable;
    *variable = (struct ptx_variable){.index = index,
                                      .name = name,
                                      .space = (uint8_t)space,
                                      .external = external,
                                      .place = reader->body.place};
    variable->plain_name = plain_variable_name(reader->arena, name);
    return variable;
}

static void add_local(struct reader *reader, const struct declaration *one)
{
    struct body *body = &reader->body;
    uint64_t at = (body->local_bytes + one->align - 1) / one->align * one->align;
    if (body->function == NULL || at + one->bytes > UINT32_MAX / 2) {
        reader_refuse(reader, "local memory for '%.*s' is too large", (int)one->name.length,
                      one->name.text);
        return;
    }
    if (symbols_here(&reader->names, one->name.text, one->name.length) != NULL) {
        reader_refuse(reader, "'%.*s' is defined twice", (int)one->name.length, one->name.text);
        return;
    }
    symbols_add(&reader->names, SYMBOL_LOCAL, one->name.text, one->name.length)->number =
        (uint32_t)at;
    if (body->local_variables++ == 0) {
        body->local_name = one->name.text;
        body->local_name_length = one->name.length;
    }
    body->local_bytes = at + one->bytes;
}

void read_variable(struct reader *reader, enum ptx_space space, bool external)
{
    struct declaration one = {.type = TYPES, .vector = 1};
    read_qualities(reader, &one);
    if (reader->panic) return;
    one.name = reader->lexer.token;
    if (one.name.kind != TOKEN_WORD || one.type == TYPES) {
        reader_refuse(reader, "a declaration needs a type and a name");
        return;
    }
    lexer_next(&reader->lexer);
    one.bytes = (uint64_t)ptx_type_bytes(one.type) * one.vector;
    if (one.align < one.bytes) one.align = one.bytes;
    read_dimensions(reader, &one);
    if (reader->panic) return;
    if (space == SPACE_LOCAL) {
        add_local(reader, &one);
    } else {
        bool dynamic = space == SPACE_SHARED && (one.open || one.bytes == 0);
        if (dynamic) one.bytes = 0;
        struct ptx_variable *variable = variable_named(reader, &one, space, dynamic || external);
        if (variable == NULL) return;
        if (!external || variable->bytes == 0) {
            variable->bytes = one.bytes;
            variable->align = one.align;
            variable->managed = one.managed;
            variable->external = dynamic || external;
        }
        if (lexer_take(&reader->lexer, '=')) read_initial(reader, variable, &one);
    }
    if (!reader->panic) expect_mark(reader, ';');
}
