/*
 * constants.c: constant expressions, and the constants of a module, each once, spread over 32
 * lanes. While the text is read only their places are known; their memory is made at the end. Those
 * that are addresses get their values by ptx_set_addresses().
 */
#include "gpu/ptx/reader.h"

#include <string.h>

/* ---- expressions ---------------------------------------------------------------------------- */

enum { NESTED_MAX = 100 };

static struct value binary(struct reader *reader, int least, unsigned depth);

static struct value unary(struct reader *reader, unsigned depth)
{
    struct lexer *lexer = &reader->lexer;
    struct token token = lexer->token;
    struct value value = {.bits = token.value, .kind = token.kind};
    if (depth > NESTED_MAX) reader_refuse(reader, "an expression is too deep");
    bool number =
        token.kind == TOKEN_NUMBER || token.kind == TOKEN_FLOAT || token.kind == TOKEN_DOUBLE;
    bool sign = token.kind == TOKEN_MARK && strchr("-~!+", token.mark) != NULL;
    if (!number && !sign && !token_is(lexer, '(')) reader_refuse(reader, "a number is expected");
    if (reader->panic) return (struct value){.kind = TOKEN_NUMBER};
    lexer_next(lexer);
    if (number) return value;
    if (!sign) {
        value = binary(reader, 0, depth + 1);
        if (!reader->panic) expect_mark(reader, ')');
        return value;
    }
    value = unary(reader, depth + 1);
    if (token.mark == '~') value.bits = ~value.bits;
    if (token.mark == '!') value.bits = value.bits == 0;
    if (token.mark == '-')
        value.bits = value.kind == TOKEN_NUMBER   ? 0 - value.bits
                     : value.kind == TOKEN_DOUBLE ? value.bits ^ UINT64_C(1) << 63
                                                  : value.bits ^ UINT64_C(1) << 31;
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

int64_t read_offset(struct reader *reader)
{
    uint64_t offset = 0;
    while (!reader->panic && (token_is(&reader->lexer, '+') || token_is(&reader->lexer, '-'))) {
        bool minus = token_is(&reader->lexer, '-');
        lexer_next(&reader->lexer);
        uint64_t bits = binary(reader, 5, 0).bits; /* up to the next + or - */
        offset += minus ? 0 - bits : bits;
    }
    return (int64_t)offset;
}

uint64_t value_bits(struct value value, unsigned bytes, bool real)
{
    double number;
    float single;
    uint32_t bits = (uint32_t)value.bits;
    bool whole = value.kind == TOKEN_NUMBER;
    memcpy(&number, &value.bits, sizeof number);
    memcpy(&single, &bits, sizeof single);
    if (value.kind == TOKEN_FLOAT) number = single;
    if (whole) number = (double)(int64_t)value.bits;
    single = (float)number;
    memcpy(&bits, &single, sizeof bits);
    bool converts = !whole || (real && value.bits != 0);
    if (converts && bytes == 8) memcpy(&value.bits, &number, sizeof number);
    if (converts && bytes == 4 && value.kind != TOKEN_FLOAT) value.bits = bits;
    return bytes >= 8 || bytes == 0 ? value.bits : value.bits & ((UINT64_C(1) << 8 * bytes) - 1);
}

/* ---- constants of a module ------------------------------------------------------------------ */

static int32_t intern(struct reader *reader, struct constant wanted)
{
    uint64_t mix = (wanted.value ^ (uintptr_t)wanted.variable ^ (uintptr_t)wanted.function) *
                   UINT64_C(0x9e3779b97f4a7c15);
    uint32_t *bucket = &reader->constant_buckets[(mix >> 40 ^ wanted.bytes) % 4096];
    for (uint32_t k = *bucket; k != 0; k = reader->constants[k].next) {
        const struct constant *one = &reader->constants[k];
        if (one->value == wanted.value && one->bytes == wanted.bytes &&
            one->variable == wanted.variable && one->function == wanted.function)
            return (int32_t)one->at;
    }
    if (reader->constant_count == 0) reader->constant_count = 1;
    wanted.at = reader->module->constant_bytes;
    wanted.next = *bucket;
    *bucket = (uint32_t)reader->constant_count;
    ADD(reader->constants, reader->constant_count, reader->constant_room) = wanted;
    reader->module->constant_bytes += wanted.bytes == 0 ? 64 : LANES * wanted.bytes;
    return (int32_t)wanted.at;
}

int32_t constant_of(struct reader *reader, unsigned bytes, uint64_t value)
{
    if (bytes == 0) value = value != 0 ? UINT32_MAX : 0;
    if (bytes == 1) bytes = 2;
    if (bytes < 8) value &= bytes == 0 ? UINT32_MAX : (UINT64_C(1) << 8 * bytes) - 1;
    return intern(reader, (struct constant){.value = value, .bytes = (uint8_t)bytes});
}

int32_t address_of(struct reader *reader, unsigned bytes, struct ptx_variable *variable,
                   struct ptx_function *function, int64_t add)
{
    return intern(reader, (struct constant){.value = (uint64_t)add,
                                            .bytes = bytes == 4 ? 4 : 8,
                                            .variable = variable,
                                            .function = function});
}

/* Constants are sorted by their places. */
const struct constant *address_constant(const struct reader *reader, const struct ptx_operand *one)
{
    size_t low = 1, high = reader->constant_count;
    if ((one->kind != OPERAND_VALUE && one->kind != OPERAND_ADDRESS) ||
        one->base != BASE_CONSTANT || one->immediate || one->local || one->at == 0)
        return NULL;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (reader->constants[middle].at < (uint32_t)one->at)
            low = middle + 1;
        else
            high = middle;
    }
    return &reader->constants[low];
}

const struct ptx_variable *shared_variable(const struct reader *reader,
                                           const struct ptx_operand *one)
{
    const struct constant *constant = address_constant(reader, one);
    const struct ptx_variable *variable = constant == NULL ? NULL : constant->variable;
    return variable != NULL && variable->space == SPACE_SHARED ? variable : NULL;
}

static void spread(unsigned char *at, const struct constant *one, uint64_t value)
{
    uint64_t lane[2] = {value, 0};
    if (one->bytes == 0) memcpy(at, lane, 4);
    for (unsigned l = 0; l < LANES; l++)
        memcpy(at + l * one->bytes, lane, one->bytes);
}

/* The constants that are addresses, with the arena: ptx_set_addresses() may come again. */
struct address_constants {
    uint32_t count;
    struct constant constants[];
};

void constants_finish(struct reader *reader)
{
    struct ptx_module *module = reader->module;
    unsigned char *memory = arena_new(reader->arena, module->constant_bytes + 64);
    struct address_constants *list =
        arena_new(reader->arena, sizeof *list + reader->constant_count * sizeof *list->constants);
    module->constants = (unsigned char *)(((uintptr_t)memory + 63) / 64 * 64);
    module->addresses = list;
    for (size_t k = 1; k < reader->constant_count; k++) {
        const struct constant *one = &reader->constants[k];
        spread(module->constants + one->at, one, one->value);
        if (one->variable != NULL || one->function != NULL) list->constants[list->count++] = *one;
    }
}

void ptx_set_addresses(struct ptx_module *module)
{
    const struct address_constants *list = module->addresses;
    for (uint32_t k = 0; k < list->count; k++) {
        const struct constant *one = &list->constants[k];
        uint64_t base =
            one->variable != NULL ? one->variable->address : ptx_function_address(one->function);
        spread(module->constants + one->at, one, base + one->value);
    }
}
