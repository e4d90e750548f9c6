/*
 * uses.c: what each function of a module uses, with its callees: shared variables and how many
 * bytes ptxas would give them, atomics whose result is used, stores to global memory, calls through
 * pointers. Also what ptxas refuses about a module as a whole: functions that nothing defines, too
 * much shared memory.
 */
#include "gpu/ptx/reader.h"

#include <string.h>

enum { STATIC_SHARED_MAX = 48 * 1024 };

struct uses {
    struct reader *reader;
    uint32_t *
        shared_number; /* by variable: 1 + its number among the shared ones; 0: it is another one */
    uint32_t *variable; /* by that number: the variable's index */
    uint32_t shared_count, words;
    uint64_t *sets; /* by function: a bit per shared variable */
};

static bool is_global(const struct ptx_instruction *one)
{
    return one->space == SPACE_GLOBAL || one->space == SPACE_GENERIC;
}

/* What one instruction says about its function. */
static void note_instruction(struct ptx_function *function, const struct ptx_instruction *one)
{
    switch (one->opcode) {
    case OP_atom:
        if (is_global(one) && !one->unused) function->uses_atomic_result = true;
        if (is_global(one)) function->writes_global = true;
        break;
    case OP_red:
    case OP_st:
    case OP_sust:
    case OP_sured:
        if (is_global(one)) function->writes_global = true;
        break;
    case OP_wmma:
        if (ptx_has(one, M_store) && is_global(one)) function->writes_global = true;
        break;
    case OP_call:
        if (one->callee == NULL) function->calls_pointers = true;
        break;
    default: break;
    }
}

/* The variable whose address the operand is; NULL: it is none. Constants that are addresses are
 * few, and sorted by their place. */
static struct ptx_variable *variable_at(const struct reader *reader, int32_t at)
{
    size_t low = 1, high = reader->constant_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (reader->constants[middle].at < (uint32_t)at)
            low = middle + 1;
        else
            high = middle;
    }
    return low < reader->constant_count && reader->constants[low].at == (uint32_t)at
               ? reader->constants[low].variable
               : NULL;
}

static void note_operand(struct uses *uses, const struct ptx_function *function,
                         const struct ptx_operand *one)
{
    if (one->kind == OPERAND_VECTOR)
        for (unsigned k = 0; k < one->count; k++)
            note_operand(uses, function, &function->elements[one->first + k]);
    if (one->kind != OPERAND_VALUE && one->kind != OPERAND_ADDRESS) return;
    if (one->base != BASE_CONSTANT || one->immediate || one->local || one->at == 0) return;
    const struct ptx_variable *variable = variable_at(uses->reader, one->at);
    if (variable == NULL || uses->shared_number[variable->index] == 0) return;
    uint32_t bit = uses->shared_number[variable->index] - 1;
    uses->sets[(size_t)function->index * uses->words + bit / 64] |= UINT64_C(1) << bit % 64;
}

static void note_function(struct uses *uses, struct ptx_function *function)
{
    for (uint32_t k = 0; k < function->code_count; k++) {
        const struct ptx_instruction *one = &function->code[k];
        note_instruction(function, one);
        for (unsigned o = 0; o < one->operand_count; o++)
            note_operand(uses, function, &one->operand[o]);
    }
}

/* Takes over what a callee uses. Returns whether that was new. */
static bool inherit(struct uses *uses, struct ptx_function *function,
                    const struct ptx_function *callee)
{
    bool old = function->uses_atomic_result && function->calls_pointers && function->writes_global;
    bool atomic = function->uses_atomic_result, pointers = function->calls_pointers,
         writes = function->writes_global, new = false;
    function->uses_atomic_result |= callee->uses_atomic_result;
    function->calls_pointers |= callee->calls_pointers;
    function->writes_global |= callee->writes_global;
    new = !old && (atomic != function->uses_atomic_result || pointers != function->calls_pointers ||
                   writes != function->writes_global);
    uint64_t *own = uses->sets + (size_t)function->index * uses->words;
    const uint64_t *other = uses->sets + (size_t)callee->index * uses->words;
    for (uint32_t w = 0; w < uses->words; w++) {
        new |= (other[w] & ~own[w]) != 0;
        own[w] |= other[w];
    }
    return new;
}

static bool inherit_all(struct uses *uses, struct ptx_function *function)
{
    const struct ptx_module *module = uses->reader->module;
    bool new = false;
    for (uint32_t k = 0; k < function->code_count; k++) {
        const struct ptx_instruction *one = &function->code[k];
        if (one->callee != NULL) new |= inherit(uses, function, one->callee);
        /* A pointer may lead to any function except a kernel. */
        for (uint32_t f = 0;
             one->opcode == OP_call && one->callee == NULL && f < module->function_count; f++)
            if (module->functions[f]->defined && !module->functions[f]->entry)
                new |= inherit(uses, function, module->functions[f]);
    }
    return new;
}

