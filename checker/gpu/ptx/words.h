/*
 * words.h: the words of PTX that the simulated GPU knows: instructions, types, modifiers, state
 * spaces, special registers. To add one, add it to its list.
 */
#ifndef WARPUP_PTX_WORDS_H
#define WARPUP_PTX_WORDS_H

#include <stdbool.h>

/* Every instruction: its name, its operands, and what it does to control (enum ptx_flow). Operands
 * are a letter each, in the order of the text:
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
 * Branches and calls are read in ways of their own. MEET of shfl, vote and match, and BARRIER, are
 * for those forms of them that wait (decode.c). */
/* clang-format off */
#define PTX_INSTRUCTIONS(X)                                                                        \
    X(abs, "=tt", NEXT) X(activemask, "=u", NEXT) X(add, "=ttt", NEXT) X(addc, "=ttt", NEXT)       \
    X(alloca, "=tt?u", NEXT) X(and, "=ttt", NEXT) X(applypriority, "Au", NOTHING)                  \
    X(atom, "=vAv?vq", NEXT) X(bar, "?xxx", BARRIER) X(barrier, "?xxx", BARRIER)                   \
    X(bfe, "=ttuu", NEXT) X(bfi, "=tttuu", NEXT) X(bfind, "=ut", NEXT) X(bmsk, "=uuu", NEXT)       \
    X(bra, "", BRANCH) X(brev, "=tt", NEXT) X(brkpt, "", NOTHING) X(brx, "", BRANCH)               \
    X(call, "", CALL) X(clz, "=ut", NEXT) X(cnot, "=tt", NEXT) X(copysign, "=ttt", NEXT)           \
    X(cos, "=tt", NEXT) X(cp, "?xxxxxx", NEXT) X(createpolicy, "=q?xxxx", NEXT)                    \
    X(cvt, "=ft?tu", NEXT) X(cvta, "=tt", NEXT) X(discard, "Au", NOTHING) X(div, "=ttt", NEXT)     \
    X(dp2a, "=uuuu", NEXT) X(dp4a, "=uuuu", NEXT) X(elect, "=u|pu", MEET) X(ex2, "=tt", NEXT)      \
    X(exit, "", EXIT) X(fence, "?xx", NEXT) X(fma, "=tttt", NEXT) X(fns, "=uuuu", NEXT)            \
    X(getctarank, "=ux", NEXT) X(griddepcontrol, "", NOTHING) X(isspacep, "=pq", NEXT)             \
    X(ld, "=vA?q", NEXT) X(ldmatrix, "=vA", MEET) X(ldu, "=vA", NEXT) X(lg2, "=tt", NEXT)          \
    X(lop3, "=t|ptttu?p", NEXT) X(mad, "=wttw", NEXT) X(mad24, "=tttt", NEXT)                      \
    X(madc, "=tttt", NEXT) X(mapa, "=ttu", NEXT) X(match, "=u|ptu", MEET) X(max, "=ttt?t", NEXT)   \
    X(mbarrier, "?xxxx", NEXT) X(membar, "", NEXT) X(min, "=ttt?t", NEXT)                          \
    X(mma, "=vvvv?xxx", MEET) X(mov, "=vv", NEXT) X(movmatrix, "=uu", MEET) X(mul, "=wtt", NEXT)   \
    X(mul24, "=ttt", NEXT) X(nanosleep, "u", NEXT) X(neg, "=tt", NEXT) X(not, "=tt", NEXT)         \
    X(or, "=ttt", NEXT) X(pmevent, "u", NOTHING) X(popc, "=ut", NEXT) X(prefetch, "A", NOTHING)    \
    X(prefetchu, "A", NOTHING) X(prmt, "=uuuu", NEXT) X(rcp, "=tt", NEXT) X(red, "Av?q", NEXT)     \
    X(redux, "=ttu", MEET) X(rem, "=ttt", NEXT) X(ret, "", RETURN) X(rsqrt, "=tt", NEXT)           \
    X(sad, "=tttt", NEXT) X(selp, "=tttp", NEXT) X(set, "=ftt?p", NEXT)                            \
    X(setmaxnreg, "u", NOTHING) X(setp, "=p|ptt?p", NEXT) X(shf, "=tttu", NEXT)                    \
    X(shfl, "=t|ptuu?u", MEET) X(shl, "=ttu", NEXT) X(shr, "=ttu", NEXT) X(sin, "=tt", NEXT)       \
    X(slct, "=ffft", NEXT) X(sqrt, "=tt", NEXT) X(st, "Av?q", NEXT) X(stacksave, "=t", NEXT)       \
    X(stackrestore, "t", NEXT) X(stmatrix, "Av", MEET) X(sub, "=ttt", NEXT) X(subc, "=ttt", NEXT)  \
    X(suld, "=vT", NEXT) X(suq, "=ux", NEXT) X(sured, "Tv", NEXT) X(sust, "Tv", NEXT)              \
    X(szext, "=ttu", NEXT) X(tanh, "=tt", NEXT) X(testp, "=pt", NEXT) X(tex, "=vT?xxx", NEXT)      \
    X(tld4, "=vT?xxx", NEXT) X(trap, "", NEXT) X(txq, "=ux", NEXT) X(vote, "=xp?u", MEET)          \
    X(wmma, "?xxxxx", MEET) X(xor, "=ttt", NEXT)
