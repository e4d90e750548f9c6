/*
 * source.c: see source.h. A program is read as a row of tokens: names, numbers, and single signs;
 * comments, strings and directives of the preprocessor are left out.
 */
#define _GNU_SOURCE
#include "gpu/cc/source.h"

#include "gpu/cc/messages.h"

#include <ctype.h>
#include <stdio.h>
#include <regex.h>
#include <string.h>

struct reader {
    const char *at;
    int line;
    bool begins_line; /* nothing but spaces before it */
};

struct token {
    const char *text;
    int bytes, line, column;
};

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static void step(struct reader *reader)
{
    if (*reader->at == '\n') reader->line++;
    reader->begins_line =
        *reader->at == '\n' || (reader->begins_line && isspace((unsigned char)*reader->at));
    reader->at++;
}

static void skip_to(struct reader *reader, const char *end)
{
    while (*reader->at != '\0' && strncmp(reader->at, end, strlen(end)) != 0)
        step(reader);
    for (size_t i = 0; i < strlen(end) && *reader->at != '\0'; i++)
        step(reader);
}

static void skip_quoted(struct reader *reader)
{
    char quote = *reader->at;
    for (step(reader); *reader->at != '\0' && *reader->at != quote && *reader->at != '\n';
         step(reader))
        if (*reader->at == '\\' && reader->at[1] != '\0') step(reader);
    if (*reader->at == quote) step(reader);
}

static void skip_directive(struct reader *reader)
{
    while (*reader->at != '\0' && *reader->at != '\n') {
        if (*reader->at == '\\' && reader->at[1] == '\n') step(reader);
        step(reader);
    }
}

static bool next_token(struct reader *reader, const char *text, struct token *token)
{
    for (;;) {
        char c = *reader->at;
        if (c == '\0') return false;
        if (isspace((unsigned char)c))
            step(reader);
        else if (c == '#' && reader->begins_line)
            skip_directive(reader);
        else if (strncmp(reader->at, "//", 2) == 0)
            skip_directive(reader);
        else if (strncmp(reader->at, "/*", 2) == 0)
            skip_to(reader, "*/");
        else if (strncmp(reader->at, "R\"(", 3) == 0)
            skip_to(reader, ")\"");
        else if (c == '"' ||
                 (c == '\'' && (reader->at == text || !isdigit((unsigned char)reader->at[-1]))))
            skip_quoted(reader);
        else
            break;
    }
    const char *line = reader->at;
    while (line > text && line[-1] != '\n')
        line--;
    *token = (struct token){.text = reader->at,
                            .bytes = 1,
                            .line = reader->line,
                            .column = (int)(reader->at - line) + 1};
    step(reader);
    if (is_name(token->text[0]))
        for (; is_name(*reader->at); token->bytes++)
            step(reader);
    return true;
}

static bool is_token(const struct token *token, const char *text)
{
    return token->bytes == (int)strlen(text) &&
           strncmp(token->text, text, (size_t)token->bytes) == 0;
}

static bool is_word(const struct token *token)
{
    return is_name(token->text[0]) && !isdigit((unsigned char)token->text[0]);
}

bool source_is_hosts(const char *path)
{
    static const char *const endings[] = {".c", ".cc", ".cpp", ".cxx"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; i < sizeof endings / sizeof *endings && dot != NULL; i++)
        if (strcmp(dot, endings[i]) == 0) return true;
    return false;
}

/* Names before a "(" that are not functions. */
static bool is_attribute(const struct token *token)
{
    static const char *const words[] = {"__launch_bounds__",
                                        "__attribute__",
                                        "alignas",
                                        "decltype",
                                        "noexcept",
                                        "__align__",
                                        "if",
                                        "while",
                                        "for",
                                        "switch"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is_token(token, words[i])) return true;
    return false;
}

/* A body is what is in braces after a parameter list; classes and namespaces are braces without
 * one. */
const char *source_function(const char *file, int line)
{
    const char *text = text_read(file, NULL);
    struct reader reader = {text, 1, true};
    struct token token, last = {0}, name = {0}, open = {0};
    int depth = 0, body = -1, parentheses = 0;
    if (text == NULL) return NULL;
    while (next_token(&reader, text, &token) && token.line <= line) {
        char sign = token.text[0];
        if (body < 0 && sign == '(' && parentheses == 0 && last.text != NULL && is_word(&last) &&
            !is_attribute(&last) && open.text == NULL)
            name = open = last;
        if (sign == '(') parentheses++;
        if (sign == ')') parentheses--;
        if (sign == '{') {
            if (body < 0 && open.text != NULL) body = depth;
            depth++;
        }
        if (sign == '}') {
            if (--depth == body) body = -1;
            if (body < 0) open.text = NULL;
        }
        if (sign == ';' && body < 0 && parentheses == 0) open.text = NULL;
        last = token;
    }
    return body >= 0 || open.text != NULL ? text_of("%.*s", name.bytes, name.text) : NULL;
}

static void refuse(const struct options *options, const char *source, const struct token *token,
                   const char *why)
{
    fprintf(stderr, "%s:%d:%d: error: %s\n", messages_file(options, source), token->line,
            token->column, why);
}

/* Refuses two things that clang accepts and nvcc does not: a lambda with a mark, after its
 * brackets; and an ellipsis of C among the parameters of a kernel, unlike T..., which names a type.
 */
