/*
 * finish.c: what is left to do with a function's code when all its passes are done: it moves into
 * the module, its accesses get their numbers, and the fields that executors look at first are
 * filled in.
 */
#include "gpu/ptx/reader.h"

#include <string.h>

static void set_shortcuts(struct ptx_instruction *one)
{
    int32_t *at[4] = {&one->d, &one->a, &one->b, &one->c};
    uint8_t *base[4] = {&one->d_base, &one->a_base, &one->b_base, &one->c_base};
    for (int k = 0; k < 4 && k < one->operand_count; k++) {
        *at[k] = one->operand[k].at;
        *base[k] = one->operand[k].base;
    }
    for (int k = one->operand_count; k-- > 0;)
        if (one->operand[k].kind == OPERAND_ADDRESS || one->operand[k].kind == OPERAND_PARAM)
            one->offset = one->operand[k].offset;
}

void finish_body(struct reader *reader)
{
    struct body *body = &reader->body;
    struct ptx_function *function = body->function;
    for (size_t k = 0; k < body->count; k++) {
        set_shortcuts(&body->code[k]);
        if (body->code[k].access >= 0)
            body->code[k].access = (int32_t)reader->module->access_count++;
    }
    function->code = arena_new(reader->arena, body->count * sizeof *function->code);
    memcpy(function->code, body->code, body->count * sizeof *function->code);
    function->code_count = (uint32_t)body->count;
    function->elements = arena_new(reader->arena, body->element_count * sizeof *function->elements);
    if (body->element_count != 0)
        memcpy(function->elements, body->elements,
               body->element_count * sizeof *function->elements);
    function->local_bytes = (uint32_t)((body->local_bytes + 15) / 16 * 16);
}
