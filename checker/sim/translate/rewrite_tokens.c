/* rewrite_tokens.c: see rewrite_tokens.h. One pass over the text, one over the tokens. */
#include "sim/translate/rewrite_tokens.h"

#include <stdlib.h>
#include <string.h>

/* Where the reader is. */
struct reader {
    struct tokens *tokens;
    size_t at, room;
    bool line_start;   /* nothing but white space on this line so far */
    bool in_directive; /* until the end of the line */
    bool no_memory;
};

static char peek(const struct reader *reader, size_t ahead)
{
    size_t at = reader->at + ahead;
    return at < reader->tokens->length ? reader->tokens->text[at] : '\0';
}

static bool at_end(const struct reader *reader)
{
    return reader->at >= reader->tokens->length;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Letters, and all that is not ASCII. */
static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
           is_digit(c) || (unsigned char)c >= 0x80;
}

/* The length of a backslash and the following line end; 0 when it is something else. */
static size_t splice(const struct reader *reader)
{
    if (peek(reader, 0) != '\\') return 0;
    if (peek(reader, 1) == '\n') return 2;
    return peek(reader, 1) == '\r' && peek(reader, 2) == '\n' ? 3 : 0;
}

static void add(struct reader *reader, enum token_kind kind, size_t begin)
{
    struct tokens *tokens = reader->tokens;
    if (tokens->count == reader->room) {
        size_t room = reader->room == 0 ? 1024 : 2 * reader->room;
        struct token *list = realloc(tokens->list, room * sizeof *list);
        if (list == NULL) {
            reader->no_memory = true;
            return;
        }
        tokens->list = list;
        reader->room = room;
    }
    tokens->list[tokens->count++] = (struct token){kind, begin, reader->at, NO_PARTNER, NO_PARTNER};
}

static void skip_line_comment(struct reader *reader)
{
    while (!at_end(reader) && peek(reader, 0) != '\n') {
        size_t length = splice(reader);
        reader->at += length > 0 ? length : 1;
    }
}

static void skip_block_comment(struct reader *reader)
{
    reader->at += 2;
    while (!at_end(reader) && !(peek(reader, 0) == '*' && peek(reader, 1) == '/'))
        reader->at++;
    reader->at += at_end(reader) ? 0 : 2;
}

/* A string or character up to its quote; without one, up to the end of the line. */
static void skip_quoted(struct reader *reader)
{
    char quote = peek(reader, 0);
    reader->at++;
    while (!at_end(reader) && peek(reader, 0) != quote) {
        size_t length = splice(reader);
        if (length == 0 && peek(reader, 0) == '\n') return;
        if (length == 0) length = peek(reader, 0) == '\\' && peek(reader, 1) != '\0' ? 2 : 1;
        reader->at += length;
    }
    reader->at += at_end(reader) ? 0 : 1;
    if (reader->at > reader->tokens->length) reader->at = reader->tokens->length;
}

/* R"mark( … )mark", from its quote on. */
static void skip_raw_string(struct reader *reader)
{
    const char *text = reader->tokens->text;
    size_t mark = ++reader->at, mark_length = 0;
    while (mark_length <= 16 && peek(reader, mark_length) != '(' && !at_end(reader))
        mark_length++;
    if (mark_length > 16) return;
    reader->at += mark_length;
    while (!at_end(reader)) {
        size_t left = reader->tokens->length - reader->at;
        bool closes = peek(reader, 0) == ')' && left > mark_length + 1 &&
                      memcmp(text + reader->at + 1, text + mark, mark_length) == 0 &&
                      peek(reader, mark_length + 1) == '"';
        reader->at += closes ? mark_length + 2 : 1;
        if (closes) return;
    }
}

static void read_number(struct reader *reader)
{
    size_t begin = reader->at;
    for (char c = peek(reader, 0); !at_end(reader); c = peek(reader, 0)) {
        bool exponent = (c == 'e' || c == 'E' || c == 'p' || c == 'P') &&
                        (peek(reader, 1) == '+' || peek(reader, 1) == '-');
        bool separator = c == '\'' && is_word(peek(reader, 1));
        if (!is_word(c) && c != '.' && !separator) break;
        reader->at += exponent ? 2 : 1;
    }
    add(reader, TOKEN_LITERAL, begin);
}

static void read_word(struct reader *reader)
{
    size_t begin = reader->at;
    while (is_word(peek(reader, 0)))
        reader->at++;
    bool quote = peek(reader, 0) == '"' || peek(reader, 0) == '\'';
    size_t length = reader->at - begin;
    if (quote && length <= 3 && reader->tokens->text[reader->at - 1] == 'R') {
        skip_raw_string(reader);
        add(reader, TOKEN_LITERAL, begin);
    } else {
        add(reader, TOKEN_WORD, begin);
    }
}

/* The length of `<< <`, which nvcc takes for `<<<`, as some editors write it; otherwise 1. */
static size_t spaced_chevron(const struct reader *reader)
{
    size_t length = 2;
    if (peek(reader, 0) != '<' || peek(reader, 1) != '<') return 1;
    while (peek(reader, length) == ' ' || peek(reader, length) == '\t')
        length++;
    return peek(reader, length) == '<' ? length + 1 : 1;
}

