/*
 * unused.c: finds atomics whose result nothing needs. A value is needed if an instruction with an
 * effect reads it, or one whose own result is needed. Without optimisation a result goes through a
 * few moves before it is dropped.
 */
#include "gpu/ptx/flow.h"

/* Compilers' code needs a few. */
enum { PASSES_MAX = 100 };

static bool has_effect(const struct ptx_instruction *one)
{
    return one->results == 0 || one->access >= 0 || one->flow != FLOW_NEXT ||
           one->opcode == OP_mbarrier || one->opcode == OP_alloca || one->space == SPACE_PARAM;
}

/* Marks what the instruction reads, if it counts. Returns whether anything new was marked. */
static bool mark(const struct body *body, const struct ptx_instruction *one, unsigned char *needed)
{
    struct touched touched;
    registers_of(body, one, &touched);
    bool counts = has_effect(one), new = false;
    for (uint32_t w = 0; w < touched.write_count; w++)
        counts |= needed[touched.writes[w]];
    for (uint32_t r = 0; counts && r < touched.read_count; r++) {
        new |= !needed[touched.reads[r]];
        needed[touched.reads[r]] = 1;
    }
    return new;
}

void find_unused(struct reader *reader)
{
    struct body *body = &reader->body;
    bool any = false;
    for (size_t k = 0; k < body->count; k++)
        any |= body->code[k].opcode == OP_atom;
    if (!any) return;
    unsigned char *needed = arena_new(reader->arena, body->register_count + 1);
    bool more = true;
    for (int passes = 0; more; passes++) {
        if (passes == PASSES_MAX) return;
        more = false;
        for (size_t k = body->count; k-- > 0;)
            more |= mark(body, &body->code[k], needed);
    }
    for (size_t k = 0; k < body->count; k++) {
        struct ptx_instruction *one = &body->code[k];
        struct touched touched;
        if (one->opcode != OP_atom) continue;
        registers_of(body, one, &touched);
        one->unused = true;
        for (uint32_t w = 0; w < touched.write_count; w++)
            if (needed[touched.writes[w]]) one->unused = false;
    }
}