/* clang-format on */

enum ptx_opcode {
#define X(name, form, flow) OP_##name,
    PTX_INSTRUCTIONS(X)
#undef X
        OPCODES
};

/* NAME, bytes of a value */
/* clang-format off */
#define PTX_TYPES(X)                                                                               \
    X(pred, 0) X(b1, 1) X(b8, 1) X(b16, 2) X(b32, 4) X(b64, 8) X(b128, 16) X(u4, 1) X(s4, 1)       \
    X(u8, 1) X(u16, 2) X(u32, 4) X(u64, 8) X(s8, 1) X(s16, 2) X(s32, 4) X(s64, 8) X(f16, 2)        \
    X(f16x2, 4) X(bf16, 2) X(bf16x2, 4) X(tf32, 4) X(e4m3, 1) X(e5m2, 1) X(e4m3x2, 2)              \
    X(e5m2x2, 2) X(f32, 4) X(f64, 8) X(u16x2, 4) X(s16x2, 4) X(texref, 8) X(samplerref, 8)         \
    X(surfref, 8)
/* clang-format on */

enum ptx_type {
#define X(name, bytes) TYPE_##name,
    PTX_TYPES(X)
#undef X
        TYPES
};

/* The texts of all words. */
extern const char *const ptx_opcodes[], *const ptx_types[], *const ptx_modifiers[],
                                                                *const ptx_specials[];

unsigned ptx_type_bytes(enum ptx_type type); /* 0 for TYPES, too */
bool ptx_is_real(enum ptx_type type);        /* f16, bf16, tf32, f32, f64 */
bool ptx_is_signed(enum ptx_type type);      /* s8 … s64 */

enum ptx_space { SPACE_GENERIC, SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL, SPACE_PARAM, SPACE_CONST };

