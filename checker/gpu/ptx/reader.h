/*
 * reader.h: what the parts of the reader share while they read one text: memory, tokens, names, the
 * function that is being read. Meanwhile the `at` of its operands in BASE_FRAME is the number of a
 * register of the text; registers.c turns numbers into slots of the frame.
 */
#ifndef WARPUP_PTX_READER_H
#define WARPUP_PTX_READER_H

#include "gpu/ptx/arena.h"
#include "gpu/ptx/ptx.h"

/* ---- tokens (lexer.c) ----------------------------------------------------------------------- */

enum token_kind {
    TOKEN_END,
    TOKEN_WORD,   /* a name or directive with its modifiers: ld.shared::cta.v4.f32, %tid.x, .reg,
                     $L__BB0_1 */
    TOKEN_NUMBER, /* an integer */
    TOKEN_FLOAT,  /* 0f…: `value` is the float's bits */
    TOKEN_DOUBLE, /* 0d… or a decimal number with a point: `value` is the double's bits */
    TOKEN_STRING, /* without its quotes */
    TOKEN_MARK    /* one character, in `mark` */
};

struct token {
    enum token_kind kind;
    char mark;
    const char *text;
    uint32_t length, line;
    uint64_t value;
};

struct lexer {
    const char *at, *end; /* the text ends with a zero byte at `end` */
    uint32_t line;
    struct token token; /* the one that is looked at */
};

void lexer_begin(struct lexer *lexer, const char *text, size_t bytes);
void lexer_next(struct lexer *lexer);
/* Goes on to the next line, wherever that is: for directives that end with theirs. */
void lexer_skip_line(struct lexer *lexer);

static inline bool token_is(const struct lexer *lexer, char mark)
{
    return lexer->token.kind == TOKEN_MARK && lexer->token.mark == mark;
}

/* Is the token this word? Is it a word that begins with a dot? */
bool token_word(const struct lexer *lexer, const char *word);
static inline bool token_directive(const struct lexer *lexer)
{
    return lexer->token.kind == TOKEN_WORD && lexer->token.text[0] == '.';
}

/* If the token is this character, or this word: goes on, and says so. */
bool lexer_take(struct lexer *lexer, char mark);
bool lexer_take_word(struct lexer *lexer, const char *word);

/* ---- names (symbols.c) ---------------------------------------------------------------------- */

enum symbol_kind {
    SYMBOL_REGISTER, /* or a range of them: %r<10> */
    SYMBOL_PARAM,    /* of the kernel, or in the area for call parameters */
    SYMBOL_LOCAL,    /* a variable in local memory */
    SYMBOL_VARIABLE,
    SYMBOL_FUNCTION,
    SYMBOL_LABEL,
    SYMBOL_PROTOTYPE, /* .callprototype */
    SYMBOL_TARGETS,   /* .branchtargets */
    SYMBOL_OTHER,     /* known, without a meaning: .calltargets */
    /* The words of PTX, in a table of their own. */
    SYMBOL_OPCODE,
    SYMBOL_TYPE,
    SYMBOL_MODIFIER,
    SYMBOL_SPECIAL
};

struct symbol {
    const char *name;
    uint32_t length, hash;
    uint8_t kind;
    uint16_t depth;
    struct symbol *bucket, *scope; /* the next ones */
    uint32_t number;               /* first register; label; word; offset of a local variable */
    uint32_t count;                /* of a range of registers; 0: a single one */
    union {
        struct ptx_variable *variable;
        struct ptx_function *function;
        const struct ptx_param *param;
        struct targets *targets;
    };
};

/* The meanings of names, scope by scope. A name in an inner scope hides the same name in an outer
 * one. */
struct symbols {
    struct arena *arena;
    struct symbol **buckets, **scopes; /* scopes: the newest symbol of each */
    size_t bucket_count, count;
    uint32_t depth; /* of the innermost scope; 0: the module's */
};

enum { SCOPES_MAX = 1000 };

void symbols_begin(struct symbols *symbols, struct arena *arena);
void symbols_open(struct symbols *symbols);
void symbols_close(struct symbols *symbols);

