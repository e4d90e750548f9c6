/*
 * rewrite_asm.c: see rewrite_asm.h. The host's own assembly stays: PTX is known by its constraints,
 * and by the dot in its first instruction or, where macros make a part of it, by a semicolon.
 */
#include "sim/translate/rewrite_asm.h"

#include "sim/ptx/ptx_text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ASM_PIECES = 64 };

/* asm volatile("text" : "=f"(x) : "r"(y), "n"(4) : "memory"): tokens by their indices */
struct asm_statement {
    size_t open, close; /* its brackets */
    struct {
        size_t token;        /* a constraint; or another piece, which is not part of a call */
        const char *operand; /* its new text: ", ::warpup::take<'r'>"; "" for others */
    } pieces[ASM_PIECES];
    int count;
    char unknown[80]; /* an instruction that the simulated GPU does not know; else empty */
};

/* The texts that were made for what is not known */
static struct {
    char **list;
    size_t count;
} made;

static bool is(const struct tokens *tokens, size_t index, const char *spelling)
{
    return token_is(tokens, index, spelling);
}

static bool is_literal(const struct tokens *tokens, size_t index)
{
    return index < tokens->count && tokens->list[index].kind == TOKEN_LITERAL;
}

/* Appends what a string literal holds; returns the new length. */
static size_t append(char *text, size_t length, const char *from, const char *end)
{
    bool raw = *from == 'R';
    while (from < end && *from != (raw ? '(' : '"'))
        from++;
    while (end > from && end[-1] != (raw ? ')' : '"'))
        end--;
    for (from++; from + 1 < end; from++) {
        char c = *from;
        if (c == '\\' && !raw && from + 2 < end) {
            c = *++from;
            if (strchr("ntrv\n", c) != NULL) c = '\n';
        }
        text[length++] = c;
    }
    return length;
}

/* Reads the literals from `index` on as one text, and sets `after` to what follows them. `whole` is
 * false if something else is between them. NULL if there is not enough memory. */
static char *read_text(const struct tokens *tokens, size_t index, size_t close, size_t *length,
                       size_t *after, bool *whole)
{
    char *text = malloc(tokens->list[close].end - tokens->list[index].begin + 1);
    *length = 0;
    *whole = true;
    if (text == NULL) return NULL;
    for (; index < close && !is(tokens, index, ":") && !is(tokens, index, "::"); index++) {
        const struct token *token = &tokens->list[index];
        *whole = *whole && is_literal(tokens, index);
        if (is_literal(tokens, index))
            *length = append(text, *length, tokens->text + token->begin, tokens->text + token->end);
    }
    *after = index;
    return text;
}

/* What a constraint becomes; NULL if it is none of PTX. */
static const char *operand_of(const struct tokens *tokens, size_t index)
{
    static const struct {
        const char *constraint, *operand;
    } known[] = {
        {"\"=&h\"", ", ::warpup::put<'h'>"},   {"\"=&r\"", ", ::warpup::put<'r'>"},
        {"\"=&l\"", ", ::warpup::put<'l'>"},   {"\"=&f\"", ", ::warpup::put<'f'>"},
        {"\"=&d\"", ", ::warpup::put<'d'>"},   {"\"h\"", ", ::warpup::take<'h'>"},
        {"\"r\"", ", ::warpup::take<'r'>"},    {"\"l\"", ", ::warpup::take<'l'>"},
        {"\"f\"", ", ::warpup::take<'f'>"},    {"\"d\"", ", ::warpup::take<'d'>"},
        {"\"n\"", ", ::warpup::take<'n'>"},    {"\"=h\"", ", ::warpup::put<'h'>"},
        {"\"=r\"", ", ::warpup::put<'r'>"},    {"\"=l\"", ", ::warpup::put<'l'>"},
        {"\"=f\"", ", ::warpup::put<'f'>"},    {"\"=d\"", ", ::warpup::put<'d'>"},
        {"\"+h\"", ", ::warpup::change<'h'>"}, {"\"+r\"", ", ::warpup::change<'r'>"},
        {"\"+l\"", ", ::warpup::change<'l'>"}, {"\"+f\"", ", ::warpup::change<'f'>"},
        {"\"+d\"", ", ::warpup::change<'d'>"},
    };
    const struct token *token = &tokens->list[index];
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strlen(known[i].constraint) == token->end - token->begin &&
            memcmp(known[i].constraint, tokens->text + token->begin, token->end - token->begin) ==
                0)
            return known[i].operand;
    return NULL;
}

