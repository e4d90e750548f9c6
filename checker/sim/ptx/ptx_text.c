/*
 * ptx_text.c: see ptx_text.h. An instruction is a word with modifiers and types, all with dots
 * before them, and operands with commas between them: `@p ld.global.v2.f32 {%0, %1}, [%2+8];`. It
 * is known if each of its parts is in PTX_OPERATIONS, and if check() finds nothing that is missing.
 */
#include "sim/ptx/ptx_text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the instructions of a name may have: words with spaces between them */
static const struct {
    const char *word, *modifiers, *types;
    int least, most; /* operands */
} operations[] = {
#define X(name, word, modifiers, types, least, most) {word, modifiers, types, least, most},
    PTX_OPERATIONS
#undef X
};
enum { OPERATIONS = sizeof operations / sizeof operations[0] };

static const struct {
    const char *word;
    unsigned bytes;
    char kind; /* of number: float, signed, or bits */
} types[] = {
    [PTX_NO_TYPE] = {"", 0, 'b'},      [PTX_PRED] = {"pred", 1, 'b'},
    [PTX_B8] = {"b8", 1, 'b'},         [PTX_U8] = {"u8", 1, 'b'},
    [PTX_S8] = {"s8", 1, 's'},         [PTX_B16] = {"b16", 2, 'b'},
    [PTX_U16] = {"u16", 2, 'b'},       [PTX_S16] = {"s16", 2, 's'},
    [PTX_F16] = {"f16", 2, 'f'},       [PTX_BF16] = {"bf16", 2, 'f'},
    [PTX_B32] = {"b32", 4, 'b'},       [PTX_U32] = {"u32", 4, 'b'},
    [PTX_S32] = {"s32", 4, 's'},       [PTX_F32] = {"f32", 4, 'f'},
    [PTX_TF32] = {"tf32", 4, 'f'},     [PTX_F16X2] = {"f16x2", 4, 'f'},
    [PTX_BF16X2] = {"bf16x2", 4, 'f'}, [PTX_B64] = {"b64", 8, 'b'},
    [PTX_U64] = {"u64", 8, 'b'},       [PTX_S64] = {"s64", 8, 's'},
    [PTX_F64] = {"f64", 8, 'f'},
};
enum { TYPES = sizeof types / sizeof types[0] };

static const struct {
    const char *word;
    enum ptx_special special;
} specials[] = {
    {"tid.x", PTX_TID},
    {"tid.y", PTX_TID + 1},
    {"tid.z", PTX_TID + 2},
    {"ntid.x", PTX_NTID},
    {"ntid.y", PTX_NTID + 1},
    {"ntid.z", PTX_NTID + 2},
    {"ctaid.x", PTX_CTAID},
    {"ctaid.y", PTX_CTAID + 1},
    {"ctaid.z", PTX_CTAID + 2},
    {"nctaid.x", PTX_NCTAID},
    {"nctaid.y", PTX_NCTAID + 1},
    {"nctaid.z", PTX_NCTAID + 2},
    {"laneid", PTX_LANEID},
    {"warpid", PTX_WARPID},
    {"nwarpid", PTX_NWARPID},
    {"smid", PTX_SMID},
    {"nsmid", PTX_NSMID},
    {"clock", PTX_CLOCK},
    {"clock64", PTX_CLOCK64},
    {"globaltimer", PTX_GLOBALTIMER},
    {"lanemask_eq", PTX_LANEMASK_EQ},
    {"lanemask_le", PTX_LANEMASK_LE},
    {"lanemask_lt", PTX_LANEMASK_LT},
    {"lanemask_ge", PTX_LANEMASK_GE},
    {"lanemask_gt", PTX_LANEMASK_GT},
};

/* A piece of the text */
struct word {
    const char *text;
    size_t length;
};

struct name {
    struct word word;
    int slot;
};

struct reader {
    const char *at, *end;
    struct ptx *ptx;
    int operands;
    struct name names[PTX_SLOTS]; /* of declared registers */
    int name_count;
    char *unknown;
};

static bool is(struct word word, const char *spelling)
{
    return strlen(spelling) == word.length && memcmp(word.text, spelling, word.length) == 0;
}

/* Finds a word in a list of words with spaces between them; NULL if it is not there. */
static const char *find(const char *list, struct word word)
{
    for (const char *at = list; word.length > 0 && *at != '\0';) {
        size_t length = strcspn(at, " ");
        if (length == word.length && memcmp(at, word.text, length) == 0) return at;
        at += length + (at[length] == ' ');
    }
    return NULL;
}

