/*
 * warp_arithmetic.c: tests instructions that compute: each case is an instruction, the bits of its
 * inputs, and the bits that the PTX manual says it gives. Each runs for the whole warp and for some
 * lanes, of which the others must stay as they are. Conversions and roundings are also compared
 * with slower ways to the same result, for many numbers.
 */
#include "test/gpu/one_instruction.h"

#include "gpu/warp/convert.h"
#include "gpu/warp/half.h"

#include <fenv.h>

struct sample {
    const char *text;
    uint64_t in[4], out[2];
};

#define ONE  0x3f800000
#define TWO  0x40000000
#define HALF 0x3f000000
#define INF  0x7f800000
#define NEG  0x80000000u
#define NOT  0x7fffffff /* a GPU's NaN */
#define D1   0x3ff0000000000000
#define D2   0x4000000000000000
#define DINF 0x7ff0000000000000
#define DNEG 0x8000000000000000
#define DNAN 0x7ff8000000000000
#define ALL  0xffffffffu
#define MOST 0xffffffffffffffff

static const struct sample samples[] = {
    /* sums and products of integers */
    {"add.s32 %r0, %r1, %r2;", {0x7fffffff, 1}, {0x80000000}},
    {"add.u32 %r0, %r1, 7;", {ALL}, {6}},
    {"add.s64 %d0, %d1, %d2;", {MOST, 2}, {1}},
    {"add.s16 %h0, %h1, %h2;", {0xffff, 2}, {1}},
    {"add.sat.s32 %r0, %r1, %r2;", {0x7fffffff, 1}, {0x7fffffff}},
    {"sub.sat.s32 %r0, %r1, %r2;", {0x80000000, 1}, {0x80000000}},
    {"sub.u32 %r0, %r1, %r2;", {1, 2}, {ALL}},
    {"sub.s64 %d0, %d1, %d2;", {1, 2}, {MOST}},
    {"sub.u16 %h0, %h1, %h2;", {1, 2}, {0xffff}},
    {"add.u16x2 %r0, %r1, %r2;", {0x0001ffff, 0x00010001}, {0x00020000}},
    {"mul.lo.s32 %r0, %r1, %r2;", {ALL, 5}, {0xfffffffb}},
    {"mul.lo.u64 %d0, %d1, %d2;", {MOST, 5}, {0xfffffffffffffffb}},
    {"mul.lo.s16 %h0, %h1, %h2;", {0xffff, 5}, {0xfffb}},
    {"mul.hi.s32 %r0, %r1, %r2;", {ALL, 5}, {ALL}},
    {"mul.hi.u32 %r0, %r1, %r2;", {ALL, 5}, {4}},
    {"mul.hi.s64 %d0, %d1, %d2;", {MOST, 5}, {MOST}},
    {"mul.hi.u64 %d0, %d1, %d2;", {MOST, 5}, {4}},
    {"mul.hi.u16 %h0, %h1, %h2;", {0xffff, 0xffff}, {0xfffe}},
    {"mul.wide.s32 %d0, %r1, %r2;", {ALL, 5}, {0xfffffffffffffffb}},
    {"mul.wide.u32 %d0, %r1, %r2;", {ALL, 5}, {0x4fffffffb}},
    {"mul.wide.s32 %d0, %r1, 8;", {ALL}, {0xfffffffffffffff8}},
    {"mul.wide.s16 %r0, %h1, %h2;", {0xffff, 5}, {0xfffffffb}},
    {"mul.wide.u16 %r0, %h1, %h2;", {0xffff, 0xffff}, {0xfffe0001}},
    {"mad.lo.s32 %r0, %r1, %r2, %r3;", {3, 5, 7}, {22}},
    {"mad.lo.s32 %r0, %r1, 12, %r3;", {3, 7}, {43}},
    {"mad.lo.u64 %d0, %d1, %d2, %d3;", {3, 5, 7}, {22}},
    {"mad.lo.s16 %h0, %h1, %h2, %h3;", {3, 5, 7}, {22}},
    {"mad.hi.u32 %r0, %r1, %r2, %r3;", {ALL, 5, 7}, {11}},
    {"mad.hi.sat.s32 %r0, %r1, %r2, %r3;", {0x7fffffff, 0x7fffffff, 0x7fffffff}, {0x7fffffff}},
    {"mad.wide.s32 %d0, %r1, %r2, %d3;", {ALL, 5, 7}, {2}},
    {"mad.wide.u32 %d0, %r1, %r2, %d3;", {ALL, 5, 7}, {0x500000002}},
    {"mad.wide.u16 %r0, %h1, %h2, %r3;", {0xffff, 2, 1}, {0x1ffff}},
    {"mul24.lo.s32 %r0, %r1, %r2;", {0x00ffffff, 5}, {0xfffffffb}},
    {"mul24.lo.u32 %r0, %r1, %r2;", {0xff000003, 5}, {15}},
    {"mul24.hi.u32 %r0, %r1, %r2;", {0xffffff, 0xffffff}, {0xfffffe00}},
    {"mad24.lo.s32 %r0, %r1, %r2, %r3;", {0x00ffffff, 5, 6}, {1}},
    {"mad24.hi.u32 %r0, %r1, %r2, %r3;", {0xffffff, 0xffffff, 1}, {0xfffffe01}},
    {"sad.s32 %r0, %r1, %r2, %r3;", {ALL, 5, 10}, {16}},
    {"sad.u32 %r0, %r1, %r2, %r3;", {ALL, 5, 10}, {4}},
    {"min.s32 %r0, %r1, %r2;", {ALL, 5}, {ALL}},
    {"min.u32 %r0, %r1, %r2;", {ALL, 5}, {5}},
    {"max.s64 %d0, %d1, %d2;", {MOST, 5}, {5}},
    {"max.u64 %d0, %d1, %d2;", {MOST, 5}, {MOST}},
    {"min.s16 %h0, %h1, %h2;", {0xffff, 5}, {0xffff}},
    {"max.s16x2 %r0, %r1, %r2;", {0xffff0001, 0x00050000}, {0x00050001}},
    {"min.u16x2 %r0, %r1, %r2;", {0xffff0001, 0x00050000}, {0x00050000}},
    {"max.s16x2.relu %r0, %r1, %r2;", {0xfffffff0, 0xfffe0003}, {0x00000003}},
    {"min.relu.s32 %r0, %r1, %r2;", {ALL, 5}, {0}},
    {"abs.s32 %r0, %r1;", {0x80000000}, {0x80000000}},
    {"abs.s64 %d0, %d1;", {MOST}, {1}},
    {"abs.s16 %h0, %h1;", {0xfff0}, {0x10}},
    {"neg.s32 %r0, %r1;", {1}, {ALL}},
    {"neg.s64 %d0, %d1;", {1}, {MOST}},
    {"neg.s16 %h0, %h1;", {1}, {0xffff}},
    {"div.s32 %r0, %r1, %r2;", {0xfffffff9, 2}, {0xfffffffd}},
    {"div.s32 %r0, %r1, %r2;", {0x80000000, ALL}, {0x80000000}},
    {"div.u32 %r0, %r1, %r2;", {0xfffffff9, 2}, {0x7ffffffc}},
    {"div.s64 %d0, %d1, %d2;", {DNEG, MOST}, {DNEG}},
    {"div.u64 %d0, %d1, %d2;", {MOST, 16}, {0x0fffffffffffffff}},
    {"div.u16 %h0, %h1, %h2;", {0xffff, 16}, {0xfff}},
    {"rem.s32 %r0, %r1, %r2;", {0xfffffff9, 4}, {0xfffffffd}},
    {"rem.s32 %r0, %r1, %r2;", {0x80000000, ALL}, {0}},
    {"rem.u64 %d0, %d1, %d2;", {MOST, 16}, {15}},
    {"rem.s16 %h0, %h1, %h2;", {0xfff9, 4}, {0xfffd}},
    {"dp4a.u32.u32 %r0, %r1, %r2, %r3;", {0xff020304, 0x02010101, 1}, {520}},
    {"dp4a.s32.s32 %r0, %r1, %r2, %r3;", {0xff020304, 0x02010101, 1}, {8}},
    {"dp4a.s32.u32 %r0, %r1, %r2, %r3;", {0xff000000, 0xff000000, 0}, {0xffffff01}},
    {"dp4a.u32.s32 %r0, %r1, %r2, %r3;", {0xff000000, 0xff000000, 0}, {0xffffff01}},
    {"dp2a.lo.u32.u32 %r0, %r1, %r2, %r3;", {0x00020003, 0x09080706, 1}, {33}},
    {"dp2a.hi.s32.s32 %r0, %r1, %r2, %r3;", {0xffff0003, 0x02ff0706, 1}, {0xfffffffc}},
    /* bits */
    {"and.b32 %r0, %r1, %r2;", {12, 10}, {8}},
    {"or.b64 %d0, %d1, %d2;", {12, 10}, {14}},
    {"xor.b16 %h0, %h1, %h2;", {12, 10}, {6}},
    {"and.b16 %h0, %h1, 255;", {0x1234}, {0x34}},
    {"not.b32 %r0, %r1;", {12}, {0xfffffff3}},
    {"not.b16 %h0, %h1;", {12}, {0xfff3}},
    {"not.b64 %d0, %d1;", {12}, {0xfffffffffffffff3}},
    {"cnot.b32 %r0, %r1;", {0}, {1}},
    {"cnot.b32 %r0, %r1;", {4}, {0}},
    {"and.pred %p0, %p1, %p2;", {1, 0}, {0}},
    {"or.pred %p0, %p1, %p2;", {1, 0}, {1}},
    {"xor.pred %p0, %p1, %p2;", {1, 1}, {0}},
    {"not.pred %p0, %p1;", {1}, {0}},
    {"mov.pred %p0, %p1;", {1}, {1}},
    {"shl.b32 %r0, %r1, %r2;", {3, 31}, {0x80000000}},
    {"shl.b32 %r0, %r1, %r2;", {3, 32}, {0}},
    {"shl.b64 %d0, %d1, %r2;", {3, 63}, {DNEG}},
    {"shl.b64 %d0, %d1, 4;", {3}, {48}},
    {"shl.b64 %d0, %d1, %r2;", {3, 64}, {0}},
    {"shl.b16 %h0, %h1, %r2;", {3, 15}, {0x8000}},
    {"shl.b16 %h0, %h1, %r2;", {3, 16}, {0}},
    {"shr.u32 %r0, %r1, %r2;", {NEG, 31}, {1}},
    {"shr.u32 %r0, %r1, %r2;", {NEG, 300}, {0}},
    {"shr.s32 %r0, %r1, %r2;", {NEG, 300}, {ALL}},
    {"shr.b64 %d0, %d1, %r2;", {DNEG, 60}, {8}},
    {"shr.s64 %d0, %d1, %r2;", {DNEG, 64}, {MOST}},
    {"shr.s16 %h0, %h1, %r2;", {0x8000, 4}, {0xf800}},
    {"shr.u16 %h0, %h1, %r2;", {0x8000, 16}, {0}},
    {"shf.l.wrap.b32 %r0, %r1, %r2, %r3;", {0x12345678, 0x9abcdef0, 36}, {0xabcdef01}},
    {"shf.r.wrap.b32 %r0, %r1, %r2, %r3;", {0x12345678, 0x9abcdef0, 4}, {0x01234567}},
    {"shf.l.clamp.b32 %r0, %r1, %r2, %r3;", {0x12345678, 0x9abcdef0, 40}, {0x12345678}},
    {"shf.r.clamp.b32 %r0, %r1, %r2, %r3;", {0x12345678, 0x9abcdef0, 40}, {0x9abcdef0}},
    {"popc.b32 %r0, %r1;", {0xf0f0}, {8}},
    {"popc.b64 %r0, %d1;", {MOST}, {64}},
    {"clz.b32 %r0, %r1;", {0}, {32}},
    {"clz.b64 %r0, %d1;", {1}, {63}},
    {"bfind.u32 %r0, %r1;", {0x100}, {8}},
    {"bfind.s32 %r0, %r1;", {0xfffffeff}, {8}},
    {"bfind.u32 %r0, %r1;", {0}, {ALL}},
    {"bfind.shiftamt.u32 %r0, %r1;", {0x100}, {23}},
    {"bfind.s64 %r0, %d1;", {MOST}, {ALL}},
    {"brev.b32 %r0, %r1;", {1}, {NEG}},
    {"brev.b64 %d0, %d1;", {2}, {0x4000000000000000}},
    {"bfe.u32 %r0, %r1, %r2, %r3;", {0x12345678, 8, 8}, {0x56}},
    {"bfe.s32 %r0, %r1, 4, 8;", {0x00000f80}, {0xfffffff8}},
    {"bfe.s32 %r0, %r1, %r2, %r3;", {NEG, 40, 8}, {ALL}},
    {"bfe.u64 %d0, %d1, %r2, %r3;", {0x123456789abcdef0, 60, 20}, {1}},
    {"bfe.u32 %r0, %r1, %r2, %r3;", {ALL, 8, 0}, {0}},
    {"bfi.b32 %r0, %r1, %r2, %r3, %r4;", {0xab, ALL, 8, 8}, {0xffffabff}},
    {"bfi.b64 %d0, %d1, %d2, %r3, %r4;", {0xab, 0, 56, 20}, {0xab00000000000000}},
    {"prmt.b32 %r0, %r1, %r2, %r3;", {0x33221100, 0x77665544, 0x7520}, {0x77552200}},
    {"prmt.b32 %r0, %r1, %r2, 0x8;", {0x00000080, 0}, {0x808080ff}},
    {"prmt.b32.f4e %r0, %r1, %r2, %r3;", {0x33221100, 0x77665544, 1}, {0x44332211}},
    {"prmt.b32.rc16 %r0, %r1, %r2, %r3;", {0x33221100, 0x77665544, 1}, {0x33223322}},
    {"lop3.b32 %r0, %r1, %r2, %r3, 0x80;", {0xff, 0xf0, 0x3c}, {0x30}},
    {"lop3.b32 %r0, %r1, %r2, %r3, 0x96;", {0xf0, 0xcc, 0xaa}, {0x96}},
    {"lop3.b32 %r0, %r1, %r2, %r3, 0x1b;", {0xf0, 0xcc, 0xaa}, {0xffffff1b}},
    {"lop3.b32 %r0, %r1, %r2, %r3, 0xe4;", {0xf0, 0xcc, 0xaa}, {0xe4}},
    {"bmsk.clamp.b32 %r0, %r1, %r2;", {4, 8}, {0xff0}},
    {"bmsk.wrap.b32 %r0, %r1, %r2;", {36, 8}, {0xff0}},
    {"szext.wrap.s32 %r0, %r1, %r2;", {0xff, 8}, {ALL}},
    {"szext.clamp.u32 %r0, %r1, %r2;", {0x1ff, 8}, {0xff}},
    {"fns.b32 %r0, %r1, %r2, %r3;", {0xaaaaaaaa, 3, 1}, {3}},
    {"fns.b32 %r0, %r1, %r2, %r3;", {0xaaaaaaaa, 3, 2}, {5}},
    {"fns.b32 %r0, %r1, %r2, %r3;", {0xaaaaaaaa, 2, (uint32_t)-1}, {1}},
    /* floats */
    {"add.f32 %r0, %r1, %r2;", {ONE, ONE}, {TWO}},
    {"add.f32 %r0, %r1, 0f3F800000;", {ONE}, {TWO}},
    {"add.f32 %r0, %r1, %r2;", {INF, INF | NEG}, {NOT}},
    {"add.rn.f32 %r0, %r1, %r2;", {ONE, 0x33800000}, {ONE}},
    {"add.rp.f32 %r0, %r1, %r2;", {ONE, 0x33800000}, {ONE + 1}},
    {"add.rm.f32 %r0, %r1, %r2;", {ONE | NEG, 0xb3000000}, {(ONE | NEG) + 1}},
    {"add.rz.f32 %r0, %r1, %r2;", {ONE | NEG, 0xb3000000}, {ONE | NEG}},
    {"add.sat.f32 %r0, %r1, %r2;", {ONE, ONE}, {ONE}},
    {"add.sat.f32 %r0, %r1, %r2;", {NOT, ONE}, {0}},
    {"add.ftz.f32 %r0, %r1, %r2;", {0x00000001, 0x80000001}, {0}},
    {"add.f32 %r0, %r1, %r2;", {0x00000001, 0x00000001}, {2}},
    {"sub.f32 %r0, %r1, %r2;", {ONE, TWO}, {ONE | NEG}},
    {"mul.f32 %r0, %r1, %r2;", {TWO, TWO}, {0x40800000}},
    {"mul.ftz.f32 %r0, %r1, %r2;", {0x00800000, HALF}, {0}},
    {"mul.f32 %r0, %r1, %r2;", {0x00800000, HALF}, {0x00400000}},
    {"mul.ftz.sat.f32 %r0, %r1, %r2;", {TWO, TWO}, {ONE}},
    {"fma.rn.f32 %r0, %r1, %r2, %r3;", {0x3f800001, 0x3f800001, 0xbf800002}, {0x28800000}},
    {"fma.rn.ftz.f32 %r0, %r1, %r2, %r3;", {ONE, TWO, ONE}, {0x40400000}},
    {"fma.rp.f32 %r0, %r1, %r2, %r3;", {0x3f800001, 0x3f800001, 0}, {0x3f800003}},
    {"mad.rn.f32 %r0, %r1, %r2, %r3;", {ONE, TWO, ONE}, {0x40400000}},
    {"div.rn.f32 %r0, %r1, %r2;", {ONE, 0x40400000}, {0x3eaaaaab}},
    {"div.rz.f32 %r0, %r1, %r2;", {ONE, 0x40400000}, {0x3eaaaaaa}},
    {"div.full.f32 %r0, %r1, %r2;", {ONE, 0}, {INF}},
    {"div.approx.ftz.f32 %r0, %r1, %r2;", {0, 0}, {NOT}},
    {"rcp.rn.f32 %r0, %r1;", {TWO}, {HALF}},
    {"rcp.approx.ftz.f32 %r0, %r1;", {0x00000001}, {INF}},
    {"sqrt.rn.f32 %r0, %r1;", {TWO}, {0x3fb504f3}},
    {"sqrt.rp.f32 %r0, %r1;", {TWO}, {0x3fb504f4}},
    {"sqrt.approx.f32 %r0, %r1;", {ONE | NEG}, {NOT}},
    {"rsqrt.approx.f32 %r0, %r1;", {0x40800000}, {HALF}},
    {"sin.approx.f32 %r0, %r1;", {0}, {0}},
    {"cos.approx.ftz.f32 %r0, %r1;", {0}, {ONE}},
    {"ex2.approx.ftz.f32 %r0, %r1;", {ONE}, {TWO}},
    {"ex2.approx.f32 %r0, %r1;", {INF | NEG}, {0}},
    {"lg2.approx.f32 %r0, %r1;", {TWO}, {ONE}},
    {"lg2.approx.f32 %r0, %r1;", {0}, {INF | NEG}},
    {"tanh.approx.f32 %r0, %r1;", {INF}, {ONE}},
    {"abs.f32 %r0, %r1;", {ONE | NEG}, {ONE}},
    {"neg.f32 %r0, %r1;", {ONE}, {ONE | NEG}},
    {"neg.ftz.f32 %r0, %r1;", {1}, {NEG}},
    {"min.f32 %r0, %r1, %r2;", {NOT, ONE}, {ONE}},
    {"min.f32 %r0, %r1, %r2;", {0, NEG}, {NEG}},
    {"max.f32 %r0, %r1, %r2;", {NEG, 0}, {0}},
    {"max.f32 %r0, %r1, %r2;", {ONE, 0x7fc00000}, {ONE}},
    {"max.f32 %r0, %r1, %r2;", {0xffc00000, 0x7fc00000}, {NOT}},
    {"max.NaN.f32 %r0, %r1, %r2;", {ONE, 0x7fc00000}, {NOT}},
    {"min.xorsign.abs.f32 %r0, %r1, %r2;", {ONE | NEG, TWO}, {ONE | NEG}},
    {"copysign.f32 %r0, %r1, %r2;", {ONE | NEG, TWO}, {TWO | NEG}},
    {"testp.finite.f32 %p0, %r1;", {INF}, {0}},
    {"testp.notanumber.f32 %p0, %r1;", {NOT}, {1}},
    {"testp.subnormal.f32 %p0, %r1;", {1}, {1}},
    {"testp.normal.f64 %p0, %d1;", {D1}, {1}},
    {"add.f64 %d0, %d1, %d2;", {D1, D1}, {D2}},
    {"add.rp.f64 %d0, %d1, %d2;", {D1, 1}, {D1 + 1}},
    {"sub.f64 %d0, %d1, %d2;", {D2, D1}, {D1}},
    {"mul.f64 %d0, %d1, %d2;", {D2, D1}, {D2}},
    {"fma.rn.f64 %d0, %d1, %d2, %d3;", {D1 + 1, D1 + 1, (D1 + 2) | DNEG}, {0x3970000000000000}},
    {"mad.rn.f64 %d0, %d1, %d2, %d3;", {D2, D1, D1}, {0x4008000000000000}},
    {"div.rn.f64 %d0, %d1, %d2;", {D1, 0x4008000000000000}, {0x3fd5555555555555}},
    {"div.rp.f64 %d0, %d1, %d2;", {D1, 0x4008000000000000}, {0x3fd5555555555556}},
    {"rcp.rn.f64 %d0, %d1;", {D2}, {0x3fe0000000000000}},
    {"rcp.approx.ftz.f64 %d0, %d1;", {D2}, {0x3fe0000000000000}},
    {"rsqrt.approx.f64 %d0, %d1;", {0x4010000000000000}, {0x3fe0000000000000}},
    {"sqrt.rn.f64 %d0, %d1;", {D2}, {0x3ff6a09e667f3bcd}},
    {"min.f64 %d0, %d1, %d2;", {DNAN, D1}, {D1}},
    {"max.f64 %d0, %d1, %d2;", {0, DNEG}, {0}},
    {"abs.f64 %d0, %d1;", {D1 | DNEG}, {D1}},
    {"neg.f64 %d0, %d1;", {D1}, {D1 | DNEG}},
    {"copysign.f64 %d0, %d1, %d2;", {DNEG, D1}, {D1 | DNEG}},
    /* comparisons */
    {"setp.lt.s32 %p0, %r1, %r2;", {ALL, 0}, {1}},
    {"setp.lt.u32 %p0, %r1, %r2;", {ALL, 0}, {0}},
    {"setp.lo.u32 %p0, %r1, %r2;", {0, ALL}, {1}},
    {"setp.hs.u64 %p0, %d1, %d2;", {5, 5}, {1}},
    {"setp.ge.s32 %p0, %r1, 5;", {5}, {1}},
    {"setp.eq.b16 %p0, %h1, %h2;", {5, 5}, {1}},
    {"setp.ne.s16 %p0, %h1, 0;", {5}, {1}},
    {"setp.gt.s64 %p0, %d1, %d2;", {0, MOST}, {1}},
    {"setp.le.u16 %p0, %h1, %h2;", {0xffff, 0}, {0}},
    {"setp.lt.f32 %p0, %r1, %r2;", {ONE, TWO}, {1}},
    {"setp.eq.f32 %p0, %r1, %r2;", {NOT, NOT}, {0}},
    {"setp.ne.f32 %p0, %r1, %r2;", {NOT, ONE}, {0}},
    {"setp.neu.f32 %p0, %r1, %r2;", {NOT, ONE}, {1}},
    {"setp.equ.f32 %p0, %r1, %r2;", {NOT, ONE}, {1}},
    {"setp.leu.f32 %p0, %r1, %r2;", {TWO, ONE}, {0}},
    {"setp.gtu.f32 %p0, %r1, %r2;", {TWO, NOT}, {1}},
    {"setp.num.f32 %p0, %r1, %r2;", {TWO, NOT}, {0}},
    {"setp.nan.f64 %p0, %d1, %d2;", {D1, DNAN}, {1}},
    {"setp.eq.ftz.f32 %p0, %r1, %r2;", {1, 0}, {1}},
    {"setp.ge.f64 %p0, %d1, %d2;", {D2, D1}, {1}},
    {"setp.lt.and.s32 %p0, %r1, %r2, %p3;", {1, 2, 0}, {0}},
    {"setp.lt.or.s32 %p0, %r1, %r2, !%p3;", {2, 1, 0}, {1}},
    {"setp.lt.s32 %p0|%p1, %r1, %r2;", {1, 2}, {1, 0}},
    {"setp.lt.xor.s32 %p0|%p1, %r1, %r2, %p3;", {1, 2, 1}, {0, 1}},
    {"set.lt.u32.s32 %r0, %r1, %r2;", {1, 2}, {ALL}},
    {"set.gt.f32.f32 %r0, %r1, %r2;", {TWO, ONE}, {ONE}},
    {"set.eq.and.s32.f64 %r0, %d1, %d2, %p3;", {D1, D1, 0}, {0}},
    {"selp.b32 %r0, %r1, %r2, %p3;", {5, 6, 1}, {5}},
    {"selp.b32 %r0, 1, 0, %p3;", {1}, {1}},
    {"selp.b64 %d0, %d1, %d2, %p3;", {5, 6, 0}, {6}},
    {"selp.f32 %r0, %r1, %r2, %p3;", {5, 6, 0}, {6}},
    {"selp.b16 %h0, %h1, %h2, %p3;", {5, 6, 1}, {5}},
    {"slct.b32.s32 %r0, %r1, %r2, %r3;", {5, 6, ALL}, {6}},
    {"slct.b64.s32 %d0, %d1, %d2, %r3;", {5, 6, 0}, {5}},
    {"slct.f32.f32 %r0, %r1, %r2, %r3;", {5, 6, NEG}, {5}},
    {"slct.b32.f32 %r0, %r1, %r2, %r3;", {5, 6, NOT}, {6}},
    /* moves */
    {"mov.b32 %r0, %r1;", {5}, {5}},
    {"mov.u32 %r0, 7;", {0}, {7}},
    {"mov.f32 %r0, 0f40000000;", {0}, {TWO}},
    {"mov.b64 %d0, %d1;", {MOST}, {MOST}},
    {"mov.b16 %h0, %h1;", {5}, {5}},
    {"mov.b128 %q0, %q1;", {MOST}, {MOST}},
    {"mov.b64 %d0, {%r1, %r2};", {5, 6}, {0x600000005}},
    {"mov.b64 {%r0, %r1}, %d1;", {0x600000005}, {5, 6}},
    {"mov.b32 %r0, {%h1, %h2};", {5, 6}, {0x60005}},
    {"mov.b32 {%h0, %h1}, %r1;", {0x60005}, {5, 6}},
    {"mov.b64 %d0, {%h1, %h2, %h3, %h4};", {1, 2, 3, 4}, {0x4000300020001}},
    {"mov.b64 {%r0, _}, %d1;", {0x600000005}, {5}},
    {"cvta.to.global.u64 %d0, %d1;", {5}, {5}},
    {"cvta.shared.u64 %d0, %d1;", {5}, {SHARED_WINDOW + 5}},
    {"cvta.to.shared.u64 %d0, %d1;", {SHARED_WINDOW + 5}, {5}},
    {"cvta.local.u64 %d0, %d1;", {8}, {LOCAL_WINDOW + 8}},
    {"cvta.to.local.u64 %d0, %d1;", {LOCAL_WINDOW + 8}, {8}},
    {"isspacep.shared %p0, %d1;", {SHARED_WINDOW + 5}, {1}},
    {"isspacep.global %p0, %d1;", {SHARED_WINDOW + 5}, {0}},
    {"isspacep.global %p0, %d1;", {0x200000000000}, {1}},
    {"isspacep.local %p0, %d1;", {LOCAL_WINDOW}, {1}},
    {"mov.b64 %d0, {%r1, 9};", {5}, {0x900000005}},
    {"mov.b32 %r0, {%h1, 0};", {5}, {5}},
    {"mov.u32 %r0, %laneid;", {0}, {0}},
    {"getctarank.shared::cluster.u32 %r0, %r1;", {5}, {0}},
    {"mapa.shared::cluster.u32 %r0, %r1, %r2;", {64, 0}, {64}},
    /* conversions */
    {"cvt.s64.s32 %d0, %r1;", {ALL}, {MOST}},
    {"cvt.u64.u32 %d0, %r1;", {ALL}, {ALL}},
    {"cvt.u32.u64 %r0, %d1;", {0x1234567890}, {0x34567890}},
    {"cvt.u16.u32 %h0, %r1;", {0x12345}, {0x2345}},
    {"cvt.u32.u16 %r0, %h1;", {0xffff}, {0xffff}},
    {"cvt.s32.s16 %r0, %h1;", {0xffff}, {ALL}},
    {"cvt.s32.s8 %r0, %r1;", {0x180}, {0xffffff80}},
    {"cvt.s32.s8 %r0, %h1;", {0x180}, {0xffffff80}},
    {"cvt.u32.u8 %r0, %h1;", {0x180}, {0x80}},
    {"cvt.s16.s8 %h0, %h1;", {0x80}, {0xff80}},
    {"cvt.s8.s32 %r0, %r1;", {0x180}, {0xffffff80}},
    {"cvt.u8.s32 %h0, %r1;", {0x180}, {0x80}},
    {"cvt.s64.s16 %d0, %h1;", {0x8000}, {0xffffffffffff8000}},
    {"cvt.sat.u8.s32 %h0, %r1;", {0x180}, {0xff}},
    {"cvt.sat.u8.s32 %h0, %r1;", {ALL}, {0}},
    {"cvt.sat.s8.s32 %r0, %r1;", {0xffffff00}, {0xffffff80}},
    {"cvt.sat.s32.u32 %r0, %r1;", {ALL}, {0x7fffffff}},
    {"cvt.sat.u32.s64 %r0, %d1;", {MOST}, {0}},
    {"cvt.rn.f32.s32 %r0, %r1;", {ALL}, {ONE | NEG}},
    {"cvt.rn.f32.u32 %r0, %r1;", {ALL}, {0x4f800000}},
    {"cvt.rz.f32.u32 %r0, %r1;", {ALL}, {0x4f7fffff}},
    {"cvt.rp.f32.s32 %r0, %r1;", {0x1000001}, {0x4b800001}},
    {"cvt.rn.f32.u64 %r0, %d1;", {MOST}, {0x5f800000}},
    {"cvt.rm.f32.u64 %r0, %d1;", {MOST}, {0x5f7fffff}},
    {"cvt.rn.f64.s32 %d0, %r1;", {ALL}, {D1 | DNEG}},
    {"cvt.rn.f64.u64 %d0, %d1;", {MOST}, {0x43f0000000000000}},
    {"cvt.rz.f64.u64 %d0, %d1;", {MOST}, {0x43efffffffffffff}},
    {"cvt.rn.f32.u16 %r0, %h1;", {2}, {TWO}},
    {"cvt.rn.f32.s8 %r0, %h1;", {0xff}, {ONE | NEG}},
    {"cvt.rn.f32.u8 %r0, %h1;", {0x101}, {ONE}},
    {"cvt.rzi.s32.f32 %r0, %r1;", {0xbfc00000}, {ALL}},
    {"cvt.rzi.s32.f32 %r0, %r1;", {0x4f000000}, {0x7fffffff}},
    {"cvt.rzi.s32.f32 %r0, %r1;", {0xff800000}, {NEG}},
    {"cvt.rzi.s32.f32 %r0, %r1;", {NOT}, {0}},
    {"cvt.rni.s32.f32 %r0, %r1;", {0x40200000}, {2}},
    {"cvt.rpi.s32.f32 %r0, %r1;", {0x40200000}, {3}},
    {"cvt.rmi.s32.f32 %r0, %r1;", {0xc0200000}, {0xfffffffd}},
    {"cvt.rzi.u32.f32 %r0, %r1;", {ONE | NEG}, {0}},
    {"cvt.rzi.u32.f32 %r0, %r1;", {0x4f800000}, {ALL}},
    {"cvt.rzi.s64.f32 %d0, %r1;", {INF}, {0x7fffffffffffffff}},
    {"cvt.rzi.s64.f32 %d0, %r1;", {NOT}, {DNEG}},
    {"cvt.rzi.u64.f64 %d0, %d1;", {DINF}, {MOST}},
    {"cvt.rzi.s32.f64 %r0, %d1;", {0x41dfffffffc00000}, {0x7fffffff}},
    {"cvt.rzi.s32.f64 %r0, %d1;", {DNAN}, {NEG}},
    {"cvt.rni.s64.f64 %d0, %d1;", {0x4004000000000000}, {2}},
    {"cvt.rzi.u16.f32 %h0, %r1;", {0x4f000000}, {0xffff}},
    {"cvt.rzi.u8.f32 %r0, %r1;", {0x44000000}, {0xff}},
    {"cvt.rpi.ftz.s32.f32 %r0, %r1;", {1}, {0}},
    {"cvt.rpi.s32.f32 %r0, %r1;", {1}, {1}},
    {"cvt.f64.f32 %d0, %r1;", {ONE}, {D1}},
    {"cvt.ftz.f64.f32 %d0, %r1;", {1}, {0}},
    {"cvt.rn.f32.f64 %r0, %d1;", {D1 + 1}, {ONE}},
    {"cvt.rp.f32.f64 %r0, %d1;", {D1 + 1}, {ONE + 1}},
    {"cvt.rn.ftz.f32.f64 %r0, %d1;", {0x37a0000000000000}, {0}},
    {"cvt.rni.f32.f32 %r0, %r1;", {0x40200000}, {TWO}},
    {"cvt.rmi.f64.f64 %d0, %d1;", {0xbfe0000000000000}, {D1 | DNEG}},
    {"cvt.sat.f32.f32 %r0, %r1;", {TWO}, {ONE}},
    {"cvt.sat.f32.f32 %r0, %r1;", {NOT}, {0}},
    {"cvt.rn.f16.f32 %h0, %r1;", {ONE}, {0x3c00}},
    {"cvt.rn.f16.f32 %h0, %r1;", {0x477ff000}, {0x7c00}},
    {"cvt.rz.f16.f32 %h0, %r1;", {0x477ff000}, {0x7bff}},
    {"cvt.rn.f16.f32 %h0, %r1;", {0xffc00000}, {0x7fff}},
    {"cvt.rn.f16.f32 %h0, %r1;", {0x33800000}, {1}},
    {"cvt.f32.f16 %r0, %h1;", {0x3c00}, {ONE}},
    {"cvt.f32.f16 %r0, %h1;", {1}, {0x33800000}},
    {"cvt.rn.f16.f64 %h0, %d1;", {0x3ff0020000000001}, {0x3c01}},
    {"cvt.f64.f16 %d0, %h1;", {0xbc00}, {D1 | DNEG}},
    {"cvt.rn.f16.s32 %h0, %r1;", {ALL}, {0xbc00}},
    {"cvt.rzi.s32.f16 %r0, %h1;", {0xbc00}, {ALL}},
    {"cvt.rn.bf16.f32 %h0, %r1;", {0x3f808000}, {0x3f80}},
    {"cvt.rn.bf16.f32 %h0, %r1;", {0x3f818000}, {0x3f82}},
    {"cvt.rn.relu.bf16.f32 %h0, %r1;", {ONE | NEG}, {0}},
    {"cvt.f32.bf16 %r0, %h1;", {0x3f80}, {ONE}},
    {"cvt.rn.f16x2.f32 %r0, %r1, %r2;", {ONE, TWO}, {0x3c004000}},
    {"cvt.rn.bf16x2.f32 %r0, %r1, %r2;", {ONE, TWO}, {0x3f804000}},
    {"cvt.rn.relu.f16x2.f32 %r0, %r1, %r2;", {ONE | NEG, TWO}, {0x00004000}},
    {"cvt.rna.tf32.f32 %r0, %r1;", {0x3f801000}, {0x3f802000}},
    {"cvt.rn.tf32.f32 %r0, %r1;", {0x3f801000}, {ONE}},
    {"cvt.rn.satfinite.e4m3x2.f32 %h0, %r1, %r2;", {ONE, 0x447a0000}, {0x387e}},
    {"cvt.rn.satfinite.e5m2x2.f32 %h0, %r1, %r2;", {ONE, TWO | NEG}, {0x3cc0}},
    {"cvt.rn.f16x2.e4m3x2 %r0, %h1;", {0x387e}, {0x3c005f00}},
    {"cvt.rn.f16x2.e5m2x2 %r0, %h1;", {0x3cc0}, {0x3c00c000}},
    {"cvt.rn.satfinite.e4m3x2.f16x2 %h0, %r1;", {0x3c004000}, {0x3840}},
    {"cvt.pack.sat.u16.s32 %r0, %r1, %r2;", {ALL, 0x12345}, {0xffff}},
    {"cvt.pack.sat.s8.s32.b32 %r0, %r1, %r2, %r3;", {1000, 0xffffff00, 0x1234}, {0x12347f80}},
    /* halves */
    {"add.f16 %h0, %h1, %h2;", {0x3c00, 0x3c00}, {0x4000}},
    {"sub.f16x2 %r0, %r1, %r2;", {0x40003c00, 0x3c003c00}, {0x3c000000}},
    {"mul.f16 %h0, %h1, %h2;", {0x7bff, 0x4000}, {0x7c00}},
    {"mul.sat.f16 %h0, %h1, %h2;", {0x7bff, 0x4000}, {0x3c00}},
    {"fma.rn.f16 %h0, %h1, %h2, %h3;", {0x3c01, 0x3c01, 0xbc02}, {0x0010}},
    {"fma.rn.f16x2 %r0, %r1, %r2, %r3;", {0x40003c00, 0x40004000, 0x3c003c00}, {0x45004200}},
    {"fma.rn.relu.f16 %h0, %h1, %h2, %h3;", {0xbc00, 0x3c00, 0}, {0}},
    {"fma.rn.bf16 %h0, %h1, %h2, %h3;", {0x3f80, 0x4000, 0x3f80}, {0x4040}},
    {"fma.rn.bf16 %h0, %h1, %h2, %h3;", {0x3f81, 0x3fc0, 0x0080}, {0x3fc2}},
    {"fma.rn.bf16x2 %r0, %r1, %r2, %r3;", {0x3f803f80, 0x40004000, 0x3f800000}, {0x40404000}},
    {"add.rn.bf16x2 %r0, %r1, %r2;", {0x3f803f80, 0x40003f80}, {0x40404000}},
    {"neg.f16 %h0, %h1;", {0x3c00}, {0xbc00}},
    {"neg.bf16x2 %r0, %r1;", {0x3f80bf80}, {0xbf803f80}},
    {"abs.f16x2 %r0, %r1;", {0xbc00bc00}, {0x3c003c00}},
    {"min.f16 %h0, %h1, %h2;", {0x7e00, 0x3c00}, {0x3c00}},
    {"max.NaN.f16 %h0, %h1, %h2;", {0x7e00, 0x3c00}, {0x7fff}},
    {"max.bf16x2 %r0, %r1, %r2;", {0x3f80bf80, 0x40008000}, {0x40008000}},
    {"add.ftz.f16 %h0, %h1, %h2;", {1, 1}, {0}},
    {"add.f16 %h0, %h1, %h2;", {1, 1}, {2}},
    {"ex2.approx.f16 %h0, %h1;", {0x3c00}, {0x4000}},
    {"tanh.approx.bf16 %h0, %h1;", {0}, {0}},
    {"setp.lt.f16 %p0, %h1, %h2;", {0x3c00, 0x4000}, {1}},
    {"setp.eq.f16x2 %p0|%p1, %r1, %r2;", {0x3c004000, 0x3c003c00}, {0, 1}},
    {"setp.neu.bf16 %p0, %h1, %h2;", {0x7fff, 0x3f80}, {1}},
    {"set.lt.f16.f16 %h0, %h1, %h2;", {0x3c00, 0x4000}, {0x3c00}},
    {"set.ge.f16x2.f16x2 %r0, %r1, %r2;", {0x3c004000, 0x3c003c00}, {0x3c003c00}},
    {"set.lt.u32.f16 %r0, %h1, %h2;", {0x3c00, 0x4000}, {ALL}},
};

