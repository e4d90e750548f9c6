/*
 * ptx_text.h: the PTX of an asm statement as a list of instructions. The rewriter reads it to see
 * whether the simulated GPU knows all of it, and ptx_run.c to execute it.
 */
#ifndef WARPUP_PTX_TEXT_H
#define WARPUP_PTX_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PTX_OPERATIONS                                                                             \
    X(ABS, "abs", "ftz", "s32 s64 f16 f16x2 f32 f64", 2, 2)                                        \
    X(ACTIVEMASK, "activemask", "", "b32", 1, 1)                                                   \
    X(ADD, "add", "rn ftz", "u16 s16 u32 s32 u64 s64 f16 f16x2 f32 f64", 3, 3)                     \
    X(AND, "and", "", "pred b16 b32 b64", 3, 3)                                                    \
    X(BAR, "bar", "sync aligned warp", "", 1, 2)                                                   \
    X(BARRIER, "barrier", "sync aligned", "", 1, 2)                                                \
    X(BFE, "bfe", "", "u32 s32 u64 s64", 4, 4)                                                     \
    X(BFI, "bfi", "", "b32 b64", 5, 5)                                                             \
    X(BREV, "brev", "", "b32 b64", 2, 2)                                                           \
    X(CLZ, "clz", "", "b32 b64", 2, 2)                                                             \
    X(COPY, "cp",                                                                                  \
      "async ca cg shared shared::cta global L2::64B L2::128B L2::256B commit_group "              \
      "wait_group wait_all",                                                                       \
      "", 0, 4)                                                                                    \
    X(COS, "cos", "approx ftz", "f32", 2, 2)                                                       \
    X(CONVERT, "cvt", "rn rni rzi rmi rpi rna ftz sat",                                            \
      "u8 s8 u16 s16 u32 s32 u64 s64 f16 f16x2 "                                                   \
      "bf16 bf16x2 tf32 f32 f64",                                                                  \
      2, 3)                                                                                        \
    X(CVTA, "cvta", "to shared shared::cta global local", "u32 u64", 2, 2)                         \
    X(DIVIDE, "div", "rn approx full ftz", "u16 s16 u32 s32 u64 s64 f32 f64", 3, 3)                \
    X(EX2, "ex2", "approx ftz", "f32", 2, 2)                                                       \
    X(FENCE, "fence", "sc acq_rel cta gpu sys", "", 0, 0)                                          \
    X(FMA, "fma", "rn ftz", "f16 f16x2 f32 f64", 4, 4)                                             \
    X(LOAD, "ld",                                                                                  \
      "global shared shared::cta ca cg cs cv lu nc volatile relaxed acquire weak cta "             \
      "gpu sys v2 v4 L1::evict_normal L1::evict_first L1::evict_last L1::no_allocate "             \
      "L1::evict_unchanged L2::64B L2::128B L2::256B",                                             \
      "b8 u8 s8 b16 u16 s16 b32 u32 s32 f32 b64 u64 s64 f64", 2, 2)                                \
    X(LOAD_MATRIX, "ldmatrix", "sync aligned m8n8 x1 x2 x4 trans shared shared::cta", "b16", 2, 2) \
    X(LG2, "lg2", "approx ftz", "f32", 2, 2)                                                       \
    X(LOP3, "lop3", "", "b32", 5, 5)                                                               \
    X(MAD, "mad", "lo hi wide rn ftz", "u16 s16 u32 s32 u64 s64 f32 f64", 4, 4)                    \
    X(MAX, "max", "ftz", "u16 s16 u32 s32 u64 s64 f16 f16x2 f32 f64", 3, 3)                        \
    X(MEMBAR, "membar", "cta gl sys", "", 0, 0)                                                    \
    X(MIN, "min", "ftz", "u16 s16 u32 s32 u64 s64 f16 f16x2 f32 f64", 3, 3)                        \
    X(MMA, "mma", "sync aligned m16n8k4 m16n8k8 m16n8k16 m16n8k32 m8n8k4 row col satfinite",       \
      "f16 bf16 tf32 f32 f64 s8 u8 s32", 4, 4)                                                     \
    X(MOVE, "mov", "", "pred b16 u16 s16 f16 b32 u32 s32 f32 b64 u64 s64 f64", 2, 2)               \
    X(MULTIPLY, "mul", "lo hi wide rn ftz", "u16 s16 u32 s32 u64 s64 f16 f16x2 f32 f64", 3, 3)     \
    X(NANOSLEEP, "nanosleep", "", "u32", 1, 1)                                                     \
    X(NEGATE, "neg", "ftz", "s16 s32 s64 f16 f16x2 f32 f64", 2, 2)                                 \
    X(NOT, "not", "", "pred b16 b32 b64", 2, 2)                                                    \
    X(OR, "or", "", "pred b16 b32 b64", 3, 3)                                                      \
    X(POPC, "popc", "", "b32 b64", 2, 2)                                                           \
    X(PREFETCH, "prefetch", "global L1 L2", "", 1, 1)                                              \
    X(PRMT, "prmt", "", "b32", 4, 4)                                                               \
    X(RCP, "rcp", "rn approx ftz", "f32 f64", 2, 2)                                                \
    X(REMAINDER, "rem", "", "u16 s16 u32 s32 u64 s64", 3, 3)                                       \
    X(RSQRT, "rsqrt", "approx ftz", "f32 f64", 2, 2)                                               \
    X(SELECT, "selp", "", "b16 u16 s16 b32 u32 s32 f32 b64 u64 s64 f64", 4, 4)                     \
    X(SET_PREDICATE, "setp", "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu ftz",          \
      "b16 u16 s16 b32 u32 s32 b64 u64 s64 f32 f64", 3, 3)                                         \
    X(SHIFT_LEFT, "shl", "", "b16 b32 b64", 3, 3)                                                  \
    X(SHIFT_RIGHT, "shr", "", "b16 u16 s16 b32 u32 s32 b64 u64 s64", 3, 3)                         \
    X(FUNNEL, "shf", "l r wrap clamp", "b32", 4, 4)                                                \
    X(SHUFFLE, "shfl", "sync idx up down bfly", "b32", 5, 5)                                       \
    X(SIN, "sin", "approx ftz", "f32", 2, 2)                                                       \
    X(SQRT, "sqrt", "rn approx ftz", "f32 f64", 2, 2)                                              \
    X(STORE, "st",                                                                                 \
      "global shared shared::cta wb cg cs wt volatile relaxed release weak cta gpu "               \
      "sys v2 v4 L1::evict_normal L1::evict_first L1::evict_last L1::no_allocate "                 \
      "L1::evict_unchanged",                                                                       \
      "b8 u8 s8 b16 u16 s16 b32 u32 s32 f32 b64 u64 s64 f64", 2, 2)                                \
    X(SUBTRACT, "sub", "rn ftz", "u16 s16 u32 s32 u64 s64 f16 f16x2 f32 f64", 3, 3)                \
    X(TANH, "tanh", "approx", "f32", 2, 2)                                                         \
    X(VOTE, "vote", "sync ballot any all", "b32 pred", 3, 3)                                       \
    X(XOR, "xor", "", "pred b16 b32 b64", 3, 3)

