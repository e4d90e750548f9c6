/*
 * lexer.h: PTX text as tokens.
 */
#ifndef WARPUP_PTX_LEXER_H
#define WARPUP_PTX_LEXER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum token_kind {
    TOKEN_END,
    TOKEN_WORD,   /* a name or directive with its modifiers: ld.shared::cta.v4.f32, %tid.x, .reg,
                     $L__BB0_1 */
    TOKEN_NUMBER, /* an integer */
    TOKEN_FLOAT,  /* 0f…: `value` is the float's bits */
    TOKEN_DOUBLE, /* 0d… or a decimal number with a point: `value` is the double's bits */
    TOKEN_STRING, /* without its quotes */
    TOKEN_MARK    /* one character, in `mark` */
};

struct token {
    enum token_kind kind;
    char mark;
    const char *text;
    uint32_t length;
    uint32_t line;
    uint64_t value;
};

struct lexer {
    const char *at, *end; /* the text ends with a zero byte at `end` */
    uint32_t line;
    struct token token; /* the one that is looked at */
};

void lexer_begin(struct lexer *lexer, const char *text, size_t bytes);

/* Goes on to the next token. */
void lexer_next(struct lexer *lexer);

/* Goes on to the next line, wherever that is: for directives that end with theirs. */
void lexer_skip_line(struct lexer *lexer);

static inline bool token_is(const struct lexer *lexer, char mark)
{
    return lexer->token.kind == TOKEN_MARK && lexer->token.mark == mark;
}

/* Is the token this word? */
bool token_word(const struct lexer *lexer, const char *word);

/* If the token is this character: goes on, and says so. */
static inline bool lexer_take(struct lexer *lexer, char mark)
{
    if (!token_is(lexer, mark)) return false;
    lexer_next(lexer);
    return true;
}

#endif
