/*
 * body.c: what is between a function's braces: declarations, scopes, labels, and the branches that
 * name them. Instructions are decode.c's. Then the passes over the function's code, and its move
 * into the module.
 */
#include "gpu/ptx/reader.h"

#include <string.h>

/* ---- declarations --------------------------------------------------------------------------- */

/* name or name<count> */
static void add_registers(struct reader *reader, unsigned bytes)
{
    struct lexer *lexer = &reader->lexer;
    struct token name = lexer->token;
    uint64_t count = 0;
    if (name.kind != TOKEN_WORD) reader_refuse(reader, "a register needs a name");
    if (reader->panic || is_taken(reader, &name)) return;
    lexer_next(lexer);
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
    for (; token_directive(lexer); lexer_next(lexer)) {
        if (token_word(lexer, ".v2") || token_word(lexer, ".v4"))
            reader_unknown(reader, "vector registers");
        type = type_of(reader, &lexer->token);
    }
    if (type == TYPES) reader_refuse(reader, "registers need a type");
    do {
        if (!reader->panic) add_registers(reader, ptx_type_bytes(type));
    } while (!reader->panic && lexer_take(lexer, ','));
    if (!reader->panic) expect_mark(reader, ';');
}

/* .param .b32 param0; a variable in the area for call parameters. */
static void read_call_variable(struct reader *reader)
{
    struct body *body = &reader->body;
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
    struct token name = {.text = param->name, .length = (uint32_t)strlen(param->name)};
    if (is_taken(reader, &name)) return;
    symbols_add(&reader->names, SYMBOL_PARAM, param->name, name.length)->param = param;
    expect_mark(reader, ';');
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
        if (lexer->token.kind != TOKEN_WORD) reader_refuse(reader, "a label is expected");
        ADD(targets->names, targets->count, targets->room) = (struct target_name){
            .name = lexer->token.text, .length = lexer->token.length, .label = -1};
        lexer_next(lexer);
    } while (!reader->panic && lexer_take(lexer, ','));
    targets->names =
        arena_settled(reader->arena, targets->names, targets->count * sizeof *targets->names);
    if (!reader->panic) expect_mark(reader, ';');
}

static void skip_statement(struct reader *reader)
{
    while (reader->lexer.token.kind != TOKEN_END && !token_is(&reader->lexer, ';') &&
           !token_is(&reader->lexer, '}'))
        lexer_next(&reader->lexer);
}

/* The token follows "name:". */
static void read_labelled(struct reader *reader, struct token name)
{
    struct lexer *lexer = &reader->lexer;
    struct body *body = &reader->body;
    if (is_taken(reader, &name)) return;
    if (lexer_take_word(lexer, ".callprototype")) {
        struct ptx_function *prototype = read_prototype(reader);
        symbols_add(&reader->names, SYMBOL_PROTOTYPE, name.text, name.length)->function = prototype;
        if (!reader->panic) expect_mark(reader, ';');
    } else if (lexer_take_word(lexer, ".branchtargets")) {
        read_targets(reader, &name);
    } else if (token_word(lexer, ".calltargets")) {
        symbols_add(&reader->names, SYMBOL_OTHER, name.text, name.length);
        skip_statement(reader);
        expect_mark(reader, ';');
    } else {
        symbols_add(&reader->names, SYMBOL_LABEL, name.text, name.length)->number =
            (uint32_t)body->label_count;
        ADD(body->labels, body->label_count, body->label_room) = (int32_t)body->count;
    }
}

static void read_declaration(struct reader *reader)
{
    struct lexer *lexer = &reader->lexer;
    struct token word = lexer->token;
    if (token_word(lexer, ".file")) {
        lexer_skip_line(lexer);
    } else if (lexer_take_word(lexer, ".reg")) {
        read_registers(reader);
    } else if (lexer_take_word(lexer, ".param")) {
        read_call_variable(reader);
    } else if (lexer_take_word(lexer, ".loc")) {
        read_loc(reader);
    } else if (lexer_take_word(lexer, ".local")) {
        read_variable(reader, SPACE_LOCAL, false);
    } else if (lexer_take_word(lexer, ".shared")) {
        read_variable(reader, SPACE_SHARED, false);
    } else if (lexer_take_word(lexer, ".global")) {
        read_variable(reader, SPACE_GLOBAL, false);
    } else if (lexer_take_word(lexer, ".const")) {
        read_variable(reader, SPACE_CONST, false);
    } else if (lexer_take_word(lexer, ".extern") && lexer_take_word(lexer, ".shared")) {
        read_variable(reader, SPACE_SHARED, true);
    } else if (lexer_take_word(lexer, ".pragma")) {
        skip_statement(reader);
        expect_mark(reader, ';');
    } else {
        reader_refuse(reader, "'%.*s' is not expected here", (int)word.length, word.text);
    }
}

/* ---- labels --------------------------------------------------------------------------------- */

/* Which label a name means in the scope that is about to be closed; -1: none there. */
static int32_t label_here(const struct reader *reader, const char *name, uint32_t length)
{
    const struct symbol *symbol = symbols_here(&reader->names, name, length);
    return symbol == NULL || symbol->kind != SYMBOL_LABEL ? -1 : (int32_t)symbol->number;
}

/* Closes the innermost scope: branches of it find their labels there, or go on looking in the scope
 * around it. */
static void close_scope(struct reader *reader)
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
    symbols_close(&reader->names);
}

