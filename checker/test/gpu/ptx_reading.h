/*
 * ptx_reading.h: what the tests of the reader of PTX share: CHECK(), and kernels made of a few lines
 * of text.
 */
#ifndef WARPUP_TEST_PTX_READING_H
#define WARPUP_TEST_PTX_READING_H

#include "gpu/ptx/ptx.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned passed;

#define CHECK(...)                                                                                 \
    do {                                                                                           \
        if (!(__VA_ARGS__)) {                                                                      \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #__VA_ARGS__);                             \
            exit(1);                                                                               \
        }                                                                                          \
        passed++;                                                                                  \
    } while (0)

static const char head[] = ".version 8.0\n.target sm_80\n.address_size 64\n";

static inline struct ptx_module *read_text(const char *text)
{
    char *all = malloc(strlen(head) + strlen(text) + 1);
    strcpy(all, head);
    strcat(all, text);
    struct ptx_module *module = ptx_read(all, strlen(all));
    free(all);
    assert(module != NULL);
    for (uint32_t e = 0; e < module->error_count && getenv("VERBOSE") != NULL; e++)
        fprintf(stderr, "%u: %s\n", module->errors[e].text_line, module->errors[e].text);
    return module;
}

/* A kernel k with some registers and this body. */
static inline struct ptx_module *read_kernel(const char *before, const char *parameters, const char *body)
{
    static const char registers[] =
        ".reg .pred %p<20>;\n.reg .b16 %rs<20>;\n.reg .b32 %r<40>;\n.reg .f32 %f<40>;\n"
        ".reg .f64 %fd<20>;\n.reg .b64 %rd<40>;\n";
    char *text = malloc(strlen(before) + strlen(parameters) + strlen(body) + 1000);
    sprintf(text, "%s\n.visible .entry k(%s)\n{\n%s%s\n}\n", before, parameters, registers, body);
    struct ptx_module *module = read_text(text);
    free(text);
    return module;
}

static inline const struct ptx_instruction *instruction(const struct ptx_module *module, uint32_t index)
{
    const struct ptx_function *kernel = ptx_function(module, "k");
    assert(kernel != NULL && index < kernel->code_count);
    return &kernel->code[index];
}

/* The first instruction with this opcode. */
static inline const struct ptx_instruction *find(const struct ptx_module *module, enum ptx_opcode opcode)
{
    const struct ptx_function *kernel = ptx_function(module, "k");
    for (uint32_t k = 0; kernel != NULL && k < kernel->code_count; k++)
        if (kernel->code[k].opcode == opcode) return &kernel->code[k];
    return NULL;
}

static inline unsigned count(const struct ptx_module *module, enum ptx_opcode opcode)
{
    const struct ptx_function *kernel = ptx_function(module, "k");
    unsigned found = 0;
    for (uint32_t k = 0; k < kernel->code_count; k++)
        found += kernel->code[k].opcode == opcode;
    return found;
}

/* Does reading this body give exactly one error with this text? */
static inline bool refused(const char *body, bool unknown, const char *text)
{
    struct ptx_module *module = read_kernel("", ".param .u64 a, .param .u32 n", body);
    bool right = module->error_count >= 1 && module->errors[0].unknown == unknown &&
                 strstr(module->errors[0].text, text) != NULL;
    if (!right)
        fprintf(stderr, "wanted '%s', got '%s'\n", text,
                module->error_count == 0 ? "" : module->errors[0].text);
    ptx_free(module);
    return right;
}

static inline uint64_t constant(const struct ptx_module *module, const struct ptx_operand *one)
{
    uint64_t value = 0;
    assert(one->base == BASE_CONSTANT);
    memcpy(&value, module->constants + one->at, one->bytes > 8 ? 8 : one->bytes);
    return value;
}

#endif
