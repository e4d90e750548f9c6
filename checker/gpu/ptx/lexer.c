/*
 * lexer.c: PTX text as tokens: words with their dotted parts, numbers in all of PTX's forms,
 * strings, single characters. Comments and white space are between tokens.
 */
#include "gpu/ptx/reader.h"

#include <stdlib.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '%';
}

static bool is_part(char c)
{
    return is_letter(c) || is_digit(c);
}

void lexer_begin(struct lexer *lexer, const char *text, size_t bytes)
{
    *lexer = (struct lexer){.at = text, .end = text + bytes, .line = 1};
    lexer_next(lexer);
}

static void skip_long_comment(struct lexer *lexer)
{
    for (lexer->at += 2; lexer->at < lexer->end; lexer->at++) {
        if (lexer->at[0] == '\n') lexer->line++;
        if (lexer->at[0] != '*' || lexer->at[1] != '/') continue;
        lexer->at += 2;
        return;
    }
}

static void skip_space(struct lexer *lexer)
{
    while (lexer->at < lexer->end) {
        char c = *lexer->at;
        if (c == '\n') {
            lexer->line++;
            lexer->at++;
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
            lexer->at++;
        } else if (c == '/' && lexer->at[1] == '/') {
            const char *end = memchr(lexer->at, '\n', (size_t)(lexer->end - lexer->at));
            lexer->at = end == NULL ? lexer->end : end;
        } else if (c == '/' && lexer->at[1] == '*') {
            skip_long_comment(lexer);
        } else {
            return;
        }
    }
}

/* The end of a word: dots go on with a letter or digit, "::" only after a dot (a label ends with
 * one colon). A word that begins with a dot ends before the next one: .reg.b32 are two. */
static const char *word_end(const char *at)
{
    bool directive = *at == '.', dotted = directive;
    for (at++;; at++) {
        if (is_part(*at)) continue;
        if (*at == '.' && is_part(at[1]) && !directive) {
            dotted = true;
        } else if (dotted && at[0] == ':' && at[1] == ':' && is_part(at[2])) {
            at++;
        } else {
            return at;
        }
    }
}

/* Hexadecimal digits, as many as there are; the last 16 of them are the value. */
static const char *hexadecimal(const char *at, uint64_t *value)
{
    for (*value = 0;; at++) {
        char c = *at;
        int digit = is_digit(c)            ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0) return at;
        *value = *value << 4 | (uint64_t)digit;
    }
}

static const char *decimal(struct token *token, const char *at)
{
    const char *end = at;
    while (is_digit(*end))
        end++;
    bool point = *end == '.' && is_digit(end[1]);
    bool power = (*end == 'e' || *end == 'E') &&
                 (is_digit(end[1]) || ((end[1] == '-' || end[1] == '+') && is_digit(end[2])));
    if (point || power) {
        double value = strtod(at, (char **)&end);
        token->kind = TOKEN_DOUBLE;
        memcpy(&token->value, &value, sizeof value);
        return end;
    }
    unsigned base = at[0] == '0' ? 8 : 10;
    for (; is_digit(*at); at++)
        token->value = token->value * base + (uint64_t)(*at - '0');
    return at;
}

static const char *number(struct token *token, const char *at)
{
    char form = at[0] == '0' ? at[1] : '\0';
    token->kind = TOKEN_NUMBER;
    if (form == 'x' || form == 'X') {
        at = hexadecimal(at + 2, &token->value);
    } else if (form == 'f' || form == 'F' || form == 'd' || form == 'D') {
        token->kind = form == 'f' || form == 'F' ? TOKEN_FLOAT : TOKEN_DOUBLE;
        at = hexadecimal(at + 2, &token->value);
    } else if (form == 'b' || form == 'B') {
        for (at += 2; *at == '0' || *at == '1'; at++)
            token->value = token->value << 1 | (uint64_t)(*at - '0');
    } else {
        at = decimal(token, at);
    }
    return token->kind == TOKEN_NUMBER && *at == 'U' ? at + 1 : at;
}

void lexer_next(struct lexer *lexer)
{
    skip_space(lexer);
    struct token *token = &lexer->token;
    const char *at = lexer->at;
    *token = (struct token){.text = at, .line = lexer->line};
    if (at >= lexer->end) {
        lexer->at = lexer->end;
        return;
    }
    if (is_letter(*at) || (*at == '.' && is_part(at[1]))) {
        token->kind = TOKEN_WORD;
        lexer->at = word_end(at);
    } else if (is_digit(*at)) {
        lexer->at = number(token, at);
    } else if (*at == '"') {
        const char *end = at + 1;
        while (end < lexer->end && *end != '"' && *end != '\n')
            end += *end == '\\' && end + 1 < lexer->end ? 2 : 1;
        *token = (struct token){.kind = TOKEN_STRING,
                                .text = at + 1,
                                .length = (uint32_t)(end - at - 1),
                                .line = lexer->line};
        lexer->at = end < lexer->end && *end == '"' ? end + 1 : end;
        return;
    } else {
        token->kind = TOKEN_MARK;
        token->mark = *at;
        lexer->at = at + 1;
    }
    token->length = (uint32_t)(lexer->at - at);
}

void lexer_skip_line(struct lexer *lexer)
{
    const char *from = lexer->at, *end = memchr(from, '\n', (size_t)(lexer->end - from));
    lexer->at = end == NULL ? lexer->end : end;
    lexer_next(lexer);
}

bool token_word(const struct lexer *lexer, const char *word)
{
    size_t length = strlen(word);
    return lexer->token.kind == TOKEN_WORD && lexer->token.length == length &&
           memcmp(lexer->token.text, word, length) == 0;
}

bool lexer_take(struct lexer *lexer, char mark)
{
    if (!token_is(lexer, mark)) return false;
    lexer_next(lexer);
    return true;
}

bool lexer_take_word(struct lexer *lexer, const char *word)
{
    if (!token_word(lexer, word)) return false;
    lexer_next(lexer);
    return true;
}
