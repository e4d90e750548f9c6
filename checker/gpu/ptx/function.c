/*
 * function.c: heads of functions, kernels and prototypes: their names, parameters, results, and
 * what they say about their launches. read_body() reads the rest.
 */
#include "gpu/ptx/reader.h"

#include <stdlib.h>
#include <string.h>

enum { PARAMS_MAX = 4096 };

/* .param .align 4 .b8 name[12], .param .u64 .ptr .global .align 4 name: the token follows .param.
 */
struct ptx_param read_parameter(struct reader *reader)
{
    struct lexer *lexer = &reader->lexer;
    struct ptx_param param = {.align = 1};
    enum ptx_type type = TYPES;
    for (; token_directive(lexer); lexer_next(lexer)) {
        enum ptx_type one = type_of(reader, &lexer->token);
        if (one != TYPES) type = one;
        if (token_word(lexer, ".ptr")) param.pointer = true;
        if (!lexer_take_word(lexer, ".align")) continue;
        if (lexer->token.kind == TOKEN_NUMBER && lexer->token.value <= 256 && !param.pointer)
            param.align = (uint32_t)lexer->token.value;
    }
    if (type == TYPES || lexer->token.kind != TOKEN_WORD) {
        reader_refuse(reader, "a parameter needs a type and a name");
        return param;
    }
    param.name = arena_text(reader->arena, lexer->token.text, lexer->token.length);
    param.bytes = ptx_type_bytes(type);
    if (param.align < param.bytes) param.align = param.bytes;
    if (param.align == 0 || (param.align & (param.align - 1)) != 0)
        reader_refuse(reader, "the alignment is not a power of two");
    param.pointer |= param.bytes == 8;
    lexer_next(lexer);
    while (!reader->panic && lexer_take(lexer, '[')) {
        uint64_t count = token_is(lexer, ']') ? 0 : read_expression(reader).bits;
        if (count > CALL_AREA_MAX || param.bytes * count > CALL_AREA_MAX)
            reader_refuse(reader, "the parameter is too large");
        param.bytes *= (uint32_t)count;
        param.pointer = false;
        expect_mark(reader, ']');
    }
    return param;
}

/* (.param …, .param …). Their offsets begin at *bytes, which grows. */
static struct ptx_param *read_parameters(struct reader *reader, uint32_t *count, uint32_t *bytes)
{
    struct lexer *lexer = &reader->lexer;
    struct ptx_param *params = NULL;
    size_t room = 0;
    expect_mark(reader, '(');
    while (!reader->panic && !token_is(lexer, ')')) {
        if (token_word(lexer, ".reg")) reader_unknown(reader, "parameters in registers");
        if (!lexer_take_word(lexer, ".param")) reader_refuse(reader, "a parameter is expected");
        struct ptx_param one = {.align = 1};
        if (!reader->panic) one = read_parameter(reader);
        one.at = (*bytes + one.align - 1) / one.align * one.align;
        if (*count >= PARAMS_MAX || one.at + one.bytes > CALL_AREA_MAX)
            reader_refuse(reader, "too many parameters");
        if (reader->panic) break;
        *bytes = one.at + one.bytes;
        ADD(params, *count, room) = one;
        if (!lexer_take(lexer, ',')) break;
    }
    if (!reader->panic) expect_mark(reader, ')');
    return arena_settled(reader->arena, params, *count * sizeof *params);
}

/* Up to three numbers; those that are not there are 1. */
static void read_three(struct reader *reader, uint32_t three[3])
{
    for (int d = 0; d < 3; d++)
        three[d] = 1;
    for (int d = 0; d < 3 && reader->lexer.token.kind == TOKEN_NUMBER; d++) {
        three[d] = (uint32_t)reader->lexer.token.value;
        lexer_next(&reader->lexer);
        if (!lexer_take(&reader->lexer, ',')) return;
    }
}

/* .maxntid 256, 1, 1 .minnctapersm 2 …: between the head and the body. */
static void read_performance(struct reader *reader, struct ptx_function *function)
{
    uint32_t ignored[3], blocks[3], registers[3];
    bool blocks_said = false, registers_said = false;
    const struct {
        const char *word;
        uint32_t *numbers; /* NULL: none follow */
        bool *said;
    } known[] = {{".maxntid", function->max_threads, &function->max_threads_said},
                 {".reqntid", function->required_threads, &function->required_threads_said},
                 {".reqnctapercluster", function->cluster, NULL},
                 {".minnctapersm", blocks, &blocks_said},
                 {".maxnreg", registers, &registers_said},
                 {".maxclusterrank", ignored, NULL},
                 {".maxnctapersm", ignored, NULL},
                 {".abi_preserve", ignored, NULL},
                 {".abi_preserve_control", ignored, NULL},
                 {".noreturn", NULL, NULL},
                 {".explicitcluster", NULL, NULL},
                 {".blocksareclusters", NULL, NULL}};
    enum { KNOWN = sizeof known / sizeof known[0] };
    struct lexer *lexer = &reader->lexer;
    while (token_directive(lexer) && !reader->panic) {
        size_t k = 0;
        while (k < KNOWN && !lexer_take_word(lexer, known[k].word))
            k++;
        if (k < KNOWN) {
            if (known[k].numbers != NULL) read_three(reader, known[k].numbers);
            if (known[k].said != NULL) *known[k].said = true;
        } else if (lexer_take_word(lexer, ".unified")) {
            while (!token_is(lexer, ')') && lexer->token.kind != TOKEN_END)
                lexer_next(lexer);
            lexer_take(lexer, ')');
        } else if (lexer_take_word(lexer, ".pragma")) {
            lexer_next(lexer);
            lexer_take(lexer, ';');
        } else {
            reader_unknown(reader, "%.*s", (int)lexer->token.length, lexer->token.text);
        }
    }
    if (blocks_said) function->min_blocks = blocks[0];
    if (registers_said) function->max_registers = registers[0];
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

/* Results, name, parameters: what .func, .entry and .callprototype have in common. */
static struct ptx_function read_head(struct reader *reader, struct token *name)
{
    struct ptx_function head = {.module = reader->module};
    struct lexer *lexer = &reader->lexer;
    if (token_is(lexer, '('))
        head.results = read_parameters(reader, &head.result_count, &head.call_bytes);
    *name = lexer->token;
    if (name->kind != TOKEN_WORD) reader_refuse(reader, "a function needs a name");
    if (reader->panic) return head;
    lexer_next(lexer);
    if (token_is(lexer, '('))
        head.params = read_parameters(reader, &head.param_count, &head.call_bytes);
    return head;
}

struct ptx_function *read_prototype(struct reader *reader)
{
    struct token name;
    struct ptx_function *prototype = arena_new(reader->arena, sizeof *prototype);
    *prototype = read_head(reader, &name);
    read_performance(reader, prototype);
    return prototype;
}

void read_function(struct reader *reader, bool entry, bool external)
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
