/*
 * symbols.h: what names mean, scope by scope. A name in an inner scope hides the same name in an
 * outer one.
 */
#ifndef WARPUP_PTX_SYMBOLS_H
#define WARPUP_PTX_SYMBOLS_H

#include "gpu/ptx/arena.h"
#include "gpu/ptx/ptx.h"

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
    uint32_t line; /* of a label that is used: where */
};

struct symbols {
    struct arena *arena;
    struct symbol **buckets, **scopes; /* scopes: the newest symbol of each */
    size_t bucket_count, count, scope_room;
    uint32_t depth; /* of the innermost scope; 0: the module's */
};

enum { SCOPES_MAX = 1000 };

void symbols_begin(struct symbols *symbols, struct arena *arena);
void symbols_end(struct symbols *symbols);

void symbols_open(struct symbols *symbols);
void symbols_close(struct symbols *symbols);

/* The innermost symbol of this name; NULL: there is none. */
struct symbol *symbols_find(const struct symbols *symbols, const char *name, size_t length);

/* The symbol of this name in the innermost scope; NULL: there is none. */
struct symbol *symbols_here(const struct symbols *symbols, const char *name, size_t length);

/* A new symbol of the innermost scope. `name` must live as long as the arena. */
struct symbol *symbols_add(struct symbols *symbols, enum symbol_kind kind, const char *name,
                           size_t length);

#endif