static bool add(struct asm_statement *statement, size_t token, const char *operand)
{
    if (statement->count == ASM_PIECES) return false;
    statement->pieces[statement->count].token = token;
    statement->pieces[statement->count++].operand = operand;
    return true;
}

/* Operands and clobbers, from the first colon on. Sets how many operands there are. */
static bool read_operands(const struct tokens *tokens, size_t index,
                          struct asm_statement *statement, int *operands)
{
    int section = 0;
    *operands = 0;
    for (; index < statement->close; index++) {
        const char *operand = "";
        bool separates = is(tokens, index, ":") || is(tokens, index, "::");
        section += separates ? 1 + is(tokens, index, "::") : 0;
        if (!separates && !is(tokens, index, ",")) {
            if (!is_literal(tokens, index)) return false;
            if (section < 3) {
                operand = operand_of(tokens, index);
                if (operand == NULL || !is(tokens, index + 1, "(")) return false;
                ++*operands;
            }
        }
        if (!add(statement, index, operand)) return false;
        if (*operand != '\0') index = tokens->list[index + 1].partner;
        if (index == NO_PARTNER) return false;
    }
    return true;
}

/* Is it PTX in a form that the lab understands? Text that macros make is not read: a run finds out
 * what it is. */
static bool read_statement(const struct tokens *tokens, size_t index,
                           struct asm_statement *statement)
{
    size_t open = index + 1, length, after;
    int operands;
    bool whole;
    *statement = (struct asm_statement){0};
    while (is(tokens, open, "volatile") || is(tokens, open, "__volatile__") ||
           is(tokens, open, "__volatile"))
        if (!add(statement, open++, "")) return false;
    if (!is(tokens, open, "(") || tokens->list[open].partner == NO_PARTNER) return false;
    statement->open = open;
    statement->close = tokens->list[open].partner;
    if (statement->close == open + 1) return false;
    char *text = read_text(tokens, open + 1, statement->close, &length, &after, &whole);
    bool macro = !whole && text != NULL && memchr(text, ';', length) != NULL;
    bool is_ptx = text != NULL && (macro || ptx_looks(text, length)) &&
                  read_operands(tokens, after, statement, &operands);
    if (is_ptx && whole) {
        struct ptx ptx;
        if (ptx_read(&ptx, text, length, operands, statement->unknown)) ptx_free(&ptx);
    }
    free(text);
    return is_ptx;
}

/* A call of what the compiler refuses with the instruction's name; NULL without memory. */
static const char *unknown_instruction(const char *name)
{
    static const char form[] = "WARPUP_UNKNOWN_PTX(%s, \"%s\")";
    char word[80], shown[80];
    size_t length = strlen(name);
    for (size_t i = 0; i <= length; i++) {
        word[i] = isalnum((unsigned char)name[i]) || name[i] == '\0' ? name[i] : '_';
        shown[i] = strchr("\"\\\n\r", name[i]) == NULL || name[i] == '\0' ? name[i] : '?';
    }
    char **list = realloc(made.list, (made.count + 1) * sizeof *list);
    char *text = malloc(sizeof form + 2 * length);
    if (list != NULL) made.list = list;
    if (list == NULL || text == NULL) {
        free(text);
        return NULL;
    }
    snprintf(text, sizeof form + 2 * length, form, word, shown);
    return made.list[made.count++] = text;
}

void asm_forget(void)
{
    while (made.count > 0)
        free(made.list[--made.count]);
    free(made.list);
    made.list = NULL;
}

bool asm_rewrite(const struct tokens *tokens, size_t index,
                 void (*replace)(size_t token, const char *text))
{
    struct asm_statement statement;
    if (!is(tokens, index, "asm") && !is(tokens, index, "__asm__") && !is(tokens, index, "__asm"))
        return true;
    if (!read_statement(tokens, index, &statement)) return true;
    const char *call = "::warpup::ptx";
    if (statement.unknown[0] != '\0') call = unknown_instruction(statement.unknown);
    if (call == NULL) return false;
    replace(index, call);
    for (int i = 0; i < statement.count; i++)
        replace(statement.pieces[i].token, statement.pieces[i].operand);
    return true;
}
