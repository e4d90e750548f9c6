/*
 * members.h: functions in which members.awk finds the members of the types that are loaded and
 * stored in one piece, and the bytes of such a piece. Nothing calls these functions. sim/compile
 * includes this file, and defines WARPUP_VECTORS, for programs that name such a type.
 */
#ifndef WARPUP_MEMBERS_H
#define WARPUP_MEMBERS_H

#define WARPUP_MEMBERS(bytes2, bytes4, name)                                                       \
    static __attribute__((used)) void warpup_members_##bytes2(struct name##2 * v)                  \
    {                                                                                              \
        v->x = v->y = 0;                                                                           \
    }                                                                                              \
    static __attribute__((used)) void warpup_members_##bytes4(struct name##4 * v)                  \
    {                                                                                              \
        v->x = v->y = v->z = v->w = 0;                                                             \
    }
WARPUP_MEMBERS(2, 4, char)
WARPUP_MEMBERS(2, 4, uchar)
WARPUP_MEMBERS(4, 8, short)
WARPUP_MEMBERS(4, 8, ushort)
WARPUP_MEMBERS(8, 16, int)
WARPUP_MEMBERS(8, 16, uint)
WARPUP_MEMBERS(8, 16, float)
WARPUP_MEMBERS(16, 16, long)
WARPUP_MEMBERS(16, 16, ulong)
WARPUP_MEMBERS(16, 16, longlong)
WARPUP_MEMBERS(16, 16, ulonglong)
WARPUP_MEMBERS(16, 16, double)
#undef WARPUP_MEMBERS

#endif