/* ---- characters ----------------------------------------------------------------------------- */

static void skip_space(struct reader *reader)
{
    while (reader->at < reader->end) {
        const char *at = reader->at;
        if (isspace((unsigned char)*at)) {
            reader->at++;
        } else if (at + 1 < reader->end && at[0] == '/' && at[1] == '/') {
            while (reader->at < reader->end && *reader->at != '\n')
                reader->at++;
        } else if (at + 1 < reader->end && at[0] == '/' && at[1] == '*') {
            for (at += 2; at + 1 < reader->end && (at[0] != '*' || at[1] != '/');)
                at++;
            reader->at = at + 2 < reader->end ? at + 2 : reader->end;
        } else {
            return;
        }
    }
}

static bool take(struct reader *reader, char sign)
{
    skip_space(reader);
    if (reader->at == reader->end || *reader->at != sign) return false;
    reader->at++;
    return true;
}

/* A name with its dots, or a number; empty if there is none. */
static struct word take_word(struct reader *reader)
{
    skip_space(reader);
    struct word word = {reader->at, 0};
    while (reader->at < reader->end &&
           (isalnum((unsigned char)*reader->at) || strchr("_.$:", *reader->at) != NULL) &&
           *reader->at != '\0')
        reader->at++;
    word.length = (size_t)(reader->at - word.text);
    return word;
}

/* The part up to the next dot; `rest` goes on after it. */
static struct word take_part(struct word *rest)
{
    const char *dot = rest->length > 0 ? memchr(rest->text, '.', rest->length) : NULL;
    struct word part = {rest->text, dot != NULL ? (size_t)(dot - rest->text) : rest->length};
    size_t gone = part.length + (dot != NULL);
    *rest = (struct word){rest->text + gone, rest->length - gone};
    return part;
}

static bool say_unknown(struct reader *reader, struct word word)
{
    snprintf(reader->unknown, 80, "%.*s", (int)(word.length < 70 ? word.length : 70), word.text);
    return false;
}

/* ---- operands ------------------------------------------------------------------------------- */

static int slot_of(struct reader *reader, struct word name)
{
    for (int i = reader->name_count; i-- > 0;) {
        struct word word = reader->names[i].word;
        if (word.length == name.length && memcmp(word.text, name.text, word.length) == 0)
            return reader->names[i].slot;
    }
    return PTX_NO_SLOT;
}

/* 12, -3, 0x1f, 0f3F800000, 0d3FF0000000000000 */
static bool read_number(struct word word, bool negative, int64_t *number)
{
    char text[40], *end;
    if (word.length == 0 || word.length >= sizeof text || !isdigit((unsigned char)*word.text))
        return false;
    memcpy(text, word.text, word.length);
    text[word.length] = '\0';
    bool bits = text[0] == '0' && strchr("fFdD", text[1]) != NULL && word.length > 2;
    uint64_t value = strtoull(bits ? text + 2 : text, &end, bits ? 16 : 0);
    if (*end == 'U') end++;
    *number = (int64_t)(negative ? -value : value);
    return *end == '\0' && !(bits && negative);
}

/* %3, %%laneid, a declared register, or a number */
static bool read_value(struct reader *reader, struct ptx_operand *operand)
{
    bool negative = take(reader, '-'), percent = take(reader, '%');
    if (percent) take(reader, '%');
    const char *start = reader->at;
    struct word word = take_word(reader);
    *operand = (struct ptx_operand){.kind = PTX_SLOT, .slot = PTX_NO_SLOT};
    if (!percent && read_number(word, negative, &operand->number)) {
        operand->kind = PTX_NUMBER;
        return true;
    }
    if (percent && read_number(word, false, &operand->number)) {
        operand->slot = (int)operand->number;
        operand->number = 0;
        return operand->slot < reader->operands || say_unknown(reader, word);
    }
    for (size_t i = 0; percent && i < sizeof specials / sizeof specials[0]; i++)
        if (is(word, specials[i].word)) {
            operand->kind = PTX_SPECIAL;
            operand->number = specials[i].special;
            return true;
        }
    if (is(word, "WARP_SZ")) {
        operand->kind = PTX_NUMBER;
        operand->number = 32;
        return true;
    }
    operand->slot = negative ? PTX_NO_SLOT : slot_of(reader, word);
    if (operand->slot != PTX_NO_SLOT) return true;
    return say_unknown(reader, (struct word){start - percent, word.length + percent});
}

