/*
 * moves.c: takes out moves that only carry a value from one register to another. Code that was not
 * optimised is full of them, above all where local variables became registers (local.c). Only code
 * near the source is changed: of optimised code the instructions are counted. What computed
 * addresses of local memory that nothing needs any more goes in both: ptxas does not make
 * instructions of it either.
 *
 *   mov b, a; add c, b, 1   ->   add c, a, 1          within a block, while a and b keep their
 * values add t, c, 1; mov v, t   ->   add v, c, 1          if nothing else reads t
 */
#include "gpu/ptx/flow.h"

#include <string.h>

struct moves {
    struct reader *reader;
    struct flow flow;
    uint32_t *reads,
        *writes;       /* by register: how many instructions of the function read and write it */
    uint32_t *version; /* by register: of its value, within a block */
    struct copy {
        struct ptx_operand source;
        uint32_t version, source_version; /* version 0: it is not a copy */
    } * copies;                           /* by register */
    uint32_t
        *defined; /* by register: 1 + the instruction of this block that wrote it last; 0: none */
    uint32_t *last_use;     /* by register: 1 + the instruction that read or wrote it last */
    unsigned char *dropped; /* by instruction */
    uint32_t versions;
};

/* A move of a whole value, for all lanes that run. */
static bool is_move(const struct ptx_instruction *one)
{
    const struct ptx_operand *d = &one->operand[0], *s = &one->operand[1];
    if (one->opcode != OP_mov || one->operand_count != 2 || !ptx_is_register(d) ||
        s->kind != OPERAND_VALUE)
        return false;
    return d->bytes == s->bytes && !s->local && !s->negated && !is_changing(s);
}

/* ---- Copies within a block ------------------------------------------------------------------ */

/* Reads the original instead of its copy. `address`: it stays a register. */
static void use_original(struct moves *moves, int32_t *at, struct ptx_operand *one, bool address)
{
    const struct copy *copy = &moves->copies[*at];
    const struct ptx_operand *source = &copy->source;
    if (copy->version == 0 || copy->version != moves->version[*at]) return;
    if (source->base == BASE_FRAME) {
        if (copy->source_version != moves->version[source->at]) return;
        moves->reads[*at]--;
        moves->reads[source->at]++;
        *at = source->at;
    } else if (!address) {
        moves->reads[*at]--;
        bool negated = one->negated;
        *one = *source;
        one->negated = negated;
    }
}

static void use_originals(struct moves *moves, struct ptx_instruction *one)
{
    struct body *body = &moves->reader->body;
    if (one->guard >= 0) use_original(moves, &one->guard, NULL, true);
    for (unsigned k = one->results; k < one->operand_count + 1u; k++) {
        struct ptx_operand *operand = k < one->operand_count ? &one->operand[k]
                                      : one->call != NULL    ? &one->call->through
                                                             : NULL;
        if (operand == NULL) return;
        unsigned count = operand->kind == OPERAND_VECTOR ? operand->count : 1;
        for (unsigned e = 0; e < count; e++) {
            struct ptx_operand *value =
                operand->kind == OPERAND_VECTOR ? &body->elements[operand->first + e] : operand;
            bool address = value->kind == OPERAND_ADDRESS && value->base == BASE_FRAME;
            if (address || ptx_is_register(value)) use_original(moves, &value->at, value, address);
        }
    }
}

static void note_writes(struct moves *moves, const struct ptx_instruction *one, uint32_t index)
{
    struct touched touched = registers_of(&moves->reader->body, one);
    EACH_READ (r, touched)
        moves->last_use[r] = index + 1;
    EACH_WRITE (w, touched) {
        moves->version[w] = ++moves->versions;
        moves->defined[w] = index + 1;
        moves->last_use[w] = index + 1;
    }
}

static void note_copy(struct moves *moves, const struct ptx_instruction *one)
{
    if (!is_move(one) || one->guard >= 0) return;
    const struct ptx_operand *d = &one->operand[0], *s = &one->operand[1];
    if (ptx_is_register(s) && s->at == d->at) return;
    moves->copies[d->at] =
        (struct copy){.source = *s,
                      .version = moves->version[d->at],
                      .source_version = ptx_is_register(s) ? moves->version[s->at] : 0};
}

/* The move's value was computed in this block for this move alone: it is computed into its place.
 */
static bool join_with_origin(struct moves *moves, const struct ptx_instruction *move,
                             uint32_t first)
{
    struct body *body = &moves->reader->body;
    const struct ptx_operand *d = &move->operand[0], *s = &move->operand[1];
    if (!is_move(move) || !move->promoted || move->guard >= 0 || !ptx_is_register(s)) return false;
    uint32_t at = moves->defined[s->at];
    if (at <= first || moves->reads[s->at] != 1 || moves->writes[s->at] != 1 ||
        moves->last_use[d->at] > at)
        return false;
    struct ptx_instruction *origin = &body->code[at - 1];
    if (origin->results != 1 || origin->guard >= 0 || !ptx_is_register(&origin->operand[0]) ||
        origin->operand[0].at != s->at)
        return false;
    origin->operand[0].at = d->at;
    moves->reads[s->at] = moves->writes[s->at] = 0;
    moves->defined[d->at] = at;
    moves->version[d->at] = ++moves->versions;
    moves->last_use[d->at] = at;
    return true;
}