/* The innermost symbol of this name, or that of the innermost scope; NULL: there is none. */
struct symbol *symbols_find(const struct symbols *symbols, const char *name, size_t length);
struct symbol *symbols_here(const struct symbols *symbols, const char *name, size_t length);

/* A new symbol of the innermost scope. `name` must live as long as the arena. */
struct symbol *symbols_add(struct symbols *symbols, enum symbol_kind kind, const char *name,
                           size_t length);

/* ---- the reader ----------------------------------------------------------------------------- */

/* A list of .branchtargets. */
struct targets {
    struct target_name {
        const char *name;
        uint32_t length;
        int32_t label; /* -1: not known yet */
    } * names;
    size_t count, room;
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
    struct local_range *ranges; /* by register, the local variable that it points to; NULL: nothing
                                   is known (local.c) */
    struct token local_name;    /* of its first variable in local memory */
    uint32_t local_variables;
    uint32_t location;     /* of what comes next */
    uint32_t own_location; /* the last one in the student's own file */
};

struct locations;

struct reader {
    struct arena *arena;
    struct ptx_module *module;
    struct lexer lexer;
    struct symbols names, words;
    struct body body;
    struct locations *locations;
    struct constant *constants; /* the first is not used */
    size_t constant_count, constant_room;
    uint32_t constant_buckets[4096];
    size_t function_room, variable_room, error_room;
    struct object_start {
        uint32_t depot, offset; /* a variable of __local_depotN begins here */
        const char *name;       /* NULL: not known */
    } * starts;                 /* objects.c; NULL: not looked for yet */
    size_t start_count, start_room;
    uint32_t statement_line; /* of a function's statement */
    bool panic;              /* an error has been reported in this statement */
};

enum { REGISTERS_MAX = 1 << 20, CALL_AREA_MAX = 1 << 20, INSTRUCTIONS_MAX = 1 << 24 };

/* Zeroed memory of the reader's arena for an element of an array per register, and one more. */
#define BY_REGISTER(reader, array)                                                                 \
    arena_new((reader)->arena, ((reader)->body.register_count + 1) * sizeof *(array))

/* ---- errors and small parts (reader.c) ------------------------------------------------------ */

/* Notes an error at the current token: only the first one of a statement is kept. */
#define reader_refuse(reader, ...) reader_complain(reader, false, __VA_ARGS__)
/* Notes that this simulated GPU does not know some valid PTX. */
#define reader_unknown(reader, ...) reader_complain(reader, true, __VA_ARGS__)
__attribute__((format(printf, 3, 4))) void reader_complain(struct reader *reader, bool is_unknown,
                                                           const char *format, ...);
/* Refuses a name: "undefined label" 'L1'. */
void refuse_name(struct reader *reader, const char *why, const struct token *name);
/* Notes an error at the given line and location. */
__attribute__((format(printf, 5, 6))) void note_error(struct reader *reader, uint32_t line,
                                                      uint32_t location, bool is_unknown,
                                                      const char *format, ...);

/* Goes on if the token is this character; otherwise it is an error. */
bool expect_mark(struct reader *reader, char mark);

/* The meaning of the token's name; NULL: it has none, or the token is not a word. */
struct symbol *named_symbol(const struct reader *reader);

/* Is a name defined in the innermost scope already? That is an error. */
bool is_taken(struct reader *reader, const struct token *name);

/* The number of a word of PTX; -1: there is no such word of this kind. */
int word_of(const struct reader *reader, enum symbol_kind kind, const char *text, size_t length);
/* The type that a word says, without its first character; TYPES: it is none. */
enum ptx_type type_of(const struct reader *reader, const struct token *word);

/* ---- constants (constants.c) ---------------------------------------------------------------- */

/* A constant expression: numbers, + - * / …, parentheses. `kind` is that of a lone number. */
struct value {
    uint64_t bits;
    enum token_kind kind; /* TOKEN_NUMBER, TOKEN_FLOAT, TOKEN_DOUBLE */
};
struct value read_expression(struct reader *reader);
/* + 4, - 4 or +-4, as often as it comes. */
int64_t read_offset(struct reader *reader);
/* The bits of a value as an operand of a type with `bytes` bytes. */
uint64_t value_bits(struct value value, unsigned bytes, bool real);

