/*
 * uses.c: which atomics have a result that something needs. A value is needed if an instruction
 * with an effect reads it, or one whose own result is needed. Without optimisation a result goes
 * through a few moves before it is dropped. Which loads are of the value that a compare-and-swap
 * expects. And what each function of a module uses, with its
 * callees: shared variables and how many bytes ptxas would give them, atomics whose result is used,
 * stores to global memory, calls through pointers. Also what ptxas refuses about a module as a
 * whole: functions that nothing defines, too much shared memory.
 */
#include "gpu/ptx/flow.h"

#include <string.h>

/* ---- atomics whose results nothing needs ---------------------------------------------------- */

static bool is_needed(const struct ptx_instruction *one, bool needed)
{
    return needed || one->results == 0 || one->access >= 0 || one->flow != FLOW_NEXT ||
           one->opcode == OP_mbarrier || one->opcode == OP_alloca || one->space == SPACE_PARAM;
}

void find_unused(struct reader *reader)
{
    struct body *body = &reader->body;
    unsigned char *needed = BY_REGISTER(reader, needed);
    if (!has_opcode(body, OP_atom, SPACES)) return;
    if (!spread_marks(body, needed, false, is_needed)) return;
    for (size_t k = 0; k < body->count; k++) {
        struct ptx_instruction *one = &body->code[k];
        struct touched touched = registers_of(body, one);
        one->unused = one->opcode == OP_atom;
        EACH_WRITE (w, touched)
            one->unused &= !needed[w];
    }
}

/* ---- loads of what a compare-and-swap expects ------------------------------------------------ */

/* True if the value that a move or conversion reads is expected: it is if the result is. */
static bool is_expected(const struct ptx_instruction *one, bool expected)
{
    return expected && (one->opcode == OP_mov || one->opcode == OP_cvt);
}

/* The value that a compare-and-swap expects; NULL if the instruction is none. In code of nvcc's
 * that was not optimised it is a call of a function, whose second argument was stored before. */
static const struct ptx_operand *compared_by(const struct body *body, size_t at)
{
    const struct ptx_instruction *one = &body->code[at];
    if (one->opcode == OP_atom) return ptx_has(one, M_cas) ? &one->operand[2] : NULL;
    if (one->opcode != OP_call || one->callee == NULL || one->call->argument_count < 2 ||
        strstr(one->callee->name, "atomicCAS") == NULL)
        return NULL;
    for (size_t k = at; k-- > 0 && body->code[k].opcode != OP_call;) {
        const struct ptx_instruction *store = &body->code[k];
        if (store->opcode == OP_st && store->operand[0].kind == OPERAND_PARAM &&
            store->operand[0].offset == one->call->argument[1])
            return &store->operand[1];
    }
    return NULL;
}

/* While another thread changes the word, the swap fails and the thread tries again: so it does not
 * matter what such a load finds (CUDA's programming guide, "Atomic Functions"). */
void find_expected(struct reader *reader)
{
    struct body *body = &reader->body;
    unsigned char *expected = BY_REGISTER(reader, expected);
    if (!has_opcode(body, OP_atom, SPACES) && !has_opcode(body, OP_call, SPACES)) return;
    for (size_t k = 0; k < body->count; k++) {
        const struct ptx_operand *compare = compared_by(body, k);
        if (compare != NULL && ptx_is_register(compare)) expected[compare->at] = 1;
    }
    spread_marks(body, expected, false, is_expected);
    for (size_t k = 0; k < body->count; k++) {
        struct ptx_instruction *one = &body->code[k];
        struct touched touched = registers_of(body, one);
        EACH_WRITE (w, touched)
            one->expected |= one->opcode == OP_ld && expected[w];
    }
}

/* ---- what functions use with their callees --------------------------------------------------- */

enum { STATIC_SHARED_MAX = 48 * 1024 };

/* The shared variables that a function uses: a byte for each variable of the module. */
static unsigned char *set_of(const struct uses *uses, const struct ptx_function *function)
{
    return uses->sets + (size_t)function->index * uses->reader->module->variable_count;
}

