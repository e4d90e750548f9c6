/*
 * operands.c: operands of instructions: registers, numbers, names, vectors, addresses.
 */
#include "gpu/ptx/reader.h"

#include <string.h>

uint32_t new_register(struct reader *reader, unsigned bytes)
{
    struct body *body = &reader->body;
    ADD(body->register_bytes, body->register_count, body->register_room) = (uint8_t)bytes;
    return (uint32_t)body->register_count - 1;
}

/* The register of this name, of its own or as one of a range; -1: there is none. */
static int64_t register_named(const struct reader *reader, const char *name, uint32_t length)
{
    const struct symbol *symbol = symbols_find(&reader->names, name, length);
    if (symbol != NULL)
        return symbol->kind == SYMBOL_REGISTER && symbol->count == 0 ? (int64_t)symbol->number : -1;
    uint32_t stem = length;
    while (stem > 1 && name[stem - 1] >= '0' && name[stem - 1] <= '9')
        stem--;
    for (; stem < length; stem++) {
        if ((name[stem] == '0' && stem + 1 < length) || length - stem > 7) continue;
        symbol = symbols_find(&reader->names, name, stem);
        if (symbol == NULL || symbol->kind != SYMBOL_REGISTER || symbol->count == 0) continue;
        uint32_t number = 0;
        for (uint32_t i = stem; i < length; i++)
            number = number * 10 + (uint32_t)(name[i] - '0');
        if (number < symbol->count) return symbol->number + number;
    }
    return -1;
}

static struct ptx_operand immediate(struct reader *reader, struct value value, unsigned bytes,
                                    bool real)
{
    uint64_t bits = value_bits(value, bytes, real);
    return (struct ptx_operand){.kind = OPERAND_VALUE,
                                .base = BASE_CONSTANT,
                                .bytes = (uint8_t)bytes,
                                .immediate = true,
                                .value = bits,
                                .at = constant_of(reader, bytes, bits)};
}

/* The address that a name stands for, as a value of `bytes` bytes. */
static bool name_value(struct reader *reader, struct ptx_operand *operand,
                       const struct symbol *symbol, unsigned bytes, int64_t add)
{
    bytes = bytes == 4 ? 4 : 8;
    *operand =
        (struct ptx_operand){.kind = OPERAND_VALUE, .base = BASE_CONSTANT, .bytes = (uint8_t)bytes};
    switch (symbol->kind) {
    case SYMBOL_VARIABLE:
        operand->at = address_of(reader, bytes, symbol->variable, NULL, add);
        return true;
    case SYMBOL_FUNCTION:
        operand->at = address_of(reader, bytes, NULL, symbol->function, add);
        return true;
    case SYMBOL_LOCAL:
        operand->local = true;
        operand->value = symbol->number + (uint64_t)add;
        operand->at = constant_of(reader, bytes, operand->value);
        return true;
    case SYMBOL_PARAM:
        operand->value = symbol->param->at + (uint64_t)add;
        if (reader->body.function->entry) operand->value += PARAM_WINDOW;
        operand->at = constant_of(reader, bytes, operand->value);
        return true;
    default: return false;
    }
}

static struct ptx_operand named(struct reader *reader, unsigned bytes)
{
    struct lexer *lexer = &reader->lexer;
    struct token name = lexer->token;
    struct ptx_operand operand = {.kind = OPERAND_VALUE, .base = BASE_FRAME};
    int64_t number = register_named(reader, name.text, name.length);
    int row = word_of(reader, SYMBOL_SPECIAL, name.text, name.length);
    const struct symbol *symbol = named_symbol(reader);
    lexer_next(lexer);
    if (number >= 0) {
        operand.at = (int32_t)number;
        operand.bytes = reader->body.register_bytes[number];
        return operand;
    }
    if (name.length == 1 && name.text[0] == '_')
        return (struct ptx_operand){.kind = OPERAND_SINK, .bytes = (uint8_t)bytes};
    if (row >= 0)
        return (struct ptx_operand){.kind = OPERAND_VALUE,
                                    .base = BASE_SPECIAL,
                                    .at = row * 4 * LANES,
                                    .bytes = row >= SPECIAL_clock64 ? 8 : 4};
    if (symbol != NULL && name_value(reader, &operand, symbol, bytes, read_offset(reader)))
        return operand;
    if (name.length == 7 && memcmp(name.text, "WARP_SZ", 7) == 0)
        return immediate(reader, (struct value){LANES, TOKEN_NUMBER}, bytes, false);
    if (name.text[0] == '%' && memchr(name.text, '.', name.length) != NULL)
        reader_unknown(reader, "%.*s", (int)name.length, name.text);
    else
        refuse_name(reader, "undefined name", &name);
    return operand;
}

