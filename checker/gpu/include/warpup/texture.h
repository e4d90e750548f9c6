/*
 * texture.h: textures and surfaces of one and two dimensions, by their objects. The reads and
 * writes are PTX.
 */
#ifndef WARPUP_TEXTURE_H
#define WARPUP_TEXTURE_H

#include "../driver_types.h"
#include "../vector_functions.h"

namespace warpup
{

/* How many parts an element has, of which type and kind; and how PTX reads it: as words of 32 bits.
 */
template <class T> struct texel;
#define WARPUP_TEXEL(T, C, R, count, format, ...)                                                  \
    template <> struct texel<T> {                                                                  \
        typedef C part;                                                                            \
        typedef R word;                                                                            \
        static constexpr int parts = count;                                                        \
        static constexpr cudaChannelFormatKind kind = format;                                      \
        static __device__ WARPUP_HIDDEN T make(R a, R b, R c, R d)                                 \
        {                                                                                          \
            T made __VA_ARGS__;                                                                    \
            return made;                                                                           \
        }                                                                                          \
    };
#define WARPUP_TEXELS(name, C, R, format)                                                          \
    WARPUP_TEXEL(C, C, R, 1, format, (a))                                                          \
    WARPUP_TEXEL(name##1, C, R, 1, format, {(C)a})                                                 \
    WARPUP_TEXEL(name##2, C, R, 2, format, {(C)a, (C)b})                                           \
    WARPUP_TEXEL(name##4, C, R, 4, format, {(C)a, (C)b, (C)c, (C)d})
WARPUP_TEXEL(char, char, int, 1, cudaChannelFormatKindSigned, (a))
WARPUP_TEXELS(char, signed char, int, cudaChannelFormatKindSigned)
WARPUP_TEXELS(uchar, unsigned char, unsigned int, cudaChannelFormatKindUnsigned)
WARPUP_TEXELS(short, short, int, cudaChannelFormatKindSigned)
WARPUP_TEXELS(ushort, unsigned short, unsigned int, cudaChannelFormatKindUnsigned)
WARPUP_TEXELS(int, int, int, cudaChannelFormatKindSigned)
WARPUP_TEXELS(uint, unsigned int, unsigned int, cudaChannelFormatKindUnsigned)
WARPUP_TEXELS(float, float, float, cudaChannelFormatKindFloat)
#undef WARPUP_TEXELS
#undef WARPUP_TEXEL

/* WARPUP_FETCH(function, parameter, PTX's shape and type of coordinates, constraint) */
#define WARPUP_FETCHED(name, R, ptx, c, P, shape, coordinates, ...)                                \
    static __device__ WARPUP_HIDDEN void name(R v[4], cudaTextureObject_t object, P)               \
    {                                                                                              \
        asm volatile("tex." shape ".v4." ptx "." coordinates                                       \
                     : "=" c(v[0]), "=" c(v[1]), "=" c(v[2]), "=" c(v[3])                          \
                     : "l"(object), __VA_ARGS__);                                                  \
    }
#define WARPUP_FETCHES(R, ptx, c)                                                                  \
    WARPUP_FETCHED(texture_element, R, ptx, c, int x, "1d", "s32 {%0, %1, %2, %3}, [%4, {%5}];",   \
                   "r"(x))                                                                         \
    WARPUP_FETCHED(texture_sample, R, ptx, c, float x, "1d", "f32 {%0, %1, %2, %3}, [%4, {%5}];",  \
                   "f"(x))                                                                         \
    WARPUP_FETCHED(texture_sample, R, ptx, c, float x WARPUP_COMMA float y, "2d",                  \
                   "f32 {%0, %1, %2, %3}, [%4, {%5, %6}];", "f"(x), "f"(y))
#define WARPUP_COMMA ,
WARPUP_FETCHES(int, "s32", "r")
WARPUP_FETCHES(unsigned int, "u32", "r")
WARPUP_FETCHES(float, "f32", "f")
#undef WARPUP_FETCHES
#undef WARPUP_FETCHED
#undef WARPUP_COMMA

/* An element of a surface, by its size in bytes. */
template <int bytes> struct surfel;
#define WARPUP_SURFEL(bytes, W, count, ptx, results, results1, results2, values1, values2, ...)    \
    template <> struct surfel<bytes> {                                                             \
        struct all {                                                                               \
            W w[count];                                                                            \
        };                                                                                         \
        WARPUP_SURFEL_AT(ptx, results1, results2, values1, values2, trap, results, __VA_ARGS__)    \
        WARPUP_SURFEL_AT(ptx, results1, results2, values1, values2, clamp, results, __VA_ARGS__)   \
        WARPUP_SURFEL_AT(ptx, results1, results2, values1, values2, zero, results, __VA_ARGS__)    \
    };
#define WARPUP_SURFEL_AT(ptx, results1, results2, values1, values2, mode, results, ...)            \
    static __device__ WARPUP_HIDDEN void load_##mode(all &v, cudaSurfaceObject_t object, int x)    \
    {                                                                                              \
        asm volatile("suld.b.1d." ptx "." #mode " " results1                                       \
                     : WARPUP_ALL results                                                          \
                     : "l"(object), "r"(x)                                                         \
                     : "memory");                                                                  \
    }                                                                                              \
    static __device__ WARPUP_HIDDEN void load_##mode(all &v, cudaSurfaceObject_t object, int x,    \
                                                     int y)                                        \
    {                                                                                              \
        asm volatile("suld.b.2d." ptx "." #mode " " results2                                       \
                     : WARPUP_ALL results                                                          \
                     : "l"(object), "r"(x), "r"(y)                                                 \
                     : "memory");                                                                  \
    }                                                                                              \
    static __device__ WARPUP_HIDDEN void store_##mode(const all &v, cudaSurfaceObject_t object,    \
                                                      int x)                                       \
    {                                                                                              \
        asm volatile("sust.b.1d." ptx "." #mode " " values1 ::"l"(object), "r"(x), __VA_ARGS__     \
                     : "memory");                                                                  \
    }                                                                                              \
    static __device__ WARPUP_HIDDEN void store_##mode(const all &v, cudaSurfaceObject_t object,    \
                                                      int x, int y)                                \
    {                                                                                              \
        asm volatile("sust.b.2d." ptx "." #mode " " values2 ::"l"(object), "r"(x), "r"(y),         \
                     __VA_ARGS__                                                                   \
                     : "memory");                                                                  \
    }
#define WARPUP_ALL(...) __VA_ARGS__
WARPUP_SURFEL(1, short, 1, "b8", ("=h"(v.w[0])), "%0, [%1, {%2}];", "%0, [%1, {%2, %3}];",
              "[%0, {%1}], %2;", "[%0, {%1, %2}], %3;", "h"(v.w[0]))
WARPUP_SURFEL(2, short, 1, "b16", ("=h"(v.w[0])), "%0, [%1, {%2}];", "%0, [%1, {%2, %3}];",
              "[%0, {%1}], %2;", "[%0, {%1, %2}], %3;", "h"(v.w[0]))
WARPUP_SURFEL(4, int, 1, "b32", ("=r"(v.w[0])), "%0, [%1, {%2}];", "%0, [%1, {%2, %3}];",
              "[%0, {%1}], %2;", "[%0, {%1, %2}], %3;", "r"(v.w[0]))
WARPUP_SURFEL(8, int, 2, "v2.b32", ("=r"(v.w[0]), "=r"(v.w[1])), "{%0, %1}, [%2, {%3}];",
              "{%0, %1}, [%2, {%3, %4}];", "[%0, {%1}], {%2, %3};", "[%0, {%1, %2}], {%3, %4};",
              "r"(v.w[0]), "r"(v.w[1]))
WARPUP_SURFEL(16, int, 4, "v4.b32", ("=r"(v.w[0]), "=r"(v.w[1]), "=r"(v.w[2]), "=r"(v.w[3])),
              "{%0, %1, %2, %3}, [%4, {%5}];", "{%0, %1, %2, %3}, [%4, {%5, %6}];",
              "[%0, {%1}], {%2, %3, %4, %5};", "[%0, {%1, %2}], {%3, %4, %5, %6};", "r"(v.w[0]),
              "r"(v.w[1]), "r"(v.w[2]), "r"(v.w[3]))
#undef WARPUP_ALL
#undef WARPUP_SURFEL_AT
#undef WARPUP_SURFEL

template <class T, class... P>
WARPUP_DEVICE T surface_read(cudaSurfaceObject_t object, cudaSurfaceBoundaryMode mode,
                             P... position)
{
    typename surfel<sizeof(T)>::all v;
    if (mode == cudaBoundaryModeClamp)
        surfel<sizeof(T)>::load_clamp(v, object, position...);
    else if (mode == cudaBoundaryModeZero)
        surfel<sizeof(T)>::load_zero(v, object, position...);
    else
        surfel<sizeof(T)>::load_trap(v, object, position...);
    T value;
    __builtin_memcpy(&value, &v, sizeof value);
    return value;
}
template <class T, class... P>
WARPUP_DEVICE void surface_write(const T &value, cudaSurfaceObject_t object,
                                 cudaSurfaceBoundaryMode mode, P... position)
{
    typename surfel<sizeof(T)>::all v;
    __builtin_memcpy(&v, &value, sizeof value);
    if (mode == cudaBoundaryModeClamp)
        surfel<sizeof(T)>::store_clamp(v, object, position...);
    else if (mode == cudaBoundaryModeZero)
        surfel<sizeof(T)>::store_zero(v, object, position...);
    else
        surfel<sizeof(T)>::store_trap(v, object, position...);
}

} // namespace warpup

