/*
 * decode.c: an instruction's text as struct ptx_instruction: guard, opcode with its types and
 * modifiers, operands by its form (words.h), what it accesses, and what it does to control.
 */
#include "gpu/ptx/reader.h"

#include <string.h>

/* ---- The opcode and its modifiers ------------------------------------------------- */

static int space_of(enum ptx_modifier modifier)
{
    switch (modifier) {
    case M_global: return SPACE_GLOBAL;
    case M_shared:
    case M_shared_cta:
    case M_shared_cluster: return SPACE_SHARED;
    case M_local: return SPACE_LOCAL;
    case M_param:
    case M_param_entry:
    case M_param_func: return SPACE_PARAM;
    case M_const: return SPACE_CONST;
    default: return -1;
    }
}

/* One part of an opcode's word: a type or a modifier. False: it is not known. */
static bool read_part(struct reader *reader, struct ptx_instruction *one, const char *text,
                      size_t length)
{
    int type = word_of(reader, SYMBOL_TYPE, text, length);
    int modifier = word_of(reader, SYMBOL_MODIFIER, text, length);
    if (type >= 0 && one->type_count < TYPES_MAX) {
        one->types[one->type_count++] = (uint8_t)type;
        return true;
    }
    if (type >= 0 || modifier < 0 || one->modifier_count >= MODIFIERS_MAX) return false;
    one->modifiers[one->modifier_count++] = (uint8_t)modifier;
    int space = space_of((enum ptx_modifier)modifier);
    if (space >= 0 && one->space == SPACE_GENERIC) one->space = (uint8_t)space;
    if (modifier == M_v2) one->vector = 2;
    if (modifier == M_v4) one->vector = 4;
    if (modifier == M_v8) one->vector = 8;
    return true;
}

static bool read_parts(struct reader *reader, struct ptx_instruction *one, const char *at,
                       const char *end)
{
    while (at < end) {
        const char *dot = memchr(at, '.', (size_t)(end - at));
        if (dot == NULL) dot = end;
        if (!read_part(reader, one, at, (size_t)(dot - at))) return false;
        at = dot + 1;
    }
    return true;
}

static bool read_opcode(struct reader *reader, struct ptx_instruction *one)
{
    struct lexer *lexer = &reader->lexer;
    struct token word = lexer->token;
    if (word.kind != TOKEN_WORD) {
        reader_refuse(reader, "an instruction is expected");
        return false;
    }
    const char *end = word.text + word.length, *dot = memchr(word.text, '.', word.length);
    size_t length = (size_t)((dot == NULL ? end : dot) - word.text);
    int opcode = word_of(reader, SYMBOL_OPCODE, word.text, length);
    one->opcode = (uint8_t)opcode;
    bool valid = opcode >= 0 && (dot == NULL || read_parts(reader, one, dot + 1, end));
    lexer_next(lexer);
    for (; token_directive(lexer); lexer_next(lexer)) {
        end = lexer->token.text + lexer->token.length;
        valid = valid && read_parts(reader, one, lexer->token.text + 1, end);
    }
    if (!valid) reader_unknown(reader, "%.*s", (int)(end - word.text), word.text);
    return valid;
}

/* ---- Operands ------------------------------------------------------------------------------- */

static void add_operand(struct reader *reader, struct ptx_instruction *one,
                        struct ptx_operand operand)
{
    if (one->operand_count >= OPERANDS_MAX) {
        reader_refuse(reader, "too many operands");
        return;
    }
    one->operand[one->operand_count++] = operand;
}

/* [address], or [texture, {coordinates}], which makes two or three operands: the handles are
 * values. */
static void read_bracket(struct reader *reader, struct ptx_instruction *one)
{
    struct ptx_operand operand = read_address(reader);
    if (!reader->panic && token_is(&reader->lexer, ',')) {
        if (operand.offset != 0 || operand.local)
            reader_refuse(reader, "a texture's handle has no offset");
        operand.kind = operand.kind == OPERAND_ADDRESS ? OPERAND_VALUE : operand.kind;
        add_operand(reader, one, operand);
        while (!reader->panic && lexer_take(&reader->lexer, ','))
            add_operand(reader, one, read_operand(reader, 4, false));
    } else if (!reader->panic) {
        add_operand(reader, one, operand);
    }
    if (!reader->panic) expect_mark(reader, ']');
}

