/*
 * one_instruction.h: runs one PTX instruction on a warp of its own: for the tests of warp/'s
 * arithmetic. Registers are %p0 … (predicates), %h0 … (16 bits), %r0 … (32), %d0 … (64), %q0 …
 * (128). The first operands are results, all other registers get the inputs in the order of the
 * text.
 */
#ifndef WARPUP_ONE_INSTRUCTION_H
#define WARPUP_ONE_INSTRUCTION_H

#include "gpu/warp/warp.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES_MAX = 40 };

static _Alignas(64) unsigned char test_frame[1 << 16];
static _Alignas(64) unsigned char test_special[1 << 14];
static struct warp test_warp;

struct one {
    struct ptx_module *module;
    struct ptx_function *function;
    struct ptx_instruction *instruction;
    const struct ptx_operand *results[VALUES_MAX], *sources[VALUES_MAX];
    unsigned result_count, source_count;
};

static void one_operand(struct one *one, const struct ptx_operand *operand, bool result)
{
    if (operand->kind == OPERAND_VECTOR) {
        for (unsigned k = 0; k < operand->count; k++)
            one_operand(one, &one->function->elements[operand->first + k], result);
        return;
    }
    bool is_register = operand->kind == OPERAND_VALUE || operand->kind == OPERAND_ADDRESS;
    if (!is_register || operand->base != BASE_FRAME || operand->immediate) return;
    if (result)
        one->results[one->result_count++] = operand;
    else
        one->sources[one->source_count++] = operand;
}

/* Reads the instruction; false: it is not known. */
static bool one_read(struct one *one, const char *text)
{
    char source[2000];
    int length = snprintf(source, sizeof source,
                          ".version 8.3\n.target sm_90\n.address_size 64\n"
                          ".visible .entry k()\n{\n"
                          ".reg .pred %%p<8>;\n.reg .b16 %%h<8>;\n.reg .b32 %%r<40>;\n"
                          ".reg .b64 %%d<20>;\n.reg .b128 %%q<4>;\n%s\nret;\n}\n",
                          text);
    memset(one, 0, sizeof *one);
    one->module = ptx_read(source, (size_t)length);
    if (one->module->error_count != 0) {
        printf("%s: %s\n", text, one->module->errors[0].text);
        return false;
    }
    ptx_set_addresses(one->module);
    one->function = one->module->functions[0];
    one->instruction = &one->function->code[0];
    unsigned results = one->instruction->results;
    for (unsigned k = 0; k < one->instruction->operand_count; k++)
        one_operand(one, &one->instruction->operand[k], k < results);
    one->instruction->execute = arithmetic_select(one->function, one->instruction);
    return one->instruction->execute != NULL;
}

static unsigned one_stride(const struct ptx_operand *operand)
{
    return operand->bytes == 1 ? 2 : operand->bytes;
}

static void one_set(const struct ptx_operand *operand, unsigned lane, uint64_t value)
{
    uint32_t *predicate = (uint32_t *)(test_frame + operand->at);
    if (operand->bytes == 0)
        *predicate = (*predicate & ~(1u << lane)) | (uint32_t)(value & 1) << lane;
    else
        memcpy(test_frame + operand->at + lane * one_stride(operand), &value,
               one_stride(operand) < 8 ? one_stride(operand) : 8);
}

static uint64_t one_get(const struct ptx_operand *operand, unsigned lane)
{
    uint64_t value = 0;
    uint32_t predicate;
    memcpy(&predicate, test_frame + operand->at, sizeof predicate);
    if (operand->bytes == 0) return predicate >> lane & 1;
    memcpy(&value, test_frame + operand->at + lane * one_stride(operand),
           one_stride(operand) < 8 ? one_stride(operand) : 8);
    return value;
}

static void one_run(struct one *one, uint32_t mask)
{
    test_warp.base[BASE_FRAME] = test_frame;
    test_warp.base[BASE_CONSTANT] = one->module->constants;
    test_warp.base[BASE_SPECIAL] = test_special;
    one->instruction->execute(&test_warp, one->instruction, mask);
}

#endif