/* Notes the facts that one instruction tells about its function. */
static void note_instruction(struct ptx_function *function, const struct ptx_instruction *one)
{
    bool global = one->space == SPACE_GLOBAL || one->space == SPACE_GENERIC;
    switch (one->opcode) {
    case OP_atom:
        function->uses_atomic_result |= global && !one->unused;
        __attribute__((fallthrough));
    case OP_red:
    case OP_st:
    case OP_sust:
    case OP_sured: function->writes_global |= global; break;
    case OP_wmma: function->writes_global |= global && ptx_has(one, M_store); break;
    case OP_call: function->calls_pointers |= one->callee == NULL; break;
    default: break;
    }
}

static void note_operand(struct uses *uses, const struct ptx_function *function,
                         const struct ptx_operand *one)
{
    if (one->kind == OPERAND_VECTOR)
        for (unsigned k = 0; k < one->count; k++)
            note_operand(uses, function, &function->elements[one->first + k]);
    const struct ptx_variable *variable = shared_variable(uses->reader, one);
    if (variable == NULL) return;
    set_of(uses, function)[variable->index] = 1;
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

static bool join_flag(bool *own, bool other)
{
    bool new = other && !*own;
    *own |= other;
    return new;
}

/* Takes over what a callee uses. Returns whether that was new. */
static bool inherit(struct uses *uses, struct ptx_function *function,
                    const struct ptx_function *callee)
{
    bool new = join_flag(&function->uses_atomic_result, callee->uses_atomic_result);
    new |= join_flag(&function->calls_pointers, callee->calls_pointers);
    new |= join_flag(&function->writes_global, callee->writes_global);
    uint32_t registers =
        callee->registers < function->registers_most ? callee->registers : function->registers_most;
    new |= registers > function->registers;
    if (registers > function->registers) function->registers = registers;
    unsigned char *own = set_of(uses, function);
    const unsigned char *other = set_of(uses, callee);
    for (uint32_t v = 0; v < uses->reader->module->variable_count; v++) {
        new |= other[v] > own[v];
        own[v] |= other[v];
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

static void list_shared(struct uses *uses, struct ptx_function *function)
{
    const unsigned char *set = set_of(uses, function);
    uint32_t room = uses->reader->module->variable_count + 1;
    function->shared_used = arena_new(uses->reader->arena, room * sizeof *function->shared_used);
    function->shared_at = arena_new(uses->reader->arena, room * sizeof *function->shared_at);
    uint64_t bytes = place_shared(uses, function, set, function->shared_at);
    for (uint32_t v = 0; v < room - 1; v++) {
        if (set[v] == 0) continue;
        function->shared_at[function->shared_used_count] = function->shared_at[v];
        function->shared_used[function->shared_used_count++] = v;
    }
    function->static_shared = bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes;
    if (function->entry && bytes > STATIC_SHARED_MAX)
        note_error(uses->reader, 0, function->code_count > 0 ? function->code[0].location : 0,
                   false, "%s declares %llu bytes of shared memory; at most %d are possible",
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
            note_error(reader, one->text_line, one->location, false, "undefined function '%s'",
                       one->callee->plain_name);
    }
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
    size_t variables = module->variable_count;
    struct uses uses = {.reader = reader};
    uses.sets = arena_new(reader->arena, module->function_count * variables + 1);
    uses.kernels = arena_new(reader->arena, (variables + 1) * sizeof *uses.kernels);
    list_accesses(reader);
    for (uint32_t f = 0; f < module->function_count; f++) {
        link_calls(reader, module->functions[f]);
        note_function(&uses, module->functions[f]);
    }
    for (uint32_t v = 0; v < module->variable_count; v++)
        if (module->variables[v]->external && module->variables[v]->space != SPACE_SHARED)
            note_error(reader, 0, module->variables[v]->location, false, "undefined variable '%s'",
                       module->variables[v]->plain_name);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t f = module->function_count; f-- > 0;)
            more |= inherit_all(&uses, module->functions[f]);
    }
    for (uint32_t f = 0; f < module->function_count; f++)
        for (uint32_t v = 0; module->functions[f]->entry && v < variables; v++)
            uses.kernels[v] += set_of(&uses, module->functions[f])[v];
    for (uint32_t f = 0; f < module->function_count; f++)
        list_shared(&uses, module->functions[f]);
}
