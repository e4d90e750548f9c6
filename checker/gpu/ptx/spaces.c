/*
 * spaces.c: finds out which memory a generic address is in, where the text says where it came from:
 *
 *     cvta.shared.u64 %rd1, tile;  add.s64 %rd2, %rd1, %rd9;  ld.f32 %f1, [%rd2];   ->   ld.shared
 *
 * Code that was not optimised has only generic accesses, which cost the executor more. A register
 * has a space if all that is ever written to it has: conversions from that space, moves, sums of
 * such an address and a number. A shared or local address as the executor wants it is an offset, so
 * the access's own offset takes the window off again.
 */
#include "gpu/ptx/flow.h"

/* The origin of a register's value: nothing is written to it yet, one space, or it may be anything.
 */
enum origin { ORIGIN_NONE, ORIGIN_GLOBAL, ORIGIN_SHARED, ORIGIN_LOCAL, ORIGIN_ANY };

/* Compilers' code needs a few. */
enum { PASSES_MAX = 100 };

struct spaces {
    struct reader *reader;
    uint8_t *origin;           /* by register */
    struct local_range *range; /* by register with ORIGIN_LOCAL: the variable that it points to */
    bool changed;
};

/* The word with which -ftrivial-auto-var-init=pattern fills pointers: no address. */
static const uint64_t PATTERN = UINT64_C(0xaaaaaaaaaaaaaaaa);

static enum origin origin_of(const struct spaces *spaces, const struct ptx_operand *one)
{
    if (one->kind != OPERAND_VALUE) return ORIGIN_ANY;
    if (one->base == BASE_FRAME) return (enum origin)spaces->origin[one->at];
    return one->immediate && one->value == PATTERN ? ORIGIN_NONE : ORIGIN_ANY;
}

static enum origin joined(enum origin a, enum origin b)
{
    if (a == ORIGIN_NONE || a == b) return b;
    return b == ORIGIN_NONE ? a : ORIGIN_ANY;
}

static enum origin origin_of_conversion(const struct ptx_instruction *one)
{
    if (ptx_has(one, M_to)) return ORIGIN_ANY; /* not a generic address any more */
    switch (one->space) {
    case SPACE_GLOBAL: return ORIGIN_GLOBAL;
    case SPACE_SHARED: return ORIGIN_SHARED;
    case SPACE_LOCAL: return ORIGIN_LOCAL;
    default: return ORIGIN_ANY;
    }
}

/* The space of a sum of an address and a number. */
static enum origin origin_of_sum(const struct spaces *spaces, const struct ptx_operand *a,
                                 const struct ptx_operand *b)
{
    enum origin x = origin_of(spaces, a), y = origin_of(spaces, b);
    if (x == ORIGIN_NONE || y == ORIGIN_NONE) return ORIGIN_NONE;
    if (x != ORIGIN_ANY && y != ORIGIN_ANY) return ORIGIN_ANY;
    return x != ORIGIN_ANY ? x : y;
}

static enum origin origin_of_result(const struct spaces *spaces, const struct ptx_instruction *one)
{
    const struct ptx_operand *a = &one->operand[1], *b = &one->operand[2];
    switch (one->opcode) {
    case OP_cvta: return origin_of_conversion(one);
    case OP_mov: return origin_of(spaces, a);
    case OP_add: return origin_of_sum(spaces, a, b);
    case OP_sub:
    case OP_or: return b->immediate ? origin_of(spaces, a) : ORIGIN_ANY;
    case OP_selp: return joined(origin_of(spaces, a), origin_of(spaces, b));
    default: return ORIGIN_ANY;
    }
}

/* The local variable that a value points to. */
static struct local_range range_of(const struct spaces *spaces, const struct ptx_operand *one)
{
    bool pointer = origin_of(spaces, one) == ORIGIN_LOCAL && one->base == BASE_FRAME;
    return pointer ? spaces->range[one->at] : (struct local_range){.to = 0};
}

