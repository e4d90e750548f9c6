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
    uint64_t align, bytes;
    bool managed, array, open; /* open: name[] */
    struct token name;
};

/* .align 8 .v2 .f32 .attribute(.managed) …, in any order. */
static void read_qualities(struct reader *reader, struct declaration *one)
{
    struct lexer *lexer = &reader->lexer;
    unsigned vector = 1;
    while (token_directive(lexer) && !reader->panic) {
        enum ptx_type type = type_of(reader, &lexer->token);
        if (lexer_take_word(lexer, ".align")) {
            one->align = lexer->token.value;
            if (lexer->token.kind != TOKEN_NUMBER || one->align == 0 || one->align > (1 << 20) ||
                (one->align & (one->align - 1)) != 0)
                reader_refuse(reader, "the alignment is not a power of two");
        } else if (lexer_take_word(lexer, ".attribute")) {
            if (!expect_mark(reader, '(')) return;
            for (; lexer->token.kind != TOKEN_END && !token_is(lexer, ')'); lexer_next(lexer))
                one->managed |= token_word(lexer, ".managed");
        } else if (token_word(lexer, ".v2") || token_word(lexer, ".v4")) {
            vector = token_word(lexer, ".v2") ? 2 : 4;
        } else if (type != TYPES) {
            one->type = type;
        } else {
            reader_refuse(reader, "'%.*s' is not expected in a declaration",
                          (int)lexer->token.length, lexer->token.text);
        }
        lexer_next(lexer);
    }
    one->bytes = (uint64_t)ptx_type_bytes(one->type) * vector;
    if (one->align < one->bytes) one->align = one->bytes;
}

static void read_dimensions(struct reader *reader, struct declaration *one)
{
    while (!reader->panic && lexer_take(&reader->lexer, '[')) {
        one->array = true;
        one->open |= token_is(&reader->lexer, ']');
        if (lexer_take(&reader->lexer, ']')) continue;
        uint64_t count = read_expression(reader).bits;
        if (count != 0 && one->bytes > VARIABLE_BYTES_MAX / count)
            reader_refuse(reader, "the array is too large");
        else
            one->bytes *= count;
        expect_mark(reader, ']');
    }
}

/* ---- initial values ------------------------------------------------------------------------- */

/* The bytes of an initialiser while they are read. */
struct initial {
    struct ptx_variable *variable;
    unsigned char *bytes;
    uint64_t at;
    unsigned element;
    bool real;
    struct ptx_fixup *fixups;
    size_t room;
};

/* name + 4, generic(name) + 4; `shift`: the byte of the address that mask() asks for. */
static void read_address_value(struct reader *reader, struct initial *initial, unsigned shift)
{
    bool generic = lexer_take_word(&reader->lexer, "generic");
    if (generic && !expect_mark(reader, '(')) return;
    struct symbol *to = named_symbol(reader);
    if (to == NULL || (to->kind != SYMBOL_VARIABLE && to->kind != SYMBOL_FUNCTION)) {
        refuse_name(reader, "undefined name", &reader->lexer.token);
        return;
    }
    lexer_next(&reader->lexer);
    if (generic && !expect_mark(reader, ')')) return;
    struct ptx_fixup fixup = {.at = initial->at,
                              .bytes = initial->element,
                              .add = read_offset(reader),
                              .generic = generic,
                              .shift = (uint8_t)shift,
                              .variable = to->kind == SYMBOL_VARIABLE ? to->variable : NULL,
                              .function = to->kind == SYMBOL_FUNCTION ? to->function : NULL};
    ADD(initial->fixups, initial->variable->fixup_count, initial->room) = fixup;
}