/* The size of a number that is the operand for this letter of the form. */
static unsigned bytes_of(const struct ptx_instruction *one, char letter, bool *real)
{
    enum ptx_type last = one->type_count == 0 ? TYPES : one->types[one->type_count - 1];
    enum ptx_type first = one->type_count == 0 ? TYPES : one->types[0];
    enum ptx_type type = letter == 'f' ? first : last;
    *real = false;
    switch (letter) {
    case 'u':
    case 'x': return 4;
    case 'q': return 8;
    case 'p': return 0;
    default: break;
    }
    *real = ptx_is_real(type) && type != TYPE_tf32;
    if (type == TYPE_pred) return 0;
    unsigned bytes = type == TYPES ? 4 : ptx_type_bytes(type);
    return letter == 'w' && ptx_has(one, M_wide) ? bytes * 2 : bytes;
}

/* mov.b64 d, {a, b}: each element is a part of it. */
static unsigned element_bytes(const struct reader *reader, const struct ptx_instruction *one,
                              unsigned bytes)
{
    if (one->opcode != OP_mov || one->vector != 1) return bytes;
    unsigned count = 1;
    for (const char *at = reader->lexer.at; at < reader->lexer.end && *at != '}' && *at != ';';
         at++)
        count += *at == ',';
    return bytes / count < 1 ? 1 : bytes / count;
}

static void read_by_letter(struct reader *reader, struct ptx_instruction *one, char letter)
{
    bool real, bracket = token_is(&reader->lexer, '[');
    unsigned bytes = bytes_of(one, letter, &real);
    if (bracket && letter != 'A' && letter != 'T' && letter != 'x') {
        reader_refuse(reader, "no address is expected here");
    } else if (!bracket && (letter == 'A' || letter == 'T')) {
        reader_refuse(reader, "an address is expected");
    } else if (bracket) {
        read_bracket(reader, one);
    } else {
        if (token_is(&reader->lexer, '{')) {
            if (letter != 'v' && letter != 'x') reader_refuse(reader, "no vector is expected here");
            bytes = element_bytes(reader, one, bytes);
        }
        if (!reader->panic) add_operand(reader, one, read_operand(reader, bytes, real));
    }
}

static void read_operands(struct reader *reader, struct ptx_instruction *one, const char *form)
{
    struct lexer *lexer = &reader->lexer;
    bool optional = false, result = false, first = true;
    for (; *form != '\0' && !reader->panic; form++) {
        if (*form == '=') {
            result = true;
        } else if (*form == '?') {
            optional = true;
        } else if (*form == '|') {
            form++;
            if (!lexer_take(lexer, '|')) continue;
            read_by_letter(reader, one, *form);
            one->results++;
        } else {
            if (!first && !lexer_take(lexer, ',')) {
                if (!optional) reader_refuse(reader, "an operand is missing");
                return;
            }
            if (first && token_is(lexer, ';')) {
                if (!optional) reader_refuse(reader, "an operand is missing");
                return;
            }
            first = false;
            read_by_letter(reader, one, *form);
            if (result) one->results = 1;
            result = false;
        }
    }
    if (!reader->panic && token_is(lexer, ',')) reader_refuse(reader, "too many operands");
}

/* ---- What it does --------------------------------------------------------------------------- */

#define X(name, form, flow) {form, FLOW_##flow},
static const struct {
    const char *form;
    uint8_t flow;
} instructions[] = {PTX_INSTRUCTIONS(X)};
#undef X

static enum ptx_flow flow_of(const struct ptx_instruction *one)
{
    switch (one->opcode) {
    case OP_bar:
    case OP_barrier:
        if (ptx_has(one, M_cluster)) return ptx_has(one, M_wait) ? FLOW_BARRIER : FLOW_NEXT;
        if (ptx_has(one, M_warp)) return FLOW_MEET;
        return ptx_has(one, M_arrive) ? FLOW_NEXT : FLOW_BARRIER;
    case OP_shfl:
    case OP_vote:
    case OP_match: return ptx_has(one, M_sync) ? FLOW_MEET : FLOW_NEXT;
    default: return (enum ptx_flow)instructions[one->opcode].flow;
    }
}

/* Does it access memory that others can see, or local memory? Its number is given at the end
 * (finish_body()). */