static void read_sign(struct reader *reader)
{
    static const char *const long_signs[] = {"<<<", "::", "->", "##"};
    size_t begin = reader->at, length = 1;
    for (int i = 0; i < 4; i++) {
        size_t size = strlen(long_signs[i]);
        bool fits = reader->tokens->length - begin >= size;
        if (fits && memcmp(reader->tokens->text + begin, long_signs[i], size) == 0) length = size;
    }
    if (length == 1) length = spaced_chevron(reader);
    bool named = token_is(reader->tokens, reader->tokens->count - 1, "operator");
    reader->at += named && length >= 3 ? 2 : length; /* operator<<<T> is operator<< */
    add(reader, TOKEN_SIGN, begin);
}

/* The end of a line ends a directive. */
static void pass_line_end(struct reader *reader)
{
    if (reader->in_directive) add(reader, TOKEN_EDGE, reader->at);
    reader->in_directive = false;
    reader->line_start = true;
    reader->at++;
}

static void read_one(struct reader *reader)
{
    char c = peek(reader, 0);
    size_t begin = reader->at, length = splice(reader);
    if (length > 0) {
        reader->at += length;
        return;
    }
    if (c == '\n') {
        pass_line_end(reader);
        return;
    }
    if (c == '/' && peek(reader, 1) == '/') {
        skip_line_comment(reader);
        return;
    }
    if (c == '/' && peek(reader, 1) == '*') {
        skip_block_comment(reader);
        return;
    }
    if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
        reader->at++;
        return;
    }
    if (c == '#' && reader->line_start && !reader->in_directive) {
        reader->in_directive = true;
        add(reader, TOKEN_EDGE, begin);
    }
    reader->line_start = false;
    if (c == '"' || c == '\'') {
        skip_quoted(reader);
        add(reader, TOKEN_LITERAL, begin);
    } else if (is_digit(c) || (c == '.' && is_digit(peek(reader, 1)))) {
        read_number(reader);
    } else if (is_word(c)) {
        read_word(reader);
    } else {
        read_sign(reader);
    }
}

static char closing(char c)
{
    return c == '(' ? ')' : c == '[' ? ']' : c == '{' ? '}' : '\0';
}

/* The brace that is open where `top` is the innermost open bracket. */
static size_t innermost_brace(const struct tokens *tokens, size_t top)
{
    bool other = top != NO_PARTNER && tokens->text[tokens->list[top].begin] != '{';
    return other ? tokens->list[top].brace : top;
}

/* Pairs brackets with a stack that is threaded through `partner`. A brace that closes gives up what
 * was open inside it; a directive is a text of its own. */
static void pair_brackets(struct tokens *tokens)
{
    struct token *list = tokens->list;
    size_t top = NO_PARTNER, outside = NO_PARTNER;
    bool in_directive = false;
    for (size_t i = 0; i < tokens->count; i++) {
        char c = list[i].kind == TOKEN_SIGN ? tokens->text[list[i].begin] : '\0';
        list[i].brace = innermost_brace(tokens, top);
        if (list[i].kind == TOKEN_EDGE) {
            size_t resume = in_directive ? outside : NO_PARTNER;
            outside = in_directive ? NO_PARTNER : top;
            while (in_directive && top != NO_PARTNER) { /* left open in the directive */
                size_t below = list[top].partner;
                list[top].partner = NO_PARTNER;
                top = below;
            }
            top = resume;
            in_directive = !in_directive;
        } else if (closing(c) != '\0') {
            list[i].partner = top;
            top = i;
        } else if (c == ')' || c == ']' || c == '}') {
            while (c == '}' && top != NO_PARTNER && tokens->text[list[top].begin] != '{') {
                size_t below = list[top].partner;
                list[top].partner = NO_PARTNER;
                top = below;
            }
            if (top == NO_PARTNER || closing(tokens->text[list[top].begin]) != c) continue;
            size_t below = list[top].partner;
            list[top].partner = i;
            list[i].partner = top;
            top = below;
        }
    }
    for (int pass = 0; pass < 2; pass++) { /* left open at the end */
        while (top != NO_PARTNER) {
            size_t below = list[top].partner;
            list[top].partner = NO_PARTNER;
            top = below;
        }
        top = outside;
    }
}

bool tokens_read(struct tokens *tokens, const char *text, size_t length)
{
    *tokens = (struct tokens){.text = text, .length = length};
    struct reader reader = {.tokens = tokens, .line_start = true};
    while (!at_end(&reader) && !reader.no_memory)
        read_one(&reader);
    if (reader.in_directive) add(&reader, TOKEN_EDGE, reader.at);
    if (reader.no_memory) return false;
    pair_brackets(tokens);
    return true;
}

void tokens_free(struct tokens *tokens)
{
    free(tokens->list);
    tokens->list = NULL;
    tokens->count = 0;
}

bool token_is(const struct tokens *tokens, size_t index, const char *spelling)
{
    if (index >= tokens->count) return false;
    const struct token *token = &tokens->list[index];
    size_t length = strlen(spelling), size = token->end - token->begin;
    const char *text = tokens->text + token->begin;
    if (token->kind == TOKEN_SIGN && size > 3) return strcmp(spelling, "<<<") == 0; /* `<< <` */
    return token->kind != TOKEN_LITERAL && size == length && memcmp(text, spelling, length) == 0;
}
