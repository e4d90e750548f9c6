/*
 * function.c: heads of functions, kernels and prototypes: their names, parameters, results, and
 * what they say about their launches. module.c and body.c read the rest.
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
void read_performance(struct reader *reader, struct ptx_function *function)
{
    uint32_t ignored[3], blocks[3], registers[3];
    bool blocks_said = false, registers_said = false;
    const struct {
        const char *word;
        uint32_t *numbers; /* NULL: none follow */
        bool *said;
    } directives[] = {{".maxntid", function->max_threads, &function->max_threads_said},
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
    enum { DIRECTIVES = sizeof directives / sizeof directives[0] };
    struct lexer *lexer = &reader->lexer;
    while (token_directive(lexer) && !reader->panic) {
        size_t k = 0;
        while (k < DIRECTIVES && !lexer_take_word(lexer, directives[k].word))
            k++;
        if (k < DIRECTIVES) {
            if (directives[k].numbers != NULL) read_three(reader, directives[k].numbers);
            if (directives[k].said != NULL) *directives[k].said = true;
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

/* Results, name, parameters: what .func, .entry and .callprototype have in common. */
struct ptx_function read_head(struct reader *reader, struct token *name)
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
