/*
 * expression.c: constant expressions, and how a constant of the text becomes the bits of an
 * operand.
 */
#include "gpu/ptx/reader.h"

#include <string.h>

enum { NESTED_MAX = 100 };

static struct value binary(struct reader *reader, int least, unsigned depth);

static struct value unary(struct reader *reader, unsigned depth)
{
    struct lexer *lexer = &reader->lexer;
    struct value value = {.kind = TOKEN_NUMBER};
    if (depth > NESTED_MAX) {
        reader_refuse(reader, "an expression is too deep");
        return value;
    }
    if (token_is(lexer, '-') || token_is(lexer, '~') || token_is(lexer, '!') ||
        token_is(lexer, '+')) {
        char mark = lexer->token.mark;
        lexer_next(lexer);
        value = unary(reader, depth + 1);
        if (mark == '~') value.bits = ~value.bits;
        if (mark == '!') value.bits = value.bits == 0;
        if (mark == '-')
            value.bits = value.kind == TOKEN_NUMBER   ? 0 - value.bits
                         : value.kind == TOKEN_DOUBLE ? value.bits ^ UINT64_C(1) << 63
                                                      : value.bits ^ UINT64_C(1) << 31;
        return value;
    }
    if (lexer_take(lexer, '(')) {
        value = binary(reader, 0, depth + 1);
        if (!reader->panic) expect_mark(reader, ')');
        return value;
    }
    if (lexer->token.kind != TOKEN_NUMBER && lexer->token.kind != TOKEN_FLOAT &&
        lexer->token.kind != TOKEN_DOUBLE) {
        reader_refuse(reader, "a number is expected");
        return value;
    }
    value = (struct value){.bits = lexer->token.value, .kind = lexer->token.kind};
    lexer_next(lexer);
    return value;
}

/* How strongly an operator binds; 0: it is none. "<<" and ">>" are known by their first character.
 */
static int strength(const struct lexer *lexer)
{
    if (lexer->token.kind != TOKEN_MARK) return 0;
    switch (lexer->token.mark) {
    case '*':
    case '/':
    case '%': return 6;
    case '+':
    case '-': return 5;
    case '<':
    case '>': return *lexer->at == lexer->token.mark ? 4 : 0;
    case '&': return 3;
    case '^': return 2;
    default: return 0;
    }
}

static uint64_t apply(char mark, uint64_t a, uint64_t b)
{
    switch (mark) {
    case '*': return a * b;
    case '/': return b == 0 ? 0 : a / b;
    case '%': return b == 0 ? 0 : a % b;
    case '+': return a + b;
    case '-': return a - b;
    case '<': return b < 64 ? a << b : 0;
    case '>': return b < 64 ? a >> b : 0;
    case '&': return a & b;
    default: return a ^ b;
    }
}

static struct value binary(struct reader *reader, int least, unsigned depth)
{
    struct lexer *lexer = &reader->lexer;
    struct value left = unary(reader, depth);
    for (int own; !reader->panic && (own = strength(lexer)) > least;) {
        char mark = lexer->token.mark;
        lexer_next(lexer);
        if (own == 4) lexer_next(lexer);
        struct value right = binary(reader, own, depth + 1);
        left = (struct value){.bits = apply(mark, left.bits, right.bits), .kind = TOKEN_NUMBER};
    }
    return left;
}

struct value read_expression(struct reader *reader)
{
    return binary(reader, 0, 0);
}

struct value read_term(struct reader *reader)
{
    return binary(reader, 5, 0);
}

uint64_t value_bits(struct value value, unsigned bytes, bool real)
{
    double number;
    float single;
    uint32_t bits = (uint32_t)value.bits;
    memcpy(&number, &value.bits, sizeof number);
    memcpy(&single, &bits, sizeof single);
    if (value.kind == TOKEN_FLOAT && bytes == 8) {
        number = single;
        memcpy(&value.bits, &number, sizeof number);
    } else if (value.kind == TOKEN_DOUBLE && bytes == 4) {
        single = (float)number;
        memcpy(&bits, &single, sizeof bits);
        value.bits = bits;
    } else if (value.kind == TOKEN_NUMBER && real && value.bits != 0 && bytes >= 4) {
        number = (double)(int64_t)value.bits;
        single = (float)number;
        memcpy(&bits, &single, sizeof bits);
        if (bytes == 8)
            memcpy(&value.bits, &number, sizeof number);
        else
            value.bits = bits;
    }
    return bytes >= 8 || bytes == 0 ? value.bits : value.bits & ((UINT64_C(1) << 8 * bytes) - 1);
}