struct ptx_operand new_vector(struct reader *reader, const struct ptx_operand *list, unsigned count)
{
    struct body *body = &reader->body;
    struct ptx_operand operand = {.kind = OPERAND_VECTOR,
                                  .bytes = list[0].bytes,
                                  .count = (uint8_t)count,
                                  .first = (uint32_t)body->element_count};
    for (unsigned k = 0; k < count; k++) {
        ADD(body->elements, body->element_count, body->element_room) = list[k];
    }
    return operand;
}

static struct ptx_operand vector(struct reader *reader, unsigned bytes, bool real)
{
    struct ptx_operand list[16], operand = {.kind = OPERAND_VECTOR, .bytes = (uint8_t)bytes};
    lexer_next(&reader->lexer);
    do {
        if (operand.count >= 16 || token_is(&reader->lexer, '{')) {
            reader_refuse(reader, "a vector has too many elements");
            return operand;
        }
        list[operand.count++] = read_operand(reader, bytes, real);
    } while (!reader->panic && lexer_take(&reader->lexer, ','));
    if (!reader->panic) expect_mark(reader, '}');
    return reader->panic ? operand : new_vector(reader, list, operand.count);
}

/* Reads an address between brackets, up to the closing one or a comma. */
struct ptx_operand read_address(struct reader *reader)
{
    struct lexer *lexer = &reader->lexer;
    struct ptx_operand operand = {.kind = OPERAND_ADDRESS, .base = BASE_CONSTANT, .bytes = 8};
    lexer_next(lexer);
    if (lexer->token.kind != TOKEN_WORD) {
        operand.offset = (int64_t)read_expression(reader).bits;
        return operand;
    }
    int64_t number = register_named(reader, lexer->token.text, lexer->token.length);
    const struct symbol *symbol = named_symbol(reader);
    if (number >= 0) {
        operand.base = BASE_FRAME;
        operand.at = (int32_t)number;
        operand.bytes = reader->body.register_bytes[number];
        if (operand.bytes != 4 && operand.bytes != 8)
            reader_refuse(reader, "an address is a register of 32 or 64 bits");
    } else if (symbol != NULL && symbol->kind == SYMBOL_VARIABLE) {
        operand.at = address_of(reader, 8, symbol->variable, NULL, 0);
    } else if (symbol != NULL && symbol->kind == SYMBOL_LOCAL) {
        operand.local = true;
        operand.offset = symbol->number;
    } else if (symbol != NULL && symbol->kind == SYMBOL_PARAM) {
        operand.kind = OPERAND_PARAM;
        operand.own = reader->body.function->entry && symbol->depth == 1;
        operand.offset = symbol->param->at;
    } else {
        refuse_name(reader, "undefined name", &lexer->token);
    }
    if (reader->panic) return operand;
    lexer_next(lexer);
    operand.offset += read_offset(reader);
    return operand;
}

struct ptx_operand read_operand(struct reader *reader, unsigned bytes, bool real)
{
    struct lexer *lexer = &reader->lexer;
    if (token_is(lexer, '{')) return vector(reader, bytes, real);
    bool negated = lexer_take(lexer, '!');
    struct ptx_operand operand = lexer->token.kind == TOKEN_WORD
                                     ? named(reader, bytes)
                                     : immediate(reader, read_expression(reader), bytes, real);
    operand.negated = negated;
    if (negated && (operand.kind != OPERAND_VALUE || operand.bytes != 0))
        reader_refuse(reader, "only a predicate can be negated");
    return operand;
}