static int passed, failed_cases;

static void check(bool good, const char *text, const char *what, uint64_t got, uint64_t wanted)
{
    if (good)
        passed++;
    else {
        failed_cases++;
        printf("%s: %s: %llx instead of %llx\n", text, what, (unsigned long long)got,
               (unsigned long long)wanted);
    }
}

/* ---- samples -------------------------------------------------------------------------------- */

static const uint64_t before = 0x5a5a5a5a5a5a5a5a;

static uint64_t cut(const struct ptx_operand *operand, uint64_t value)
{
    unsigned bytes = one_stride(operand);
    return bytes == 0 ? value & 1 : bytes >= 8 ? value : value & ((UINT64_C(1) << 8 * bytes) - 1);
}

static void run_sample(const struct sample *sample, uint32_t mask)
{
    struct one one;
    if (!one_read(&one, sample->text)) {
        check(false, sample->text, "not known", 0, 0);
        ptx_free(one.module);
        return;
    }
    for (unsigned l = 0; l < LANES; l++) {
        for (unsigned k = 0; k < one.result_count; k++)
            one_set(one.results[k], l, before);
        for (unsigned k = 0; k < one.source_count; k++)
            one_set(one.sources[k], l, sample->in[k]);
    }
    uint64_t stays[2] = {0};
    for (unsigned k = 0; k < one.result_count; k++)
        stays[k] = one_get(one.results[k], 0);
    one_run(&one, mask);
    for (unsigned k = 0; k < one.result_count; k++)
        for (unsigned l = 0; l < LANES; l++) {
            uint64_t got = one_get(one.results[k], l);
            uint64_t wanted = mask >> l & 1 ? cut(one.results[k], sample->out[k]) : stays[k];
            if (got != wanted) {
                check(false, sample->text, mask >> l & 1 ? "result" : "other lane", got, wanted);
                l = LANES;
            }
        }
    ptx_free(one.module);
    passed++;
}