/* [%0], [%0+16], [%0 + -4] */
static bool read_address(struct reader *reader, struct ptx_operand *operand)
{
    struct ptx_operand offset;
    if (!read_value(reader, operand)) return false;
    if (operand->kind == PTX_SPECIAL) return false;
    if (take(reader, '+')) {
        if (!read_value(reader, &offset) || offset.kind != PTX_NUMBER) return false;
        operand->number += offset.number;
    } else if (take(reader, '-')) {
        if (!read_value(reader, &offset) || offset.kind != PTX_NUMBER) return false;
        operand->number -= offset.number;
    }
    operand->kind = PTX_ADDRESS;
    return take(reader, ']');
}

static bool add_operand(struct reader *reader, struct ptx_instruction *to)
{
    if (to->operand_count == PTX_OPERANDS) return false;
    struct ptx_operand *operand = &to->operands[to->operand_count];
    if (take(reader, '[')) {
        if (!read_address(reader, operand)) return false;
    } else {
        bool negated = take(reader, '!');
        if (!read_value(reader, operand)) return false;
        operand->negated = negated;
    }
    to->operand_count++;
    return true;
}

static bool read_operands(struct reader *reader, struct ptx_instruction *to)
{
    if (take(reader, ';')) return true;
    do {
        int before = to->operand_count;
        bool many = take(reader, '{');
        if (to->group_count == 5) return false;
        do
            if (!add_operand(reader, to)) return false;
        while (many && take(reader, ','));
        if (many && !take(reader, '}')) return false;
        to->groups[to->group_count++] = (unsigned char)(to->operand_count - before);
    } while (take(reader, ','));
    return take(reader, ';');
}

/* ---- instructions --------------------------------------------------------------------------- */

bool ptx_has(const struct ptx_instruction *instruction, const char *modifier)
{
    size_t length = strlen(modifier);
    for (int i = 0; i < instruction->modifier_count; i++) {
        const char *word = instruction->modifiers[i];
        if (strncmp(word, modifier, length) == 0 && (word[length] == ' ' || word[length] == '\0'))
            return true;
    }
    return false;
}

bool ptx_is_float(enum ptx_type type)
{
    return types[type].kind == 'f';
}

bool ptx_is_signed(enum ptx_type type)
{
    return types[type].kind == 's';
}

unsigned ptx_bytes(enum ptx_type type)
{
    return types[type].bytes;
}

static bool has_any(const struct ptx_instruction *instruction, const char *list)
{
    for (int i = 0; i < instruction->modifier_count; i++) {
        struct word word = {instruction->modifiers[i], strcspn(instruction->modifiers[i], " ")};
        if (find(list, word) != NULL) return true;
    }
    return false;
}

static enum ptx_type type_of(struct word word)
{
    for (int i = 1; i < TYPES; i++)
        if (is(word, types[i].word)) return (enum ptx_type)i;
    return PTX_NO_TYPE;
}

/* The operands of cp.async: the size is a number, the bytes to read may follow. */
static bool check_copy(const struct ptx_instruction *one)
{
    if (!ptx_has(one, "async")) return false;
    if (has_any(one, "commit_group wait_all")) return one->group_count == 0;
    if (ptx_has(one, "wait_group")) return one->group_count == 1;
    return has_any(one, "ca cg") && has_any(one, "shared shared::cta") && ptx_has(one, "global") &&
           (one->group_count == 3 || one->group_count == 4);
}

/* What the fragments of a product need: registers of d, a, b and c */
static bool check_mma(const struct ptx_instruction *one)
{
    static const struct {
        const char *shape, *types;
        unsigned char d, a, b, c;
    } known[] = {
        {"m16n8k4", "f32 tf32 tf32 f32", 4, 2, 1, 4}, {"m16n8k8", "f32 tf32 tf32 f32", 4, 4, 2, 4},
        {"m16n8k8", "f32 f16 f16 f32", 4, 2, 1, 4},   {"m16n8k8", "f16 f16 f16 f16", 2, 2, 1, 2},
        {"m16n8k8", "f32 bf16 bf16 f32", 4, 2, 1, 4}, {"m16n8k16", "f32 f16 f16 f32", 4, 4, 2, 4},
        {"m16n8k16", "f16 f16 f16 f16", 2, 4, 2, 2},  {"m16n8k16", "f32 bf16 bf16 f32", 4, 4, 2, 4},
        {"m16n8k16", "s32 s8 s8 s32", 4, 2, 1, 4},    {"m16n8k16", "s32 u8 u8 s32", 4, 2, 1, 4},
        {"m16n8k32", "s32 s8 s8 s32", 4, 4, 2, 4},    {"m16n8k32", "s32 u8 u8 s32", 4, 4, 2, 4},
        {"m8n8k4", "f64 f64 f64 f64", 2, 1, 1, 2},
    };
    char list[40];
    if (one->type_count != 4 || !ptx_has(one, "row") || !ptx_has(one, "col")) return false;
    snprintf(list, sizeof list, "%s %s %s %s", types[one->types[0]].word, types[one->types[1]].word,
             types[one->types[2]].word, types[one->types[3]].word);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (ptx_has(one, known[i].shape) && strcmp(list, known[i].types) == 0)
            return one->groups[0] == known[i].d && one->groups[1] == known[i].a &&
                   one->groups[2] == known[i].b && one->groups[3] == known[i].c;
    return false;
}