static bool refuse_words(const struct options *options, const char *source)
{
    const char *text = text_read(source, NULL);
    struct reader reader = {text, 1, true};
    struct token token, last = {0}, before_dots = {0};
    bool found = false, is_kernel = false;
    int dots = 0;
    while (text != NULL && next_token(&reader, text, &token)) {
        bool is_mark = is_token(&token, "__device__") || is_token(&token, "__host__");
        if (is_mark && !options->marked_lambdas && last.text != NULL && last.text[0] == ']' &&
            last.text[-1] != ']') {
            refuse(
                options, source, &token,
                "__host__ or __device__ annotation on lambda requires --extended-lambda nvcc flag");
            found = true;
        }
        if (is_token(&token, "__global__")) is_kernel = true;
        if (is_token(&token, "{") || is_token(&token, ";")) is_kernel = false;
        if (is_kernel && dots == 3 && token.text[0] == ')' &&
            (before_dots.text[0] == ',' || before_dots.text[0] == '(')) {
            refuse(options, source, &token, "a __global__ function cannot have ellipsis");
            found = true;
        }
        if (token.text[0] != '.')
            dots = 0;
        else if (dots++ == 0)
            before_dots = last;
        last = token;
    }
    return found;
}

bool source_is_refused(const struct options *options)
{
    bool found = false;
    for (size_t i = 0; i < options->sources.count; i++)
        if (!source_is_hosts(options->sources.items[i]))
            found |= refuse_words(options, options->sources.items[i]);
    return found;
}

bool source_names_special_functions(const struct options *options)
{
    static const char *const names[] = {"assoc_l",      "comp_ellint_", "cyl_",      "ellint_",
                                        "expint",       "hermite",      "laguerre",  "legendre",
                                        "riemann_zeta", "sph_",         "std::beta", "betaf"};
    for (size_t i = 0; i < options->sources.count; i++) {
        const char *text = text_read(options->sources.items[i], NULL);
        for (size_t k = 0; k < sizeof names / sizeof *names && text != NULL; k++)
            if (strstr(text, names[k]) != NULL) return true;
    }
    return false;
}

bool source_narrows(const struct options *options)
{
    static const char pattern[] =
        "\\<(u?int16_t|short)\\>|(\\<ceilf? *\\(|<<<[^>]*)[^;]*(\\(float\\)|[0-9.]f\\>)";
    regex_t narrow;
    bool found = false;
    if (regcomp(&narrow, pattern, REG_EXTENDED | REG_NEWLINE | REG_NOSUB) != 0) return false;
    for (size_t i = 0; i < options->sources.count; i++) {
        const char *text = text_read(options->sources.items[i], NULL);
        found = found || (text != NULL && regexec(&narrow, text, 0, NULL, 0) == 0);
    }
    regfree(&narrow);
    return found;
}

int source_dynamic_array(const char *source, const char *name)
{
    const char *text = text_read(source, NULL);
    struct reader reader = {text, 1, true};
    struct token token;
    bool is_extern = false, is_shared = false;
    while (text != NULL && next_token(&reader, text, &token)) {
        is_extern |= is_token(&token, "extern");
        is_shared |= is_token(&token, "__shared__");
        if (is_extern && is_shared && is_token(&token, name)) return token.line;
        if (token.text[0] == ';') is_extern = is_shared = false;
    }
    return 0;
}

/* The alignment of a type after one more word of it: 0 before the first, 16 if it is not known. */
static unsigned alignment_with(unsigned alignment, const struct token *word)
{
    static const struct {
        const char *names;
        unsigned alignment;
    } known[] = {{" const volatile static signed ", 0},
                 {" char bool int8_t uint8_t char1 char3 ", 1},
                 {" short half __half __nv_bfloat16 int16_t uint16_t char2 ", 2},
                 {" int unsigned float half2 __half2 int32_t uint32_t int3 float3 ", 4},
                 {" long double size_t int64_t uint64_t int2 uint2 float2 ", 8}};
    const char *name = text_of(" %.*s ", word->bytes, word->text);
    bool is_weak = is_token(word, "int") || is_token(word, "unsigned");
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strstr(known[i].names, name) == NULL) continue;
        bool says = i > 0 && alignment < 16 && (!is_weak || alignment == 0);
        return says ? known[i].alignment : alignment;
    }
    return 16;
}

/* Reads a declaration after its __shared__. Returns the alignment of its type if it declares
 * `name`, else 0. A name is the last word before a sign that ends it. */
static unsigned declared_alignment(struct reader *reader, const char *text, const char *name)
{
    struct token token, last = {0};
    unsigned alignment = 0;
    bool is_found = false, is_type = true;
    for (int depth = 0; next_token(reader, text, &token);) {
        char sign = token.text[0];
        if (is_word(&token) && depth == 0) {
            if (is_type && last.text != NULL) alignment = alignment_with(alignment, &last);
            last = token;
        } else if (strchr("[,=;", sign) != NULL && depth == 0) {
            is_type = false;
            is_found |= last.text != NULL && is_token(&last, name);
        } else if (is_type) {
            alignment = 16;
        }
        depth += (strchr("[{(", sign) != NULL) - (strchr("]})", sign) != NULL);
        if (sign == ';') break;
    }
    return is_found ? alignment : 0;
}

unsigned source_shared_alignment(const struct options *options, const char *name)
{
    unsigned most = 0;
    for (size_t i = 0; i < options->sources.count; i++) {
        const char *text = text_read(options->sources.items[i], NULL);
        struct reader reader = {text, 1, true};
        struct token token;
        while (text != NULL && next_token(&reader, text, &token)) {
            if (!is_token(&token, "__shared__")) continue;
            unsigned one = declared_alignment(&reader, text, name);
            most = one > most ? one : most;
        }
    }
    return most;
}
