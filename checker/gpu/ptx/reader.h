/*
 * reader.h: what the parts of the reader share while they read one text. While a function is read,
 * the `at` of its operands in BASE_FRAME is the number of a register of the text; allocate.c turns
 * numbers into places of the frame.
 */
#ifndef WARPUP_PTX_READER_H
#define WARPUP_PTX_READER_H

#include "gpu/ptx/arena.h"
#include "gpu/ptx/lexer.h"
#include "gpu/ptx/ptx.h"
#include "gpu/ptx/symbols.h"

/* A list of .branchtargets. */
struct targets {
    uint32_t count, room;
    struct target_name {
        const char *name;
        uint32_t length;
        int32_t label; /* -1: not known yet */
    } * names;
    uint32_t line, depth;
    struct targets *next; /* of the function */
};

/* A branch whose label is not known yet: it may come later, in this scope or in one around it. */
struct jump {
    uint32_t instruction, depth;
    const char *name;
    uint32_t length;
};

/* A constant of the module: its value is known, or is an address. */
struct constant {
    uint64_t value; /* of an address: what is added to it */
    struct ptx_variable *variable;
    struct ptx_function *function;
    uint32_t at;
    uint8_t bytes;
    uint32_t next; /* of the same hash; 0: none */
};

/* The bytes of a frame that are one variable's. `to` 0: not known. */
struct local_range {
    uint32_t from, to;
    const char *name; /* NULL: not known */
};

/* The function that is being read. Its arrays are used again for the next one. */
struct body {
    struct ptx_function *function;
    struct ptx_instruction *code;
    size_t count, room;
    struct ptx_operand *elements;
    size_t element_count, element_room;
    uint8_t *register_bytes; /* by number; 0: a predicate */
    size_t register_count, register_room;
    int32_t *labels; /* by number: the instruction that follows it */
    size_t label_count, label_room;
    struct jump *jumps;
    size_t jump_count, jump_room;
    struct targets *targets;
    uint32_t call_top; /* bytes of the call area in use by the scopes that are open */
    uint64_t local_bytes;
    struct local_range
        *ranges; /* local.c: by register, the variable that it points to; NULL: nothing is known */
    const char *local_name; /* of its first variable in local memory */
    uint32_t local_name_length, local_variables;
    uint32_t place;     /* of what comes next */
    uint32_t own_place; /* the last one in the student's own file */
};

struct places;

struct reader {
    struct arena *arena;
    struct ptx_module *module;
    struct lexer lexer;
    struct symbols names, words;
    struct body body;
    struct places *places;
    struct constant *constants; /* the first is not used */
    size_t constant_count, constant_room;
    uint32_t constant_buckets[4096];
    size_t function_room, variable_room, error_room, access_room, fixup_room;
    struct object_start {
        uint32_t depot, offset; /* a variable of __local_depotN begins here */
        const char *name;       /* NULL: not known */
    } * starts;                 /* objects.c; NULL: not looked for yet */
    size_t start_count, start_room;
    uint32_t statement_line; /* of a function's statement */
    bool panic;              /* an error has been reported in this statement */
};

enum { REGISTERS_MAX = 1 << 20, CALL_AREA_MAX = 1 << 20, INSTRUCTIONS_MAX = 1 << 24 };

/* Notes an error at the current token. Only the first one of a statement is kept. */
__attribute__((format(printf, 2, 3))) void reader_refuse(struct reader *reader, const char *format,
                                                         ...);
/* Notes that this simulated GPU does not know some valid PTX. */
__attribute__((format(printf, 2, 3))) void reader_unknown(struct reader *reader, const char *format,
                                                          ...);
/* Notes an error at the given line and place. */
__attribute__((format(printf, 5, 6))) void note_error(struct reader *reader, uint32_t line,
                                                      uint32_t place, bool is_unknown,
                                                      const char *format, ...);

/* Goes on if the token is this character; otherwise it is an error. */
bool expect_mark(struct reader *reader, char mark);

/* A constant expression: numbers, + - * / …, parentheses. `is_double` and `is_float` say what kind
 * a lone number was. */
struct value {
    uint64_t bits;
    enum token_kind kind; /* TOKEN_NUMBER, TOKEN_FLOAT, TOKEN_DOUBLE */
};
struct value read_expression(struct reader *reader);
struct value read_term(struct reader *reader); /* up to the next + or - outside of parentheses */
/* The bits of a value as an operand of a type with `bytes` bytes. */
uint64_t value_bits(struct value value, unsigned bytes, bool real);

/* constants.c: where a constant of this value or address is in BASE_CONSTANT. */
int32_t constant_of(struct reader *reader, unsigned bytes, uint64_t value);
int32_t address_of(struct reader *reader, unsigned bytes, struct ptx_variable *variable,
                   struct ptx_function *function, int64_t add);
void constants_finish(struct reader *reader);

/* module.c */
void read_module(struct reader *reader);

/* words.c: the words of PTX itself. -1: there is no such word of this kind. */
void words_begin(struct reader *reader);
int word_of(const struct reader *reader, enum symbol_kind kind, const char *text, size_t length);
enum ptx_type type_of(const struct reader *reader, const char *text,
                      size_t length); /* TYPES: it is none */

/* variable.c: the token follows .global, .shared …; linking words come before it. */
void read_variable(struct reader *reader, enum ptx_space space, bool external);

/* function.c: the token follows .func, .entry or .callprototype. */
void read_function(struct reader *reader, bool entry, bool external);
struct ptx_function *read_prototype(struct reader *reader);
struct ptx_param read_parameter(struct reader *reader);

/* body.c: from the opening brace to the closing one. */
void read_body(struct reader *reader, struct ptx_function *function);

/* decode.c: an instruction, from its guard or opcode to the semicolon. */
void read_instruction(struct reader *reader);
struct ptx_operand read_operand(struct reader *reader, unsigned bytes, bool real);
/* {a, b, …} of the function that is read. */
struct ptx_operand new_vector(struct reader *reader, const struct ptx_operand *list,
                              unsigned count);
uint32_t new_register(struct reader *reader, unsigned bytes);

/* forms.c: what operands an instruction has. */
const char *form_of(enum ptx_opcode opcode);

/* call.c: the token follows the opcode. */
void read_call(struct reader *reader, struct ptx_instruction *instruction);

/* places.c */
struct places *places_begin(struct reader *reader);
void places_end(struct reader *reader);
void read_loc(struct reader *reader);        /* the token follows .loc */
void places_function(struct reader *reader); /* a new function begins */

/* names.c */
const char *plain_function_name(struct arena *arena, const char *mangled);
const char *plain_variable_name(struct arena *arena, const char *mangled);

/* What is done with a function's body after it was read, in this order. */
void fold_local(
    struct reader *reader); /* local.c: addresses of local memory; scalars become registers */
void drop_moves(struct reader *reader);  /* moves.c: moves that are not needed */
void find_spaces(struct reader *reader); /* spaces.c: which memory generic addresses are in */
void lay_out(struct reader *reader);     /* layout.c: the order of blocks */
void find_unused(struct reader *reader); /* unused.c: atomics whose results nothing needs */
void join_loads(struct reader *reader);  /* join.c: shared loads that ptxas makes one of */
void find_waits(struct reader *reader);  /* waits.c: loads that need the results of others */
void allocate_registers(struct reader *reader); /* allocate.c: places of registers in the frame */
void finish_body(struct reader *reader);        /* finish.c: the code moves into the module */

void finish_module(struct reader *reader); /* uses.c: what functions use with their callees */

#endif