/* ---- chains with a carry -------------------------------------------------------------------- */

static void test_carry(void)
{
    static const struct {
        const char *text;
        uint64_t in[3], out;
        uint32_t carry_in, carry_out;
    } chain[] = {
        {"add.cc.u32 %r0, %r1, %r2;", {ALL, 2}, 1, 0, ALL},
        {"addc.cc.u32 %r0, %r1, %r2;", {ALL, 0}, 0, ALL, ALL},
        {"addc.u32 %r0, %r1, %r2;", {1, 2}, 4, ALL, ALL},
        {"sub.cc.u32 %r0, %r1, %r2;", {1, 2}, ALL, 0, ALL},
        {"subc.u32 %r0, %r1, %r2;", {5, 2}, 2, ALL, ALL},
        {"subc.cc.u32 %r0, %r1, %r2;", {0, 0}, ALL, ALL, ALL},
        {"mad.lo.cc.u32 %r0, %r1, %r2, %r3;", {ALL, ALL, ALL}, 0, 0, ALL},
        {"madc.hi.u32 %r0, %r1, %r2, %r3;", {ALL, ALL, 1}, ALL + UINT64_C(1) - 0 - 0, ALL, ALL},
        {"madc.hi.cc.s32 %r0, %r1, %r2, %r3;", {ALL, ALL, 1}, 2, ALL, 0},
        {"addc.cc.u64 %d0, %d1, %d2;", {MOST, 0}, 0, ALL, ALL},
        {"sub.cc.s64 %d0, %d1, %d2;", {3, 2}, 1, ALL, 0},
    };
    for (size_t i = 0; i < sizeof chain / sizeof chain[0]; i++) {
        struct one one;
        if (!one_read(&one, chain[i].text)) {
            check(false, chain[i].text, "not known", 0, 0);
            continue;
        }
        for (unsigned l = 0; l < LANES; l++)
            for (unsigned k = 0; k < one.source_count; k++)
                one_set(one.sources[k], l, chain[i].in[k]);
        test_warp.carry = chain[i].carry_in;
        one_run(&one, UINT32_MAX);
        check(one_get(one.results[0], 7) == cut(one.results[0], chain[i].out), chain[i].text,
              "result", one_get(one.results[0], 7), chain[i].out);
        check(test_warp.carry == chain[i].carry_out, chain[i].text, "carry", test_warp.carry,
              chain[i].carry_out);
        ptx_free(one.module);
    }
}