static unsigned vector_of(const struct ptx_instruction *one)
{
    return ptx_has(one, "v4") ? 4 : ptx_has(one, "v2") ? 2 : 1;
}

static bool check_memory(const struct ptx_instruction *one, int data, int address)
{
    return one->groups[data] == vector_of(one) && one->groups[address] == 1 &&
           one->operands[address == 0 ? 0 : one->groups[data]].kind == PTX_ADDRESS &&
           vector_of(one) * types[one->types[0]].bytes <= 16;
}

static bool check_ldmatrix(const struct ptx_instruction *one)
{
    int matrices = ptx_has(one, "x4") ? 4 : ptx_has(one, "x2") ? 2 : 1;
    return ptx_has(one, "m8n8") && has_any(one, "shared shared::cta") &&
           one->groups[0] == matrices && one->operands[matrices].kind == PTX_ADDRESS;
}

/* Only these have operands in { }. */
static bool has_plain_operands(const struct ptx_instruction *one)
{
    return one->operand_count == one->group_count;
}

/* A narrower or wider type, or a pair of halves from two floats */
static bool check_convert(const struct ptx_instruction *one)
{
    bool pair = one->types[0] == PTX_F16X2 || one->types[0] == PTX_BF16X2;
    bool whole = !ptx_is_float(one->types[0]), from_float = ptx_is_float(one->types[1]);
    if (one->type_count != 2 || !has_plain_operands(one)) return false;
    if (one->types[1] == PTX_F16X2 || one->types[1] == PTX_BF16X2 || one->types[1] == PTX_TF32)
        return false;
    if (pair) return one->group_count == 3 && one->types[1] == PTX_F32;
    if (one->group_count != 2) return false;
    if (one->types[0] == PTX_TF32) return one->types[1] == PTX_F32 && ptx_has(one, "rna");
    if (ptx_has(one, "rna") || (whole && !from_float && one->modifier_count > 0)) return false;
    return !(whole && from_float) || has_any(one, "rni rzi rmi rpi");
}

/* Is anything missing that the instruction needs, or in a form that is not known? */
static bool check(const struct ptx_instruction *one)
{
    switch (one->operation) {
    case PTX_COPY: return check_copy(one);
    case PTX_MMA: return check_mma(one);
    case PTX_LOAD: return one->type_count == 1 && check_memory(one, 0, 1);
    case PTX_STORE: return one->type_count == 1 && check_memory(one, 1, 0);
    case PTX_LOAD_MATRIX: return check_ldmatrix(one);
    case PTX_CONVERT: return check_convert(one);
    case PTX_MOVE:
        return one->type_count == 1 && one->groups[0] + one->groups[1] <= 5 &&
               (one->groups[0] == 1 || one->groups[1] == 1);
    case PTX_BAR:
    case PTX_BARRIER: return ptx_has(one, "sync") && has_plain_operands(one);
    case PTX_FENCE:
    case PTX_MEMBAR:
    case PTX_PREFETCH: return true;
    case PTX_MULTIPLY:
    case PTX_MAD:
        return one->type_count == 1 && has_plain_operands(one) &&
               (ptx_is_float(one->types[0]) || has_any(one, "lo hi wide"));
    case PTX_SHUFFLE:
    case PTX_VOTE: return ptx_has(one, "sync") && one->type_count == 1 && has_plain_operands(one);
    default: return one->type_count == 1 && has_plain_operands(one);
    }
}

