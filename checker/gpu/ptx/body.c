/*
 * body.c: what is between a function's braces: declarations, scopes, labels, and the branches that
 * name them. Instructions are decode.c's.
 */
#include "gpu/ptx/reader.h"

#include <string.h>

uint32_t new_register(struct reader *reader, unsigned bytes)
{
    struct body *body = &reader->body;
    body->register_bytes =
        arena_grown(body->register_bytes, body->register_count, &body->register_room, 1);
    body->register_bytes[body->register_count] = (uint8_t)bytes;
    return (uint32_t)body->register_count++;
}

static bool is_taken(struct reader *reader, const struct token *name)
{
    if (symbols_here(&reader->names, name->text, name->length) == NULL) return false;
    reader_refuse(reader, "'%.*s' is defined twice", (int)name->length, name->text);
    return true;
}

/* name or name<count> */
static void add_registers(struct reader *reader, unsigned bytes)
{
    struct lexer *lexer = &reader->lexer;
    struct token name = lexer->token;
    if (name.kind != TOKEN_WORD) {
        reader_refuse(reader, "a register needs a name");
        return;
    }
    if (is_taken(reader, &name)) return;
    lexer_next(lexer);
    uint64_t count = 0;
    if (lexer_take(lexer, '<')) {
        count = read_expression(reader).bits;
        expect_mark(reader, '>');
        if (count == 0) return;
    }
    if (count > REGISTERS_MAX || reader->body.register_count + count > REGISTERS_MAX) {
        reader_refuse(reader, "too many registers");
        return;
    }
    struct symbol *symbol = symbols_add(&reader->names, SYMBOL_REGISTER, name.text, name.length);
    symbol->number = (uint32_t)reader->body.register_count;
    symbol->count = (uint32_t)count;
    for (uint64_t k = 0; k < (count == 0 ? 1 : count); k++)
        new_register(reader, bytes);
}

/* .reg .b32 %r<10>, a, b; */
static void read_registers(struct reader *reader)
{
    struct lexer *lexer = &reader->lexer;
    enum ptx_type type = TYPES;
    while (lexer->token.kind == TOKEN_WORD && lexer->token.text[0] == '.') {
        if (token_word(lexer, ".v2") || token_word(lexer, ".v4"))
            reader_unknown(reader, "vector registers");
        type = type_of(reader, lexer->token.text + 1, lexer->token.length - 1);
        lexer_next(lexer);
    }
    if (type == TYPES) reader_refuse(reader, "registers need a type");
    while (!reader->panic) {
        add_registers(reader, ptx_type_bytes(type));
        if (!lexer_take(lexer, ',')) break;
    }
    if (!reader->panic) expect_mark(reader, ';');
}

/* .param .b32 param0; a variable in the area for call parameters. */
static void read_call_variable(struct reader *reader)
{
    struct body *body = &reader->body;
    struct token name;
    struct ptx_param *param = arena_new(reader->arena, sizeof *param);
    *param = read_parameter(reader);
    if (reader->panic) return;
    param->at = (body->call_top + param->align - 1) / param->align * param->align;
    body->call_top = param->at + param->bytes;
    if (body->call_top > CALL_AREA_MAX) {
        reader_refuse(reader, "too many parameters");
        return;
    }
    if (body->call_top > body->function->call_bytes) body->function->call_bytes = body->call_top;
    name = (struct token){.text = param->name, .length = (uint32_t)strlen(param->name)};
    if (is_taken(reader, &name)) return;
    symbols_add(&reader->names, SYMBOL_PARAM, param->name, name.length)->param = param;
    expect_mark(reader, ';');
}

static int32_t new_label(struct reader *reader, const struct token *name)
{
    struct body *body = &reader->body;
    symbols_add(&reader->names, SYMBOL_LABEL, name->text, name->length)->number =
        (uint32_t)body->label_count;
    body->labels =
        arena_grown(body->labels, body->label_count, &body->label_room, sizeof *body->labels);
    body->labels[body->label_count] = (int32_t)body->count;
    return (int32_t)body->label_count++;
}

/* .branchtargets A, B, C; */
static void read_targets(struct reader *reader, const struct token *name)
{
    struct lexer *lexer = &reader->lexer;
    struct targets *targets = arena_new(reader->arena, sizeof *targets);
    symbols_add(&reader->names, SYMBOL_TARGETS, name->text, name->length)->targets = targets;
    *targets = (struct targets){
        .line = lexer->token.line, .depth = reader->names.depth, .next = reader->body.targets};
    reader->body.targets = targets;
    do {
        if (lexer->token.kind != TOKEN_WORD) {
            reader_refuse(reader, "a label is expected");
            return;
        }
        if (targets->count >= targets->room) {
            struct target_name *old = targets->names;
            targets->room = targets->room == 0 ? 16 : targets->room * 2;
            targets->names = arena_new(reader->arena, targets->room * sizeof *old);
            if (old != NULL) memcpy(targets->names, old, targets->count * sizeof *old);
        }
        targets->names[targets->count++] = (struct target_name){
            .name = lexer->token.text, .length = lexer->token.length, .label = -1};
        lexer_next(lexer);
    } while (lexer_take(lexer, ','));
    expect_mark(reader, ';');
}