static void read_element(struct reader *reader, struct initial *initial)
{
    struct lexer *lexer = &reader->lexer;
    if (initial->at + initial->element > initial->variable->bytes) {
        reader_refuse(reader, "more initial values than elements");
    } else if (lexer->token.kind == TOKEN_WORD) {
        read_address_value(reader, initial, 0);
    } else if (lexer->token.kind == TOKEN_NUMBER && *lexer->at == '(') {
        /* 0xFF00(name): one byte of an address. */
        uint64_t mask = lexer->token.value;
        lexer_next(lexer);
        expect_mark(reader, '(');
        read_address_value(reader, initial,
                           mask == 0 ? 0 : (unsigned)__builtin_ctzll(mask) / 8 * 8);
        expect_mark(reader, ')');
    } else {
        uint64_t bits = value_bits(read_expression(reader), initial->element, initial->real);
        memcpy(initial->bytes + initial->at, &bits, initial->element > 8 ? 8 : initial->element);
    }
    initial->at += initial->element;
}

static void read_initial(struct reader *reader, struct ptx_variable *variable, enum ptx_type type)
{
    struct initial initial = {
        .variable = variable, .element = ptx_type_bytes(type), .real = ptx_is_real(type)};
    if (variable->bytes > INITIAL_BYTES_MAX) {
        reader_unknown(reader, "initial values of a variable of %llu bytes",
                       (unsigned long long)variable->bytes);
        return;
    }
    variable->initial = initial.bytes = arena_new(reader->arena, variable->bytes + 8);
    /* Braces of inner dimensions add nothing: compilers write one flat list. */
    unsigned depth = 0;
    do {
        while (lexer_take(&reader->lexer, '{'))
            depth++;
        if (!token_is(&reader->lexer, '}')) read_element(reader, &initial);
        while (depth > 0 && lexer_take(&reader->lexer, '}'))
            depth--;
    } while (!reader->panic && lexer_take(&reader->lexer, ','));
    if (depth > 0) reader_refuse(reader, "'}' is missing");
    variable->fixups = arena_settled(reader->arena, initial.fixups,
                                     variable->fixup_count * sizeof *variable->fixups);
}

/* ---- declarations --------------------------------------------------------------------------- */

/* The variable of this name, which may have been declared before. */
static struct ptx_variable *variable_named(struct reader *reader, const struct declaration *one,
                                           enum ptx_space space, bool external)
{
    struct ptx_module *module = reader->module;
    struct symbol *symbol = symbols_here(&reader->names, one->name.text, one->name.length);
    if (symbol != NULL && symbol->kind == SYMBOL_VARIABLE && symbol->variable->space == space &&
        (external || symbol->variable->external || symbol->variable->bytes == one->bytes))
        return symbol->variable;
    if (is_taken(reader, &one->name)) return NULL;
    struct ptx_variable *variable = arena_new(reader->arena, sizeof *variable);
    char *name = arena_text(reader->arena, one->name.text, one->name.length);
    symbols_add(&reader->names, SYMBOL_VARIABLE, name, one->name.length)->variable = variable;
    *variable = (struct ptx_variable){.index = module->variable_count,
                                      .name = name,
                                      .plain_name = plain_variable_name(reader->arena, name),
                                      .space = (uint8_t)space,
                                      .external = external,
                                      .function = reader->body.function,
                                      .location = reader->body.location};
    ADD(module->variables, module->variable_count, reader->variable_room) = variable;
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
    if (is_taken(reader, &one->name)) return;
    symbols_add(&reader->names, SYMBOL_LOCAL, one->name.text, one->name.length)->number =
        (uint32_t)at;
    if (body->local_variables++ == 0) body->local_name = one->name;
    body->local_bytes = at + one->bytes;
}

void read_variable(struct reader *reader, enum ptx_space space, bool external)
{
    struct declaration one = {.type = TYPES};
    read_qualities(reader, &one);
    one.name = reader->lexer.token;
    if (one.name.kind != TOKEN_WORD || one.type == TYPES)
        reader_refuse(reader, "a declaration needs a type and a name");
    if (reader->panic) return;
    lexer_next(&reader->lexer);
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
            variable->array = one.array;
            variable->external = dynamic || external;
        }
        if (lexer_take(&reader->lexer, '=')) read_initial(reader, variable, one.type);
    }
    if (!reader->panic) expect_mark(reader, ';');
}
