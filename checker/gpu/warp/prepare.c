/*
 * prepare.c: chooses, once for each instruction of a module, what executes it, so that nothing is
 * looked up while a kernel runs. What nobody executes becomes an error of the module.
 */
#include "gpu/ptx/arena.h"
#include "gpu/warp/access.h"
#include "gpu/warp/compute.h"
#include "gpu/warp/natives.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_error(struct ptx_module *module, const struct ptx_instruction *at, bool unknown,
                      const char *format, const char *what)
{
    size_t count = module->error_count;
    struct ptx_error *errors = arena_new(module->arena, (count + 1) * sizeof *errors);
    if (count > 0) memcpy(errors, module->errors, count * sizeof *errors);
    errors[count] = (struct ptx_error){
        .text_line = at->text_line, .location = at->location, .unknown = unknown};
    snprintf(errors[count].text, sizeof errors[count].text, format, what);
    module->errors = errors;
    module->error_count++;
}

/* The instruction as the text has it: its first word and modifiers. */
static void name_of(const struct ptx_module *module, const struct ptx_instruction *at, char *name,
                    size_t room)
{
    const char *text = module->text + at->text;
    size_t length = 0;
    while (*text == ' ' || *text == '\t' || *text == '{')
        text++;
    if (*text == '@') {
        while (*text != '\0' && *text != ' ' && *text != '\t')
            text++;
        while (*text == ' ' || *text == '\t')
            text++;
    }
    while (length + 1 < room && text[length] != '\0' && strchr(" \t\n;", text[length]) == NULL)
        length++;
    memcpy(name, text, length);
    name[length] = '\0';
}

/* ---- calls ---------------------------------------------------------------------------------- */

static bool calls(const struct ptx_instruction *at, const char *name)
{
    return at->callee != NULL && !at->callee->defined && strcmp(at->callee->name, name) == 0;
}

/* libstdc++ defines this. */
char *__cxa_demangle(const char *name, char *buffer, size_t *length, int *status);

static void note_missing(struct ptx_module *module, const struct ptx_instruction *at)
{
    if (calls(at, "__dynamic_cast")) {
        add_error(module, at, false, "%s", "dynamic_cast is not allowed in device code");
        return;
    }
    char *name = __cxa_demangle(at->callee->name, NULL, NULL, NULL);
    add_error(module, at, false, "undefined reference to '%s'",
              name != NULL ? name : at->callee->name);
    free(name);
}

static void prepare_call(struct ptx_module *module, struct ptx_instruction *at)
{
    if (at->callee == NULL || at->callee->defined) return;
    if (calls(at, "__warpup_grid_sync")) {
        at->flow = FLOW_GRID;
        return;
    }
    if (at->callee->native == NULL) {
        note_missing(module, at);
        return;
    }
    at->flow = at->guard >= 0 ? FLOW_GUARDED : FLOW_NEXT;
    at->execute = at->callee->native;
}

/* ---- what computes -------------------------------------------------------------------------- */

/* Results go to registers: constants and special registers are other threads' too. */
static bool takes_result(const struct ptx_operand *operand)
{
    return operand->kind == OPERAND_SINK || ptx_is_register(operand);
}

static bool writes_registers(const struct ptx_function *function, const struct ptx_instruction *i)
{
    for (unsigned k = 0; k < i->results && k < i->operand_count; k++) {
        const struct ptx_operand *registers = registers_of(function->elements, &i->operand[k]);
        for (unsigned e = 0; e < register_count(&i->operand[k]); e++)
            if (!takes_result(&registers[e])) return false;
    }
    return true;
}

ptx_execute *arithmetic_select(const struct ptx_function *function, struct ptx_instruction *i)
{
    static select_family *const families[] = {select_float,         select_compare, select_move,
                                              select_convert,       select_half,    select_matrix,
                                              select_matrix_memory, select_texture};
    unsigned form;
    enum rounding rounding;
    if (!writes_registers(function, i)) return NULL;
    ptx_execute *execute = select_fixed(function, i);
    if (execute == NULL && rule_form(i, &form, &rounding) && rounding == ROUND_NEAREST)
        execute = find_rule(i, form);
    for (size_t k = 0; k < sizeof families / sizeof families[0] && execute == NULL; k++)
        execute = families[k](function, i);
    return execute;
}

/* ---- all others ----------------------------------------------------------------------------- */

static ptx_execute *chosen(const struct ptx_function *function, struct ptx_instruction *at)
{
    ptx_execute *execute = NULL;
    switch (at->opcode) {
    case OP_ld:
    case OP_ldu:
    case OP_st: return access_select(function, at);
    case OP_atom:
    case OP_red: return atomic_select(function, at);
    case OP_shfl:
    case OP_vote:
    case OP_match:
    case OP_redux:
    case OP_activemask:
    case OP_elect: return exchange_select(at);
    case OP_cp: return ptx_has(at, M_mbarrier) ? phase_select(at) : async_select(at);
    case OP_mbarrier: return phase_select(at);
    default: execute = special_select(at); break;
    }
    return execute != NULL ? execute : arithmetic_select(function, at);
}

/* Marks a jump to the kernel's end: it may be a return statement. */
static void mark_end(const struct ptx_function *function, struct ptx_instruction *at)
{
    uint8_t flow = at->opcode == OP_bra ? function->code[at->target].flow : FLOW_NEXT;
    at->space = function->entry && function->module->source_build &&
                (flow == FLOW_RETURN || flow == FLOW_EXIT);
}

static bool is_barrier(struct ptx_instruction *at)
{
    if (at->opcode != OP_bar && at->opcode != OP_barrier) return false;
    if (ptx_has(at, M_warp)) {
        at->flow = FLOW_MEET;
        at->execute = exchange_select(at);
        meet_prepare(at);
        return true;
    }
    if (ptx_has(at, M_cluster))
        at->flow = ptx_has(at, M_arrive) ? FLOW_NOTHING : FLOW_CLUSTER;
    else
        at->flow = FLOW_BARRIER;
    return true;
}

static void prepare_instruction(struct ptx_module *module, const struct ptx_function *function,
                                struct ptx_instruction *at)
{
    if (is_barrier(at)) return;
    switch (at->flow) {
    case FLOW_BRANCH: mark_end(function, at); return;
    case FLOW_CALL: prepare_call(module, at); return;
    case FLOW_RETURN:
    case FLOW_EXIT:
    case FLOW_NOTHING: return;
    default: break;
    }
    at->execute = chosen(function, at);
    if (at->execute == NULL) {
        char name[100];
        name_of(module, at, name, sizeof name);
        add_error(module, at, true, "%s", name);
    }
    if (at->flow == FLOW_MEET) meet_prepare(at);
    if (at->flow == FLOW_NEXT && at->guard >= 0) at->flow = FLOW_GUARDED;
}

void module_prepare(struct ptx_module *module)
{
    uint32_t numbers = 0;
    layout_shared(module);
    for (uint32_t i = 0; i < module->function_count; i++) {
        struct ptx_function *function = module->functions[i];
        if (!function->defined) {
            function->native = native_named(function->name);
            continue;
        }
        function->first = numbers;
        numbers += function->code_count + 1;
    }
    module->numbers = numbers;
    for (uint32_t i = 0; i < module->function_count; i++) {
        struct ptx_function *function = module->functions[i];
        for (uint32_t k = 0; function->defined && k < function->code_count; k++)
            prepare_instruction(module, function, &function->code[k]);
        if (function->defined) repeats_mark(function);
    }
}