/* The word of an instruction: its name, its modifiers and its types. */
static bool read_opcode(struct word whole, struct ptx_instruction *to)
{
    struct word rest = whole, name = take_part(&rest);
    int found = 0;
    while (found < OPERATIONS && !is(name, operations[found].word))
        found++;
    if (found == OPERATIONS) return false;
    to->operation = (enum ptx_operation)found;
    while (rest.length > 0) {
        struct word part = take_part(&rest);
        const char *modifier = find(operations[found].modifiers, part);
        if (modifier != NULL && to->modifier_count < PTX_MODIFIERS)
            to->modifiers[to->modifier_count++] = modifier;
        else if (find(operations[found].types, part) != NULL && to->type_count < 4)
            to->types[to->type_count++] = type_of(part);
        else
            return false;
    }
    return true;
}

static bool read_instruction(struct reader *reader, struct word word, int guard, bool negated)
{
    struct ptx *ptx = reader->ptx;
    struct ptx_instruction *list = realloc(ptx->list, ((size_t)ptx->count + 1) * sizeof *list);
    if (list == NULL) return false;
    ptx->list = list;
    struct ptx_instruction *one = &list[ptx->count];
    *one = (struct ptx_instruction){.guard = guard, .guard_negated = negated};
    if (!read_opcode(word, one)) return say_unknown(reader, word);
    if (!read_operands(reader, one))
        return reader->unknown[0] == '\0' ? say_unknown(reader, word) : false;
    int found = one->operation;
    if (one->group_count < operations[found].least || one->group_count > operations[found].most ||
        !check(one))
        return say_unknown(reader, word);
    ptx->count++;
    return true;
}

static bool declare(struct reader *reader, struct word name)
{
    if (reader->name_count == PTX_SLOTS || reader->ptx->slots == PTX_SLOTS || name.length == 0)
        return say_unknown(reader, name);
    reader->names[reader->name_count++] = (struct name){name, reader->ptx->slots++};
    return true;
}

/* .reg .b32 a, b; */
static bool read_registers(struct reader *reader, struct word type)
{
    struct word rest = type;
    do {
        struct word part = take_part(&rest);
        if (part.length > 0 && !is(part, "reg") && type_of(part) == PTX_NO_TYPE)
            return say_unknown(reader, type);
    } while (rest.length > 0);
    struct word name = take_word(reader);
    if (name.length > 0 && name.text[0] == '.') {
        struct word bare = {name.text + 1, name.length - 1};
        if (type_of(bare) == PTX_NO_TYPE) return say_unknown(reader, name);
        name = take_word(reader);
    }
    if (!declare(reader, name)) return false;
    while (take(reader, ','))
        if (!declare(reader, take_word(reader))) return false;
    return take(reader, ';') || say_unknown(reader, name);
}

static bool read_statement(struct reader *reader)
{
    int guard = PTX_NO_SLOT;
    bool negated = false;
    if (take(reader, '{') || take(reader, '}') || take(reader, ';')) return true;
    if (take(reader, '@')) {
        negated = take(reader, '!');
        if (take(reader, '%')) take(reader, '%');
        struct word predicate = take_word(reader);
        guard = slot_of(reader, predicate);
        if (guard == PTX_NO_SLOT) return say_unknown(reader, predicate);
    }
    struct word word = take_word(reader);
    if (word.length > 4 && memcmp(word.text, ".reg", 4) == 0) return read_registers(reader, word);
    if (is(word, ".reg")) return read_registers(reader, word);
    if (word.length == 0) return say_unknown(reader, (struct word){reader->at, 1});
    return read_instruction(reader, word, guard, negated);
}

bool ptx_looks(const char *text, size_t length)
{
    struct reader reader = {.at = text, .end = text + length};
    struct word word;
    while (take(&reader, '{'))
        continue;
    if (take(&reader, '@')) return true;
    word = take_word(&reader);
    if (word.length == 0 || memchr(word.text, '.', word.length) == NULL) return false;
    return word.text[0] != '.' || (word.length >= 4 && memcmp(word.text, ".reg", 4) == 0);
}

bool ptx_read(struct ptx *ptx, const char *text, size_t length, int operands, char unknown[80])
{
    struct reader reader = {
        .at = text, .end = text + length, .ptx = ptx, .operands = operands, .unknown = unknown};
    *ptx = (struct ptx){.slots = operands};
    unknown[0] = '\0';
    for (skip_space(&reader); reader.at < reader.end; skip_space(&reader)) {
        if (operands > PTX_SLOTS || !read_statement(&reader)) {
            ptx_free(ptx);
            return false;
        }
    }
    return true;
}

void ptx_free(struct ptx *ptx)
{
    free(ptx->list);
    *ptx = (struct ptx){0};
}