static void skip_statement(struct reader *reader)
{
    while (reader->lexer.token.kind != TOKEN_END && !token_is(&reader->lexer, ';') &&
           !token_is(&reader->lexer, '}'))
        lexer_next(&reader->lexer);
    expect_mark(reader, ';');
}

/* The token follows "name:". */
static void read_labelled(struct reader *reader, struct token name)
{
    struct lexer *lexer = &reader->lexer;
    if (is_taken(reader, &name)) return;
    if (token_word(lexer, ".callprototype")) {
        lexer_next(lexer);
        struct ptx_function *prototype = read_prototype(reader);
        symbols_add(&reader->names, SYMBOL_PROTOTYPE, name.text, name.length)->function = prototype;
        if (!reader->panic) expect_mark(reader, ';');
    } else if (token_word(lexer, ".branchtargets")) {
        lexer_next(lexer);
        read_targets(reader, &name);
    } else if (token_word(lexer, ".calltargets")) {
        symbols_add(&reader->names, SYMBOL_OTHER, name.text, name.length);
        skip_statement(reader);
    } else {
        new_label(reader, &name);
    }
}

/* Which label a name means in the scope that is about to be closed; -1: none there. */
static int32_t label_here(const struct reader *reader, const char *name, uint32_t length)
{
    const struct symbol *symbol = symbols_here(&reader->names, name, length);
    return symbol == NULL || symbol->kind != SYMBOL_LABEL ? -1 : (int32_t)symbol->number;
}

/* Branches of the innermost scope find their labels there, or go on looking in the scope around it.
 */
static void resolve_labels(struct reader *reader)
{
    struct body *body = &reader->body;
    uint32_t depth = reader->names.depth;
    size_t kept = 0;
    for (size_t k = 0; k < body->jump_count; k++) {
        struct jump jump = body->jumps[k];
        int32_t label = jump.depth < depth ? -1 : label_here(reader, jump.name, jump.length);
        if (label >= 0) {
            body->code[jump.instruction].target = body->labels[label];
            continue;
        }
        if (jump.depth >= depth) jump.depth = depth - 1;
        body->jumps[kept++] = jump;
    }
    body->jump_count = kept;
    for (struct targets *one = body->targets; one != NULL; one = one->next) {
        for (uint32_t k = 0; one->depth >= depth && k < one->count; k++)
            if (one->names[k].label < 0)
                one->names[k].label = label_here(reader, one->names[k].name, one->names[k].length);
        if (one->depth >= depth) one->depth = depth - 1;
    }
}

static void close_scope(struct reader *reader)
{
    resolve_labels(reader);
    symbols_close(&reader->names);
}

static void read_declaration(struct reader *reader)
{
    struct lexer *lexer = &reader->lexer;
    struct token word = lexer->token;
    bool reg = token_word(lexer, ".reg"), param = token_word(lexer, ".param"),
         loc = token_word(lexer, ".loc");
    bool local = token_word(lexer, ".local"), shared = token_word(lexer, ".shared"),
         global = token_word(lexer, ".global");
    bool constant = token_word(lexer, ".const"), line = token_word(lexer, ".file");
    bool external = token_word(lexer, ".extern"), pragma = token_word(lexer, ".pragma");
    if (line) {
        lexer_skip_line(lexer);
        return;
    }
    lexer_next(lexer);
    if (reg)
        read_registers(reader);
    else if (param)
        read_call_variable(reader);
    else if (loc)
        read_loc(reader);
    else if (local)
        read_variable(reader, SPACE_LOCAL, false);
    else if (shared)
        read_variable(reader, SPACE_SHARED, false);
    else if (global)
        read_variable(reader, SPACE_GLOBAL, false);
    else if (constant)
        read_variable(reader, SPACE_CONST, false);
    else if (external && token_word(lexer, ".shared")) {
        lexer_next(lexer);
        read_variable(reader, SPACE_SHARED, true);
    } else if (pragma)
        skip_statement(reader);
    else
        reader_refuse(reader, "'%.*s' is not expected here", (int)word.length, word.text);
}

/* After an error in a statement: to its semicolon, or to a brace. */
static void recover(struct reader *reader)
{
    struct lexer *lexer = &reader->lexer;
    while (lexer->token.kind != TOKEN_END && !token_is(lexer, ';') && !token_is(lexer, '}'))
        lexer_next(lexer);
    lexer_take(lexer, ';');
    reader->panic = false;
}

static bool is_label(const struct lexer *lexer)
{
    if (lexer->token.kind != TOKEN_WORD || lexer->token.text[0] == '.') return false;
    const char *at = lexer->at;
    while (at < lexer->end && (*at == ' ' || *at == '\t'))
        at++;
    return *at == ':';
}