enum ptx_operation {
#define X(name, word, modifiers, types, least, most) PTX_##name,
    PTX_OPERATIONS
#undef X
};

enum ptx_type {
    PTX_NO_TYPE,
    PTX_PRED,
    PTX_B8,
    PTX_U8,
    PTX_S8,
    PTX_B16,
    PTX_U16,
    PTX_S16,
    PTX_F16,
    PTX_BF16,
    PTX_B32,
    PTX_U32,
    PTX_S32,
    PTX_F32,
    PTX_TF32,
    PTX_F16X2,
    PTX_BF16X2,
    PTX_B64,
    PTX_U64,
    PTX_S64,
    PTX_F64
};

/* Special registers; of those with .x, .y and .z, three follow each other. */
enum ptx_special {
    PTX_TID,
    PTX_NTID = PTX_TID + 3,
    PTX_CTAID = PTX_NTID + 3,
    PTX_NCTAID = PTX_CTAID + 3,
    PTX_LANEID = PTX_NCTAID + 3,
    PTX_WARPID,
    PTX_NWARPID,
    PTX_SMID,
    PTX_NSMID,
    PTX_CLOCK,
    PTX_CLOCK64,
    PTX_GLOBALTIMER,
    PTX_LANEMASK_EQ,
    PTX_LANEMASK_LE,
    PTX_LANEMASK_LT,
    PTX_LANEMASK_GE,
    PTX_LANEMASK_GT
};

/* A slot holds a register: first the operands of the asm statement, then registers that it
 * declares. An address is a slot, or PTX_NO_SLOT, and a number. */
enum { PTX_NO_SLOT = -1, PTX_SLOTS = 96, PTX_OPERANDS = 24, PTX_MODIFIERS = 10 };
struct ptx_operand {
    enum { PTX_SLOT, PTX_NUMBER, PTX_SPECIAL, PTX_ADDRESS } kind;
    bool negated; /* !p */
    int slot;
    int64_t number;
};

/* Operands in { } are listed one by one: groups[i] of them belong to the i-th one between commas.
 */
struct ptx_instruction {
    enum ptx_operation operation;
    enum ptx_type types[4];
    int type_count, modifier_count, operand_count, group_count;
    const char *modifiers[PTX_MODIFIERS]; /* words of PTX_OPERATIONS */
    struct ptx_operand operands[PTX_OPERANDS];
    unsigned char groups[5];
    int guard; /* the predicate's slot, or PTX_NO_SLOT */
    bool guard_negated;
};

struct ptx {
    struct ptx_instruction *list;
    int count, slots;
};

/* Does an asm statement's text look like PTX? Its first instruction then has a dot. */
bool ptx_looks(const char *text, size_t length);

/* Reads the text, whose asm statement has this number of operands. False if it has something that
 * the simulated GPU does not know, which `unknown` then names, or if there is not enough memory. */
bool ptx_read(struct ptx *ptx, const char *text, size_t length, int operands, char unknown[80]);
void ptx_free(struct ptx *ptx);

bool ptx_has(const struct ptx_instruction *instruction, const char *modifier);
bool ptx_is_float(enum ptx_type type);
bool ptx_is_signed(enum ptx_type type);
unsigned ptx_bytes(enum ptx_type type);

#endif
