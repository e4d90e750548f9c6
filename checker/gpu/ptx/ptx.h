/*
 * ptx.h: a program's device code, read from PTX: modules of functions, each a list of instructions
 * whose operands are offsets in a warp's registers. ptx_read() makes a module of a text; warp/
 * executes its functions, memory/ counts by its accesses. The PTX ISA manual is the source of all
 * names here.
 */
#ifndef WARPUP_PTX_H
#define WARPUP_PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gpu/ptx/words.h"

enum { LANES = 32 };

/* For each lane of a mask. */
#define EACH_LANE(lane, mask)                                                                      \
    for (uint32_t lane##_left = (mask), lane;                                                      \
         lane##_left != 0 && (lane = (uint32_t)__builtin_ctz(lane##_left), true);                  \
         lane##_left &= lane##_left - 1)

/* Where an operand's 32 values are: at `at` bytes from one of these bases. The values of all lanes
 * are side by side: lane l of a 4-byte register is at `at + 4 * l`. A predicate is one 32-bit mask,
 * a bit per lane. */
enum ptx_base {
    BASE_FRAME,    /* registers of the running function's frame */
    BASE_CONSTANT, /* immediate values and addresses of variables, spread over 32 lanes: of the
                      module */
    BASE_SPECIAL,  /* %tid, %ctaid …: a row per special register (enum ptx_special) */
    BASES
};

enum ptx_operand_kind {
    OPERAND_NONE,
    OPERAND_VALUE,   /* a register, an immediate value or a special register */
    OPERAND_ADDRESS, /* [base + offset]: the base is at `at`, with `bytes` of 4 or 8; no base:
                        BASE_CONSTANT 0 */
    OPERAND_VECTOR,  /* {a, b, c, d}: elements `first` … of the function's list */
    OPERAND_SINK,    /* _ */
    OPERAND_PARAM    /* [parameter + offset] of a kernel, or of a call: `offset` from its area */
};

struct ptx_operand {
    uint8_t kind;   /* enum ptx_operand_kind */
    uint8_t base;   /* enum ptx_base */
    uint8_t bytes;  /* of a lane's value: 1 (2 in a register), 2, 4, 8, 16; 0: a predicate */
    bool negated;   /* !p */
    bool immediate; /* a constant of the text: its value is in `value` */
    bool local;     /* in local memory: `value`, or the address's `offset`, is from the frame */
    bool own;       /* OPERAND_PARAM: of the kernel itself, not of a call that it makes */
    uint8_t count;  /* of a vector's elements */
    int32_t at;     /* bytes from the base */
    uint32_t first; /* of a vector: index into ptx_function.elements */
    int64_t offset; /* of an address or parameter */
    uint64_t value; /* of an immediate: its bits */
};

struct warp;
struct ptx_instruction;

/* Executes an instruction for the lanes of `mask`, which is not 0. */
typedef void ptx_execute(struct warp *warp, const struct ptx_instruction *instruction,
                         uint32_t mask);

enum { MODIFIERS_MAX = 12, TYPES_MAX = 4, OPERANDS_MAX = 6 };

/* One instruction. A reader fills in everything but `execute` and `detail`, which warp/ chooses
 * once per module. What is needed in each execution is in the first 64 bytes. */
struct ptx_instruction {
    ptx_execute *execute;
    int32_t d, a, b, c; /* `at` of the first four operands: the executor's shortcut */
    uint8_t d_base, a_base, b_base, c_base;
    int32_t guard; /* `at` of the predicate in the frame; -1: none */
    bool guard_negated;
    uint8_t opcode; /* enum ptx_opcode */
    uint8_t space;  /* enum ptx_space, of an access */
    uint8_t bytes;  /* of a lane's element in memory: 1, 2, 4, 8, 16 */
    uint8_t vector; /* elements of an access: 1, 2, 4 or 8 */
    uint8_t flow;   /* enum ptx_flow: what it does to the program counter */
    int32_t target; /* of a branch: the index of an instruction of the same function */
    int32_t access; /* its number among the module's accesses to memory; -1: it is none */
    int64_t offset; /* of its address */
    /* --- the rest --- */
    uint8_t types[TYPES_MAX]; /* enum ptx_type, in the order of the text */
    uint8_t type_count, modifier_count, operand_count;
    uint8_t results; /* operand[0 … results - 1] are written: 0, 1, or 2 for d|p */
    uint8_t modifiers[MODIFIERS_MAX];         /* enum ptx_modifier, in the order of the text */
    struct ptx_operand operand[OPERANDS_MAX]; /* d first, also for st: its address */
    struct ptx_function *callee;              /* of a call; NULL for one through a pointer */
    struct ptx_call *call;                    /* of a call: its parameters */
    int32_t *targets;                         /* of brx.idx: a list that ends with -1 */
    uint32_t location;  /* index into ptx_module.locations: file, line, inlining */
    uint32_t text;      /* offset of its line in the module's text, for messages */
    uint32_t text_line; /* and its number there */
    const void *detail; /* of warp/: whatever `execute` needs beyond this */
    /* Shared loads that ptxas would join: the first one has the bytes per lane of all, the others
     * have 0. -1: the load is not joined. Only the counts depend on this. */
    int8_t joined;
    /* For an access through a pointer to a local variable: the bytes of the variable in the
     * function's frame, and its name. local_to 0: not known. */
    uint32_t local_from, local_to;
    const char *local_name;
    bool added;       /* a jump that only the order of blocks needs; it is not counted */
    bool returns;     /* a jump to the function's end that is a return statement */
    bool promoted;    /* a move that was a load or store of a local variable */
    bool together;    /* an atomic operation that ptxas does once per warp (together.c) */
    bool fused;       /* ptxas makes it a part of another instruction (fuse.c) */
    bool reciprocal;  /* a division of integers by what was divided by before, or in each round */
    uint8_t pressure; /* registers that hold values before it, without addresses: an estimate
                         (liveness.c) */
    bool unused;      /* nothing uses its result: an atom that is a red */
    bool expected;    /* a load of the value that a compare-and-swap expects */
    /* For a load (waits.c). waits: its address needs what was loaded before. leads: it is the first
     * load of its basic block. computes: the block computes with what it or an earlier load of the
     * block has loaded. repeats: it leads a loop of one block. constant:
     * of memory that nobody writes. spins: it reads one word until another thread changes it. */
    bool waits, leads, computes, repeats, constant, spins;
};

/* The way in which an instruction changes control: the executor's loop looks at this first. */
enum ptx_flow {
    FLOW_NEXT,    /* calls `execute`, goes on with the next */
    FLOW_BRANCH,  /* bra; brx.idx has `targets` */
    FLOW_CALL,    /* call */
    FLOW_RETURN,  /* ret */
    FLOW_EXIT,    /* exit; trap is executed and does not return */
    FLOW_BARRIER, /* bar.sync, barrier.sync, bar.red: waits for warps of the block */
    FLOW_MEET,    /* waits for lanes of the warp: bar.warp.sync, shfl.sync …, mma */
    FLOW_NOTHING  /* has no effect here: prefetch, pragmas */
};

/* A parameter, or a .param variable of a call. Both are in bytes, as the text says. */
struct ptx_param {
    const char *name;
    uint32_t bytes, align;
    uint32_t at;  /* in the kernel's parameters, or in the activation's area of call parameters */
    bool pointer; /* .ptr, or a 64-bit parameter */
};

/* A call: which .param variables of the caller's area are its arguments and results. */
struct ptx_call {
    uint32_t argument_count, result_count;
    uint32_t argument[64], result[4]; /* `at` in the caller's area */
    uint32_t argument_bytes[64], result_bytes[4];
    struct ptx_operand through; /* the pointer, if callee is NULL */
    struct ptx_function *prototype;
};

struct ptx_function {
    struct ptx_module *module;
    const char *name;           /* mangled */
    const char *plain_name;     /* as the student would write it, without parameters; templates'
                                   arguments stay */
    bool entry;                 /* a kernel */
    struct ptx_function *alias; /* .alias: this one is meant; the reader replaces it in calls */
    bool external;              /* .extern, and not defined here */
    bool defined;               /* has a body; otherwise warp/ must know it (natives.c) */
    uint32_t index; /* in the module: a function's address is FUNCTION_WINDOW + 16 * (index + 1) */
    struct ptx_param *params, *results;
    uint32_t param_count, result_count;
    uint32_t param_bytes; /* of a kernel: all of its parameters */
    uint32_t call_bytes;  /* of the area for call parameters, its own incoming ones first */
    uint32_t local_bytes; /* per thread, of its frame */
    uint32_t frame_bytes; /* of its registers, a multiple of 64 */
    uint32_t saved; /* registers that it saves in local memory while it calls others: estimate */
    struct ptx_instruction *code; /* ends with a ret */
    uint32_t code_count;
    struct ptx_operand *elements; /* of vectors */
    /* .maxntid, .reqntid, .minnctapersm, .maxclusterrank, cluster dims; 0: not said */
    uint32_t max_threads[3], required_threads[3], min_blocks, cluster[3], max_registers;
    bool max_threads_said, required_threads_said;
    uint32_t registers; /* per thread, of 32 bits, that ptxas would need: an estimate; with those
                           of callees */
    uint32_t registers_most; /* that the launch bounds or the compiler's options allow */
    uint32_t static_shared;  /* bytes that ptxas would give the shared variables below */
    uint32_t *shared_used; /* indices of the module's shared variables that it or its callees use */
    uint64_t *shared_at;   /* where ptxas puts each of them; dynamic ones: 0 */
    uint32_t shared_used_count;
    bool uses_atomic_result; /* it or a callee uses that of an atomic on global memory */
    bool calls_pointers;
    bool writes_global;
    /* module_prepare() in warp/ sets these. first: the number of the function's first instruction
     * among those of all defined functions (each has one number more than instructions). native:
     * what executes the function if it is not defined. */
    uint32_t first;
    ptx_execute *native;
};

/* A variable of the module. Whoever loads the module gives it an address (ptx_set_addresses()). */
struct ptx_variable {
    const char *name, *plain_name;
    uint32_t index; /* in the module */
    uint8_t space;  /* SPACE_GLOBAL, SPACE_CONST, SPACE_SHARED */
    bool external;  /* extern __shared__: dynamic */
    bool managed, array;
    bool indexed; /* an array of shared memory: not all of its indices are constants */
    uint64_t bytes, align;
    const struct ptx_function *function; /* that declares it; NULL: none */
    uint64_t address;                    /* in the device's memory; shared: offset in the block's */
    const unsigned char *initial;        /* `bytes` bytes; NULL: zeros */
    struct ptx_fixup {
        uint64_t at, bytes;
        struct ptx_variable *variable; /* or */
        struct ptx_function *function; /* ptx_function_address() */
        int64_t add;
        bool generic;
        uint8_t shift; /* bits by which the address is first shifted right: single bytes of it */
    } * fixups;
    uint32_t fixup_count;
    uint32_t location; /* of its declaration, if it is known; else 0 */
};

/* A location in the student's source. Location 0 is "not known". Two inlined copies of one line are
 * two locations, for "the same barrier" is the same line and inlining. file and line are those of
 * the student's own file: where the code of a header of the lab or of CUDA was inlined, those of
 * the call. */
struct ptx_location {
    const char *file; /* as the compiler got it; NULL: not known */
    int line;
    int column;          /* 0: not known. Locations of one line in different columns differ */
    uint32_t inlined_at; /* the location of the call; 0: none */
};

struct ptx_error {
    uint32_t text_line;
    uint32_t location;
    bool unknown; /* valid PTX that is not known here; otherwise ptxas would refuse it too */
    char text[240];
};

struct ptx_module {
    char *text;
    int version, target; /* 78 for 7.8; 90 for sm_90 */
    bool source_build;   /* made near the source (.target debug, or said by the container) */
    struct ptx_function **functions;
    uint32_t function_count;
    struct ptx_variable **variables;
    uint32_t variable_count;
    struct ptx_location *locations;
    uint32_t location_count;
    uint32_t access_count; /* instructions with access >= 0 have numbers below this */
    const struct ptx_instruction **accesses;
    uint32_t numbers;         /* of instructions: above all of ptx_function.first */
    unsigned char *constants; /* BASE_CONSTANT points here; 64-byte aligned */
    uint32_t constant_bytes;
    struct ptx_error *errors;
    uint32_t error_count;
    const void *addresses; /* the constants that ptx_set_addresses() sets */
    void *arena;           /* everything above is freed with it */
};

/* Reads a text, which it copies. Never NULL, except when there is no memory: errors are in the
 * module. After it, the caller gives the global and constant variables their addresses, and calls
 * ptx_set_addresses(). */
struct ptx_module *ptx_read(const char *text, size_t bytes);

/* Sets the constants that are addresses of variables and functions, once all variables have theirs.
 */
void ptx_set_addresses(struct ptx_module *module);

void ptx_free(struct ptx_module *module);

struct ptx_function *ptx_function(const struct ptx_module *module, const char *name);
struct ptx_variable *ptx_variable(const struct ptx_module *module, const char *name);

/* Does the instruction have this modifier? */
static inline bool ptx_has(const struct ptx_instruction *instruction, enum ptx_modifier modifier)
{
    for (int i = 0; i < instruction->modifier_count; i++)
        if (instruction->modifiers[i] == modifier) return true;
    return false;
}

/* Generic addresses outside of the GPU's memory: windows of 2^32 bytes each. A shared address is an
 * offset in the window; so are local ones, whose bytes each thread has for itself. */
#define SHARED_WINDOW   UINT64_C(0x7e0000000000)
#define LOCAL_WINDOW    UINT64_C(0x7d0000000000)
#define FUNCTION_WINDOW UINT64_C(0x7c0000000000)
#define PARAM_WINDOW                                                                               \
    UINT64_C(0x7b0000000000) /* cvta.param: of the kernel's parameters, read-only */
#define WINDOW_BYTES (UINT64_C(1) << 32)

/* Is the operand the value of a register? */
static inline bool ptx_is_register(const struct ptx_operand *operand)
{
    return operand->kind == OPERAND_VALUE && operand->base == BASE_FRAME;
}

static inline uint64_t ptx_function_address(const struct ptx_function *function)
{
    return FUNCTION_WINDOW + 16 * ((uint64_t)function->index + 1);
}

#endif
