/*
 * rewrite_tokens.h: C++ source, before preprocessing, as a row of tokens, without comments and
 * white space. It knows strings, raw strings, characters, numbers and line continuations, and
 * accepts any bytes.
 */
#ifndef WARPUP_REWRITE_TOKENS_H
#define WARPUP_REWRITE_TOKENS_H

#include <stdbool.h>
#include <stddef.h>

enum token_kind {
    TOKEN_WORD,    /* identifier or keyword */
    TOKEN_LITERAL, /* number, string, character */
    TOKEN_SIGN,    /* one character, or one of <<< :: -> ##; << < too is a <<< */
    TOKEN_EDGE     /* start or end of a preprocessor directive: nothing reaches across */
};

struct token {
    enum token_kind kind;
    size_t begin, end; /* in the text; equal for an edge */
    size_t partner;    /* of a bracket: the token of the other one; NO_PARTNER when there is none */
    size_t brace;      /* the innermost { that is open here; NO_PARTNER when there is none */
};

#define NO_PARTNER ((size_t)-1)

struct tokens {
    const char *text;
    size_t length;
    struct token *list;
    size_t count;
};

/* Takes the text apart and pairs ( ) [ ] { }. False when there is not enough memory. */
bool tokens_read(struct tokens *tokens, const char *text, size_t length);
void tokens_free(struct tokens *tokens);

/* Is token `index` this word or sign? False for an index that is out of range. */
bool token_is(const struct tokens *tokens, size_t index, const char *spelling);

#endif
