/*
 * call.c: call (result), function, (arguments), prototype;
 */
#include "gpu/ptx/reader.h"

enum { ARGUMENTS_MAX = 64, RESULTS_MAX = 4 };

/* (a, b, c): .param variables of the caller. */
static uint32_t read_list(struct reader *reader, uint32_t *at, uint32_t *bytes, uint32_t most)
{
    struct lexer *lexer = &reader->lexer;
    uint32_t count = 0;
    if (!expect_mark(reader, '(')) return 0;
    while (!token_is(lexer, ')')) {
        const struct symbol *symbol = named_symbol(reader);
        if (symbol == NULL) {
            refuse_name(reader, "undefined name", &lexer->token);
        } else if (symbol->kind != SYMBOL_PARAM) {
            reader_unknown(reader, "a call with parameters in registers");
        } else if (count >= most) {
            reader_unknown(reader, "a call with this many parameters");
        } else {
            at[count] = symbol->param->at;
            bytes[count++] = symbol->param->bytes;
        }
        if (reader->panic) return count;
        lexer_next(lexer);
        if (!lexer_take(lexer, ',')) break;
    }
    expect_mark(reader, ')');
    return count;
}

static void read_callee(struct reader *reader, struct ptx_instruction *instruction)
{
    const struct symbol *symbol = named_symbol(reader);
    struct ptx_operand *through = &instruction->call->through;
    if (symbol != NULL && symbol->kind == SYMBOL_FUNCTION) {
        instruction->callee = symbol->function;
        if (symbol->function->entry)
            reader_unknown(reader, "a kernel that is called as a function");
        lexer_next(&reader->lexer);
        return;
    }
    *through = read_operand(reader, 8, false);
    if (through->kind != OPERAND_VALUE || through->bytes != 8)
        reader_refuse(reader, "a call needs a function or a pointer of 64 bits");
}

/* The name of a prototype, or of a list of targets. */
static void read_prototype_name(struct reader *reader, struct ptx_instruction *instruction)
{
    const struct symbol *symbol = named_symbol(reader);
    if (symbol == NULL || (symbol->kind != SYMBOL_PROTOTYPE && symbol->kind != SYMBOL_OTHER)) {
        refuse_name(reader, "undefined prototype", &reader->lexer.token);
        return;
    }
    if (symbol->kind == SYMBOL_PROTOTYPE) instruction->call->prototype = symbol->function;
    lexer_next(&reader->lexer);
}

/* Compares the parameters that a callee declares with the arguments of the call. */
static void check_call(struct reader *reader, const struct ptx_instruction *instruction)
{
    const struct ptx_function *head =
        instruction->callee != NULL ? instruction->callee : instruction->call->prototype;
    if (head == NULL) return;
    if (instruction->call->argument_count != head->param_count)
        reader_refuse(reader, "a call has %u arguments instead of %u",
                      instruction->call->argument_count, head->param_count);
    else if (instruction->call->result_count != head->result_count)
        reader_refuse(reader, "a call has %u results instead of %u",
                      instruction->call->result_count, head->result_count);
}

void read_call(struct reader *reader, struct ptx_instruction *instruction)
{
    struct lexer *lexer = &reader->lexer;
    struct ptx_call *call = arena_new(reader->arena, sizeof *call);
    instruction->call = call;
    if (token_is(lexer, '(')) {
        call->result_count = read_list(reader, call->result, call->result_bytes, RESULTS_MAX);
        if (!reader->panic) expect_mark(reader, ',');
    }
    if (!reader->panic) read_callee(reader, instruction);
    if (!reader->panic && lexer_take(lexer, ',')) {
        if (token_is(lexer, '('))
            call->argument_count =
                read_list(reader, call->argument, call->argument_bytes, ARGUMENTS_MAX);
        else
            read_prototype_name(reader, instruction);
        if (!reader->panic && lexer_take(lexer, ',')) read_prototype_name(reader, instruction);
    }
    if (!reader->panic) check_call(reader, instruction);
}