static bool is_access(const struct ptx_instruction *one)
{
    const char *form = instructions[one->opcode].form;
    if (one->opcode == OP_wmma) return ptx_has(one, M_load) || ptx_has(one, M_store);
    if (one->opcode == OP_cp) return one->operand_count >= 2;
    bool address = strpbrk(form, "AT") != NULL && one->flow != FLOW_NOTHING;
    bool moves = one->opcode == OP_ld || one->opcode == OP_ldu || one->opcode == OP_st;
    return address && !(moves && one->space == SPACE_PARAM);
}

/* Results that a form with optional operands does not tell. */
static void find_results(struct ptx_instruction *one)
{
    uint8_t kind = one->operand_count > 0 ? one->operand[0].kind : OPERAND_NONE;
    switch (one->opcode) {
    case OP_mbarrier:
        one->results = kind == OPERAND_VALUE || kind == OPERAND_VECTOR || kind == OPERAND_SINK;
        break;
    case OP_bar:
    case OP_barrier: one->results = ptx_has(one, M_red); break;
    case OP_wmma: one->results = ptx_has(one, M_load) || ptx_has(one, M_mma); break;
    default: break;
    }
}

static void read_branch(struct reader *reader, struct ptx_instruction *one)
{
    struct lexer *lexer = &reader->lexer;
    struct body *body = &reader->body;
    if (one->opcode == OP_brx) {
        add_operand(reader, one, read_operand(reader, 4, false));
        if (reader->panic || !expect_mark(reader, ',')) return;
        const struct symbol *list = named_symbol(reader);
        if (list == NULL || list->kind != SYMBOL_TARGETS) {
            refuse_name(reader, "undefined list of targets", &lexer->token);
            return;
        }
        one->detail = list->targets; /* until finish_branches() */
        lexer_next(lexer);
        return;
    }
    if (lexer->token.kind != TOKEN_WORD) {
        reader_refuse(reader, "a label is expected");
        return;
    }
    struct token label = lexer->token;
    lexer_next(lexer);
    if (!token_is(lexer, ';')) return;
    ADD(body->jumps, body->jump_count, body->jump_room) =
        (struct jump){.instruction = (uint32_t)body->count,
                      .depth = reader->names.depth,
                      .name = label.text,
                      .length = label.length};
}

/* @p or @!p */
static void read_guard(struct reader *reader, struct ptx_instruction *one)
{
    lexer_next(&reader->lexer);
    one->guard_negated = lexer_take(&reader->lexer, '!');
    if (reader->lexer.token.kind != TOKEN_WORD) {
        reader_refuse(reader, "a predicate is expected");
        return;
    }
    struct ptx_operand guard = read_operand(reader, 0, false);
    if (reader->panic) return;
    if (guard.kind != OPERAND_VALUE || guard.base != BASE_FRAME || guard.bytes != 0)
        reader_refuse(reader, "a guard is a predicate");
    else
        one->guard = guard.at;
}

void read_instruction(struct reader *reader)
{
    struct body *body = &reader->body;
    struct ptx_instruction one = {.guard = -1,
                                  .target = -1,
                                  .access = -1,
                                  .joined = -1,
                                  .vector = 1,
                                  .location = body->location};
    one.text = (uint32_t)(reader->lexer.token.text - reader->module->text);
    one.text_line = reader->lexer.token.line;
    if (body->count >= INSTRUCTIONS_MAX) {
        reader_refuse(reader, "the function has too many instructions");
        return;
    }
    if (token_is(&reader->lexer, '@')) read_guard(reader, &one);
    if (reader->panic || !read_opcode(reader, &one)) return;
    if (one.opcode == OP_call)
        read_call(reader, &one);
    else if (one.opcode == OP_bra || one.opcode == OP_brx)
        read_branch(reader, &one);
    else
        read_operands(reader, &one, instructions[one.opcode].form);
    if (reader->panic || !expect_mark(reader, ';')) return;
    find_results(&one);
    one.flow = (uint8_t)flow_of(&one);
    bool texture = one.opcode == OP_tex || one.opcode == OP_tld4;
    one.bytes = (uint8_t)ptx_type_bytes(
        one.type_count == 0 ? TYPES : one.types[texture ? 0 : one.type_count - 1]);
    if (is_access(&one)) one.access = 0;
    ADD(body->code, body->count, body->room) = one;
}