/* The one that the instruction's result, which points into local memory, points to. */
static struct local_range range_of_result(const struct spaces *spaces,
                                          const struct ptx_instruction *one)
{
    const struct local_range *ranges = spaces->reader->body.ranges;
    struct local_range a = range_of(spaces, &one->operand[1]),
                       b = range_of(spaces, &one->operand[2]);
    if (ranges != NULL && ranges[one->operand[0].at].to != 0) return ranges[one->operand[0].at];
    /* A constant distance from a known address may lead to another variable. */
    const struct ptx_operand *from = &one->operand[1];
    bool moved = one->opcode != OP_mov && one->operand[2].immediate && from->base == BASE_FRAME;
    if (ranges != NULL && moved && ranges[from->at].to != 0) return (struct local_range){.to = 0};
    if (one->opcode == OP_selp && (a.from != b.from || a.to != b.to))
        return (struct local_range){.to = 0};
    return a.to != 0 ? a : b;
}

static void note_range(struct spaces *spaces, const struct ptx_instruction *one, enum origin old)
{
    struct local_range *range = &spaces->range[one->operand[0].at],
                       new = range_of_result(spaces, one);
    if (old != ORIGIN_NONE && (range->from != new.from || range->to != new.to))
        new = (struct local_range){.to = 0};
    spaces->changed |= range->to != new.to;
    *range = new;
}

static void note(struct spaces *spaces, struct ptx_instruction *one)
{
    const struct ptx_operand *d = &one->operand[0];
    if (one->results != 1 || d->kind != OPERAND_VALUE || d->bytes != 8) {
        struct touched touched = registers_of(&spaces->reader->body, one);
        EACH_WRITE (w, touched) {
            spaces->changed |= spaces->origin[w] != ORIGIN_ANY;
            spaces->origin[w] = ORIGIN_ANY;
        }
        return;
    }
    if (d->base != BASE_FRAME) return;
    enum origin old = (enum origin)spaces->origin[d->at], result = origin_of_result(spaces, one),
                new = joined(old, result);
    if (result == ORIGIN_LOCAL && new == ORIGIN_LOCAL) note_range(spaces, one, old);
    spaces->origin[d->at] = (uint8_t) new;
    spaces->changed |= new != old;
}

static void specialise(const struct spaces *spaces, struct ptx_instruction *one)
{
    if (one->access < 0 || one->space != SPACE_GENERIC) return;
    if (one->opcode != OP_ld && one->opcode != OP_st && one->opcode != OP_atom &&
        one->opcode != OP_red)
        return;
    struct ptx_operand *address = &one->operand[one->opcode == OP_ld || one->opcode == OP_atom];
    if (address->kind != OPERAND_ADDRESS || address->base != BASE_FRAME || address->bytes != 8)
        return;
    switch (spaces->origin[address->at]) {
    case ORIGIN_GLOBAL: one->space = SPACE_GLOBAL; break;
    case ORIGIN_SHARED:
        one->space = SPACE_SHARED;
        address->offset -= (int64_t)SHARED_WINDOW;
        break;
    case ORIGIN_LOCAL:
        one->space = SPACE_LOCAL;
        address->offset -= (int64_t)LOCAL_WINDOW;
        one->local_from = spaces->range[address->at].from;
        one->local_to = spaces->range[address->at].to;
        one->local_name = spaces->range[address->at].name;
        break;
    default: break;
    }
}

void find_spaces(struct reader *reader)
{
    struct body *body = &reader->body;
    struct spaces spaces = {.reader = reader, .changed = true};
    bool any = false;
    for (size_t k = 0; k < body->count; k++)
        any |= body->code[k].access >= 0 && body->code[k].space == SPACE_GENERIC;
    if (!any) return;
    spaces.origin = BY_REGISTER(reader, spaces.origin);
    spaces.range = BY_REGISTER(reader, spaces.range);
    for (int passes = 0; spaces.changed; passes++) {
        if (passes == PASSES_MAX) return;
        spaces.changed = false;
        for (size_t k = 0; k < body->count; k++)
            note(&spaces, &body->code[k]);
    }
    for (size_t k = 0; k < body->count; k++)
        specialise(&spaces, &body->code[k]);
}