/* Enum constant M_NAME, text. A modifier that is not here makes its instruction an unknown one. */
/* clang-format off */
#define PTX_MODIFIERS(X)                                                                           \
    X(rn, "rn") X(rz, "rz") X(rm, "rm") X(rp, "rp") X(rna, "rna") X(rni, "rni") X(rzi, "rzi")      \
    X(rmi, "rmi") X(rpi, "rpi") X(sat, "sat") X(satfinite, "satfinite") X(ftz, "ftz")              \
    X(relu, "relu") X(approx, "approx") X(full, "full") X(lo, "lo") X(hi, "hi") X(wide, "wide")    \
    X(cc, "cc") X(nan, "NaN") X(xorsign, "xorsign") X(abs, "abs") X(oob, "oob")                    \
    X(noftz, "noftz") X(eq, "eq") X(ne, "ne") X(lt, "lt") X(le, "le") X(gt, "gt") X(ge, "ge")      \
    X(ls, "ls") X(hs, "hs") X(equ, "equ") X(neu, "neu") X(ltu, "ltu") X(leu, "leu")                \
    X(gtu, "gtu") X(geu, "geu") X(num, "num") X(isnan, "nan") X(and, "and") X(or, "or")            \
    X(xor, "xor") X(popc, "popc") X(add, "add") X(inc, "inc") X(dec, "dec") X(min, "min")          \
    X(max, "max") X(exch, "exch") X(cas, "cas") X(relaxed, "relaxed") X(acquire, "acquire")        \
    X(release, "release") X(acq_rel, "acq_rel") X(sc, "sc") X(weak, "weak")                        \
    X(volatile, "volatile") X(mmio, "mmio") X(cta, "cta") X(cluster, "cluster") X(gpu, "gpu")      \
    X(sys, "sys") X(gl, "gl") X(global, "global") X(shared, "shared")                              \
    X(shared_cta, "shared::cta") X(shared_cluster, "shared::cluster") X(local, "local")            \
    X(param, "param") X(param_entry, "param::entry") X(param_func, "param::func")                  \
    X(const, "const") X(to, "to") X(v2, "v2") X(v4, "v4") X(v8, "v8") X(nc, "nc") X(ca, "ca")      \
    X(cg, "cg") X(cs, "cs") X(lu, "lu") X(cv, "cv") X(wb, "wb") X(wt, "wt")                        \
    X(l1_evict_normal, "L1::evict_normal") X(l1_evict_unchanged, "L1::evict_unchanged")            \
    X(l1_evict_first, "L1::evict_first") X(l1_evict_last, "L1::evict_last")                        \
    X(l1_no_allocate, "L1::no_allocate") X(l2_cache_hint, "L2::cache_hint")                        \
    X(l2_64b, "L2::64B") X(l2_128b, "L2::128B") X(l2_256b, "L2::256B") X(l1, "L1") X(l2, "L2")     \
    X(tensormap, "tensormap") X(l2_evict_normal, "L2::evict_normal")                               \
    X(l2_evict_first, "L2::evict_first") X(l2_evict_last, "L2::evict_last") X(uni, "uni")          \
    X(sync, "sync") X(arrive, "arrive") X(red, "red") X(warp, "warp") X(aligned, "aligned")        \
    X(wait, "wait") X(all, "all") X(any, "any") X(ballot, "ballot") X(up, "up") X(down, "down")    \
    X(bfly, "bfly") X(idx, "idx") X(l, "l") X(r, "r") X(clamp, "clamp") X(wrap, "wrap")            \
    X(shiftamt, "shiftamt") X(level, "level") X(async, "async") X(bulk, "bulk")                    \
    X(commit_group, "commit_group") X(wait_group, "wait_group") X(wait_all, "wait_all")            \
    X(init, "init") X(inval, "inval") X(arrive_drop, "arrive_drop") X(nocomplete, "noComplete")    \
    X(noinc, "noinc") X(expect_tx, "expect_tx") X(complete_tx, "complete_tx")                      \
    X(test_wait, "test_wait") X(try_wait, "try_wait") X(parity, "parity")                          \
    X(pending_count, "pending_count") X(mbarrier, "mbarrier") X(mbarrier_init, "mbarrier_init")    \
    X(proxy, "proxy") X(alias, "alias") X(load, "load") X(store, "store") X(mma, "mma")            \
    X(a, "a") X(b, "b") X(c, "c") X(d, "d") X(row, "row") X(col, "col")                            \
    X(m16n16k16, "m16n16k16") X(m8n32k16, "m8n32k16") X(m32n8k16, "m32n8k16")                      \
    X(m16n16k8, "m16n16k8") X(m8n8k4, "m8n8k4") X(m8n8k16, "m8n8k16") X(m8n8k32, "m8n8k32")        \
    X(m8n8k128, "m8n8k128") X(m16n8k4, "m16n8k4") X(m16n8k8, "m16n8k8") X(m16n8k16, "m16n8k16")    \
    X(m16n8k32, "m16n8k32") X(m16n8k64, "m16n8k64") X(m16n8k128, "m16n8k128")                      \
    X(m16n8k256, "m16n8k256") X(m8n8, "m8n8") X(x1, "x1") X(x2, "x2") X(x4, "x4")                  \
    X(trans, "trans") X(geom_1d, "1d") X(geom_2d, "2d") X(geom_3d, "3d") X(a1d, "a1d")             \
    X(a2d, "a2d") X(cube, "cube") X(acube, "acube") X(unified, "unified") X(trap, "trap")          \
    X(zero, "zero") X(width, "width") X(height, "height") X(depth, "depth") X(finite, "finite")    \
    X(infinite, "infinite") X(number, "number") X(notanumber, "notanumber") X(normal, "normal")    \
    X(subnormal, "subnormal") X(tryget, "try_get") X(launch_dependents, "launch_dependents")       \
    X(f4e, "f4e") X(b4e, "b4e") X(rc8, "rc8") X(ecl, "ecl") X(ecr, "ecr") X(rc16, "rc16")          \
    X(pack, "pack") X(p, "p") X(g, "g")