WARPUP_HOST cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                        cudaChannelFormatKind kind)
{
    return {x, y, z, w, kind};
}
template <class T> WARPUP_HOST cudaChannelFormatDesc cudaCreateChannelDesc()
{
    const int bits = 8 * sizeof(typename warpup::texel<T>::part), parts = warpup::texel<T>::parts;
    return {bits, parts > 1 ? bits : 0, parts > 2 ? bits : 0, parts > 2 ? bits : 0,
            warpup::texel<T>::kind};
}

/* Each function in two forms: one returns the element, the other one stores it. */
#define WARPUP_TWO_FORMS(name, parameters, arguments, ...)                                         \
    template <class T> WARPUP_DEVICE T name(WARPUP_LIST parameters) { __VA_ARGS__ }                \
    template <class T> WARPUP_DEVICE void name(T *to, WARPUP_LIST parameters)                      \
    {                                                                                              \
        *to = name<T> arguments;                                                                   \
    }
#define WARPUP_LIST(...) __VA_ARGS__
#define WARPUP_TEXTURE(name, read, coordinates, ...)                                               \
    WARPUP_TWO_FORMS(name, (cudaTextureObject_t object, WARPUP_LIST coordinates),                  \
                     (object, __VA_ARGS__), typename warpup::texel<T>::word v[4];                  \
                     warpup::read(v, object, __VA_ARGS__);                                         \
                     return warpup::texel<T>::make(v[0], v[1], v[2], v[3]);)
