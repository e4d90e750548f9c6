/*
 * forms.c: what operands an instruction has, by opcode. A form is a letter per operand, in the
 * order of the text:
 *
 *   t   a value of the last type
 *   f   a value of the first type
 *   w   as t, but twice as wide with .wide
 *   v   as t, or a vector of them
 *   u   32 bits
 *   q   64 bits
 *   p   a predicate
 *   x   anything; a number has 32 bits
 *   A   an address
 *   T   [texture, {coordinates}]
 *   =   the next one is a result
 *   |   it may have a second result
 *   ?   what follows may be missing
 *
 * NULL: decode.c reads it in a way of its own (bra, call …).
 */
#include "gpu/ptx/reader.h"

static const char *const forms[OPCODES] = {
    [OP_abs] = "=tt",
    [OP_activemask] = "=u",
    [OP_add] = "=ttt",
    [OP_addc] = "=ttt",
    [OP_alloca] = "=tt?u",
    [OP_and] = "=ttt",
    [OP_applypriority] = "Au",
    [OP_atom] = "=vAv?vq",
    [OP_bar] = "?xxx",
    [OP_barrier] = "?xxx",
    [OP_bfe] = "=ttuu",
    [OP_bfi] = "=tttuu",
    [OP_bfind] = "=ut",
    [OP_bmsk] = "=uuu",
    [OP_brev] = "=tt",
    [OP_brkpt] = "",
    [OP_clz] = "=ut",
    [OP_cnot] = "=tt",
    [OP_copysign] = "=ttt",
    [OP_cos] = "=tt",
    [OP_cp] = "?xxxxxx",
    [OP_createpolicy] = "=q?xxxx",
    [OP_cvt] = "=ft?tu",
    [OP_cvta] = "=tt",
    [OP_discard] = "Au",
    [OP_div] = "=ttt",
    [OP_dp2a] = "=uuuu",
    [OP_dp4a] = "=uuuu",
    [OP_elect] = "=u|pu",
    [OP_ex2] = "=tt",
    [OP_exit] = "",
    [OP_fence] = "?xx",
    [OP_fma] = "=tttt",
    [OP_fns] = "=uuuu",
    [OP_getctarank] = "=ux",
    [OP_griddepcontrol] = "",
    [OP_isspacep] = "=pq",
    [OP_ld] = "=vA?q",
    [OP_ldmatrix] = "=vA",
    [OP_ldu] = "=vA",
    [OP_lg2] = "=tt",
    [OP_lop3] = "=t|ptttu?p",
    [OP_mad] = "=wttw",
    [OP_mad24] = "=tttt",
    [OP_madc] = "=tttt",
    [OP_mapa] = "=ttu",
    [OP_match] = "=u|ptu",
    [OP_max] = "=ttt?t",
    [OP_mbarrier] = "?xxxx",
    [OP_membar] = "",
    [OP_min] = "=ttt?t",
    [OP_mma] = "=vvvv?xxx",
    [OP_mov] = "=vv",
    [OP_movmatrix] = "=uu",
    [OP_mul] = "=wtt",
    [OP_mul24] = "=ttt",
    [OP_nanosleep] = "u",
    [OP_neg] = "=tt",
    [OP_not] = "=tt",
    [OP_or] = "=ttt",
    [OP_pmevent] = "u",
    [OP_popc] = "=ut",
    [OP_prefetch] = "A",
    [OP_prefetchu] = "A",
    [OP_prmt] = "=uuuu",
    [OP_rcp] = "=tt",
    [OP_red] = "Av?q",
    [OP_redux] = "=ttu",
    [OP_rem] = "=ttt",
    [OP_ret] = "",
    [OP_rsqrt] = "=tt",
    [OP_sad] = "=tttt",
    [OP_selp] = "=tttp",
    [OP_set] = "=ftt?p",
    [OP_setmaxnreg] = "u",
    [OP_setp] = "=p|ptt?p",
    [OP_shf] = "=tttu",
    [OP_shfl] = "=t|ptuu?u",
    [OP_shl] = "=ttu",
    [OP_shr] = "=ttu",
    [OP_sin] = "=tt",
    [OP_slct] = "=ffft",
    [OP_sqrt] = "=tt",
    [OP_st] = "Av?q",
    [OP_stacksave] = "=t",
    [OP_stackrestore] = "t",
    [OP_stmatrix] = "Av",
    [OP_sub] = "=ttt",
    [OP_subc] = "=ttt",
    [OP_suld] = "=vT",
    [OP_suq] = "=ux",
    [OP_sured] = "Tv",
    [OP_sust] = "Tv",
    [OP_szext] = "=ttu",
    [OP_tanh] = "=tt",
    [OP_testp] = "=pt",
    [OP_tex] = "=vT?xxx",
    [OP_tld4] = "=vT?xxx",
    [OP_trap] = "",
    [OP_txq] = "=ux",
    [OP_vote] = "=xp?u",
    [OP_wmma] = "?xxxxx",
    [OP_xor] = "=ttt",
};

const char *form_of(enum ptx_opcode opcode)
{
    return forms[opcode];
}
