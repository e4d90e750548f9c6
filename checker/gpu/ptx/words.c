/*
 * words.c: the words of PTX itself, from words.h: a table to find them in, and what their types
 * are.
 */
#include "gpu/ptx/reader.h"

#include <string.h>

static void add_words(struct symbols *words, enum symbol_kind kind, const char *const *names,
                      uint32_t count)
{
    for (uint32_t k = 0; k < count; k++)
        symbols_add(words, kind, names[k], strlen(names[k]))->number = k;
}

void words_begin(struct reader *reader)
{
    static const char *const opcodes[] = {
#define X(name) #name,
        PTX_OPCODES(X)
#undef X
    };
    static const char *const types[] = {
#define X(name, bytes) #name,
        PTX_TYPES(X)
#undef X
    };
    static const char *const modifiers[] = {
#define X(name, text) text,
        PTX_MODIFIERS(X)
#undef X
    };
    static const char *const specials[] = {
#define X(name, text) text,
        PTX_SPECIALS(X)
#undef X
    };
    symbols_begin(&reader->words, reader->arena);
    add_words(&reader->words, SYMBOL_OPCODE, opcodes, OPCODES);
    add_words(&reader->words, SYMBOL_TYPE, types, TYPES);
    add_words(&reader->words, SYMBOL_MODIFIER, modifiers, MODIFIERS);
    add_words(&reader->words, SYMBOL_SPECIAL, specials, SPECIALS);
}

int word_of(const struct reader *reader, enum symbol_kind kind, const char *text, size_t length)
{
    const struct symbol *word = symbols_find(&reader->words, text, length);
    for (; word != NULL; word = word->bucket)
        if (word->kind == kind && word->length == length && memcmp(word->name, text, length) == 0)
            return (int)word->number;
    return -1;
}

enum ptx_type type_of(const struct reader *reader, const char *text, size_t length)
{
    int type = word_of(reader, SYMBOL_TYPE, text, length);
    return type < 0 ? TYPES : (enum ptx_type)type;
}

unsigned ptx_type_bytes(enum ptx_type type)
{
    static const uint8_t bytes[] = {
#define X(name, size) [TYPE_##name] = size,
        PTX_TYPES(X)
#undef X
    };
    return type < TYPES ? bytes[type] : 0;
}

bool ptx_is_real(enum ptx_type type)
{
    return type == TYPE_f16 || type == TYPE_bf16 || type == TYPE_tf32 || type == TYPE_f32 ||
           type == TYPE_f64;
}

bool ptx_is_signed(enum ptx_type type)
{
    return type == TYPE_s8 || type == TYPE_s16 || type == TYPE_s32 || type == TYPE_s64;
}