WARPUP_TEXTURE(tex1Dfetch, texture_element, (int index), index)
WARPUP_TEXTURE(tex1D, texture_sample, (float x), x)
WARPUP_TEXTURE(tex2D, texture_sample, (float x, float y), x, y)

#define WARPUP_SURFACE(shape, coordinates, ...)                                                    \
    WARPUP_TWO_FORMS(surf##shape##read,                                                            \
                     (cudaSurfaceObject_t object, WARPUP_LIST coordinates,                         \
                      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap),                        \
                     (object, __VA_ARGS__, mode),                                                  \
                     return warpup::surface_read<T>(object, mode, __VA_ARGS__);)                   \
    template <class T>                                                                             \
    WARPUP_DEVICE void surf##shape##write(T value, cudaSurfaceObject_t object,                     \
                                          WARPUP_LIST coordinates,                                 \
                                          cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)     \
    {                                                                                              \
        warpup::surface_write(value, object, mode, __VA_ARGS__);                                   \
    }
WARPUP_SURFACE(1D, (int x), x)
WARPUP_SURFACE(2D, (int x, int y), x, y)
#undef WARPUP_SURFACE
#undef WARPUP_TEXTURE
#undef WARPUP_LIST
#undef WARPUP_TWO_FORMS

#endif