/* ---- many numbers --------------------------------------------------------------------------- */

static uint64_t state = 88172645463325252;

static uint64_t any(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

/* Often near to whole numbers, limits of types, or halves. */
static uint64_t any_of(enum ptx_type type)
{
    uint64_t bits = any();
    double near = ldexp((double)(int64_t)(any() % 17) - 8, (int)(any() % 70)) + 0.5 * (any() % 3);
    if (any() % 2 == 0) return bits;
    switch (type) {
    case TYPE_f32: return float_bits((float)near);
    case TYPE_f64: return double_bits(near);
    case TYPE_f16: return short_bits(FORMAT_F16, near, ROUND_NEAREST, false);
    case TYPE_bf16: return short_bits(FORMAT_BF16, near, ROUND_NEAREST, false);
    default: return (uint64_t)(int64_t)(near < 9e18 && near > -9e18 ? near : 1);
    }
}

/* The loops of cvt against the way that knows all of them. */
static void test_conversions(void)
{
    static const char *const names[] = {"u8",  "s8",  "u16",  "s16", "u32", "s32",
                                        "u64", "s64", "bf16", "f16", "f32", "f64"};
    static const enum ptx_type types[] = {TYPE_u8,   TYPE_s8,  TYPE_u16, TYPE_s16,
                                          TYPE_u32,  TYPE_s32, TYPE_u64, TYPE_s64,
                                          TYPE_bf16, TYPE_f16, TYPE_f32, TYPE_f64};
    static const char register_of[] = "hhhhrrddhhrd";
    static const char *const whole[] = {".rni", ".rzi", ".rmi", ".rpi"};
    static const char *const real[] = {".rn", ".rz", ".rm", ".rp"};
    for (int to = 0; to < 12; to++)
        for (int from = 0; from < 12; from++)
            for (int mode = 0; mode < 4; mode++) {
                bool shorter = to >= 8 && from >= 8 && to < from;
                bool modes = (to >= 8) != (from >= 8) || shorter;
                char text[100];
                struct one one;
                struct conversion how;
                if ((!modes && mode > 0) || (to == 8 && from == 9) || (to == 9 && from == 8))
                    continue;
                if ((to == 8 || from == 8) && (to < 8 || from < 8)) continue;
                if (to == from && to >= 8) continue;
                snprintf(text, sizeof text, "cvt%s.%s.%s %%%c0, %%%c1;",
                         !modes    ? ""
                         : to >= 8 ? real[mode]
                                   : whole[mode],
                         names[to], names[from], register_of[to], register_of[from]);
                if (!one_read(&one, text)) {
                    check(false, text, "not known", 0, 0);
                    continue;
                }
                conversion_of(one.instruction, &how);
                uint64_t in[LANES];
                for (int round = 0; round < 8; round++) {
                    for (unsigned l = 0; l < LANES; l++)
                        one_set(one.sources[0], l, in[l] = any_of(types[from]));
                    one_run(&one, UINT32_MAX);
                    static const int rounding[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD,
                                                   FE_UPWARD};
                    for (unsigned l = 0; l < LANES; l++) {
                        fesetround(rounding[how.rounding]);
                        uint64_t wanted = converted(&how, cut(one.sources[0], in[l]));
                        fesetround(FE_TONEAREST);
                        uint64_t got = one_get(one.results[0], l);
                        unsigned bits = 8 * value_bytes(types[to]);
                        uint64_t ones = bits == 64 ? MOST : (UINT64_C(1) << bits) - 1;
                        bool nan = types[to] == TYPE_f64 && (got & ~DNEG) > DINF &&
                                   (wanted & ~DNEG) > DINF;
                        nan |= types[to] == TYPE_f32 && (got & NOT) > INF && wanted == NOT;
                        if ((got & ones) != (wanted & ones) && !nan) {
                            printf("of %llx: ", (unsigned long long)in[l]);
                            check(false, text, "conversion", got, wanted);
                            round = 8, l = LANES;
                        }
                    }
                }
                passed++;
                ptx_free(one.module);
            }
}

/* Halves: fma of three numbers against 80-bit arithmetic, which is exact but for bfloat16's widest
 * sums. */
static void test_half_fma(void)
{
    struct one one;
    if (!one_read(&one, "fma.rn.f16 %h0, %h1, %h2, %h3;")) return;
    for (int round = 0; round < 2000; round++) {
        uint16_t in[3][LANES];
        for (unsigned l = 0; l < LANES; l++)
            for (unsigned k = 0; k < 3; k++)
                one_set(one.sources[k], l, in[k][l] = (uint16_t)any());
        one_run(&one, UINT32_MAX);
        for (unsigned l = 0; l < LANES; l++) {
            double a = short_value(FORMAT_F16, in[0][l]), b = short_value(FORMAT_F16, in[1][l]);
            double c = short_value(FORMAT_F16, in[2][l]);
            uint32_t wanted = short_bits(FORMAT_F16, a * b + c, ROUND_NEAREST, false);
            uint64_t got = one_get(one.results[0], l);
            if (got != wanted) {
                check(false, "fma.f16", "value", got, wanted);
                return;
            }
        }
    }
    passed++;
    ptx_free(one.module);
}

int main(void)
{
    static const uint32_t masks[] = {UINT32_MAX, 0x0f0f3331, 0x80000000, 1};
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++)
        for (size_t k = 0; k < sizeof masks / sizeof masks[0]; k++)
            run_sample(&samples[i], masks[k]);
    test_carry();
    test_conversions();
    test_half_fma();
    if (failed_cases != 0) return 1;
    printf("%d passed\n", passed);
    return 0;
}