/* Where a constant of this value or address is in BASE_CONSTANT. */
int32_t constant_of(struct reader *reader, unsigned bytes, uint64_t value);
int32_t address_of(struct reader *reader, unsigned bytes, struct ptx_variable *variable,
                   struct ptx_function *function, int64_t add);
/* The constant that an operand is, if it is an address; NULL otherwise. */
const struct constant *address_constant(const struct reader *reader, const struct ptx_operand *one);
/* Its variable, if it is one in shared memory; NULL otherwise. */
const struct ptx_variable *shared_variable(const struct reader *reader,
                                           const struct ptx_operand *one);
void constants_finish(struct reader *reader);

/* ---- parts of a text ------------------------------------------------------------------------ */

/* The token follows .global, .shared …; linking words come before it (variable.c). */
void read_variable(struct reader *reader, enum ptx_space space, bool external);

/* Heads of functions (function.c): results, name and parameters; what they say about launches;
 * both, where the token follows .callprototype. */
struct ptx_function read_head(struct reader *reader, struct token *name);
void read_performance(struct reader *reader, struct ptx_function *function);
struct ptx_function *read_prototype(struct reader *reader);
struct ptx_param read_parameter(struct reader *reader);

/* From the opening brace to the closing one (body.c). */
void read_body(struct reader *reader, struct ptx_function *function);

/* An instruction, from its guard or opcode to the semicolon (decode.c). */
void read_instruction(struct reader *reader);
/* The token follows the opcode (call.c). */
void read_call(struct reader *reader, struct ptx_instruction *instruction);

/* One operand; what is between brackets, up to the closing one or a comma; a new register and
 * {a, b, …} of the function that is read (operands.c). */
struct ptx_operand read_operand(struct reader *reader, unsigned bytes, bool real);
struct ptx_operand read_address(struct reader *reader);
uint32_t new_register(struct reader *reader, unsigned bytes);
struct ptx_operand new_vector(struct reader *reader, const struct ptx_operand *list,
                              unsigned count);

/* The student's lines and names (locations.c, names.c). */
void locations_begin(struct reader *reader);
void locations_end(struct reader *reader);
void locations_function(struct reader *reader); /* a new function begins */
void read_loc(struct reader *reader);           /* the token follows .loc */
const char *plain_function_name(struct arena *arena, const char *mangled);
const char *plain_variable_name(struct arena *arena, const char *mangled);

/* ---- what is done with a function's body after it was read, in this order -------------------- */

void fold_local(struct reader *reader);    /* addresses of local memory; scalars become registers */
void drop_moves(struct reader *reader);    /* moves that are not needed */
void find_spaces(struct reader *reader);   /* which memory generic addresses are in */
void lay_out(struct reader *reader);       /* the order of blocks */
void find_unused(struct reader *reader);   /* atomics whose results nothing needs (uses.c) */
void find_expected(struct reader *reader); /* loads of what a compare-and-swap expects (uses.c) */
void find_indexed(struct reader *reader);  /* shared arrays with indices (shared.c) */
void join_loads(struct reader *reader);    /* shared loads that ptxas makes one of */
void find_waits(struct reader *reader);    /* loads that need the results of others */
void find_fused(struct reader *reader);    /* what ptxas makes part of others (fuse.c) */
void find_together(struct reader *reader); /* atomics that ptxas does once per warp */
void allocate_registers(struct reader *reader); /* slots of registers in the frame */

/* What the functions of a module use with their callees, while that is found. */
struct uses {
    struct reader *reader;
    unsigned char *sets; /* by function and variable: uses it, and it is a shared one */
    uint32_t *kernels;   /* by variable: how many use it */
};

/* Where ptxas puts the shared variables that a function uses (`used`, by variable), into `at`, also
 * by variable. Returns how many bytes they need together (shared.c). */
uint64_t place_shared(const struct uses *uses, const struct ptx_function *function,
                      const unsigned char *used, uint64_t *at);

void finish_module(struct reader *reader); /* what functions use with their callees (uses.c) */

#endif