static void read_statement(struct reader *reader)
{
    struct lexer *lexer = &reader->lexer;
    reader->statement_line = lexer->token.line;
    if (lexer_take(lexer, ';')) return;
    if (is_label(lexer)) {
        struct token name = lexer->token;
        lexer_next(lexer);
        lexer_next(lexer);
        read_labelled(reader, name);
    } else if (lexer->token.kind == TOKEN_WORD && lexer->token.text[0] == '.') {
        read_declaration(reader);
    } else {
        read_instruction(reader);
    }
    if (reader->panic) recover(reader);
}

/* Statements and inner scopes up to the brace that closes the body. */
static void read_statements(struct reader *reader)
{
    struct lexer *lexer = &reader->lexer;
    uint32_t tops[SCOPES_MAX], first = reader->names.depth;
    while (lexer->token.kind != TOKEN_END) {
        uint32_t depth = reader->names.depth;
        if (token_is(lexer, '{')) {
            if (depth + 1 - first >= SCOPES_MAX) {
                reader_refuse(reader, "too many scopes");
                return;
            }
            tops[depth - first] = reader->body.call_top;
            symbols_open(&reader->names);
        } else if (token_is(lexer, '}')) {
            if (depth == first) return;
            close_scope(reader);
            reader->body.call_top = tops[depth - 1 - first];
        } else {
            read_statement(reader);
            continue;
        }
        lexer_next(lexer);
    }
    reader_refuse(reader, "the end of a function is missing");
}

/* Labels that nothing defined, and brx.idx's lists as indices of instructions. */
static void finish_branches(struct reader *reader)
{
    enum { TARGETS_MAX = 1 << 20 };
    struct body *body = &reader->body;
    size_t all = 0;
    for (size_t k = 0; k < body->jump_count; k++) {
        const struct ptx_instruction *from = &body->code[body->jumps[k].instruction];
        note_error(reader, from->text_line, from->place, false, "undefined label '%.*s'",
                   (int)body->jumps[k].length, body->jumps[k].name);
    }
    for (size_t k = 0; k < body->count; k++) {
        struct ptx_instruction *one = &body->code[k];
        if (one->opcode != OP_brx) continue;
        const struct targets *list = (const struct targets *)one->detail;
        one->detail = NULL;
        all += list->count;
        if (all > TARGETS_MAX) {
            note_error(reader, list->line, one->place, true, "brx.idx with this many targets");
            return;
        }
        one->targets = arena_new(reader->arena, ((size_t)list->count + 1) * sizeof *one->targets);
        for (uint32_t t = 0; t < list->count; t++) {
            if (list->names[t].label < 0)
                note_error(reader, list->line, one->place, false, "undefined label '%.*s'",
                           (int)list->names[t].length, list->names[t].name);
            one->targets[t] = list->names[t].label < 0 ? 0 : body->labels[list->names[t].label];
        }
        one->targets[list->count] = -1;
    }
}

/* The code ends with a return, which is added after the last instruction. */
static void add_return(struct reader *reader)
{
    struct body *body = &reader->body;
    struct ptx_instruction end = {.guard = -1,
                                  .opcode = OP_ret,
                                  .flow = FLOW_RETURN,
                                  .access = -1,
                                  .joined = -1,
                                  .target = -1,
                                  .place = body->place,
                                  .text_line = reader->lexer.token.line};
    end.text = (uint32_t)(reader->lexer.token.text - reader->module->text);
    body->code = arena_grown(body->code, body->count, &body->room, sizeof *body->code);
    body->code[body->count++] = end;
}

static void begin_body(struct reader *reader, struct ptx_function *function)
{
    struct body *body = &reader->body;
    body->function = function;
    body->count = body->element_count = body->register_count = body->label_count =
        body->jump_count = 0;
    body->targets = NULL;
    body->call_top = function->call_bytes;
    body->local_bytes = 0;
    body->local_variables = 0;
    places_function(reader);
    struct ptx_param *lists[2] = {function->params, function->results};
    uint32_t counts[2] = {function->param_count, function->result_count};
    for (int list = 0; list < 2; list++)
        for (uint32_t k = 0; k < counts[list]; k++)
            symbols_add(&reader->names, SYMBOL_PARAM, lists[list][k].name,
                        strlen(lists[list][k].name))
                ->param = &lists[list][k];
}

void read_body(struct reader *reader, struct ptx_function *function)
{
    struct body *body = &reader->body;
    uint32_t errors = reader->module->error_count;
    symbols_open(&reader->names);
    begin_body(reader, function);
    lexer_next(&reader->lexer);
    read_statements(reader);
    while (reader->names.depth > 1)
        close_scope(reader);
    resolve_labels(reader);
    symbols_close(&reader->names);
    add_return(reader);
    finish_branches(reader);
    if (reader->module->error_count == errors) {
        fold_local(reader);
        drop_moves(reader);
        find_spaces(reader);
        lay_out(reader);
        find_unused(reader);
        join_loads(reader);
        find_waits(reader);
        allocate_registers(reader);
        finish_body(reader);
    }
    body->function = NULL;
    body->place = 0;
    if (!reader->panic) expect_mark(reader, '}');
}