/* Labels that nothing defined, and brx.idx's lists as indices of instructions. */
static void finish_branches(struct reader *reader)
{
    enum { TARGETS_MAX = 1 << 20 };
    struct body *body = &reader->body;
    size_t all = 0;
    for (size_t k = 0; k < body->jump_count; k++) {
        const struct ptx_instruction *from = &body->code[body->jumps[k].instruction];
        note_error(reader, from->text_line, from->location, false, "undefined label '%.*s'",
                   (int)body->jumps[k].length, body->jumps[k].name);
    }
    for (size_t k = 0; k < body->count; k++) {
        struct ptx_instruction *one = &body->code[k];
        if (one->opcode != OP_brx) continue;
        const struct targets *list = (const struct targets *)one->detail;
        one->detail = NULL;
        all += list->count;
        if (all > TARGETS_MAX) {
            note_error(reader, list->line, one->location, true, "brx.idx with this many targets");
            return;
        }
        one->targets = arena_new(reader->arena, (list->count + 1) * sizeof *one->targets);
        for (uint32_t t = 0; t < list->count; t++) {
            int32_t label = list->names[t].label;
            if (label < 0)
                note_error(reader, list->line, one->location, false, "undefined label '%.*s'",
                           (int)list->names[t].length, list->names[t].name);
            one->targets[t] = label < 0 ? 0 : body->labels[label];
        }
        one->targets[list->count] = -1;
    }
}

/* ---- statements ----------------------------------------------------------------------------- */

static bool is_label(const struct lexer *lexer)
{
    if (lexer->token.kind != TOKEN_WORD || lexer->token.text[0] == '.') return false;
    return lexer->at[strspn(lexer->at, " \t")] == ':';
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
    } else if (token_directive(lexer)) {
        read_declaration(reader);
    } else {
        read_instruction(reader);
    }
    if (!reader->panic) return;
    skip_statement(reader); /* after an error: to its semicolon, or to a brace */
    lexer_take(lexer, ';');
    reader->panic = false;
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

/* ---- the function --------------------------------------------------------------------------- */

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
    locations_function(reader);
    for (uint32_t k = 0; k < function->param_count + function->result_count; k++) {
        const struct ptx_param *param = k < function->param_count
                                            ? &function->params[k]
                                            : &function->results[k - function->param_count];
        symbols_add(&reader->names, SYMBOL_PARAM, param->name, strlen(param->name))->param = param;
    }
}

/* The code ends with a return, which is added after the last instruction. */
static void add_return(struct reader *reader)
{
    struct body *body = &reader->body;
    ADD(body->code, body->count, body->room) = (struct ptx_instruction){
        .guard = -1,
        .opcode = OP_ret,
        .flow = FLOW_RETURN,
        .access = -1,
        .joined = -1,
        .target = -1,
        .location = body->location,
        .text = (uint32_t)(reader->lexer.token.text - reader->module->text),
        .text_line = reader->lexer.token.line};
}

/* The fields that executors look at first. */
static void set_shortcuts(struct ptx_instruction *one)
{
    int32_t *at[4] = {&one->d, &one->a, &one->b, &one->c};
    uint8_t *base[4] = {&one->d_base, &one->a_base, &one->b_base, &one->c_base};
    for (int k = 0; k < 4 && k < one->operand_count; k++) {
        *at[k] = one->operand[k].at;
        *base[k] = one->operand[k].base;
    }
    for (int k = one->operand_count; k-- > 0;)
        if (one->operand[k].kind == OPERAND_ADDRESS || one->operand[k].kind == OPERAND_PARAM)
            one->offset = one->operand[k].offset;
}

/* The code moves into the module when all its passes are done. */
static void finish_body(struct reader *reader)
{
    struct body *body = &reader->body;
    struct ptx_function *function = body->function;
    for (size_t k = 0; k < body->count; k++) {
        set_shortcuts(&body->code[k]);
        if (body->code[k].access >= 0)
            body->code[k].access = (int32_t)reader->module->access_count++;
    }
    function->code = arena_new(reader->arena, body->count * sizeof *function->code);
    memcpy(function->code, body->code, body->count * sizeof *function->code);
    function->code_count = (uint32_t)body->count;
    function->elements = arena_new(reader->arena, body->element_count * sizeof *function->elements);
    if (body->element_count != 0)
        memcpy(function->elements, body->elements,
               body->element_count * sizeof *function->elements);
    function->local_bytes = (uint32_t)((body->local_bytes + 15) / 16 * 16);
}

void read_body(struct reader *reader, struct ptx_function *function)
{
    static void (*const passes[])(struct reader *) = {
        fold_local,    drop_moves,         find_spaces, lay_out,    find_unused,
        find_expected, find_indexed,       join_loads,  find_waits, find_fused,
        find_together, allocate_registers, finish_body};
    uint32_t errors = reader->module->error_count;
    symbols_open(&reader->names);
    begin_body(reader, function);
    lexer_next(&reader->lexer);
    read_statements(reader);
    while (reader->names.depth > 0)
        close_scope(reader);
    add_return(reader);
    finish_branches(reader);
    for (size_t k = 0; k < sizeof passes / sizeof passes[0]; k++)
        if (reader->module->error_count == errors) passes[k](reader);
    reader->body.function = NULL;
    reader->body.location = 0;
    if (!reader->panic) expect_mark(reader, '}');
}
