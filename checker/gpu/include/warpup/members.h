/*
 * members.h: functions in which members.awk finds the members of the types that are loaded and
 * stored in one piece, and the bytes of such a piece. Nothing calls these functions. sim/compile
 * includes this file, and defines WARPUP_VECTORS, for programs that name such a type. There is one
 * function for all types of a size: each one takes g++ some milliseconds.
 */
#ifndef WARPUP_MEMBERS_H
#define WARPUP_MEMBERS_H

#define WARPUP_PAIR(v) (v)->x = (v)->y = 0
#define WARPUP_FOUR(v) (v)->x = (v)->y = (v)->z = (v)->w = 0

static __attribute__((used)) void warpup_members_2(char2 *c, uchar2 *uc)
{
    WARPUP_PAIR(c), WARPUP_PAIR(uc);
}
static __attribute__((used)) void warpup_members_4(char4 *c, uchar4 *uc, short2 *s, ushort2 *us)
{
    WARPUP_FOUR(c), WARPUP_FOUR(uc), WARPUP_PAIR(s), WARPUP_PAIR(us);
}
static __attribute__((used)) void warpup_members_8(short4 *s, ushort4 *us, int2 *i, uint2 *ui,
                                                   float2 *f)
{
    WARPUP_FOUR(s), WARPUP_FOUR(us), WARPUP_PAIR(i), WARPUP_PAIR(ui), WARPUP_PAIR(f);
}
static __attribute__((used)) void warpup_members_16(int4 *i, uint4 *ui, float4 *f, double2 *d2,
                                                    double4 *d4)
{
    WARPUP_FOUR(i), WARPUP_FOUR(ui), WARPUP_FOUR(f), WARPUP_PAIR(d2), WARPUP_FOUR(d4);
}
static __attribute__((used)) void warpup_members_16(long2 *l2, long4 *l4, ulong2 *ul2, ulong4 *ul4)
{
    WARPUP_PAIR(l2), WARPUP_FOUR(l4), WARPUP_PAIR(ul2), WARPUP_FOUR(ul4);
}
static __attribute__((used)) void warpup_members_16(longlong2 *l2, longlong4 *l4, ulonglong2 *ul2,
                                                    ulonglong4 *ul4)
{
    WARPUP_PAIR(l2), WARPUP_FOUR(l4), WARPUP_PAIR(ul2), WARPUP_FOUR(ul4);
}

#undef WARPUP_PAIR
#undef WARPUP_FOUR

#endif
