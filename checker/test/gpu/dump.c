/*
 * dump.c: prints what the reader makes of PTX: functions, instructions with the places of their
 * operands, source lines. Build it by hand: gcc -Ichecker checker/test/gpu/dump.c
 * build/obj/gpu/ptx/*.o -lstdc++
 */
#include "gpu/ptx/ptx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const spaces[] = {"generic", "global", "shared", "local", "param", "const"};
static void print_operand(const struct ptx_function *function, const struct ptx_operand *one)
{
    static const char base[] = "rcs";
    switch (one->kind) {
    case OPERAND_SINK: printf(" _"); return;
    case OPERAND_PARAM:
        printf(" %s[%lld]", one->own ? "kernel" : "call", (long long)one->offset);
        return;
    case OPERAND_VECTOR:
        printf(" {");
        for (unsigned k = 0; k < one->count; k++)
            print_operand(function, &function->elements[one->first + k]);
        printf(" }");
        return;
    case OPERAND_ADDRESS:
        printf(" [%s%c%d%+lld]", one->local ? "local " : "", base[one->base], one->at,
               (long long)one->offset);
        return;
    default: break;
    }
    if (one->negated) printf(" !");
    if (one->local)
        printf(" local %llu", (unsigned long long)one->value);
    else if (one->base == BASE_SPECIAL)
        printf(" %s", ptx_specials[one->at / 128]);
    else if (one->immediate)
        printf(" #%llx", (unsigned long long)one->value);
    else
        printf(" %c%d:%u", base[one->base], one->at, one->bytes);
}

static void print_instruction(const struct ptx_function *function, uint32_t k)
{
    const struct ptx_instruction *one = &function->code[k];
    printf("%5u  ", k);
    if (one->guard >= 0) printf("@%sr%d ", one->guard_negated ? "!" : "", one->guard);
    printf("%s", ptx_opcodes[one->opcode]);
    for (int m = 0; m < one->modifier_count; m++)
        printf(".%s", ptx_modifiers[one->modifiers[m]]);
    for (int t = 0; t < one->type_count; t++)
        printf(".%s", ptx_types[one->types[t]]);
    for (int o = 0; o < one->operand_count; o++)
        print_operand(function, &one->operand[o]);
    if (one->target >= 0) printf(" -> %d", one->target);
    for (const int32_t *t = one->targets; t != NULL && *t >= 0; t++)
        printf(" -> %d", *t);
    if (one->call != NULL) printf(" %s", one->callee == NULL ? "*" : one->callee->plain_name);
    if (one->access >= 0) printf("  access %d %s", one->access, spaces[one->space]);
    if (one->local_to != 0)
        printf(" of %s %u..%u", one->local_name == NULL ? "?" : one->local_name, one->local_from,
               one->local_to);
    if (one->joined >= 0) printf(" joined %d", one->joined);
    if (one->unused) printf(" unused");
    const struct ptx_location *location = &function->module->locations[one->location];
    for (; location->file != NULL; location = &function->module->locations[location->inlined_at])
        printf("  %s:%d:%d",
               strrchr(location->file, '/') == NULL ? location->file : strrchr(location->file, '/') + 1,
               location->line, location->column);
    printf("\n");
}

static void print_function(const struct ptx_function *one)
{
    printf("%s %s (%s)%s: frame %u local %u params %u calls %u registers %u shared %u%s%s%s\n",
           one->entry ? "kernel" : "function", one->plain_name, one->name,
           one->defined ? "" : " undefined", one->frame_bytes, one->local_bytes, one->param_bytes,
           one->call_bytes, one->registers, one->static_shared,
           one->uses_atomic_result ? " uses-atomic-result" : "",
           one->writes_global ? " writes-global" : "",
           one->calls_pointers ? " calls-pointers" : "");
    for (uint32_t k = 0; k < one->code_count; k++)
        print_instruction(one, k);
}

int main(int count, char **arguments)
{
    FILE *file = count > 1 ? fopen(arguments[1], "r") : stdin;
    if (file == NULL) return 1;
    char *text = malloc(1 << 28);
    size_t bytes = fread(text, 1, 1 << 28, file);
    struct ptx_module *module = ptx_read(text, bytes);
    for (uint32_t e = 0; e < module->error_count; e++)
        printf("error: line %u: %s%s\n", module->errors[e].text_line,
               module->errors[e].unknown ? "unknown: " : "", module->errors[e].text);
    if (count > 2 && strcmp(arguments[2], "-q") == 0) return module->error_count != 0;
    printf("version %d target %d%s\n", module->version, module->target,
           module->source_build ? " source" : "");
    for (uint32_t v = 0; v < module->variable_count; v++)
        printf("variable %s (%s) space %d bytes %llu align %llu%s\n",
               module->variables[v]->plain_name, module->variables[v]->name,
               module->variables[v]->space, (unsigned long long)module->variables[v]->bytes,
               (unsigned long long)module->variables[v]->align,
               module->variables[v]->external ? " external" : "");
    for (uint32_t f = 0; f < module->function_count; f++)
        print_function(module->functions[f]);
    int errors = module->error_count != 0;
    ptx_free(module);
    free(text);
    return errors;
}