/* ptxas lays out the variables with the largest alignment first. */
static uint64_t laid_out(const struct uses *uses, const struct ptx_function *function)
{
    uint64_t bytes = 0;
    for (uint64_t align = UINT64_C(1) << 20; align > 0; align /= 2)
        for (uint32_t k = 0; k < function->shared_used_count; k++) {
            const struct ptx_variable *one =
                uses->reader->module->variables[function->shared_used[k]];
            if (one->external || one->align != align) continue;
            bytes = (bytes + align - 1) / align * align + one->bytes;
        }
    return bytes;
}

static void list_shared(struct uses *uses, struct ptx_function *function)
{
    const uint64_t *set = uses->sets + (size_t)function->index * uses->words;
    uint32_t count = 0;
    for (uint32_t w = 0; w < uses->words; w++)
        count += (uint32_t)__builtin_popcountll(set[w]);
    function->shared_used =
        arena_new(uses->reader->arena, ((size_t)count + 1) * sizeof *function->shared_used);
    for (uint32_t bit = 0; bit < uses->shared_count; bit++)
        if ((set[bit / 64] >> bit % 64 & 1) != 0)
            function->shared_used[function->shared_used_count++] = uses->variable[bit];
    uint64_t bytes = laid_out(uses, function);
    function->static_shared = bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes;
    if (function->entry && bytes > STATIC_SHARED_MAX)
        note_error(uses->reader, 0, function->code_count > 0 ? function->code[0].place : 0, false,
                   "%s declares %llu bytes of shared memory; at most %d are possible",
                   function->plain_name, (unsigned long long)bytes, STATIC_SHARED_MAX);
}

/* Replaces aliases, and refuses calls of what nothing defines. */
static void link_calls(struct reader *reader, struct ptx_function *function)
{
    for (uint32_t k = 0; k < function->code_count; k++) {
        struct ptx_instruction *one = &function->code[k];
        for (int steps = 0; one->callee != NULL && one->callee->alias != NULL && steps < 10;
             steps++)
            one->callee = one->callee->alias;
        if (one->callee != NULL && !one->callee->defined && !one->callee->external)
            note_error(reader, one->text_line, one->place, false, "undefined function '%s'",
                       one->callee->plain_name);
    }
}

static void number_shared(struct uses *uses)
{
    struct ptx_module *module = uses->reader->module;
    uses->shared_number = arena_new(uses->reader->arena, ((size_t)module->variable_count + 1) *
                                                             sizeof *uses->shared_number);
    uses->variable = arena_new(uses->reader->arena,
                               ((size_t)module->variable_count + 1) * sizeof *uses->variable);
    for (uint32_t v = 0; v < module->variable_count; v++) {
        if (module->variables[v]->space != SPACE_SHARED) continue;
        uses->variable[uses->shared_count] = v;
        uses->shared_number[v] = ++uses->shared_count;
    }
    uses->words = (uses->shared_count + 63) / 64;
    uses->sets = arena_new(uses->reader->arena,
                           ((size_t)module->function_count * uses->words + 1) * sizeof *uses->sets);
}

static void list_accesses(struct reader *reader)
{
    struct ptx_module *module = reader->module;
    module->accesses =
        arena_new(reader->arena, ((size_t)module->access_count + 1) * sizeof *module->accesses);
    for (uint32_t f = 0; f < module->function_count; f++)
        for (uint32_t k = 0; k < module->functions[f]->code_count; k++)
            if (module->functions[f]->code[k].access >= 0)
                module->accesses[module->functions[f]->code[k].access] =
                    &module->functions[f]->code[k];
}

void finish_module(struct reader *reader)
{
    struct ptx_module *module = reader->module;
    struct uses uses = {.reader = reader};
    list_accesses(reader);
    number_shared(&uses);
    for (uint32_t f = 0; f < module->function_count; f++) {
        link_calls(reader, module->functions[f]);
        note_function(&uses, module->functions[f]);
    }
    for (uint32_t v = 0; v < module->variable_count; v++)
        if (module->variables[v]->external && module->variables[v]->space != SPACE_SHARED)
            note_error(reader, 0, module->variables[v]->place, false, "undefined variable '%s'",
                       module->variables[v]->plain_name);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t f = module->function_count; f-- > 0;)
            more |= inherit_all(&uses, module->functions[f]);
    }
    for (uint32_t f = 0; f < module->function_count; f++)
        list_shared(&uses, module->functions[f]);
}