/* clang-format on */

enum ptx_modifier {
#define X(name, text) M_##name,
    PTX_MODIFIERS(X)
#undef X
        MODIFIERS
};

/* A row of BASE_SPECIAL for each: 32 lanes of 4 bytes, of 8 bytes for the last ones. Row k is at
 * 128 * k, a 64-bit one takes two rows. Those after SPECIAL_READ are read when the instruction runs
 * (a mov whose execute asks). */
/* clang-format off */
#define PTX_SPECIALS(X)                                                                            \
    X(tid_x, "%tid.x") X(tid_y, "%tid.y") X(tid_z, "%tid.z") X(ntid_x, "%ntid.x")                  \
    X(ntid_y, "%ntid.y") X(ntid_z, "%ntid.z") X(ctaid_x, "%ctaid.x") X(ctaid_y, "%ctaid.y")        \
    X(ctaid_z, "%ctaid.z") X(nctaid_x, "%nctaid.x") X(nctaid_y, "%nctaid.y")                       \
    X(nctaid_z, "%nctaid.z") X(laneid, "%laneid") X(warpid, "%warpid") X(nwarpid, "%nwarpid")      \
    X(smid, "%smid") X(nsmid, "%nsmid") X(lanemask_eq, "%lanemask_eq")                             \
    X(lanemask_le, "%lanemask_le") X(lanemask_lt, "%lanemask_lt")                                  \
    X(lanemask_ge, "%lanemask_ge") X(lanemask_gt, "%lanemask_gt")                                  \
    X(dynamic_smem_size, "%dynamic_smem_size") X(total_smem_size, "%total_smem_size")              \
    X(aggr_smem_size, "%aggr_smem_size") X(clusterid_x, "%clusterid.x")                            \
    X(clusterid_y, "%clusterid.y") X(clusterid_z, "%clusterid.z")                                  \
    X(nclusterid_x, "%nclusterid.x") X(nclusterid_y, "%nclusterid.y")                              \
    X(nclusterid_z, "%nclusterid.z") X(cluster_ctaid_x, "%cluster_ctaid.x")                        \
    X(cluster_ctaid_y, "%cluster_ctaid.y") X(cluster_ctaid_z, "%cluster_ctaid.z")                  \
    X(cluster_nctaid_x, "%cluster_nctaid.x") X(cluster_nctaid_y, "%cluster_nctaid.y")              \
    X(cluster_nctaid_z, "%cluster_nctaid.z") X(cluster_ctarank, "%cluster_ctarank")                \
    X(cluster_nctarank, "%cluster_nctarank") X(is_explicit_cluster, "%is_explicit_cluster")        \
    X(reserved_smem_offset_0, "%reserved_smem_offset_0")                                           \
    X(reserved_smem_offset_1, "%reserved_smem_offset_1") X(envreg0, "%envreg0")                    \
    X(envreg1, "%envreg1") X(envreg2, "%envreg2") X(gridid, "%gridid") X(clock, "%clock")          \
    X(clock_hi, "%clock_hi") X(globaltimer_lo, "%globaltimer_lo")                                  \
    X(globaltimer_hi, "%globaltimer_hi") X(clock64, "%clock64") X(globaltimer, "%globaltimer")
/* clang-format on */

enum ptx_special {
#define X(name, text) SPECIAL_##name,
    PTX_SPECIALS(X)
#undef X
        SPECIALS,
    SPECIAL_READ = SPECIAL_clock /* this one and those after it change while a warp runs */
};

#endif
