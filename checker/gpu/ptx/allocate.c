#include "gpu/ptx/reader.h"

#include <string.h>

void allocate(struct reader *reader)
{
    struct body *body = &reader->body;
    struct ptx_function *f = body->function;
    uint32_t *slot = arena_new(reader->arena, body->register_count * sizeof *slot), at = 0;
    static const unsigned sizes[] = {16, 8, 4, 2, 1, 0};
    for (size_t s = 0; s < 6; s++)
        for (size_t r = 0; r < body->register_count; r++)
            if (body->register_bytes[r] == sizes[s]) {
                slot[r] = at;
                at += sizes[s] == 0 ? 4 : LANES * (sizes[s] == 1 ? 2 : sizes[s]);
            }
    f->frame_bytes = (at + 63) / 64 * 64;
    for (size_t e = 0; e < body->element_count; e++)
        if (body->elements[e].base == BASE_FRAME && (body->elements[e].kind == OPERAND_VALUE))
            body->elements[e].at = (int32_t)slot[body->elements[e].at];
    for (size_t k = 0; k < body->count; k++) {
        struct ptx_instruction *i = &body->code[k];
        if (i->guard >= 0) i->guard = (int32_t)slot[i->guard];
        for (int o = 0; o < i->operand_count; o++) {
            struct ptx_operand *p = &i->operand[o];
            if (p->base == BASE_FRAME && (p->kind == OPERAND_VALUE || p->kind == OPERAND_ADDRESS))
                p->at = (int32_t)slot[p->at];
            if (p->kind == OPERAND_ADDRESS || p->kind == OPERAND_PARAM) i->offset = p->offset;
        }
        if (i->call != NULL && i->call->through.kind == OPERAND_VALUE &&
            i->call->through.base == BASE_FRAME)
            i->call->through.at = (int32_t)slot[i->call->through.at];
        struct ptx_operand *p = i->operand;
        i->d = p[0].at;
        i->d_base = p[0].base;
        i->a = p[1].at;
        i->a_base = p[1].base;
        i->b = p[2].at;
        i->b_base = p[2].base;
        i->c = p[3].at;
        i->c_base = p[3].base;
        if (i->access == 0) i->access = (int32_t)reader->module->access_count++;
    }
    f->code = arena_new(reader->arena, body->count * sizeof *f->code);
    memcpy(f->code, body->code, body->count * sizeof *f->code);
    f->code_count = (uint32_t)body->count;
    f->elements = arena_new(reader->arena, body->element_count * sizeof *f->elements);
    if (body->element_count != 0)
        memcpy(f->elements, body->elements, body->element_count * sizeof *f->elements);
    f->local_bytes = (uint32_t)body->local_bytes;
}