/* The instruction goes, and so do its reads. */
static void drop(struct moves *moves, uint32_t k)
{
    struct touched touched = registers_of(&moves->reader->body, &moves->reader->body.code[k]);
    EACH_READ (r, touched)
        moves->reads[r]--;
    EACH_WRITE (w, touched)
        moves->writes[w]--;
    moves->dropped[k] = 1;
}

/* A variable that is set twice, with nothing between that reads it, needs only the second move. */
static void drop_overwritten(struct moves *moves, const struct ptx_instruction *one, uint32_t first)
{
    const struct body *body = &moves->reader->body;
    if (one->results != 1 || one->guard >= 0 || !ptx_is_register(&one->operand[0])) return;
    struct touched touched = registers_of(body, one);
    uint32_t number = (uint32_t)one->operand[0].at, at = moves->defined[number];
    EACH_READ (r, touched)
        if (r == number) return;
    if (at <= first || moves->last_use[number] != at || moves->dropped[at - 1]) return;
    const struct ptx_instruction *old = &body->code[at - 1];
    if (old->promoted && old->guard < 0 && ptx_is_register(&old->operand[0])) drop(moves, at - 1);
}

static void change_block(struct moves *moves, const struct basic_block *block)
{
    struct body *body = &moves->reader->body;
    for (uint32_t k = block->first; k < block->end; k++) {
        struct ptx_instruction *one = &body->code[k];
        use_originals(moves, one);
        if (join_with_origin(moves, one, block->first)) {
            moves->dropped[k] = 1;
            continue;
        }
        drop_overwritten(moves, one, block->first);
        note_writes(moves, one, k);
        note_copy(moves, one);
    }
    /* Nothing is known at the beginning of the next block. */
    for (uint32_t k = block->first; k < block->end; k++) {
        struct touched touched = registers_of(body, &body->code[k]);
        EACH_WRITE (w, touched)
            moves->copies[w].version = moves->defined[w] = 0;
    }
}

/* ---- Moves that nothing needs --------------------------------------------------------------- */

/* May the instruction go if nothing reads its result? */
static bool is_idle(const struct moves *moves, const struct ptx_instruction *one)
{
    if (one->results != 1 || !ptx_is_register(&one->operand[0])) return false;
    bool address = one->operand_count > 1 && one->operand[1].local;
    if (moves->reader->module->source_build && (one->promoted || is_move(one))) return true;
    return (one->opcode == OP_mov && address) ||
           (one->opcode == OP_cvta && one->space == SPACE_LOCAL);
}

static void drop_idle(struct moves *moves)
{
    enum { PASSES_MAX = 100 }; /* compilers' code needs a few */
    struct body *body = &moves->reader->body;
    bool more = true;
    for (int passes = 0; more && passes < PASSES_MAX; passes++) {
        more = false;
        for (size_t k = body->count; k-- > 0;) {
            const struct ptx_instruction *one = &body->code[k];
            if (moves->dropped[k] || !is_idle(moves, one) || moves->reads[one->operand[0].at] != 0)
                continue;
            drop(moves, (uint32_t)k);
            more = true;
        }
    }
}

/* Takes the dropped instructions out. A branch to one of them goes to what follows it. */
static void close_gaps(struct moves *moves)
{
    struct body *body = &moves->reader->body;
    uint32_t *moved = arena_new(moves->reader->arena, (body->count + 1) * sizeof *moved), count = 0;
    for (size_t k = 0; k < body->count; k++) {
        moved[k] = count;
        if (!moves->dropped[k]) body->code[count++] = body->code[k];
    }
    for (uint32_t k = 0; k < count; k++) {
        if (body->code[k].opcode == OP_bra)
            body->code[k].target = (int32_t)moved[body->code[k].target];
        for (int32_t *to = body->code[k].targets; to != NULL && *to >= 0; to++)
            *to = (int32_t)moved[*to];
    }
    body->count = count;
}

void drop_moves(struct reader *reader)
{
    struct body *body = &reader->body;
    struct moves moves = {.reader = reader};
    if (body->local_variables == 0 && !reader->module->source_build) return;
    uint32_t **arrays[] = {&moves.reads, &moves.writes, &moves.version, &moves.defined,
                           &moves.last_use};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        *arrays[k] = BY_REGISTER(reader, *arrays[k]);
    moves.copies = BY_REGISTER(reader, moves.copies);
    moves.dropped = arena_new(reader->arena, body->count + 1);
    for (size_t k = 0; k < body->count; k++) {
        struct touched touched = registers_of(body, &body->code[k]);
        EACH_READ (r, touched)
            moves.reads[r]++;
        EACH_WRITE (w, touched)
            moves.writes[w]++;
    }
    if (reader->module->source_build) {
        moves.flow = flow_of_body(reader);
        for (uint32_t b = 0; b < moves.flow.count; b++)
            change_block(&moves, &moves.flow.blocks[b]);
    }
    drop_idle(&moves);
    close_gaps(&moves);
}
